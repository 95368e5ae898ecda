"""The time machine's data: folded, it gives the ruleset of every day and after every instrument."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from nomicgen.formats.documents import document_schema
from nomicgen.history.game_history import GameHistory
from nomicgen.model.values import Moment
from nomicgen.play.rulesets import NAMES, shipped
from nomicgen.site.data.api import document
from nomicgen.site.data.timeline import BUNDLE_BYTES, TEXT, TEXTS, TIMELINE, bundles
from tests.deep import examples
from tests.games import wild_games
from tests.ledger import Ledger, day
from tests.played import ON
from tests.rulesets import history_of_tree
from tests.timelines import Reader, documents, files, standing

FULL = Moment.parse("2026-12-31")


def turbulent() -> Ledger:
    """Void dates, new numbers, an effect that comes late, two instruments of one moment, a rule
    that comes back.
    """
    made = Ledger.start({101: {}, 201: {}, 202: {}, 203: {}, 204: {}})
    made.proposal(301, "02-01", "## Repeal Rule 201/0\n\n## Retitle Rule 202/0: The second")
    made.proposal(302, "02-02", "## Amend Rule 203/0\n\nLate words.", effective=day("03-10"))
    made.proposal(
        303, "02-03", "## Renumber Rule 204/0 to 404\n\n## Enact Rule 405\n\nFor a while."
    )
    marked = "## Mark Rule 202/0\n\n```yaml rule\nvoid: 2026-03-01\n```"
    made.proposal(
        304, "02-03", f"## Amend Rule 202/0\n\n```yaml rule\nsection: Play\n```\n\nNew.\n\n{marked}"
    )
    made.proposal(305, "02-04", "## Amend Rule 404/0\n\nNew words of what was 204.")
    made.proposal(
        306, "02-05", "## Enact Rule 406\n\n```yaml rule\nreenacts: 201\n```\n\nIt is back."
    )
    made.proposal(307, "02-05", "## Transmute Rule 101/0 to mutable\n\n## Repeal Rule 405/0")
    made.proposal(308, "02-06", "## Mark Rule 406/0\n\n```yaml rule\nvoid: true\n```")
    made.proposal(309, "02-07", "## Amend Rule 404/1\n\nThe text of 204.")
    return made


def check_every_place(made: GameHistory, today: Moment) -> int:
    """Holds the folded data against the replay on every day and after every instrument; gives how
    many places.
    """
    reader = Reader(documents(made, today))
    moments = [step.effective for step in made.replay.steps if step.effective is not None]
    days = {one.day + timedelta(days=by) for one in (today, *moments) for by in (-1, 0, 1)}
    for one in sorted(days):
        assert reader.on(str(one)) == standing(made.replay.on(Moment.of(one))), one
    applied = [step for step in made.replay.steps if step.outcome == "applied"]
    for step in applied:
        assert reader.after(step.instrument.path.removesuffix(".md")) == standing(step.after), (
            step.instrument.path
        )
    assert reader.on("9999-12-31") == standing(made.replay.current)
    return len(days) + len(applied)


@pytest.mark.parametrize("name", NAMES)
def test_it_gives_the_ruleset_of_every_day_of_a_played_game(name: str) -> None:
    assert check_every_place(history_of_tree(shipped(name).tree(), str(ON)), ON) > 30


def test_it_gives_what_void_dates_new_numbers_late_effects_and_returns_make() -> None:
    made = history_of_tree(turbulent().tree, "2026-12-31")
    assert [step.outcome for step in made.replay.steps] == ["applied"] * 9
    assert check_every_place(made, FULL) > 20
    reader = Reader(documents(made, FULL))
    titles = {
        number: (revision, void)
        for number, revision, _, _, _, void, _ in reader.on("2026-02-05").values()
    }
    assert titles == {
        101: (0, False),
        202: (1, "2026-03-01"),
        203: (0, False),
        404: (1, False),
        406: (0, False),
    }
    assert [one["path"] for one in reader.timeline["moments"]][-1] == "proposals/302"


@settings(max_examples=examples(0.25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(wild_games())
def test_it_gives_the_ruleset_of_every_day_of_any_game(made: Ledger) -> None:
    assert check_every_place(history_of_tree(made.tree, "2026-12-31"), FULL) >= 3


def test_an_undated_archive_has_one_ruleset_for_all_days() -> None:
    tree = Ledger.start({101: {}, 201: {}}).tree
    tree["nomic.yml"] = b"format: 1\nname: Undated\n"
    tree["proposals/301.md"] = (
        b"---\nnumber: 301\nauthor: wren\nstatus: adopted\n---\n\n## Amend Rule 201/0\n\nNew.\n"
    )
    made = history_of_tree(tree)
    assert [(step.outcome, step.effective) for step in made.replay.steps] == [("applied", None)]
    check_every_place(made, FULL)
    timeline = Reader(documents(made, FULL)).timeline
    assert timeline["started"] is None
    assert [(one["path"], one["effective"]) for one in timeline["moments"]] == [
        ("proposals/301", None)
    ]


def test_what_is_not_yet_in_effect_is_named_and_changes_nothing() -> None:
    made = history_of_tree(turbulent().tree, "2026-03-09")
    today = Moment.parse("2026-03-09")
    check_every_place(made, today)
    timeline = Reader(documents(made, today)).timeline
    assert timeline["pending"] == [
        {
            "path": "proposals/302",
            "url": "proposals/302/",
            "name": "Proposal 302",
            "effective": "2026-03-10",
        }
    ]
    assert "proposals/302" not in [one["path"] for one in timeline["moments"]]


def test_a_change_is_one_short_row() -> None:
    timeline = Reader(documents(history_of_tree(turbulent().tree, "2026-12-31"), FULL)).timeline
    assert timeline["tiers"] == ["immutable", "mutable"]
    assert timeline["sections"] == ["Play"]
    moments = {one.pop("path"): one for one in timeline["moments"]}
    assert moments["proposals/304"] == {
        "url": "proposals/304/",
        "name": "Proposal 304",
        "title": "",
        "player": "wren",
        "decided": "2026-02-03",
        "effective": "2026-02-03",
        "changes": [
            [3, 202, 1, 1, "The second", 0, False, "amend", 4],
            [3, 202, 1, 1, "The second", 0, "2026-03-01", "mark", 4],
        ],
    }
    assert timeline["players"] == {"wren": {"name": "wren", "url": "players/wren/"}}
    assert timeline["rules"]["5"] == "rules/404/"


def test_texts_of_a_rule_are_neighbours_and_each_is_there_once() -> None:
    made = documents(history_of_tree(turbulent().tree, "2026-12-31"), FULL)
    assert [text for text, _ in made["api/v1/texts/1.json"]["texts"]] == [
        "The text of 101.",
        "The text of 201.",
        "It is back.",
        "The text of 202.",
        "New.",
        "The text of 203.",
        "Late words.",
        "The text of 204.",
        "New words of what was 204.",
        "For a while.",
    ]


def test_the_documents_are_what_their_schemas_say() -> None:
    made = documents(history_of_tree(shipped("nomic-iv").tree(), str(ON)), ON)
    for path, told in made.items():
        schema = document_schema(TIMELINE if path.endswith("timeline.json") else TEXTS, "x")
        assert list(Draft202012Validator(schema).iter_errors(told)) == []
        assert told["url"] == path


def test_bundles_are_bounded_and_hold_every_text_in_order() -> None:
    texts = [
        TEXT.row(text=f"{place} é\n" * (place % 7 * 900), html="<p>x</p>") for place in range(200)
    ]
    texts.insert(50, TEXT.row(text="y" * 2 * BUNDLE_BYTES, html=""))
    made = bundles(texts, "texts/{}.json")
    assert [text for one in made for text in one["texts"]] == texts
    firsts = [sum(len(one["texts"]) for one in made[:place]) for place in range(len(made))]
    assert [one["first"] for one in made] == firsts
    sizes = {one["url"]: len(document(one).strip().encode()) for one in made}
    large = [one["url"] for one in made if one["texts"] == [texts[50]]]
    assert [url for url, size in sizes.items() if size > BUNDLE_BYTES] == large
    assert len(made) < 1.5 * sum(sizes.values()) / BUNDLE_BYTES


def test_the_page_does_not_grow_with_the_game() -> None:
    games = (Ledger.start({101: {}, 201: {}}).tree, turbulent().tree)
    small, large = (
        files(replace(history_of_tree(one, str(FULL)), findings=()), FULL)["time.md"]
        for one in games
    )
    # Where no script runs, the last days are listed.
    small, large = (
        re.sub("<p>The last days on which the law changed:</p><ul>.*?</ul>", "", one)
        for one in (small, large)
    )
    assert small == large
    assert "The text of" not in large


def test_a_change_takes_some_hundred_bytes_at_most() -> None:
    made = files(history_of_tree(shipped("nomic-iv").tree(), str(ON)), ON)["api/v1/timeline.json"]
    timeline = json.loads(made)
    rows = [*timeline["initial"], *(row for one in timeline["moments"] for row in one["changes"])]
    assert len(rows) > 50
    assert max(len(json.dumps(row)) for row in rows) < 120
