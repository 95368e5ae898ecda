"""The time machine's scripts: a long game, the fold against the replay, the redlines against those
of other pages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from nomicgen.history.game_history import GameHistory
from nomicgen.history.redline import redline
from nomicgen.model.values import Moment
from nomicgen.play.rulesets import NAMES, shipped
from nomicgen.site.data.api import document
from nomicgen.site.data.timeline import TEXT, TIMELINE, bundles
from nomicgen.site.render import asset
from tests.deep import sampled
from tests.played import ON
from tests.rulesets import history_of_tree
from tests.site.conftest import Built
from tests.site.test_time import visit
from tests.site.test_timeline import turbulent
from tests.site.test_undated import tree as undated
from tests.timelines import Standing, documents, standing

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(harbour: Built, serve: Callable[[Path], str]) -> str:
    return f"{serve(harbour.site)}time/"


# A long game


def long_game(rules: int = 350, revisions: int = 4000) -> dict[str, str]:
    """The documents of a game of so many rules and revisions, each of which changes some of 150
    words.
    """

    def words(rule: int, revision: int) -> str:
        return " ".join(
            f"word{(at * 7 + rule + (revision if at % 10 == 0 else 0)) % 997}" for at in range(150)
        )

    each = -(-revisions // rules)
    numbers = [(rule, revision) for rule in range(rules) for revision in range(each)]
    texts = (TEXT.row(text=words(*one), html=f"<p>{words(*one)}</p>") for one in numbers)
    parts = bundles(texts, "api/v1/texts/{}.json")

    def change(rule: int, revision: int) -> list[Any]:
        verb = "amend" if revision else "initial"
        return [
            rule,
            101 + rule,
            revision,
            rule % 2,
            "A title",
            None,
            False,
            verb,
            rule * each + revision,
        ]

    moments = [
        {
            "path": f"proposals/{number}",
            "url": f"proposals/{number}/",
            "name": f"Proposal {number}",
            "title": "A change",
            "player": None,
            "decided": None,
            "effective": str(Moment.parse("2001-01-01").plus(number)),
            "changes": [change(rule, revision)],
        }
        for number, (revision, rule) in enumerate(
            (revision, rule) for revision in range(1, each) for rule in range(rules)
        )
    ]
    timeline = TIMELINE.write(
        url="api/v1/timeline.json",
        game="Long",
        started="2001-01-01",
        today="2026-01-01",
        tiers=("immutable", "mutable"),
        sections=(),
        players={},
        rules={rule: f"rules/{101 + rule}/" for rule in range(rules)},
        bundles=[part["first"] for part in parts],
        initial=[change(rule, 0) for rule in range(rules)],
        moments=moments,
        pending=(),
    )
    return {one["url"]: document(one) for one in (timeline, *parts)}


@pytest.mark.nightly
def test_a_long_game_can_be_used(page: Page, address: str) -> None:
    made = long_game()
    assert len(made["api/v1/timeline.json"]) < 1_000_000

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(address.removesuffix("time/"))
        if path in made:
            route.fulfill(body=made[path])
        else:
            route.fallback()

    page.route("**/api/v1/**", answer)
    visit(page, address)
    assert page.locator(".n-time-rule").count() == 350
    slide = """() => {
        const slider = document.querySelector("[name=moment]");
        slider.value = 1500;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
    }"""
    page.evaluate(f"({slide})()")
    page.get_by_label("Show differences from today").check()
    expect(page.locator(".n-redline")).to_have_count(350)
    assert page.locator(".n-time-said p").inner_text().endswith(": 350 rules.")
    assert page.locator(".n-time-counts tr").all_inner_texts() == ["amended\t350"]


# The script against the replay, and its redlines against those of the other pages


@pytest.fixture
def lab(browser: Browser) -> Iterator[Page]:
    """An empty page with the scripts that need none."""
    context = browser.new_context()
    page = context.new_page()
    for name in ("redline.js", "timeline.js"):
        page.add_script_tag(content=asset(name))
    yield page
    context.close()


FOLD = """([data, asked]) => {
    const timeline = nomicTimeline.read(data);
    return asked.map((words) => {
        const point = timeline.point(words);
        if (point.error) throw new Error(point.error);
        const rules = [...timeline.standing(point.index).values()];
        return rules.map((one) => [
            one.rule, one.number, one.revision, data.tiers[one.tier], one.title,
            one.section === null ? null : data.sections[one.section], one.void, one.text,
                timeline.isVoid(one, point),
        ]);
    });
}"""


def expected(made: GameHistory, words: str) -> Standing:
    """The ruleset that a fragment names, with whether each rule is void then, straight from the
    replay.
    """
    replay = made.replay
    if words == "initial":
        ruleset, moment = replay.initial, replay.settings.started
    elif words[0].isdecimal():
        moment = Moment.parse(words)
        if moment.timed:
            ruleset = replay.initial
            for step, after in replay.states():
                if step is not None and step.effective is not None and step.effective <= moment:
                    ruleset = after
        else:
            ruleset, moment = replay.on(moment), Moment.parse(f"{words}T23:59:59")
    else:
        step = next(one for one in replay.steps if one.instrument.path == f"{words}.md")
        ruleset, moment = step.after, step.effective
    found = standing(ruleset)
    return {one.identity: (*found[one.identity], one.void_on(moment)) for one in ruleset}


def game_of(name: str) -> tuple[Mapping[str, bytes], Moment]:
    """The files of a game, and the day on which it is looked at."""
    made = {
        "turbulent": turbulent().tree,
        "undated": {path: text.encode() for path, text in undated().items()},
    }
    return (made[name], Moment.parse("2026-12-31")) if name in made else (shipped(name).tree(), ON)


@pytest.mark.parametrize(
    "name", sampled(["turbulent", *NAMES, "undated"], every=6, always=["undated"])
)
def test_the_script_folds_as_the_replay_does(lab: Page, name: str) -> None:
    tree, today = game_of(name)
    made = history_of_tree(tree, str(today))
    papers = documents(made, today)
    steps = [step for step in made.replay.steps if step.outcome == "applied"]
    moments = [step.effective for step in steps if step.effective is not None]
    days = {str(moment.plus(by).day) for moment in (*moments, today) for by in (-1, 0, 1)}
    timed = {str(moment) for moment in moments if moment.timed}
    asked = [
        "initial",
        *sorted(days | timed),
        *(step.instrument.path.removesuffix(".md") for step in steps),
    ]
    texts = [
        text
        for path in sorted(papers, key=len)
        if "/texts/" in path
        for text, _ in papers[path]["texts"]
    ]
    folded = lab.evaluate(FOLD, [papers["api/v1/timeline.json"], asked])
    for words, rows in zip(asked, folded, strict=True):
        found = {
            identity: (*rest, None if text is None else texts[text], void)
            for identity, *rest, text, void in rows
        }
        assert found == expected(made, words), words


def pairs() -> list[tuple[str, str]]:
    """All pairs of texts that a rule had in the shipped games, and some that are hard."""
    found = [
        ("", "New."),
        ("Old.", ""),
        ("one two three", "one  two\nthree"),
        ("- a\n- b\n- c", "- a\n- c"),
        ("First.\n\nSecond.", "First. Second."),
        ("Costs 1,000 at 18:30, or 15 %.", "Costs 1,200 at 18:30, or 15%."),
        ("Ünïcödé’s naïve 𝒜 word", "Ünïcödé’s naïve 𝒜 sword"),
        (" ".join(map(str, range(400))), " ".join(map(str, range(399, -1, -1)))),
        ("a b c a b b a " * 30, "c b a b a c " * 30),
    ]
    for name in NAMES:
        made = history_of_tree(shipped(name).tree(), str(ON))
        for history in made.histories.rules.values():
            texts = dict.fromkeys(
                entry.rule.text for entry in history.revisions if entry.rule.text is not None
            )
            found += [
                pair
                for one, other in combinations(texts, 2)
                for pair in ((one, other), (other, one))
            ]
    return found


def test_redlines_are_exact_and_no_larger_than_they_must_be(lab: Page) -> None:
    asked = pairs()
    assert len(asked) > 40
    made = lab.evaluate(
        "asked => asked.map(([old, fresh]) => nomicRedline(old, fresh))",
        [list(pair) for pair in asked],
    )
    for (old, new), segments in zip(asked, made, strict=True):
        assert "".join(one["old"] for one in segments) == old
        assert "".join(one["new"] for one in segments) == new
        kinds = [one["kind"] for one in segments]
        assert not {("insert", "delete"), ("equal", "equal")} & {*pairwise(kinds)}
        theirs = [{"kind": one.kind, "text": one.text} for one in redline(old, new)]
        assert changed(segments) <= 1.2 * changed(theirs) + 3, json.dumps(segments)
        if " ".join(old.split()) == " ".join(new.split()) and "\n" not in old:
            assert changed(segments) == 0


def changed(segments: list[Any]) -> int:
    """How many words a redline marks."""
    return sum(len(one["text"].split()) for one in segments if one["kind"] != "equal")


def test_texts_too_long_to_compare_word_by_word_are_compared_in_pieces(lab: Page) -> None:
    made = lab.evaluate(
        """() => {
            const words = (seed) => Array.from({length: 6000}, (_, at) =>
                `w${(at * seed) % 7919}`).join(" ");
            return nomicRedline(words(31), words(37)).map(({ kind }) => kind);
        }"""
    )
    assert made == ["delete", "insert"]
