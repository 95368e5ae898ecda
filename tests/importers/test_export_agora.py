"""Agora's rulesets and data, printed of a game again; and dates that are not known to the day."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from nomicgen.cli import main
from nomicgen.formats.agora_data import AgoraData
from nomicgen.formats.agora_details import details_of, differences, with_details
from nomicgen.formats.agora_ruleset import PrintSettings, ruleset
from nomicgen.formats.agora_yaml import yaml_of
from nomicgen.game.agora_export import DETAILS, data_of, printed
from nomicgen.play.load import load
from nomicgen.game.refusal import Refused
from nomicgen.importers.agora.read import read_data
from nomicgen.model import Moment

CASE = Path(__file__).parent / "agora"
SETTINGS = PrintSettings(
    templates={"header": "H {num} {her} {hp}\n", "full": "{header}\n{toc}\n{powers}\n\n{ruleset}", "short": "{ruleset}"}
)
RULE: dict[str, Any] = {
    "id": "101",
    "name": "Ropes",
    "power": "1.70",
    "text": "Ropes are coiled.\n\n  At night.",
    "history": [
        {"change": {"type": "initial", "mutability": "mutable", "id": "7"}, "date": "1993-06-30"},
        {
            "change": {"type": "mutation", "old-mi": "1", "new-mi": "unanimity"},
            "date": "unknown",
            "agent": {"rule": "9"},
        },
        {"change": {"type": "amendment", "uncounted": "true"}, "date": {"around": "1994-02-01"}},
        {"change": {"type": "null-amendment"}, "date": "1994-03-01", "agent": {"proposal": "5"}},
        {"change": {"type": "infection-amendment"}, "date": "1994-03-02", "agent": {"cleaning": {"by": "Wren"}}},
        {
            "change": {"type": "power-change", "new-power": "2.0"},
            "date": {"between": "1995-01-01", "and": "1995-02-01"},
        },
        {"change": {"type": "retitling", "old-title": "Rope", "new-title": "Ropes"}, "agent": {"decree": "Tern"}},
        {"change": {"type": "repeal"}, "date": "1996-01-01", "agent": {"convergence": {"proposal": "6"}}},
        {
            "change": {"type": "reenactment", "power": "1"},
            "date": "1996-01-02",
            "agent": {"ratification": {"document": "SLR"}},
        },
        {
            "change": {"type": "reenactment", "unchanged": "true"},
            "agent": {"experiment": {"id": "04", "engineer": "Heron"}},
        },
        {
            "change": {"type": "committee-assignment", "committee": "Knots"},
            "agent": {"tournament_end": {"name": "Rowing", "person": "Tern"}},
        },
        {"change": {"type": "amendment"}, "revision": "20", "agent": {"tide": "high"}},
    ],
    "annotations": [
        {"cfjs": [{"id": "3-4", "called": "2001-05-06"}, {"id": "9"}], "text": "A rope that is coiled\nfloats.\n"}
    ],
}
PROPOSALS: dict[str, dict[str, Any]] = {
    "5": {
        "id": "5",
        "title": "Knots",
        "author": "Wrenn",
        "coauthors": ["Tern"],
        "chamber": "green",
        "disinterested": "true",
    },
    "6": {"id": "6", "author": "Heron"},
}
FULL = """H 1 101 6
Water
   * Rule 101: Ropes

1 with Power=1.7

========================================================================
Water
   What floats, and who keeps it.
------------------------------------------------------------------------
Rule 101/20 (Power=1.70)
Ropes

      Ropes are coiled.
{blank}
        At night.

History:

Initial mutable rule 7, Agora's birth
Mutated from MI=1 to MI=unanimity by R9
Amended, around 01 Feb 1994
Null-amended(1) by P5 'Knots' [green, disi.] (Wren, Tern), 01 Mar 1994
Infected and amended(2) by cleaning (Wren), 02 Mar 1994
Power changed to 2.0, between 01 Jan 1995 and 01 Feb 1995
Retitled from 'Rope' to 'Ropes' by decree given by Tern
Repealed by a convergence caused by P6 (Heron), 01 Jan 1996
Re-enacted(3) at Power=1 and amended by SLR ratification, 02 Jan 1996
Re-enacted(4) by Experiment #4 under Mad Engineer Heron
Assigned to the Knots by Tern after end of Rowing
Amended(20) by tide high

Annotations:
CFJ 3-4 (called 06 May 2001), CFJ 9: A rope that is coiled floats.

------------------------------------------------------------------------
""".replace("{blank}", " " * 6)


def data() -> AgoraData:
    index = [{"name": "Water", "note": "What floats,\nand who keeps it.\n", "rules": ["101"]}]
    return AgoraData(rules={101: RULE}, proposals=PROPOSALS, index=index)


def typed(*words: str) -> Result:
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 0, done.output
    return done


def refused(*words: str) -> Result:
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code, done.output
    return done


def brought(folder: Path) -> Path:
    """The game of the small folder of data."""
    typed("import", "agora", str(CASE / "data"), "--into", str(folder), "--on", "2026-01-10")
    return folder


def test_full_and_short() -> None:
    settings = PrintSettings(templates=SETTINGS.templates, names={"Wrenn": "Wren"})
    assert ruleset(data(), settings, full=True) == FULL
    short = ruleset(data(), settings, full=False)
    assert "History:" not in short
    assert short.endswith("        At night.\n\n" + "-" * 72 + "\n")


def test_long_lines_are_wrapped() -> None:
    """At 72 characters, and a longer word stands alone."""
    text = "word " * 20 + "w" * 80
    rule = {**RULE, "annotations": [{"cfjs": [{"id": "3"}], "text": text}]}
    lines = ruleset(AgoraData(rules={101: rule}, index=data().index), SETTINGS, full=True).split("\n")
    at = lines.index("Annotations:")
    assert [len(line) for line in lines[at + 1 : at + 4]] == [71, 38, 84]


def test_the_data_come_back(tmp_path: Path) -> None:
    """Each file that was read says the same again."""
    game = brought(tmp_path / "game")
    typed("-C", str(game), "export", "agora", "--as", "data", "-o", str(tmp_path / "data"))
    given = {
        one.relative_to(CASE / "data").as_posix(): one.read_bytes()
        for one in (CASE / "data").rglob("*")
        if one.is_file()
    }
    found = {
        one.relative_to(tmp_path / "data").as_posix(): one.read_bytes()
        for one in (tmp_path / "data").rglob("*")
        if one.is_file()
    }
    # Its index names a rule that is not there.
    assert differences(read_data(given).raw, read_data(found).raw) == ["config/index"]
    typed("import", "agora", str(tmp_path / "data"), "--into", str(tmp_path / "again"), "--on", "2026-01-10")
    for one in ("proposals", "acts", "rules", "judgements", "players"):
        assert_same(game / one, tmp_path / "again" / one)


def assert_same(one: Path, other: Path) -> None:
    names = {path.relative_to(one) for path in one.rglob("*.*")}
    assert names == {path.relative_to(other) for path in other.rglob("*.*")}
    assert [
        name for name in names if (one / name).is_file() and (one / name).read_bytes() != (other / name).read_bytes()
    ] == []


def test_what_changes_later_is_as_the_ledger_has_it() -> None:
    """Details are of the entries that they were made of: what comes after is told by the ledger alone."""
    told = AgoraData(rules={101: {**RULE, "text": "Ropes are dry.", "power": "1.7"}}, index=data().index)
    details = details_of(told, data())
    assert differences(with_details(told, details), data()) == []
    later = {"change": {"type": "amendment"}, "date": "2026-02-01", "agent": {"proposal": "8"}}
    grown = {**told.rules[101], "text": "Ropes are new.", "history": [*RULE["history"], later]}
    found = with_details(AgoraData(rules={101: grown}, index=told.index), details).rules[101]
    assert found["text"] == "Ropes are new."
    assert found["history"][-1] == later
    gone = AgoraData(rules=told.rules, index=[{"name": "Water", "note": "", "rules": []}])
    assert with_details(gone, {"index": data().index}).index[0]["rules"] == []


@pytest.mark.parametrize(
    "text",
    [
        "- a\n",
        "rules: 7\n",
        "rules:\n  x: {}\n",
        "rules:\n  101:\n    history: [1]\n",
        "rules:\n  101:\n    entries: x\n",
        "rules:\n  900: {id: x}\nindex:\n- name: Water\n  rules: [900]\n",
        "index:\n- 7\n",
        "templates: [a]\n",
        "templates: {header: [a]}\n",
        "names: x\n",
        "a: &b 1\nc: *b\n",
        "\xff",
    ],
)
def test_details_of_any_shape(tmp_path: Path, text: str) -> None:
    """Whatever stands in agora.yml, the rulesets are printed or it is refused."""
    folder = brought(tmp_path / "game")
    (folder / DETAILS).write_bytes(text.encode("latin-1"))
    game = load(folder, Moment.parse("2026-01-10"))
    for act in (lambda: printed(game, full=True), lambda: printed(game, full=False), lambda: data_of(game)):
        with suppress(Refused):
            assert act()


def test_without_details(tmp_path: Path) -> None:
    """Any game is printed, with templates of our own, and rules of no section come last."""
    folder = brought(tmp_path / "game")
    (folder / DETAILS).unlink()
    shutil.copy(folder / "rules/initial/101.md", folder / "rules/initial/102.md")
    said = typed("-C", str(folder), "export", "agora", "--as", "slr").stdout
    assert said.startswith("THE SHORT LOGICAL RULESET\n\nNumber of rules currently enacted: 3\n")


def test_export_agora_is_asked_for_what_it_has(tmp_path: Path) -> None:
    folder = brought(tmp_path / "game")
    assert "--as md does not go with agora" in refused("-C", str(folder), "export", "agora", "--as", "md").stderr
    assert "--as slr does not go with long" in refused("-C", str(folder), "export", "long", "--as", "slr").stderr
    assert "need a new folder" in refused("-C", str(folder), "export", "agora", "--as", "data").stderr


def test_yaml_is_read_as_it_was_written() -> None:
    """Scalars of any characters that a game's files hold come back as texts."""
    rng = random.Random(7)
    for _ in range(2000):
        words = ["".join(rng.choices("ab 1:#-'\"\n|>{}[],&*!%@`\\é~?.", k=rng.randrange(12))) for _ in range(3)]
        tree = {"a": words[0], "b": [words[1], {"c": words[2], "d": [words[0]]}]}
        assert yaml.load(yaml_of(tree), yaml.BaseLoader) == tree


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2019-03", "2019-03-01"),
        ("about 2001", "2001-01-01"),
        ("around 1994-08-13", "1994-08-13"),
        ("after 1998-02", "1998-02-01"),
        ("between 1994-08-03 and 1995", "1994-08-03"),
    ],
)
def test_dates_that_are_not_known_to_the_day(text: str, day: str) -> None:
    moment = Moment.told(text)
    assert (str(moment), moment.exact) == (text, day)
    assert moment == Moment.parse(day)
    with pytest.raises(ValueError, match="should be a date such as"):
        Moment.parse(text)


@pytest.mark.parametrize(
    "text", ["2019", "about", "between 2001 and 2000", "about 2001-13", "around 2001-02-30", "before 2001"]
)
def test_dates_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"should be|calendar|ends before"):
        Moment.told(text)


def test_inexact_dates_and_coauthors_in_the_long_format(tmp_path: Path) -> None:
    """What the long format prints of them is read again as it was."""
    folder = brought(tmp_path / "game")
    said = typed("-C", str(folder), "export", "long").stdout
    assert "by Proposal 502 (Wren, with Heron, Tern), Mar 15, 1995*" in said
    assert "by Proposal 611 (Tern), around Sep 1, 1993*" in said
    (tmp_path / "long.md").write_text(said, "utf-8")
    typed("import", "text", str(tmp_path / "long.md"), "--into", str(tmp_path / "again"), "--on", "2026-01-10")
    assert "coauthors: [heron, tern]\n" in (tmp_path / "again/proposals/502.md").read_text()
    assert "decided: around 1993-09-01\n" in (tmp_path / "again/proposals/611.md").read_text()


@pytest.mark.skipif("NOMICGEN_AGORA" not in os.environ, reason="NOMICGEN_AGORA names no clone of Agora's repository")
def test_agora_prints_what_agora_published(tmp_path: Path) -> None:
    """Agora's repository holds what its own program made of its last commit."""
    folder = os.environ["NOMICGEN_AGORA"]
    typed("import", "agora", folder, "--into", str(tmp_path / "game"), "--on", "2030-01-10")
    for form in ("flr", "slr"):
        published = subprocess.run(
            ["git", "-C", folder, "show", f"ci-generated:{form}.txt"], capture_output=True, encoding="utf-8", check=True
        ).stdout
        assert typed("-C", str(tmp_path / "game"), "export", "agora", "--as", form).stdout == published
