"""The data that a site publishes: every document is of its schema, leads somewhere, and says what
the game says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from nomicgen.cli.program import main
from nomicgen.history.game_history import GameHistory
from nomicgen.model.values import Moment
from nomicgen.play.game_history import game_history_of
from nomicgen.play.load import load
from nomicgen.play.rulesets import NAMES
from nomicgen.site.build import pages
from nomicgen.site.data.api import DOCUMENTS, api_schema
from tests.ledger import UNANIMOUS, Ledger
from tests.rulesets import history_of_tree
from tests.site.conftest import Built
from tests.site.example import TODAY
from tests.site.test_rule import adopted, rule
from tests.site.test_rule import made as site_of
from tests.support import ROOT

pytestmark = pytest.mark.deep

API = "api/v1/"
Made = Mapping[str, str]


def kind_of(path: str) -> str:
    """The name of a document's schema."""
    name = path.removeprefix(API).removesuffix(".json")
    folder, slash, _ = name.partition("/")
    return (folder if folder == "texts" else folder.removesuffix("s")) if slash else name


def documents(made: Made) -> dict[str, Any]:
    """Every document, schemas apart, read."""
    paths = (path for path in made if path.startswith(API) and not path.startswith(f"{API}schema/"))
    return {path: json.loads(made[path]) for path in paths}


def objects(node: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document."""
    if isinstance(node, dict):
        yield node
    for one in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from objects(one)


def faults_of(made: Made, *, directory_urls: bool = True) -> list[str]:
    """What is wrong with the data of a site: against its own schemas, and in what it leads to."""
    schemas = {
        name: Draft202012Validator(
            json.loads(made[f"{API}schema/{name}.json"]), format_checker=None
        )
        for name in DOCUMENTS
    }
    there = addresses(made, directory_urls=directory_urls)
    found = []
    for path, told in documents(made).items():
        found += [
            f"{path}: {one.json_path}: {one.message}"
            for one in schemas[kind_of(path)].iter_errors(told)
        ]
        for one in objects(told):
            leads = [one[key] for key in ("url", "data") if one.get(key) is not None]
            found += [
                f"{path} leads to {href}" for href in leads if not leads_somewhere(href, there)
            ]
    return found


def addresses(made: Made, *, directory_urls: bool = True) -> Made:
    """What stands at each address of a site, relative to its root."""
    end = "/" if directory_urls else ".html"
    there = {
        re.sub(r"(^|/)index/$", r"\1", path.removesuffix(".md") + end) or "./": path
        for path in made
    }
    return {href if path.endswith(".md") else path: made[path] for href, path in there.items()}


def leads_somewhere(href: str, there: Made) -> bool:
    page, _, anchor = href.partition("#")
    return page in there and (not anchor or f'id="{anchor}"' in there[page])


@pytest.fixture(scope="module")
def told(made: Made) -> dict[str, Any]:
    """The documents of the game with one of everything, by their path below `api/v1/`."""
    return {path.removeprefix(API): one for path, one in documents(made).items()}


def test_the_data_of_the_example_is_of_its_schemas(made: Made) -> None:
    assert faults_of(made) == []


def test_the_data_names_pages_as_the_site_does(game_history: GameHistory) -> None:
    made = pages(game_history, today=TODAY, directory_urls=False)
    assert faults_of(made, directory_urls=False) == []
    assert json.loads(made[f"{API}rules/203.json"])["url"] == "rules/203.html"


@pytest.mark.nightly
def test_the_data_of_the_projects_own_game_is_of_its_schemas() -> None:
    assert faults_of(pages(game_history_of(load(ROOT)), today=Moment.parse("2026-11-20"))) == []


@pytest.mark.nightly
@pytest.mark.parametrize("ruleset", NAMES)
def test_the_data_of_a_played_game_is_of_its_schemas(ruleset: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["init", str(tmp_path), "--ruleset", ruleset, "--played"])
    assert result.exit_code == 0, result.output
    game = load(tmp_path)
    assert faults_of(pages(game_history_of(game), today=game.until)) == []


def test_a_fault_in_the_data_is_found(made: Made) -> None:
    path = f"{API}rules/203.json"
    wrong = json.loads(made[path]) | {"revision": "1", "url": "rules/999/", "more": 1}
    assert sorted(faults_of({**made, path: json.dumps(wrong)})) == [
        f"{path} leads to rules/999/",
        f"{path}: $.revision: '1' is not of type 'integer'",
        f"{path}: $: Additional properties are not allowed ('more' was unexpected)",
    ]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_schema_is_closed_and_says_what_every_key_means(name: str, made: Made) -> None:
    schema = json.loads(made[f"{API}schema/{name}.json"])
    Draft202012Validator.check_schema(schema)
    assert schema == api_schema(name)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for part in (schema, *schema.get("$defs", {}).values()):
        if part.get("type") == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False
            assert [
                key for key, one in part["properties"].items() if not one.get("description")
            ] == []


def test_the_index_leads_to_everything(told: dict[str, Any], made: Made) -> None:
    index = told["index.json"]
    assert [
        index[key]
        for key in ("name", "started", "date", "timezone", "feed", "url", "errors", "uncommitted")
    ] == [
        *("Harbour Nomic", "2020-06-01", "2020-10-01", "UTC", "feed.xml", "./"),
        *(0, 0),
    ]
    assert re.fullmatch("[0-9a-f]{40}", index["commit"])
    assert index["counts"] == {
        "rules": 9,
        "repealed": 1,
        "revisions": 12,
        "proposals": 5,
        "drafts": 1,
        "judgements": 2,
        "acts": 0,
        "players": 5,
        "turns": 5,
    }
    assert set(index["lists"].values()) | set(index["schemas"].values()) | {index["feed"]} <= set(
        made
    )
    lists = ("rules", "proposals", "judgements", "acts", "players")
    listed = {one["data"] for name in lists for one in told[f"{name}.json"][name]}
    assert {
        path for path in map(API.__add__, told) if path.count("/") > 2 and "/texts/" not in path
    } - listed == {f"{API}rules/103.json"}


def test_a_rule_is_told_whole(told: dict[str, Any]) -> None:
    rule = told["rules/203.json"]
    assert [
        rule[key] for key in ("number", "revision", "status", "since", "numbers", "url", "data")
    ] == [
        *(203, 1, "in force", "2020-06-10", [203]),
        *("rules/203/", "api/v1/rules/203.json"),
    ]
    assert [
        (one["revision"], one["since"], one["until"], one["by"], one["text"][:30], one["url"])
        for one in rule["revisions"]
    ] == [
        (0, "2020-06-01", "2020-06-10", None, "A rule-change is adopted if ev", "rules/203/#r0"),
        (1, "2020-06-10", None, "Proposal 301", "A rule-change is adopted if a ", "rules/203/#r1"),
    ]
    assert rule["revisions"][1]["text"] == rule["text"]
    assert rule["sentences"] == [
        "Rule-changes need the votes of more than half of eligible voters, and of more than 15% "
        "of all players."
    ]
    assert [(one["line"], one["data"]) for one in rule["entries"]] == [
        ("Initial mutable Rule 203, Jun 1, 2020", None),
        ("Amended (1) by Proposal 301 (Ada), Jun 10, 2020 (R1T1)", "api/v1/proposals/301.json"),
    ]
    assert [(one["number"], one["construes"], one["status"]) for one in rule["judgements"]] == [
        (1, "203/0", "upheld")
    ]
    assert [one["number"] for one in rule["cited_by"]] == [101, 204, 207]


def test_what_a_text_cites_is_told_with_what_became_of_it(told: dict[str, Any]) -> None:
    assert told["rules/207.json"]["cites"] == [
        {
            "kind": "rule",
            "number": 203,
            "revision": 0,
            "to": None,
            "note": "since amended, now 203/1",
            "url": "rules/203/",
            "data": "api/v1/rules/203.json",
        },
        {
            "kind": "judgement",
            "number": 1,
            "revision": None,
            "to": None,
            "note": None,
            "url": "judgements/1/",
            "data": "api/v1/judgements/1.json",
        },
    ]
    assert [(one["number"], one["to"]) for one in told["rules/101.json"]["cites"]] == [
        (101, 103),
        (201, 207),
    ]


def test_a_former_number_leads_to_the_rule_that_it_became(told: dict[str, Any], made: Made) -> None:
    assert made[f"{API}rules/103.json"] == made[f"{API}rules/303.json"]
    assert [told["rules/103.json"][key] for key in ("number", "numbers", "url")] == [
        303,
        [103, 303],
        "rules/303/",
    ]
    assert [one["number"] for one in told["rules.json"]["rules"]] == [
        101,
        102,
        201,
        203,
        204,
        205,
        206,
        207,
        303,
        304,
    ]


def test_a_repealed_rule_is_told_as_it_stood_last(told: dict[str, Any]) -> None:
    rule = told["rules/205.json"]
    assert (rule["status"], rule["text"][:6], rule["revisions"][0]["until"]) == (
        "repealed",
        "Whoeve",
        "2020-07-02",
    )
    assert rule["cited_by"] == []


def test_every_bearer_of_a_number_has_a_document() -> None:
    game = Ledger.start({101: UNANIMOUS, 102: {"numbering": {"enacted": "any"}}, 201: {}, 203: {}})
    game.proposal(301, "01-05", "## Repeal Rule 201/0")
    game.proposal(302, "01-06", "## Enact Rule 201: Again\n\nSomething else.")
    made = pages(history_of_tree(game.tree), today=Moment.parse("2026-02-01"))
    assert faults_of(made) == []
    now, then = (json.loads(made[f"{API}rules/{name}.json"]) for name in ("201", "201/2026-01-01"))
    assert [now[key] for key in ("text", "status", "data")] == [
        "Something else.",
        "in force",
        "api/v1/rules/201.json",
    ]
    assert [then[key] for key in ("text", "status", "data")] == [
        *("The text of 201.", "repealed", "api/v1/rules/201/2026-01-01.json"),
    ]


def test_a_proposal_is_told_whole(told: dict[str, Any]) -> None:
    proposal = told["proposals/302.json"]
    assert [
        proposal[key] for key in ("title", "author", "status", "decided", "effective", "argument")
    ] == [
        *("No more biscuits", "bo", "defeated", "2020-06-20", None, "Crumbs in the harbour."),
    ]
    assert {
        key: proposal["vote"][key] for key in ("for", "against", "abstain", "missing", "adopted")
    } == {
        "for": ["bo"],
        "against": ["ada", "cy"],
        "abstain": ["eli"],
        "missing": ["dee"],
        "adopted": False,
    }
    assert [(one["rule"], one["met"]) for one in proposal["vote"]["conditions"]] == [(203, False)]
    assert [(one["player"], one["vote"]) for one in proposal["ballots"]] == [
        *(("ada", "against"), ("bo", "for"), ("cy", "against"), ("eli", "abstain")),
    ]
    assert [(one["player"], one["amount"], one["rule"]) for one in proposal["points"]] == [
        ("bo", -10, 206)
    ]
    assert proposal["changes"] == [
        {
            "verb": "repeal",
            "before": "205/0",
            "after": None,
            "done": False,
            "url": "rules/205/",
            "data": "api/v1/rules/205.json",
        }
    ]
    assert [
        (one["before"], one["after"], one["done"]) for one in told["proposals/303.json"]["changes"]
    ] == [
        *(("103/0", "303/0", True), ("205/0", None, True)),
    ]


def test_a_draft_is_told_with_what_it_would_enact(told: dict[str, Any]) -> None:
    draft = told["proposals/draft-turnout.json"]
    assert [draft[key] for key in ("number", "status", "vote", "ballots", "url")] == [
        *(None, "draft", None, [], "proposals/draft-turnout/"),
    ]
    (instruction,), (change,) = draft["instructions"], draft["changes"]
    assert (instruction["heading"], instruction["rule"]) == ("Enact Rule: Turnout", None)
    assert (change["before"], change["done"], change["url"]) == (None, False, None)


def test_a_judgement_is_told_whole(told: dict[str, Any]) -> None:
    judgement = told["judgements/1.json"]
    assert [judgement[key] for key in ("judge", "called_by", "status", "rules", "ruling")] == [
        *("eli", "bo", "upheld", ["203/0"]),
        "No. Rule 203 counts those who were eligible when the vote opened.",
    ]
    assert judgement["construes"] == [
        {
            "rule": "203/0",
            "note": "since amended, now 203/1",
            "url": "rules/203/#r0",
            "data": "api/v1/rules/203.json",
        }
    ]


def test_a_judgement_leads_to_the_revision_that_it_construes() -> None:
    made = site_of(
        {
            "rules/initial/203.md": rule(203, "All must agree."),
            "proposals/301.md": adopted(301, "2020-02-01", "## Retitle Rule 203/0: Votes"),
            "proposals/302.md": adopted(
                302, "2020-02-02", "## Amend Rule 203/0\n\nMost must agree."
            ),
            "judgements/1.md": "---\nnumber: 1\njudge: wren\ndate: 2020-03-01\nrules: [203/1]\n"
            "status: upheld\n---\n\n"
            "Who?\n\n## Ruling\n\nMost.\n",
        }
    )
    assert [one["url"] for one in json.loads(made[f"{API}judgements/1.json"])["construes"]] == [
        "rules/203/#r1"
    ]


def test_a_player_is_told_with_what_the_player_did(told: dict[str, Any]) -> None:
    player = told["players/bo.json"]
    assert [player[key] for key in ("id", "name", "standing", "order", "score", "turns")] == [
        *("bo", "Bo Ek", "playing", 2, -10, ["R1T2"]),
    ]
    assert [one["name"] for one in player["proposals"]] == ["Proposal 302", "Draft turnout"]
    assert [(one["proposal"], one["vote"]) for one in player["votes"]] == [
        *((301, "for"), (302, "for"), (303, "for"), (304, "for")),
    ]
    assert [one["name"] for one in player["called"]] == ["Judgement 1"]


def test_what_happened_is_told_in_order(told: dict[str, Any]) -> None:
    events = told["history.json"]["events"]
    dates = [one["date"] for one in events if one["date"]]
    assert dates == sorted(dates)
    decided = [(one["date"], one["said"], one["url"]) for one in events if one["kind"] == "decided"]
    assert decided == [
        ("2020-06-10", "adopted, 5 for, 0 against", "proposals/301/"),
        ("2020-06-20", "defeated, 1 for, 2 against, 1 abstained", "proposals/302/"),
        ("2020-07-02", "adopted, 3 for, 1 against", "proposals/303/"),
        ("2020-07-12", "adopted, 5 for, 0 against", "proposals/304/"),
    ]


def test_the_commands_and_the_site_tell_the_same(harbour: Built, told: dict[str, Any]) -> None:
    printed = CliRunner().invoke(main, ["-C", str(harbour.game), "show", "203", "--format", "json"])
    assert json.loads(printed.output).items() <= told["rules/203.json"].items()
    printed = CliRunner().invoke(
        main, ["-C", str(harbour.game), "rule", "history", "203", "--format", "json"]
    )
    entries = [
        {key: one[key] for key in one if key not in ("url", "data", "outcome", "page")}
        for one in told["rules/203.json"]["entries"]
    ]
    assert json.loads(printed.output)[0]["entries"] == entries
