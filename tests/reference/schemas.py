"""JSON Schemas of files, of provisions, and of what commands print as JSON; and words for the types
in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from nomicgen.formats.documents import DIALECT, Schema, Shape, document_schema
from nomicgen.formats.findings import FINDINGS
from nomicgen.formats.json_parts import SCORES
from nomicgen.formats.reading_json import BLAME, CITED, EXPLANATIONS, OUTDATED, REDLINE
from nomicgen.importers.survey import SURVEY
from nomicgen.law.kinds import kinds
from nomicgen.model.file_model import Model
from nomicgen.model.front_matters import (
    ActMatter,
    JudgementMatter,
    PlayerMatter,
    ProposalMatter,
    TurnMatter,
)
from nomicgen.model.import_record import Imported
from nomicgen.model.rule_matters import RuleBlock, RuleMatter
from nomicgen.model.settings import Settings
from nomicgen.play.command_json import HISTORY, RULE, STATUS
from nomicgen.play.enforcement import ENFORCED
from nomicgen.play.preview.as_json import PREVIEW
from nomicgen.play.tasks import NEXT
from nomicgen.pulls.as_json import PULL, VERDICT
from nomicgen.pulls.tally_text import COUNT
from nomicgen.verify.as_text import VERIFIED

__all__ = [
    "FILES",
    "VIEWS",
    "Schema",
    "file_schema",
    "provision_schema",
    "rows",
    "type_label",
    "type_words",
    "view_schema",
]

FILES: dict[str, tuple[str, type[Model]]] = {
    "rule": ("`rules/203.md` and `rules/initial/203.md`", RuleMatter),
    "proposal": ("`proposals/329.md`, and `proposals/turnout.md` for a draft", ProposalMatter),
    "block": ("a `yaml rule` block, in any instrument", RuleBlock),
    "judgement": ("`judgements/4.md`", JudgementMatter),
    "act": ("`acts/2020-08-14-correction.md`", ActMatter),
    "player": ("`players/wren.yml`", PlayerMatter),
    "turn": ("`turns/R4T3.yml`", TurnMatter),
    "nomic": ("`nomic.yml`", Settings),
    "import": ("`import.json`", Imported),
}
"""The kinds of files, each with where it stands and the model of its keys."""

VIEWS: dict[str, tuple[str, Shape]] = {
    "check": ("`nomicgen check --format json`", FINDINGS),
    "status": ("`nomicgen status --format json`", STATUS),
    "next": ("`nomicgen next --format json`", NEXT),
    "scores": ("`nomicgen scores --format json`", SCORES),
    "show": ("`nomicgen show --format json`", RULE),
    "history": ("`nomicgen rule history --format json`", HISTORY),
    "diff": ("`nomicgen rule diff --format json`", REDLINE),
    "blame": ("`nomicgen rule blame --format json`", BLAME),
    "cite": ("`nomicgen rule cite --format json`", CITED),
    "outdated": ("`nomicgen rule cite --check --format json`", OUTDATED),
    "explain": ("`nomicgen explain --format json`", EXPLANATIONS),
    "rulesets": ("`nomicgen rulesets show --format json`", ENFORCED),
    "survey": ("`nomicgen import survey --format json`", SURVEY),
    "verify": ("`nomicgen verify --format json`", VERIFIED),
    "preview": ("`nomicgen proposal preview --format json`", PREVIEW),
    "verdict": ("`nomicgen check --base REF --format json`", VERDICT),
    "pull": ("`nomicgen proposal preview --base REF --format json`", PULL),
    "tally": ("`nomicgen plumbing tally --format json`", COUNT),
}
"""What commands print as JSON, each with the command."""

_LISTS = ("history",)
"""The keys of VIEWS for which a command prints a list of such documents."""

# What a text is called, by a piece of its pattern; the first piece that the pattern has counts.
_NAMED = {
    "[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{9}": "a token, ten letters and digits",
    r"\d{4}-\d\d-\d\d": "a date",
    "[a-z0-9-]*": "an id",
    "R[1-9]": "a turn such as `R4T3`",
    "{64}$": "a SHA-256, in hexadecimal",
    "{40}|": "a commit's whole id",
    r"(/\d+)?$": "a rule such as `203`, or a revision such as `203/1`",
    r"(/\d+|%)?$": "a share, or a number of votes",
    " days?$": "a number of days",
    r"(/[1-9]\d{0,": "an exact number",
}


def file_schema(name: str) -> Schema:
    """Return the schema of the keys of a kind of file; `name` is a key of FILES."""
    where, model = FILES[name]
    schema = model.json_schema()
    if "provisions" in schema["properties"]:
        provisions = {kind: provision_schema(kind) for kind in kinds()}
        schema["$defs"] = {**schema.get("$defs", {}), **_lift(provisions)}
        # No provision is required: in an instruction, `{}` takes all of them away.
        schema["properties"]["provisions"] |= {
            "properties": provisions,
            "additionalProperties": False,
        }
    return {"$schema": DIALECT, "title": f"nomicgen: {where.replace('`', '')}", **schema}


def view_schema(name: str) -> Schema:
    """Return the schema of what a command prints; `name` is a key of VIEWS. Every key is required;
    some values may be null.
    """
    command, shape = VIEWS[name]
    return document_schema(shape, command.replace("`", ""), many=name in _LISTS)


def provision_schema(kind: str) -> Schema:
    """Return the schema of a provision: keys with values; for some kinds also a list of these, or a
    word.
    """
    schema = kinds()[kind].schema.json_schema()
    definitions = schema.pop("$defs", {})
    wider: list[Schema] = [schema]
    if kinds()[kind].listed:
        wider.append({"type": "array", "items": schema, "minItems": 1})
    if kinds()[kind].as_word:
        wider.append(schema["properties"]["when"])
    whole: Schema = (
        {"anyOf": wider, "description": schema["description"]} if len(wider) > 1 else schema
    )
    return {**whole, "$defs": definitions} if definitions else whole


def _lift(schemas: Mapping[str, Schema]) -> Schema:
    """Move the definitions out of schemas and return them: `#/$defs/…` is looked up at the root."""
    return {
        name: definition
        for one in schemas.values()
        for name, definition in one.pop("$defs", {}).items()
    }


def rows(schema: Schema) -> Iterator[tuple[str, str, bool, str, str]]:
    """Yield a row for each key of an object's schema.

    It has the name, the type in words, whether the key is required, its meaning, and who writes it.
    """
    required = schema.get("required", ())
    for name, one in schema.get("properties", {}).items():
        default = one.get("default")
        said = one.get("description", "") + (
            f" (default: `{_yaml(default)}`)" if default is not None else ""
        )
        yield name, type_words(one), name in required, said, one.get("x-written-by", "")
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        yield "TIER", type_words(others), False, others["description"], ""


def _yaml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{', '.join(value)}]" if isinstance(value, list) else str(value)


def type_words(schema: Schema) -> str:
    """Return the type of a value in words: `a date`, `a list, each an id`, choices in code."""
    if "$ref" in schema:
        label = type_label(schema["$ref"].rpartition("/")[2])
        return f"[{label.lower()}](#{label.lower().replace(' ', '-')})"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return _either([f"`{one}`" for one in schema["enum"]])
    if "anyOf" in schema:
        return _union(schema["anyOf"])
    return _plain(schema)


def type_label(name: str) -> str:
    """Return a model's name as a heading: `Earlier vote`."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).capitalize()


def _union(branches: list[Schema]) -> str:
    pattern = next((one["pattern"] for one in branches if "pattern" in one), None)
    if pattern is not None and branches[0].get("type") == "integer":
        return _pattern_words(pattern)
    if len(branches) == 2 and branches[1].get("items") == branches[0]:
        return f"{type_words(branches[0])}, or a list of these"
    return ("; or " if branches[0].get("type") == "object" else ", or ").join(
        map(type_words, branches)
    )


def _plain(schema: Schema) -> str:
    kind = schema.get("type")
    if kind == "string":
        return _pattern_words(schema["pattern"]) if "pattern" in schema else "a text"
    if kind == "array":
        return f"a list, each {type_words(schema['items'])}"
    if kind == "object":
        values = schema.get("additionalProperties") or next(
            iter(schema.get("patternProperties", {}).values()), None
        )
        return (
            f"keys, each with {type_words(values)}"
            if isinstance(values, dict)
            else "keys with values"
        )
    if kind == ["boolean", "string"]:
        return "`true`, `false` or a date"
    return {"integer": "a whole number", "boolean": "`true` or `false`"}[str(kind)]


def _pattern_words(pattern: str) -> str:
    return next(words for part, words in _NAMED.items() if part in pattern)


def _either(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
