"""The initial set of Paranomic II: its tiers, its numbers, its words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nomicgen.files.rule_files import read_rule
from nomicgen.files.yaml_writing import write_yaml
from nomicgen.play.rulesets import shipped
from tests.played import copied, texts
from tests.played.paranomic import ON, TIERS, loaded, played


def test_the_initial_set_has_thirty_rules_in_three_tiers() -> None:
    rules = [read_rule(path, data) for path, data in shipped("paranomic").initial.items()]
    assert [findings for _, findings in rules if findings] == []
    tiers: dict[str, list[int]] = {}
    sections = set()
    for rule, _ in rules:
        assert rule is not None
        assert rule.matter.title
        sections.add(rule.matter.section)
        tiers.setdefault(rule.matter.mutability, []).append(rule.matter.number)
    assert {tier: sorted(numbers) for tier, numbers in tiers.items()} == {
        tier: list(numbers) for tier, numbers in TIERS.items()
    }
    settings = shipped("paranomic").settings
    assert settings["tiers"] == list(TIERS)
    assert sections == set(settings["sections"])


PROVISIONS: dict[int, dict[str, Any]] = {
    101: {"entrenchment": {"constitutional": [], "immutable": ["transmute"]}},
    104: {
        "numbering": {
            "first": "301",
            "enacted": "proposal",
            "amended": "keep",
            "transmuted": "keep",
            "taken": "next-free",
            "changes": "any",
        }
    },
    105: {"ballot": {"debate": "1", "resubmissions": "0", "withdrawal": "until-opened"}},
    106: {"ballot": {"electorate": "players", "everyone_votes": "true", "abstention": "forbidden"}},
    108: {"adoption": {"needs": "unanimous", "of": "eligible", "to": ["transmute"]}},
    109: {"authority": {"by": "judgement", "to": ["void"]}},
    111: {"floor": {"mutable": "1"}, "changeable": "always"},
    201: {"turns": {"order": "seat", "passing": "true", "passes_after": "3", "joins": "last"}},
    202: {
        "turns": {"proposals": "1", "overlap": "true"},
        "points": [{"on": "decided", "to": "author", "amount": "10", "times": "share-for"}],
    },
    203: {
        "ballot": {
            "everyone_votes": "true",
            "silence": "for",
            "closes_after": "3",
            "penalty": {"points": "3"},
        }
    },
    205: {
        "points": [{"on": "adopted", "to": "against", "amount": "10", "if": "unanimity-not-needed"}]
    },
    206: {"effect": "at-once"},
    207: {
        "points": [
            {"on": "adopted", "to": "author", "amount": "10"},
            {"on": "defeated", "to": "author", "amount": "-10"},
        ]
    },
    208: {"authority": {"by": "judgement", "to": ["void"]}},
    209: {
        "points": [{"on": "late-judge", "to": "judge", "amount": "-3"}],
        "awards": {"in": "judgement", "amount": "-10", "in_all": "10"},
        "judgements": {"never": ["caller", "author"], "overruled_by": "judgement"},
        "stay": {"of": "vote"},
        "deadline": {"for": "judgement", "within": "3", "then": "replaced"},
    },
    210: {"victory": {"points": "200"}},
    211: {"cap": {"mutable": "25"}},
}


def test_its_provisions_have_the_game_s_own_numbers() -> None:
    initial: dict[int, Any] = {
        rule.number: rule.provisions for rule in played().replay.initial if rule.provisions
    }
    adoption = initial.pop(204)
    assert initial == PROVISIONS
    assert adoption["adoption"] == {"needs": "unanimous", "of": "eligible"}
    assert adoption["sunset"]["after"] == {"circuits": "2"}
    assert adoption["sunset"]["unless"] == "amended"
    assert adoption["sunset"]["becomes"]["provisions"] == {
        "adoption": {"needs": "majority", "of": "eligible"}
    }


def test_a_game_that_begins_with_it_is_clean() -> None:
    said = shipped("paranomic")
    seats = {
        f"players/{who}.yml": write_yaml({"name": who, "joined": ON, "order": 1})
        for who in ("wren", "quill")
    }
    settings = write_yaml({"format": 1, "name": said.title, "started": ON, **said.settings})
    game = loaded({"nomic.yml": settings, **said.initial, **seats})
    assert game.findings == ()
    assert len(game.replay.current) == 30


def test_it_is_in_our_own_words(shared: Path) -> None:
    seed = (shared / "seeds" / "paranomic-2-initial-rules.txt").read_text("utf-8")
    assert copied(seed, {"theirs": "The umpire shall decide the playing order."}) != []
    assert copied(seed, texts("paranomic")) == []
