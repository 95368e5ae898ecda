"""The pages of the guide's reference, made from the code: commands, files, provisions, findings,
rulesets, schemas.
"""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from inspect import cleandoc
from textwrap import indent
from typing import Any

import click
import yaml
from jinja2 import Environment
from markdown_it.token import Token

from nomicgen.files.markdown import parser
from nomicgen.formats.text_templates import text_templates
from nomicgen.law.examples import examples_of, meaning_of
from nomicgen.law.kind import Kind, Provision
from nomicgen.law.kinds import kinds
from nomicgen.law.reading import parse_provisions
from nomicgen.law.sentences import joined, sentences
from nomicgen.model.findings import CODES
from nomicgen.play.enforcement import RuleEnforced, enforced_of_ruleset, own_table
from nomicgen.play.rulesets import NAMES, shipped
from nomicgen.site.addresses import API_ROOT
from nomicgen.site.data.api import DOCUMENTS, api_schema
from tests.reference.schemas import (
    FILES,
    VIEWS,
    Schema,
    file_schema,
    provision_schema,
    rows,
    type_label,
    view_schema,
)

_MADE = "<!-- Made by `make reference`. -->"
_EXAMPLES = 2
"""How many examples of a kind of provision the page shows; the tests run all of them."""
_TITLES = {  # the headings of files.md, by the keys of FILES
    "rule": "A rule",
    "proposal": "A proposal",
    "block": "A `yaml rule` block",
    "judgement": "A judgement",
    "act": "An act",
    "player": "A player",
    "turn": "A turn",
    "nomic": "The settings",
    "import": "The certificate of an import",
}


@functools.cache
def _templates() -> Environment:
    environment = text_templates("tests.reference")
    environment.filters |= {
        "cell": _cell,
        "code_cell": _code_cell,
        "escape": escape,
        "first_line": lambda text: text.partition("\n")[0].rstrip("."),
        "label": type_label,
        "rows": rows,
        "yaml": _yaml,
    }
    return environment


def _page(name: str, **values: Any) -> tuple[str, str]:
    return name, _templates().get_template(name).render(values)


def _cell(text: str) -> str:
    """Return a text for a cell of a table: a bar would end the cell, so it is escaped."""
    return text.replace("|", "\\|")


def _code_cell(text: str) -> str:
    """Return code for a cell of a table."""
    # The site's dialect shows the backslash of an escaped bar in backticks, and the forge's ends
    # the cell without it.
    return f"<code>{escape(text).replace('|', '&#124;')}</code>" if "|" in text else f"`{text}`"


def _yaml(table: Mapping[str, object]) -> str:
    """Return a table as one writes it by hand: a line for each key, short values within it."""
    return "".join(_yaml_key(key, value) for key, value in table.items())


def _yaml_key(key: str, value: object) -> str:
    if isinstance(value, str) and "\n" in value:
        return f"{key}: |\n{indent(value.rstrip(), '  ')}\n"
    if isinstance(value, str) and not value.startswith("#"):
        return f"{key}: {value}\n"
    style = None if isinstance(value, dict | list) else False  # else a key and its value get braces
    return yaml.safe_dump(
        {key: value}, allow_unicode=True, sort_keys=False, width=100, default_flow_style=style
    ).replace("'on': ", "on: ")


def reference_pages(program: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the pages that are kept in git: path in the reference's directory, and text."""
    commands = [_command(context) for context in _commands_in(program)]
    common = _shared_options(commands, 5)
    for group in commands:
        _move_shared_options(
            group, [command for command in commands if command["group"] == group["path"]], common
        )
    yield _page("commands.md", program=_command(program), commands=commands, common=common)
    yield _page("json.md", files=FILES, views=VIEWS, documents=DOCUMENTS, root=API_ROOT)
    yield _provisions()
    yield _files()
    yield _page("findings.md", codes=CODES.values(), explained=dict(_all_explained()))


def built_pages() -> Iterator[tuple[str, str]]:
    """Yield the files that are made while the site is built: findings, rulesets, schemas."""
    yield from ((f"findings/{slug}.md", page) for slug, page in _all_explained())
    yield "rulesets/index.md", _page("rulesets.md", rulesets=[*_rulesets()])[1]
    yield from (_schema(name, file_schema(name)) for name in FILES)
    yield from (_schema(name, view_schema(name)) for name in VIEWS)
    yield from (_schema(f"api/{name}", api_schema(name)) for name in DOCUMENTS)


def _rulesets() -> Iterator[tuple[str, list[RuleEnforced]]]:
    """Yield the title of each ruleset that has a table of its own, with the rules in it."""
    for name in NAMES:
        own = [
            rule
            for rule in enforced_of_ruleset(name)
            if int(rule.ref.partition("/")[0]) in own_table(name)
        ]
        if own:
            yield shipped(name).title, own


def _all_explained() -> Iterator[tuple[str, str]]:
    yield from ((slug, page) for slug in CODES if (page := _explained(slug)) is not None)


def _schema(name: str, schema: Schema) -> tuple[str, str]:
    return f"schema/{name}.json", json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _commands_in(context: click.Context) -> Iterator[click.Context]:
    group = context.command
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        with click.Context(command, info_name=name, parent=context) as sub:
            yield sub
            yield from _commands_in(sub)


def _command(context: click.Context) -> dict[str, Any]:
    """Return a command: what it does, what it is called, its options, examples."""
    paragraphs = cleandoc(context.command.help or "").split("\n\n")
    return {
        "path": context.command_path,
        "group": context.parent.command_path if context.parent else "",
        "usage": " ".join((context.command_path, *context.command.collect_usage_pieces(context))),
        "prose": [one for one in paragraphs if not one.startswith("\b")],
        "examples": [
            one.removeprefix("\b").strip("\n") for one in paragraphs if one.startswith("\b")
        ],
        "options": [*_options(context)],
        "shares_options": False,
    }


def _shared_options(commands: Sequence[Mapping[str, Any]], least: int) -> Sequence[tuple[str, str]]:
    """Return the options, with their help, that at least `least` commands share."""
    counts = Counter(row for command in commands for row in command["options"])
    return [row for row, count in counts.items() if count >= least]


def _move_shared_options(
    group: dict[str, Any], below: Sequence[dict[str, Any]], common: Sequence[tuple[str, str]]
) -> None:
    """Move options that at least three commands of a group share into the group, unless all of
    these are `common` on the page anyway.
    """
    shared = _shared_options(below, 3)
    if set(shared) <= set(common):
        return
    group["options"] = shared
    group["shares_options"] = True
    for command in below:
        own = [row for row in command["options"] if row not in shared]
        command["shares_options"] = len(own) < len(command["options"])
        command["options"] = own


def _options(context: click.Context) -> Iterator[tuple[str, str]]:
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is not None and "--help" not in parameter.opts:
            yield record


def _files() -> tuple[str, str]:
    """Return the page of all kinds of files."""
    told: dict[str, tuple[str, str, Schema]] = {}
    shared: dict[str, Schema] = {}
    for name, (where, model) in FILES.items():
        schema = file_schema(name)
        told[name] = _TITLES[name], where, schema
        shared |= {part: schema["$defs"][part] for part in model.json_schema().get("$defs", {})}
    tables = [[*rows(schema)] for _, _, schema in told.values()]
    counts = Counter(row for table in tables for row in table)
    common = [row for row, count in counts.items() if count >= 3]
    return _page("files.md", files=told, shared=shared, common=common)


def _provisions() -> tuple[str, str]:
    """Return the page of all kinds of provisions, each with examples and their sentences."""
    shared: dict[str, Schema] = {}
    told = []
    for name, kind in kinds().items():
        schema = provision_schema(name)
        shared |= schema.get("$defs", {})
        told.append(_provision(name, kind, schema.get("anyOf", [schema])[0]))
    listed = joined(f"`{name}`" for name, kind in kinds().items() if kind.listed)
    return _page("provisions.md", kinds=told, listed=listed, shared=shared)


def _provision(name: str, kind: Kind[Provision], schema: Schema) -> dict[str, Any]:
    return {
        "name": name,
        "about": schema["description"].split("; written")[0].rstrip("."),
        "means": re.sub(r"`([a-z]+(?:-[a-z]+)+)`", _finding_link, meaning_of(name)),
        "is_listed": kind.listed,
        "as_word": kind.as_word,
        "schema": schema,
        "examples": [*map(_example_for_page, examples_of(name), examples_of(name, shown=True))][
            :_EXAMPLES
        ],
    }


def _example_for_page(example: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return an example as the page shows it: provisions with their sentences, and moves.

    `example` and `shown` are the same one, with every scalar as its source text, and with numbers.
    """
    provisions, problems = parse_provisions(example["provisions"], ("immutable", "mutable"))
    assert not problems, problems
    moves = {
        key: value for key, value in shown.items() if key not in ("case", "provisions", "gives")
    }
    return {
        **example,
        "provisions": shown["provisions"],
        "sentences": sentences(provisions),
        "moves": moves,
    }


def _finding_link(match: re.Match[str]) -> str:
    """Return a finding's slug as a link to its page; other words in backticks stay as they are."""
    return f"[`{match[1]}`](findings/{match[1]}.md)" if match[1] in CODES else match[0]


def _explained(slug: str) -> str | None:
    """Return a finding's page, with the file's name above each fence of its tested example."""
    page = files("nomicgen").joinpath("explain", f"{slug}.md")
    if not page.is_file():
        return None
    text = page.read_text("utf-8")
    lines = text.split("\n")
    for token in parser().parse(text):
        if token.type == "fence" and token.map is not None and token.level == 0:
            lines[token.map[0]] = _opening(token)
    return "\n".join(lines)


def _opening(token: Token) -> str:
    """Return the first line of a fence for readers: the example's own words become a label."""
    word, _, rest = token.info.strip().partition(" ")
    path = f"`{rest.rpartition(' ')[2]}`"
    label, language = {
        "markdown": (f"{path}:", word),
        "yaml": (f"{path}:", word),
        "bytes": (f"{path}, with escapes for invisible characters:", "text"),
        "repeat": (f"{path}, this line {rest.partition(' ')[0]} times:", "text"),
        "symlink": (f"{path}, a symbolic link to this:", "text"),
        "delete": ("These files are missing:", "text"),
        "import": (f"{path}, which is imported:", "text"),
        "git": ("In git:", "text"),
        "options": ("Checked with:", "text"),
        "text": ("The finding:", "text"),
    }[word]
    return (
        f"{label}\n\n{token.markup}{language}"
        if rest or word in ("delete", "git", "options")
        else f"{token.markup}{word}"
    )
