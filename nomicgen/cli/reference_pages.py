"""The reference's pages that are made from models and registries: files, provisions, findings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from typing import Any

import yaml
from markdown_it.token import Token

from nomicgen.cli.reference_schemas import (
    FILES,
    VIEWS,
    Schema,
    file_schema,
    provision_schema,
    rows,
    type_label,
    view_schema,
)
from nomicgen.diagnostics import CODES, Code
from nomicgen.files import parser
from nomicgen.formats.api import DOCUMENTS, ROOT, api_schema
from nomicgen.formats.documents import Shape
from nomicgen.law.examples import examples_of, meaning_of
from nomicgen.law.kinds import kinds
from nomicgen.law.reading import parse_provisions
from nomicgen.law.sentences import joined, sentences

MADE = "<!-- Made by `make reference`. -->\n"

_TITLES = {
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
_FILES_HEAD = """\
These are the keys between the `---` lines at the head of a Markdown file, and those of `.yml` files. The key decides
the type of a value; no number is ever a float. Any other key is an error, which names the nearest key that exists.
[What a proposal can do](../player/instructions.md) describes the text below a proposal's front matter.

Each table has a [JSON Schema](json.md#schemas), so that editors can complete and check the keys.
"""
_PROVISIONS_HEAD = """\
A rule's text is the law. Its provisions tell the program what the text says. Each provision has a fixed English
sentence, which is shown beside the text. A rule has at most one provision of each kind, but {listed} can be lists.

Every kind except `sunset` also takes `over` and `under`, with the number of a rule or a list of numbers. `over` names
rules whose provision of this kind gives way to this one; `under` names those to which this one gives way. If several
rules have the same key, one of them decides: the more entrenched, then the one with the lowest number. Lists work
differently, except for `over`: a change must meet every `adoption` that matches it, and the others add up.

Osprey, Quill, Tallow and Wren play in the examples. Rule 201 has the provisions at the head of the example. Rule 202
asks for a majority, unless the example has an `adoption`. Osprey proposes Proposal 301 on 2 January. The vote opens on
3 January, and ends on 6 January. Unless an example says what the proposal changes, it amends
Rule 203. Each example is a test too.
"""

_SCHEMAS_HEAD = """\
Each kind of file has a JSON Schema (draft 2020-12), made from the code that reads it. [JSON](../integrator/json.md)
describes what commands print with `--format json`, and [Data](../integrator/data.md) what a site publishes.

An editor with a YAML language server completes and checks `nomic.yml` and the files of `players/` and `turns/`, if a
comment in them gives the schema's address:

```yaml
# yaml-language-server: $schema=https://example.org/guide/reference/schema/player.json
```

A game does not publish the schemas by itself. Copy the files below into its `docs/schema/`, and its site has them at
`schema/`. The address of a site of nomicgen itself, or a path on your machine, works too.

A schema says what each key may hold. Only `nomicgen check` knows whether the files fit together.
"""


def cell(text: str) -> str:
    """Text in a cell of a table, where a bar would end it."""
    return text.replace("|", "\\|")


def code_cell(text: str) -> str:
    """Code in a cell of a table."""
    # The site's dialect shows the backslash of an escaped bar in backticks, and the forge's ends the cell without it.
    return f"<code>{escape(text).replace('|', '&#124;')}</code>" if "|" in text else f"`{text}`"


def file_pages() -> Iterator[tuple[str, str]]:
    """`files.md`, and the schemas that its tables are of."""
    parts = [f"# Files\n\n{MADE}\n{_FILES_HEAD}"]
    shared: dict[str, Schema] = {}
    for name, (where, model) in FILES.items():
        schema = file_schema(name)
        yield f"schema/{name}.json", json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
        own = model.json_schema().get("$defs", {})
        shared |= {part: schema["$defs"][part] for part in own}
        parts.append(
            f"## {_TITLES[name]}\n\nIn {where}. [Schema](schema/{name}.json).\n\n{_table(schema, links={'provisions'})}"
        )
    parts.append("## Parts\n\nWhat a key of the tables above may hold.\n")
    parts.extend(_part(name, schema) for name, schema in sorted(shared.items()))
    yield "files.md", "\n".join(parts)


def view_pages() -> Iterator[tuple[str, str]]:
    """The schemas of what commands print, and of what a site publishes."""
    for name in VIEWS:
        yield f"schema/{name}.json", json.dumps(view_schema(name), ensure_ascii=False, indent=2) + "\n"
    for name in DOCUMENTS:
        yield f"schema/api/{name}.json", json.dumps(api_schema(name), ensure_ascii=False, indent=2) + "\n"


def provision_page() -> str:
    """The page of all kinds of provisions, each with an example and its sentence."""
    listed = joined(f"`{name}`" for name, kind in kinds().items() if kind.listed)
    parts = [f"# Provisions\n\n{MADE}\n{_PROVISIONS_HEAD.format(listed=listed)}"]
    shared: dict[str, Schema] = {}
    for kind in kinds():
        schema = provision_schema(kind)
        shared |= schema.get("$defs", {})
        parts.append(_provision(kind, schema.get("anyOf", [schema])[0]))
    parts.append("## Parts\n\nWhat a key of the tables above may hold.\n")
    parts.extend(_part(name, schema) for name, schema in sorted(shared.items()))
    return "\n".join(parts)


def _provision(kind: str, schema: Schema) -> str:
    means = re.sub(r"`([a-z]+(?:-[a-z]+)+)`", _finding_link, meaning_of(kind))
    listed, by_word = kinds()[kind].listed, kinds()[kind].by_word
    shape = " It can be a list." * listed + " It can also be just that word." * by_word
    examples = "\n".join(map(_worked, examples_of(kind), examples_of(kind, shown=True)))
    return f"""\
## {kind}

{schema["description"].split("; written")[0].rstrip(".")}.{shape}

{means}

{_table(schema, leave=("over", "under"))}
{examples}"""


def _worked(example: Mapping[str, Any], shown: Mapping[str, Any]) -> str:
    """An example: the provisions and their sentences, what is done, and what comes of it."""
    provisions, problems = parse_provisions(example["provisions"], ("immutable", "mutable"))
    assert not problems, problems
    said = "\n>\n".join(f"> {line}" for line in sentences(provisions))
    moves = {key: value for key, value in shown.items() if key not in ("case", "provisions", "gives")}
    gives = "\n".join(f"- {escape(line)}" for line in example["gives"])
    done = f"```yaml\n{_yaml(moves)}```\n\n" if moves else ""
    return f"""\
**{example["case"]}**

```yaml
{_yaml(shown["provisions"])}```

{said}

{done}{gives}
"""


def _yaml(table: Mapping[str, object]) -> str:
    """A table as one writes it by hand: a line a key, and what is short within a line."""
    return "".join(
        f"{key}: {value}\n"
        if isinstance(value, str) and "\n" not in value and not value.startswith("#")
        else yaml.safe_dump(
            {key: value}, allow_unicode=True, sort_keys=False, width=100, default_flow_style=None
        ).replace("'on': ", "on: ")
        for key, value in table.items()
    )


def _finding_link(match: re.Match[str]) -> str:
    """A finding's slug as a link to its page; other words in backticks stay as they are."""
    return f"[`{match[1]}`](findings/{match[1]}.md)" if match[1] in CODES else match[0]


def _part(name: str, schema: Schema) -> str:
    return f"### {type_label(name)}\n\n{schema['description']}\n\n{_table(schema)}"


def _table(schema: Schema, leave: tuple[str, ...] = (), links: frozenset[str] | set[str] = frozenset()) -> str:
    lines = ["| key | type | needed | meaning |", "|---|---|---|---|"]
    for name, kind, needed, said in rows(schema):
        if name not in leave:
            kind = f"[{name}]({name}.md)" if name in links else kind
            lines.append(f"| `{name}` | {cell(kind)} | {'yes' if needed else 'no'} | {cell(said)} |")
    return "\n".join(lines) + "\n"


def finding_pages() -> Iterator[tuple[str, str]]:
    """`findings.md`, and a page for each finding, as `nomicgen explain` prints it."""
    pages = {slug: _explained(slug) for slug in CODES}
    intro = "The findings of `nomicgen check` and other commands. `nomicgen explain SLUG` prints a finding's page."
    parts = [f"# Findings\n\n{MADE}\n{intro}"]
    for severity, title, what in (
        ("error", "Errors", "With any of these, `nomicgen check` exits with 1."),
        ("warning", "Warnings", "With these alone, `nomicgen check` exits with 0, except with `--strict`."),
    ):
        found = [code for code in CODES.values() if code.severity == severity]
        parts.append(
            "\n".join([f"\n## {title}\n\n{what}\n", "| finding | what it says |", "|---|---|", *_rows(found, pages)])
        )
    yield "findings.md", "\n".join(parts) + "\n"
    for slug, page in pages.items():
        if page is not None:
            yield f"findings/{slug}.md", page


def _rows(codes: list[Code], pages: Mapping[str, str | None]) -> Iterator[str]:
    for code in codes:
        name = f"`{code.slug}`"
        yield f"| {name if pages[code.slug] is None else f'[{name}](findings/{code.slug}.md)'} | {cell(code.summary)} |"


def _explained(slug: str) -> str | None:
    """A finding's page; the fences of its example, which a test reads, get their file's name above them."""
    page = files("nomicgen").joinpath("explain", f"{slug}.md")
    if not page.is_file():
        return None
    text = page.read_text("utf-8")
    lines = text.split("\n")
    for token in parser().parse(text):
        if token.type == "fence" and token.map is not None and token.level == 0:
            lines[token.map[0]] = _opening(token)
    lines.insert(1, f"\n{MADE.rstrip()}\n\nOne of the [findings](../findings.md).")
    return "\n".join(lines)


def _opening(token: Token) -> str:
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
        "git": ("Then these git commands are run:", "text"),
        "options": ("Checked with:", "text"),
        "text": ("`nomicgen check` says:", "text"),
    }[word]
    return (
        f"{label}\n\n{token.markup}{language}"
        if rest or word in ("delete", "git", "options")
        else f"{token.markup}{word}"
    )


def _first_line(shape: Shape) -> str:
    """What a kind of document says of itself, as a cell."""
    return cell(shape.about.partition("\n")[0].rstrip("."))


def schema_page() -> str:
    """The page that lists the schemas, and says how an editor is told of one."""
    listed = "\n".join(f"| {where} | [{name}.json](schema/{name}.json) |" for name, (where, _) in FILES.items())
    printed = "\n".join(f"| {what} | [{name}.json](schema/{name}.json) |" for name, (what, _) in VIEWS.items())
    published = "\n".join(
        f"| `{ROOT}/{path}` | {_first_line(shape)} | [{name}.json](schema/api/{name}.json) |"
        for name, (path, shape) in DOCUMENTS.items()
    )
    table = "\n\n".join(
        (
            f"| front matter of | schema |\n|---|---|\n{listed}",
            f"| printed by | schema |\n|---|---|\n{printed}",
            f"| published at | what it is | schema |\n|---|---|---|\n{published}",
        )
    )
    return f"# JSON Schemas\n\n{MADE}\n{_SCHEMAS_HEAD}\n## Schemas\n\n{table}\n"
