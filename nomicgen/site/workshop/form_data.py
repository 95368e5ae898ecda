"""The data that the workshop's scripts read: the rules, what may be done to each, and samples.

A sample is a piece of a proposal with words in capitals to be replaced, such as `TITLE`. The
program's own functions write the samples, so the form writes files as they do.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any
from zoneinfo import TZPATH

from nomicgen.files.headings import EXAMPLES
from nomicgen.files.instruction_text import amend, enact, repeal, retitle, transmute
from nomicgen.files.text_encoding import Oddity
from nomicgen.files.yaml_writing import typed_provisions
from nomicgen.law.kind import Kind
from nomicgen.law.kinds import kinds
from nomicgen.law.possible_changes import possible_changes
from nomicgen.law.questions import most_changes
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.scene import Scene
from nomicgen.law.voting.thresholds import BASES, SHARES, needs_words
from nomicgen.play.whole_files import NEW_TEXT, DraftFrame
from nomicgen.site.site_view import Site

_HEADING = r"## (.*)"
# The name of a time zone, such as `Europe/London`.
_ZONE = r"[A-Za-z0-9_+-]+(?:/[A-Za-z0-9_+-]+)*"


def form_data(site: Site) -> dict[str, Any]:
    """Return what the page's form is made from, for `propose.js`."""
    records = site.records
    return {
        "game": site.settings.name,
        "ledger_digest": site.game_history.digest or "",
        "forge": site.addresses.new_file(),
        "front_matter": DraftFrame.of("", "TITLE", "AUTHOR").front,
        "instruction": amend("RULE", "TEXT", comment=("BLOCK",)),
        "text": NEW_TEXT,
        "repeal": repeal("RULE"),
        "retitle": retitle("RULE", "TITLE"),
        "enact": _heading(enact(None, "TITLE", "TEXT")),
        "paths": sorted(path for path in records.instruments if path.startswith("proposals/")),
        "players": [
            {"id": ident, "name": site.name(ident)}
            for ident, player in records.players.items()
            if player.matter.left is None
        ],
        "rules": list(_rules(site)),
        # Former numbers, each with the one that the rule bears now.
        "moved": {
            number: rule.number
            for number in sorted(site.replay.current.last_holder)
            if (rule := site.replay.current.once_numbered(number)) is not None
            and rule.number != number
        },
        "most_changes": _most_changes(site),
        # The words of the form for the shares and the bases of a threshold.
        "words": {
            **{
                one: needs_words(one, "cast").removesuffix("votes cast").strip().removesuffix(" of")
                for one in SHARES
            },
            **BASES,
        },
        "tiers": list(site.settings.tiers),
        "verbs": list(EXAMPLES),
        "kinds": {name: _schema(kind) for name, kind in sorted(kinds().items())},
        "undecided": [
            {"path": proposal.path, "name": site.title_of(proposal)}
            for proposal in records.of_kind("proposal")
            if proposal.matter.is_undecided
        ],
    }


def game_files(site: Site) -> dict[str, Any]:
    """Return the game's files and its time zone, for the program in the browser."""
    files_by_path = site.game_history.files.items()
    texts = {
        path: data.decode("utf-8", "replace")
        for path, data in files_by_path
        if not isinstance(data, Oddity)
    }
    return {"files": texts, "zone": _zone(site.settings.timezone)}


def _rules(site: Site) -> Iterator[dict[str, Any]]:
    scene = Scene.of(site.replay.current, site.records, site.today)
    ways = () if scene.lawless else possible_changes(scene)
    for rule in site.replay.current:
        possible = [
            (way.verb, way.into or "") for way in ways if way.from_ == rule.tier and way.possible
        ]
        verbs = dict.fromkeys([("amend", ""), ("repeal", "")] if scene.lawless else possible)
        yield {
            "number": rule.number,
            "ref": str(rule.ref),
            "title": rule.title,
            "tier": rule.tier,
            "text": rule.text,
            "provisions": typed_provisions(rule.provisions or {}),
            "ways": [
                {"verb": verb, "into": into, "heading": _instruction_heading(rule, verb, into)}
                for verb, into in verbs
                if verb in ("amend", "repeal", "transmute")
            ],
        }


def _most_changes(site: Site) -> dict[str, int] | None:
    """Return how many changes a proposal may hold, and the rule that says so; None if none does."""
    limit = most_changes(Scene.of(site.replay.current, site.records, site.today).law)
    return None if limit is None else {"most": limit.value, "rule": limit.rule}


def _schema(kind: Kind[Any]) -> dict[str, Any]:
    """Return a kind for the form: whether a rule may have a list of such provisions (`listed`),
    whether one may be written as a single word (`word`, as in `effect: at-once`), and the schema.
    """
    return {"listed": kind.listed, "word": kind.as_word, "schema": kind.schema.json_schema()}


def _instruction_heading(rule: Rule, verb: str, into: str) -> str:
    written: Mapping[str, str] = {"amend": amend(rule.ref, "TEXT"), "repeal": repeal(rule.ref)}
    return _heading(written[verb] if verb in written else transmute(rule.ref, into))


def _heading(instruction: str) -> str:
    match = re.match(_HEADING, instruction)
    assert match is not None
    return match[1]


def _zone(name: str) -> dict[str, str] | None:
    """Return the name and the file of a time zone, which browsers lack.

    None for `UTC`, for what is no zone's name, and for a zone that this machine lacks.
    """
    folders = [Path(folder) for folder in TZPATH]
    if name == "UTC" or re.fullmatch(_ZONE, name) is None:
        return None
    found = next((folder / name for folder in folders if (folder / name).is_file()), None)
    if found is None:
        try:
            data = files("tzdata").joinpath("zoneinfo", name).read_bytes()
        except (ModuleNotFoundError, OSError):
            return None
    else:
        data = found.read_bytes()
    return {"name": name, "data": b64encode(data).decode()}
