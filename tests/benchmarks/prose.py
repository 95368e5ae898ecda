"""Texts of generated rules: sentences of law with references to rules and with the terms that rules
define.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

__all__ = ["TERMS", "Prose"]

_ADJECTIVES = (
    *(
        "open",
        "closed",
        "common",
        "idle",
        "early",
        "late",
        "minor",
        "major",
        "silent",
        "plain",
        "second",
        "prior",
    ),
    *("joint", "lesser", "greater", "sworn", "spare", "standing", "urgent", "formal"),
)
_NOUNS = (
    *(
        "ballot",
        "seat",
        "ledger",
        "garden",
        "circle",
        "round",
        "errand",
        "wager",
        "office",
        "motion",
        "tally",
        "bench",
    ),
    *("notice", "season", "guild", "token", "market", "orchard", "debate", "register"),
)
TERMS = tuple(f"{adjective} {noun}" for noun in _NOUNS for adjective in _ADJECTIVES)
"""What rules may define: phrases of two words, of which none is part of another."""

_WHO = (
    *(
        "a player",
        "the clerk of the week",
        "any two players together",
        "whoever holds the floor",
        "the judge",
    ),
    *(
        "an absent player",
        "the player to the left",
        "the keeper of the book",
        "no more than one player",
    ),
)
_DOES = (
    *(
        "may put a question to the whole table",
        "must write down what was agreed",
        "keeps what was given in good faith",
    ),
    *("loses the turn and the place in the order", "is asked once more before anything is counted"),
    *("shall name a day, and keep to it", "gives back half of what was won, rounded down"),
    *("may speak for another, if both have said so", "waits until the next round has begun"),
)
_WHEN = (
    *(
        "once the votes are in",
        "as long as nobody objects",
        "unless the table is empty",
        "within three days",
    ),
    *(
        "when the points are even",
        "before the die is thrown",
        "after the second reading",
        "if the weather is fair",
    ),
    *("where two accounts differ", "until the matter is settled", "on the last day of a month"),
)
_THING = (
    "a promise",
    "a forgotten vote",
    "what is said aloud",
    "a debt of points",
    "an old custom",
    "a broken die",
)
_TITLES = (
    *(
        "doors",
        "debts",
        "dice",
        "clerks",
        "gardens",
        "promises",
        "silence",
        "seasons",
        "tokens",
        "letters",
        "bells",
    ),
    *(
        "keys",
        "lamps",
        "bridges",
        "ledgers",
        "guests",
        "oaths",
        "errands",
        "markets",
        "harvests",
        "quarrels",
        "tides",
    ),
)


class Prose:
    """Texts from one source of chance. `numbers` are the rules, and `terms` the terms, that a text
    may speak of.
    """

    def __init__(self, random: Random) -> None:
        self.random = random

    def title(self, number: int) -> str:
        """A title of two or three words; `number` keeps titles apart."""
        one, other = self.random.sample(_TITLES, k=2)
        return f"{one.capitalize()} and {other}" if number % 3 else f"Of {one}, {other}"

    def rule(self, words: int, numbers: Sequence[int], terms: Sequence[str]) -> str:
        """Paragraphs of about so many words, one of them a list where the text is long."""
        parts: list[str] = []
        while (count := len(" ".join(parts).split())) < words:
            if count > 120 and not any(part.startswith("- ") for part in parts):
                parts.append("\n".join(f"- {self.sentence(numbers, terms)}" for _ in range(3)))
            else:
                parts.append(self.paragraph(self.random.randint(2, 4), numbers, terms))
        return "\n\n".join(parts)

    def paragraph(self, sentences: int, numbers: Sequence[int], terms: Sequence[str]) -> str:
        return " ".join(self.sentence(numbers, terms) for _ in range(sentences))

    def sentence(self, numbers: Sequence[int], terms: Sequence[str]) -> str:
        """Of 12 to 25 words; one in five names a rule, and one in three a term."""
        pick, words = self.random.choice, []
        if self.random.random() < 0.2:
            words.append(
                f"{pick(('Under', 'Notwithstanding', 'Subject to', 'As in'))} Rule {pick(numbers)},"
            )
        words += [pick(_WHO), pick(_DOES), pick(_WHEN)]
        if terms and self.random.random() < 0.35:
            words.append(f"and so does {pick(('a', 'every', 'the last'))} {pick(terms)}")
        elif self.random.random() < 0.5:
            words.append(f"; {pick(_THING)} counts for nothing {pick(_WHEN)}")
        whole = " ".join(words).replace(" ;", ";")
        return f"{whole[0].upper()}{whole[1:]}."

    def amended(self, text: str, numbers: Sequence[int], terms: Sequence[str]) -> str:
        """A text with one paragraph changed: a sentence put in, replaced or left out, and words of
        another changed.
        """
        paragraphs = text.split("\n\n")
        chosen = self.random.choice(
            [index for index, one in enumerate(paragraphs) if not one.startswith("- ")]
        )
        sentences = paragraphs[chosen].removesuffix(".").split(". ")
        at = self.random.randrange(len(sentences))
        new = self.sentence(numbers, terms).removesuffix(".")
        kind = self.random.choice(("insert", "replace", "words", "delete"))
        if kind == "insert" or len(sentences) == 1:
            sentences.insert(at, new)
        elif kind == "replace":
            sentences[at] = new
        elif kind == "words":
            words = sentences[at].split(" ")
            words[self.random.randrange(1, len(words))] = f"hardly {self.random.choice(_TITLES)}"
            sentences[at] = " ".join(words)
        else:
            del sentences[at]
        paragraphs[chosen] = ". ".join(sentences) + "."
        return "\n\n".join(paragraphs)
