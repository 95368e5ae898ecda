"""A small ledger for tests: a game made in memory, as its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nomicgen.files.documents import read_instrument
from nomicgen.files.game_files import read_game
from nomicgen.files.yaml_writing import write_front_matter, write_rule, write_yaml
from nomicgen.law.checks.run import check, ruleset_files
from nomicgen.law.replay.results import Replay
from nomicgen.law.replay.run import replay
from nomicgen.model.findings import Finding
from nomicgen.model.records import Records
from nomicgen.model.values import Moment

PLAYERS = ("osprey", "quill", "tallow", "wren")
UNANIMOUS = {"adoption": {"needs": "unanimous", "of": "eligible"}}
VOIDING: dict[str, Any] = {
    "authority": {"by": "judgement", "to": "void"},
    "judgements": {"judge": "anyone"},
}


def day(text: str) -> Moment:
    return Moment.parse(text if len(text) > 5 else f"2026-{text}")


@dataclass
class Ledger:
    """The files of a game; every method adds one, and gives the ledger back."""

    tree: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def start(cls, rules: Mapping[int, Mapping[str, Any]], **settings: Any) -> Ledger:
        """A game whose initial rules carry these provisions; those below 200 are immutable."""
        made = cls(
            {
                "nomic.yml": write_yaml(
                    {"format": 1, "name": "Test", "started": day("01-01"), **settings}
                )
            }
        )
        for number, provisions in rules.items():
            made.rule(number, provisions)
        for ident in PLAYERS:
            made.player(ident)
        return made

    def rule(
        self, number: int, provisions: Mapping[str, Any] | None = None, tier: str | None = None
    ) -> Ledger:
        self.tree[f"rules/initial/{number}.md"] = write_rule(
            number=number,
            mutability=tier or ("immutable" if number < 200 else "mutable"),
            revision=0,
            title=None,
            section=None,
            provisions=provisions or None,
            defines=(),
            void=None,
            note=None,
            text=f"The text of {number}.",
        )
        return self

    def player(self, ident: str, **matter: Any) -> Ledger:
        self.tree[f"players/{ident}.yml"] = write_yaml(
            {"name": ident, "joined": day("01-01"), **matter}
        )
        return self

    def file(self, path: str, text: str) -> Ledger:
        self.tree[path] = text.encode()
        return self

    def proposal(
        self,
        number: int,
        on: str,
        body: str,
        votes: str = "ffff",
        status: str = "adopted",
        more: Mapping[str, Any] | None = None,
        **matter: Any,
    ) -> Ledger:
        """A proposal put forward, opened and decided on one day.

        `votes` has f, a, - or . (none) for each player, `more` has votes as the file has them.
        """
        words = {"f": "for", "a": "against", "-": "abstain"}
        given = {who: words[vote] for who, vote in zip(PLAYERS, votes, strict=True) if vote != "."}
        whole: dict[str, Any] = {
            "number": number,
            "author": "wren",
            "date": day(on),
            "status": status,
            "opened": day(on),
            "decided": day(on),
            "votes": {**given, **(more or {})},
            **matter,
        }
        if status not in ("adopted", "defeated"):
            del whole["decided"]
        path = f"proposals/{number}.md"
        text = f"Why not.\n\n{body}"
        instrument, _ = read_instrument(path, write_front_matter(whole, text))
        if instrument is not None and "digest" not in matter:
            whole["digest"] = instrument.digest
        self.tree[path] = write_front_matter(
            {key: one for key, one in whole.items() if one is not None}, text
        )
        return self

    def turn(
        self,
        ident: str,
        player: str,
        began: str | None = None,
        ended: str | None = None,
        **matter: Any,
    ) -> Ledger:
        days = {key: day(on) for key, on in (("began", began), ("ended", ended)) if on is not None}
        self.tree[f"turns/{ident}.yml"] = write_yaml({"player": player, **days, **matter})
        return self

    def act(self, name: str, on: str, body: str, **matter: Any) -> Ledger:
        whole = {"cause": "A rule at work", "date": day(on), **matter}
        self.tree[f"acts/{name}.md"] = write_front_matter(whole, body)
        return self

    def judgement(self, number: int, on: str, body: str, **matter: Any) -> Ledger:
        whole = {"number": number, "judge": "quill", "date": day(on), "status": "upheld", **matter}
        self.tree[f"judgements/{number}.md"] = write_front_matter(whole, body)
        return self

    def applied(self, until: str = "12-31") -> Ledger:
        """With `rules/` as the ledger gives it."""
        _, played = self.play(until)
        self.tree = {path: data for path, data in self.tree.items() if not is_derived(path)}
        self.tree |= ruleset_files(played.current)
        return self

    def play(self, until: str = "12-31") -> tuple[Records, Replay]:
        records, _ = read_game(self.tree)
        return records, replay(records, day(until))

    def findings(self, until: str = "12-31") -> tuple[Finding, ...]:
        """What is wrong, except that nobody has confirmed provisions: that is so after nearly every
        amendment here.
        """
        records, unread = read_game(self.tree)
        found = (*unread, *check(records, replay(records, day(until))))
        return tuple(one for one in found if one.slug != "provisions-unconfirmed")

    def told(self, until: str = "12-31") -> list[str]:
        """Every finding in one line, `slug file:line:column: message (Rule N)`, once `rules/` is
        applied.
        """
        found = sorted(self.applied(until).findings(until), key=lambda one: (one.span, one.slug))
        return [
            f"{one.slug} {one.span}: {one.message}{f' (Rule {one.rule})' if one.rule else ''}"
            for one in found
        ]

    def slugs(self, until: str = "12-31") -> list[str]:
        """The slugs of all findings, sorted, once `rules/` is applied."""
        return sorted(one.slug for one in self.applied(until).findings(until))

    def numbers(self, until: str = "12-31") -> list[str]:
        """The rules in force, as `203/1`, with an asterisk if they are immutable."""
        return [rule.ref + "*" * (rule.tier == "immutable") for rule in self.play(until)[1].current]


def is_derived(path: str) -> bool:
    return path.startswith("rules/") and not path.startswith("rules/initial/")
