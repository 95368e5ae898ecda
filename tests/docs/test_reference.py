"""The reference: it is what the code says now, and it says it of everything."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from nomicgen.cli.command_table import read_table
from nomicgen.cli.program import COMMANDS
from nomicgen.law.kinds import kinds
from nomicgen.model.findings import CODES
from nomicgen.site.data.api import DOCUMENTS, api_schema
from tests.docs.typed import GUIDE
from tests.reference.__main__ import command
from tests.reference.schemas import (
    FILES,
    VIEWS,
    file_schema,
    provision_schema,
    rows,
    type_words,
    view_schema,
)

pytestmark = pytest.mark.deep

REFERENCE = GUIDE / "reference"


def reference(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reference")
    result = reference(str(folder))
    assert result.exit_code == 0, result.output
    assert not {"findings", "rulesets", "schema"} & {path.name for path in folder.iterdir()}
    assert reference(str(folder), "--built").exit_code == 0
    return folder


def test_the_reference_is_fresh() -> None:
    result = reference(str(REFERENCE), "--check")
    assert (result.output, result.exit_code) == ("", 0)


@pytest.mark.nightly
def test_check_names_what_is_out_of_date_and_writes_nothing(made: Path, tmp_path: Path) -> None:
    for path in made.rglob("*"):
        if path.is_file():
            copy = tmp_path / path.relative_to(made)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    (tmp_path / "files.md").write_text("# Files\n", "utf-8")
    (tmp_path / "gone.md").write_text("# gone\n", "utf-8")

    result = reference(str(tmp_path), "--check")
    assert result.output == "".join(
        f"{tmp_path / name} is out of date: run `make reference`\n"
        for name in ("files.md", "gone.md")
    )
    assert result.exit_code == 1
    assert (tmp_path / "files.md").read_text("utf-8") == "# Files\n"

    assert reference(str(tmp_path)).output == (
        f"{tmp_path / 'files.md'} is written\n{tmp_path / 'gone.md'} is removed\n"
    )
    assert reference(str(tmp_path), "--check").exit_code == 0


def test_every_command_has_its_section(made: Path) -> None:
    text = (made / "commands.md").read_text("utf-8")
    headings = [
        line.removeprefix("## nomicgen ")
        for line in text.splitlines()
        if line.startswith("## nomicgen ")
    ]
    table = read_table()
    assert list(table) == list(COMMANDS)
    below = {
        name: [f"{name} {one}" for one in row.get("commands", ())] for name, row in table.items()
    }
    assert headings == [one for name in table for one in (name, *below[name])]
    assert "| `--dry-run` | Show what would change, and write nothing. |" in text
    choices = "[text&#124;json&#124;github&#124;sarif]"
    assert f"| <code>--format {choices}</code> | The output format (default: text). |" in text
    assert "\\|" not in text


def test_every_finding_has_its_page(made: Path) -> None:
    assert {path.stem for path in (made / "findings").iterdir()} == set(CODES)
    text = (made / "findings.md").read_text("utf-8")
    for slug, code in CODES.items():
        assert f"- [`{slug}`](findings/{slug}.md): {code.summary}\n" in text


def test_a_findings_page_names_the_files_of_its_example(made: Path) -> None:
    text = (made / "findings" / "rules-differ.md").read_text("utf-8")
    assert text.startswith("# rules-differ\n\n")
    assert "\n`rules/302.md`:\n\n```markdown\n---\n" in text
    assert "\nThe finding:\n\n```text\nrules/302.md:8:1: error[rules-differ]: " in text


def test_every_kind_of_provision_has_an_example_and_its_sentence(made: Path) -> None:
    parts = (made / "provisions.md").read_text("utf-8").split("\n## ")[1:-1]
    assert [part.partition("\n")[0] for part in parts] == list(kinds())
    for kind, part in zip(kinds(), parts, strict=True):
        assert f"\n```yaml\n{kind}:" in part
        assert "\n> " in part
    assert "> There may be at most 3 mutable rules.\n" in parts[list(kinds()).index("cap")]


@pytest.mark.parametrize("name", FILES)
def test_every_key_of_every_file_says_its_type_and_meaning(name: str) -> None:
    schema = file_schema(name)
    for part in (schema, *schema.get("$defs", {}).values()):
        for key, kind, _, said, _ in rows(part):
            assert kind, key
            assert said, key


@pytest.mark.parametrize("name", FILES)
def test_a_schema_is_one_that_editors_can_use(name: str, made: Path) -> None:
    schema = json.loads((made / "schema" / f"{name}.json").read_text("utf-8"))
    assert schema == file_schema(name)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["additionalProperties"] is False
    for node in nodes(schema):
        assert not {"ge", "le", "nullable"} & set(node)
        assert node.get("type") != "null"
        assert node.get("default", ...) is not None
        reference_ = node.get("$ref")
        assert reference_ is None or reference_.removeprefix("#/$defs/") in schema["$defs"]


@pytest.mark.parametrize("name", VIEWS)
def test_every_key_that_a_command_prints_is_there_and_says_its_meaning(
    name: str, made: Path
) -> None:
    schema = json.loads((made / "schema" / f"{name}.json").read_text("utf-8"))
    assert schema == view_schema(name)
    Draft202012Validator.check_schema(schema)
    assert_closed(schema)
    assert f"[{name}.json](schema/{name}.json)" in (made / "json.md").read_text("utf-8")


def assert_closed(schema: Any) -> None:
    """Every object of a schema says of each key that it is there, and what it means; a key may be
    called `title`.
    """
    parts = [one for one in (schema, *schema.get("$defs", {}).values()) if one["type"] == "object"]
    assert parts
    for part in parts:
        assert part["required"] == list(part["properties"])
        assert part["additionalProperties"] is False
        assert [key for key, one in part["properties"].items() if not one.get("description")] == []


def test_a_key_called_title_is_in_the_schema() -> None:
    assert "title" in view_schema("preview")["properties"]
    assert "title" in api_schema("rule")["properties"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_that_a_site_publishes_is_listed_with_its_schema(
    name: str, made: Path
) -> None:
    schema = json.loads((made / "schema" / "api" / f"{name}.json").read_text("utf-8"))
    assert schema == api_schema(name)
    page = (made / "json.md").read_text("utf-8")
    assert re.search(
        rf"\| `api/v1/{DOCUMENTS[name][0]}` \| [A-Z][^|]+ \| "
        rf"\[{name}.json\]\(schema/api/{name}.json\) \|",
        page,
    )


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema within a schema, and the schema."""
    if isinstance(schema, list):
        for one in schema:
            yield from nodes(one)
    elif isinstance(schema, dict):
        yield schema
        for key, one in schema.items():
            yield from nodes(
                list(one.values()) if key in ("properties", "$defs", "patternProperties") else one
            )


def test_provisions_may_be_written_in_every_way_that_is_read() -> None:
    assert [one.get("type", one.get("const")) for one in provision_schema("points")["anyOf"]] == [
        "object",
        "array",
    ]
    assert provision_schema("effect")["anyOf"][1]["enum"] == ["at-once", "next-turn"]
    assert provision_schema("cap")["additionalProperties"]["minimum"] == 0
    rule = file_schema("rule")["properties"]["provisions"]
    assert (set(rule["properties"]), rule["additionalProperties"]) == (set(kinds()), False)


@pytest.mark.parametrize(
    ("name", "key", "words"),
    [
        ("rule", "number", "a whole number"),
        ("rule", "void", "`true`, `false` or a date"),
        ("rule", "defines", "a list, each a text"),
        ("proposal", "date", "a date"),
        ("proposal", "turn", "a turn such as `R4T3`"),
        ("proposal", "earlier", "a list, each [earlier vote](#earlier-vote)"),
        ("judgement", "rules", "a list, each a rule such as `203`, or a revision such as `203/1`"),
        ("judgement", "status", "`pending`, `upheld` or `overruled`"),
        ("turn", "dice", "a whole number, or a list of these"),
        ("turn", "passed", "`true` or `false`"),
    ],
)
def test_a_type_is_said_in_words(name: str, key: str, words: str) -> None:
    assert type_words(file_schema(name)["properties"][key]) == words
