"""A game that is won: its first page says so, what ended with it, and what its rules have come after."""

from __future__ import annotations

from tests.site.test_rule import made, rule, words

WINNING = "provisions:\n  victory: {points: 20}\n  points: {awards: {in: [turn]}}\n"
GAME = {
    "rules/initial/201.md": rule(201, "Turns go round.", "provisions:\n  turns: {order: seat}\n"),
    "rules/initial/208.md": rule(208, "Twenty win. A new game begins with Rule 201 alone.", WINNING),
    "players/wren.yml": "name: Wren\njoined: 2020-01-01\norder: 1\n",
    "players/quill.yml": "name: Quill\njoined: 2020-01-01\norder: 2\n",
    "turns/R1T1.yml": (
        "player: wren\nbegan: 2020-02-01\nended: 2020-02-03\npoints: [{player: wren, amount: 20, reason: a song}]\n"
    ),
}


def victory(page: str) -> str:
    return words(page.partition('<section class="n-victory"')[2].partition("</section>")[0].partition(">")[2])


def test_the_first_page_of_a_game_that_is_won() -> None:
    page = made(GAME)["index.md"]
    assert victory(page) == (
        "Wren won on Feb 3, 2020, with 20 points or more (Rule 208). "
        "The game is over. Nobody has begun a turn or opened a vote since. The scores "
        "What the rules say of winning, and of what comes after: Rule 208"
        "Twenty win. A new game begins with Rule 201 alone."
    )
    assert "The next is" not in words(page)


def test_a_game_may_go_on_after_a_win() -> None:
    page = made({**GAME, "turns/R1T2.yml": "player: quill\nbegan: 2020-03-01\nended: 2020-03-02\n"})["index.md"]
    assert "The game is over" not in victory(page)
    assert "Play has gone on since." in victory(page)
    assert "The next is Wren’s" in words(page)


def test_nobody_has_won_before() -> None:
    assert "n-victory" not in made({path: text for path, text in GAME.items() if "R1T1" not in path})["index.md"]
