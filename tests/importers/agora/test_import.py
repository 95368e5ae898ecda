"""Agora's rules data, imported: a small folder of it as a whole, and the data themselves where they
are.
"""

from __future__ import annotations

import io
import tarfile
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nomicgen.files.game_files import read_game
from nomicgen.importers.agora.importer import import_agora
from nomicgen.importers.founding import ImportOrigin, bring_in
from nomicgen.importers.game_writing import ImportedGame
from nomicgen.importers.import_report import report_markdown
from nomicgen.law.precedence import Law
from nomicgen.law.voting.voting_rights import electorate
from nomicgen.model.values import Moment
from nomicgen.play.game_status import next_number
from nomicgen.play.load import Game
from nomicgen.play.start import Founding
from tests.case_files import unfold
from tests.deep import examples

CASE = Path(__file__).parent
SHARED = Path(__file__).parents[4] / "shared" / "data" / "agora-rules-data.tar.gz"
ON = Moment.parse("2026-01-10")
COUNTED = ("amendment", "reenactment", "infection-amendment", "null-amendment")
HOUSE = ("nomic.yml", "rules", "proposals", "acts", "judgements", "players")


def founded(imported: ImportedGame) -> Game:
    """The game as it is written, `rules/` with it. Raises Refused where it would have errors."""
    return bring_in(Path("nowhere"), imported, ImportOrigin(source="data"), ON, Founding()).after


def rule(history: str, **keys: str) -> bytes:
    """A file of one rule, with the entries of its history."""
    more = "".join(f"{key}: {value}\n" for key, value in keys.items())
    head = "" if "name" in keys else "name: Ropes\n"
    return f"id: 101\n{head}power: 1\ntext: Ropes are coiled.\n{more}history:\n{history}".encode()


def entry(kind: str, day: str = "2001-01-01", agent: str = "{proposal: '7'}", **keys: str) -> str:
    change = ", ".join(
        f"{key.replace('_', '-')}: {value}" for key, value in {"type": kind, **keys}.items()
    )
    return f"- change: {{{change}}}\n  date: {day}\n  agent: {agent}\n"


def slugs(imported: ImportedGame) -> Counter[str]:
    return Counter(one.slug for one in imported.warnings)


def test_whole_folder() -> None:
    """Every file that a small folder of data gives, and every line of the report on it."""
    imported = import_agora(unfold((CASE / "data.txt").read_bytes()))
    tree = founded(imported).tree
    assert imported.findings == ()
    expected = unfold((CASE / "game.txt").read_bytes())
    assert {path: data for path, data in tree.items() if path.split("/")[0] in HOUSE} == expected
    assert report_markdown("data", imported.findings, imported.warnings) == (
        CASE / "report.md"
    ).read_text("utf-8")


def test_revision_goes_on_through_a_repeal() -> None:
    history = entry("enactment") + entry("amendment", "2001-02-01", "{proposal: '8'}")
    history += entry("repeal", "2001-03-01", "{proposal: '9'}")
    history += entry("reenactment", "2001-04-01", "{proposal: '10'}")
    history += entry("amendment", "2001-05-01", "{proposal: '11'}", uncounted="true")
    history += entry("amendment", "2001-06-01", "{proposal: '12'}")
    current = founded(import_agora({"rules/101": rule(history)})).replay.current
    assert [(one.ref, one.text) for one in current] == [("101/3", "Ropes are coiled.")]


def test_contrary_orders_of_one_day() -> None:
    """Two histories that put two proposals of one day in contrary orders: both are kept, one of
    them by an act.
    """
    there = entry("enactment", "2000-01-01", "{proposal: '1'}")
    one = (
        there
        + entry("amendment", agent="{proposal: '7'}")
        + entry("amendment", agent="{proposal: '8'}")
    )
    other = (
        there
        + entry("amendment", agent="{proposal: '8'}")
        + entry("amendment", agent="{proposal: '7'}")
    )
    imported = import_agora({"rules/101": rule(one), "rules/102": rule(other)})
    game = founded(imported)
    steps = [
        (step.instrument.name, str(change.after and change.after.ref))
        for step in game.replay.steps
        for change in step.changes
    ]
    assert [ref for _, ref in steps if ref.startswith("101")] == ["101/0", "101/1", "101/2"]
    assert [name for name, ref in steps if ref.startswith("101")] == [
        "Proposal 1",
        "Proposal 7",
        "Proposal 8",
    ]
    assert [name for name, ref in steps if ref.startswith("102")] == [
        "Proposal 1",
        "Proposal 8",
        "Proposal 7",
    ]
    assert slugs(imported)["told-apart"] == 1


def test_proposal_twice_with_another_between() -> None:
    history = "".join(entry("amendment", agent=f"{{proposal: '{number}'}}") for number in (7, 8, 7))
    imported = import_agora(
        {"rules/101": rule(entry("enactment", "2000-01-01", "{proposal: '1'}") + history)}
    )
    names = [step.instrument.name for step in founded(imported).replay.steps]
    assert names == ["Proposal 1", "Proposal 7", "Proposal 8", "Proposal 7"]


def test_proposal_twice_with_an_enactment_between() -> None:
    """The second change is not one of the instrument that enacted the rule, and the warning does
    not say so.
    """
    changes = (("repeal", 7), ("reenactment", 8), ("amendment", 7))
    history = "".join(entry(kind, agent=f"{{proposal: '{number}'}}") for kind, number in changes)
    imported = import_agora(
        {"rules/101": rule(entry("enactment", "2000-01-01", "{proposal: '1'}") + history)}
    )
    (apart,) = (one for one in imported.warnings if one.slug == "told-apart")
    assert apart.message.startswith("the history puts other changes between")


@pytest.mark.parametrize(
    ("data", "slug"),
    [
        (b"- a list\n", "yaml-syntax"),
        (b"id: &a 101\nname: *a\n", "yaml-alias"),
        (b"id: 101\nid: 102\n", "key-doubled"),
        (b"a: " + b"[" * 30 + b"]" * 30 + b"\n", "yaml-deep"),
        (b"id: !!int 101\n", "yaml-tag"),
        (b"#" * (1 << 20 | 1), "file-too-large"),
    ],
)
def test_what_cannot_be_read_is_told(data: bytes, slug: str) -> None:
    imported = import_agora({"rules/101": data, "rules/102": rule(entry("enactment"))})
    assert {slug, "unreadable"} <= {
        one.slug for one in imported.warnings if one.path == "rules/101"
    }
    assert [one.number for one in founded(imported).replay.current if one.number == 102] == [102]


def test_nothing_is_dated_before_the_game_began() -> None:
    """A call for judgement that is dated too early has no day; what has none itself has the game's
    first.
    """
    call = "annotations:\n- cfjs:\n  - id: '12'\n    called: 1990-01-05\n  text: It floats.\n"
    undated = "- change: {type: amendment}\n  agent: {decree: Wren}\n"
    files = {
        "rules/101": rule(entry("initial", agent="")) + call.encode(),
        "rules/102": rule(undated),
    }
    imported = import_agora(files)
    assert founded(imported).errors == ()
    assert b"\ndate:" not in imported.files["judgements/12.md"]
    [act] = [data for path, data in imported.files.items() if path.startswith("acts/")]
    assert b"date: after 2001-01-01\n" in act
    assert slugs(imported)["case-date"] == 1


def test_the_next_number_is_one_that_nothing_tells_of() -> None:
    """A proposal that no history names, and what is named without a file, had their numbers too."""
    first = entry("enactment") + entry("amendment", "2001-01-02", "{proposal: '9'}")
    for files, number in (
        ({"rules/101": rule(first)}, 10),
        ({"rules/101": rule(first), "proposals/8": b"id: '8'\nauthor: Wren\n"}, 10),
        ({"rules/101": rule(first), "proposals/12": b"id: '12'\nauthor: Wren\n"}, 13),
    ):
        game = founded(import_agora(files))
        assert next_number(game.records, game.replay, game.until) == number


def test_what_a_mark_does_not_say_is_a_note() -> None:
    odd = entry("infection", "2001-01-02", "{rule: '105'}", host="Ropes")
    files = {"rules/101": rule(entry("enactment") + odd)}
    [act] = [data for path, data in import_agora(files).files.items() if path.startswith("acts/")]
    assert b'note: "2001-01-02: infected by Rule 105"' in act
    assert b'note: "Rule 101: host: Ropes"' in act


def test_nobody_of_its_past_plays() -> None:
    files = {"rules/101": rule(entry("enactment")), "proposals/7": b"id: '7'\nauthor: Wren\n"}
    game = founded(import_agora(files))
    assert [one.matter.kind for one in game.records.players.values()] == ["past"]
    assert electorate(game.records.players, Law(), ON) == ((), ())


def test_no_rules() -> None:
    imported = import_agora({"rules/README": b"id: 1\n", "proposals/7": b"id: 7\n"})
    assert imported.files == {}
    assert [(one.path, one.slug) for one in imported.warnings][:1] == [
        ("rules/README", "file-name")
    ]


def test_numbers_far_apart() -> None:
    """A number of nine digits costs no more than a small one."""
    there = entry("enactment", "2000-01-01", "{proposal: '1'}") + entry(
        "amendment", agent="{proposal: '90000'}"
    )
    files = import_agora({"rules/101": rule(there)}).files
    assert b"lost:\n  proposals: [2-89999]\n" in files["nomic.yml"]


KINDS = (
    *COUNTED,
    "enactment",
    "repeal",
    "power-change",
    "mutation",
    "retitling",
    "renumbering",
    "infection",
    "odd",
    "",
)
DAYS = (
    "2001-01-01",
    "2001-01-01",
    "2001-01-02",
    "2000-06-31",
    "unknown",
    "{around: 2001-01-03}",
    "{a: b}",
    "9999-12-31",
)
AGENTS = (
    *(
        "{proposal: '7'}",
        "{proposal: '8'}",
        "{proposal: '101'}",
        "{proposal: x-1}",
        "{rule: '101'}",
        "{rule: '5'}",
    ),
    *(
        "{cleaning: {by: Wren}}",
        "{decree: Wren}",
        "{ratification: {document: D}}",
        "",
        "[1]",
        "{a: b, c: d}",
    ),
)
CHANGES: tuple[dict[str, str], ...] = (
    {},
    {"uncounted": "true"},
    {"old_power": "1", "new_power": "2.5"},
    {"old_id": "99", "new_id": "101"},
)
histories = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.sampled_from(DAYS),
        st.sampled_from(AGENTS),
        st.sampled_from(CHANGES),
    ),
    max_size=8,
)


@settings(max_examples=examples(0.8), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(histories, min_size=1, max_size=4))
def test_any_history_gives_a_game_without_errors(
    lives: list[list[tuple[str, str, str, dict[str, str]]]],
) -> None:
    """Whatever entries come in whatever order: no errors, and revisions as Agora counts."""
    files = {}
    for number, life in enumerate(lives, 101):
        listed = "".join(entry(kind, day, agent, **keys) for kind, day, agent, keys in life)
        files[f"rules/{number}"] = rule(listed or "  []\n")
    imported = import_agora(files)
    game = founded(imported)
    idle = {one.path for one in imported.warnings if one.slug == "no-place"}
    for one in game.replay.current:
        said = [(kind, keys) for kind, _, _, keys in lives[one.number - 101]]
        if f"rules/{one.number}" not in idle:
            assert one.revision == sum(
                kind in COUNTED and "uncounted" not in keys for kind, keys in said
            )
    assert not game.errors


@settings(max_examples=examples(1.5), deadline=None)
@given(st.binary(max_size=200), st.text(alphabet="abc: -[]{}'\"\n&*!|>#%@\t1", max_size=60))
def test_no_yaml_crashes_it(raw: bytes, text: str) -> None:
    for data in (raw, text.encode(), b"id: 101\nhistory:\n- " + text.encode()):
        import_agora({"rules/101": data, "proposals/7": data, "config/index": data})


@cache
def shared() -> Mapping[str, bytes]:
    if not SHARED.is_file():
        pytest.skip("the data of Agora are not here")
    with tarfile.open(fileobj=io.BytesIO(SHARED.read_bytes())) as archive:
        found = {
            one.name: stream.read()
            for one in archive
            if (stream := archive.extractfile(one)) is not None
        }
    return {name.partition("rules_data/")[2]: data for name, data in found.items()}


@cache
def agora() -> tuple[ImportedGame, Game]:
    imported = import_agora(shared())
    return imported, founded(imported)


def read(path: str) -> Any:
    return yaml.load(shared()[path], yaml.CBaseLoader)


@pytest.mark.deep
def test_agora_has_no_errors() -> None:
    imported, game = agora()
    assert game.errors == ()
    assert imported.findings == ()
    _, unread = read_game(game.tree)
    assert [one for one in unread if one.is_error] == []


@pytest.mark.deep
def test_agora_prints_its_revisions() -> None:
    """The rules of the index are in force, with the number, revision, title and power that Agora's
    report prints.
    """
    _, game = agora()
    printed = {}
    for path in shared():
        if path.startswith("rules/"):
            data = read(path)
            changes = [one["change"] for one in data["history"]]
            revision = sum(one["type"] in COUNTED and "uncounted" not in one for one in changes)
            printed[int(path[6:])] = (revision, data["name"], float(data["power"]))
    current = {
        one.number: (
            one.revision,
            one.title,
            float(one.tier.removeprefix("power-").replace("-", ".")),
        )
        for one in game.replay.current
    }
    index = yaml.load(shared()["config/index"], yaml.CBaseLoader)
    assert set(current) == {int(number) for one in index for number in one["rules"]}
    assert current == {number: printed[number] for number in current}


def test_agora_keeps_every_entry() -> None:
    """Each entry of each history is a change of its rule in the ledger, with its cause; one alone
    had no place.
    """
    imported, game = agora()
    entries = Counter(
        (int(path[6:]), one["change"]["type"])
        for path in shared()
        if path.startswith("rules/")
        for one in read(path)["history"]
    )
    named = Counter(
        f"Proposal {one['agent']['proposal']}"
        for path in shared()
        if path.startswith("rules/")
        for one in read(path)["history"]
        if isinstance(one.get("agent"), dict) and "proposal" in one["agent"]
    )
    told = Counter(step.instrument.name for step in game.replay.steps for _ in step.changes)
    assert (named - told).total() == slugs(imported)["no-place"] == 1
    changes = [change for step in game.replay.steps for change in step.changes]
    unsaid = sum(change.verb == "renumber" for change in changes) - entries_of(
        entries, "renumbering"
    )
    unsaid += told["Left out of the index"]
    initial, without = len(game.records.initial), slugs(imported)["no-place"]
    assert len(changes) - unsaid == sum(entries.values()) - initial - without == 3141 - initial - 1


def entries_of(entries: Counter[tuple[int, str]], kind: str) -> int:
    return sum(count for (_, one), count in entries.items() if one == kind)


def test_agora_slips_are_in_the_report() -> None:
    imported, _ = agora()
    told = {(one.slug, one.path, one.line) for one in imported.warnings}
    assert {
        ("date-impossible", "rules/2680", 52),
        ("date-unknown", "rules/417", 24),
        ("date-order", "rules/2593", 88),
        ("id", "rules/2541", 1),
        ("id", "proposals/7561", 1),
        ("no-place", "rules/2627", 44),
        ("agent-missing", "rules/2513", 51),
        ("proposal-number", "rules/1769", 25),
        ("category-history", "rules/2514", None),
    } <= told
