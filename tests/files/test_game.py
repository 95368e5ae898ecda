"""A whole game: which files belong to it, and that no file's trouble hides another's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files.game_files import read_game
from nomicgen.files.text_encoding import Oddity
from nomicgen.model.findings import listed
from nomicgen.model.records import Records
from tests.reading import places

SETTINGS = b"format: 1\nname: Birds\n"
RULE = b"---\nnumber: 203\nmutability: mutable\n---\n\nx\n"
TREE: dict[str, bytes | Oddity] = {
    "nomic.yml": SETTINGS,
    "rules/203.md": b"anything \xff at all",
    "rules/initial/203.md": RULE,
    "proposals/329.md": b"---\nnumber: 329\nstatus: open\n---\n\nx\n",
    "proposals/turnout.md": b"---\nstatus: draft\n---\n",
    "judgements/4.md": b"---\nnumber: 4\nstatus: pending\n---\n",
    "acts/2020-08-14-temporary-rule-601.md": b"---\ncause: Temporary Rule 601\ndate: 2020-08-14\n"
    b"---\n",
    "players/wren.yml": b"name: Wren\n",
    "turns/R4T3.yml": b"player: wren\n",
    "images/319.png": b"\x89PNG",
}


def read(**more: bytes | Oddity) -> tuple[Records, list[str]]:
    records, findings = read_game(TREE | more)
    return records, places(findings)


def test_every_kind_of_file() -> None:
    records, found = read()
    assert found == []
    assert records.settings.name == "Birds"
    assert str(records.settings_source.at("name")) == "nomic.yml:2:7"
    assert dict(records.derived_rules) == {"rules/203.md": b"anything \xff at all"}
    assert list(records.initial) == ["rules/initial/203.md"]
    assert {path: one.kind for path, one in records.instruments.items()} == {
        "acts/2020-08-14-temporary-rule-601.md": "act",
        "judgements/4.md": "judgement",
        "proposals/329.md": "proposal",
        "proposals/turnout.md": "proposal",
    }
    assert [one.matter.name for one in records.players.values()] == ["Wren"]
    assert {ident: one.order for ident, one in records.turns.items()} == {"R4T3": (4, 3)}
    assert records.images == {"images/319.png"}
    assert records.withheld == frozenset()


OTHERS = """
README.md mkdocs.yml .gitattributes nomic.yml.orig nomicgen/files/__init__.py
.github/workflows/rules/x.yml docs/rules/abc.md proposals/.gitkeep rules/initial/.gitkeep
images/.DS_Store proposals/.329.md.swp proposals/.#329.md rules/initial/.101.md
"""


def test_files_of_no_concern() -> None:
    others: dict[str, bytes | Oddity] = dict.fromkeys(OTHERS.split(), b"\xff")
    records, findings = read_game(
        TREE | others | {"docs/big.bin": Oddity("file-too-large", "5 MiB")}
    )
    assert findings == ()
    assert records == read()[0]


@pytest.mark.parametrize(
    "path",
    [
        "rules/abc.md",
        "rules/0.md",
        "rules/0203.md",
        "rules/203.txt",
        "rules/initial/203.MD",
        "rules/old/203.md",
        "Rules/203.md",
        "rules\\204.md",
        "proposals/Turnout.md",
        "proposals/329.yml",
        "proposals/a/b.md",
        "proposals/../x",
        "proposals/./330.md",
        "docs/../proposals/330.md",
        "proposals/README.md",
        "proposals/\u0661.md",
        "proposals/330.md\n",
        "proposals",
        "judgements/first.md",
        "acts/2020_08.md",
        "players/Wren.yml",
        "players/wren.yaml",
        "players/" + "w" * 65 + ".yml",
        "turns/R0T1.yml",
        "turns/4.yml",
        "images/logo.svg",
        "images/a/b.png",
    ],
)
def test_names_that_a_game_does_not_have(path: str) -> None:
    records, findings = read_game(TREE | {path: b"---\nstatus: open\n---\n"})
    assert places(findings) == [f"{path}:1:1 file-name"]
    assert records == read()[0]


@pytest.mark.parametrize("name", ["329.md~", "#329.md#", "329.md.orig", "329.md.rej"])
def test_what_an_editor_left_is_not_to_be_renamed(name: str) -> None:
    _, (finding,) = read_game(TREE | {f"proposals/{name}": b"---\n"})
    assert finding.help == (
        "an editor or a merge seems to have left it: close the editor, or delete the file"
    )


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("proposals/draft", "proposals/329.md, or proposals/turnout.md for a draft"),
        ("proposals/Low_Turnout.md", "proposals/low-turnout.md"),
        ("players/Dee Smith.yml", "players/dee-smith.yml"),
        ("turns/r1t1.YML", "turns/R1T1.yml"),
        ("turns/first.yml", "turns/R4T3.yml"),
        ("judgements/No 1.md", "judgements/4.md"),
    ],
)
def test_what_a_misnamed_file_is_told(path: str, shown: str) -> None:
    _, findings = read_game(TREE | {path: b""})
    folder = path.partition("/")[0]
    assert [(one.message, one.help) for one in findings] == [
        (
            f"`{path}` is not a name that a file in {folder}/ can have",
            f"rename it to the form {shown}; or move it out of {folder}/",
        )
    ]


def test_oddities() -> None:
    records, findings = read_game(
        TREE
        | {
            "players/wren.yml": Oddity("symlink", "/etc/pass\x1bwd"),
            "images/319.png": Oddity("file-too-large", "2097152 bytes"),
            "turns": Oddity("symlink", "elsewhere"),
            "docs/x": Oddity("symlink", "y"),
        }
    )
    assert [(str(one.span), one.slug, one.message) for one in findings] == [
        ("images/319.png:1:1", "file-too-large", "the file is too large: 2097152 bytes"),
        ("players/wren.yml:1:1", "symlink", "the file is a symbolic link to /etc/pass\\x1bwd"),
        ("turns:1:1", "symlink", "the file is a symbolic link to elsewhere"),
    ]
    assert records.withheld == {"images/319.png", "players/wren.yml", "turns"}
    assert records.players == {}


def test_no_game() -> None:
    records, findings = read_game({"README.md": b"", "rules/no-rule.md": b""})
    assert places(findings) == ["nomic.yml:1:1 not-a-game"]
    assert findings[0].help == "go to the game's directory, or start one: `nomicgen init DIRECTORY`"
    assert records.initial == {}
    _, findings = read_game({"Nomic.yml": SETTINGS})
    assert findings[0].help == "rename Nomic.yml to nomic.yml"


def test_a_broken_file_hides_no_other() -> None:
    broken: dict[str, bytes | Oddity] = {
        "nomic.yml": b"name: [\n",
        "rules/initial/203.md": b"\xff",
        "proposals/329.md": b"---\nnumber: 329\nstatus: opem\n---\n\n## Amend\n",
        "proposals/turnout.md": b"",
        "judgements/4.md": b"---\n",
        "acts/2020-08-14-temporary-rule-601.md": b"x\n",
        "players/wren.yml": b"name: Wren\nname: Owl\n",
        "turns/R4T3.yml": b"player: Wren\n",
    }
    records, findings = read_game(TREE | broken)
    assert places(findings) == [
        "acts/2020-08-14-temporary-rule-601.md:1:1 front-matter",
        "judgements/4.md:1:1 front-matter",
        "nomic.yml:1:8 yaml-syntax",
        "players/wren.yml:2:1 key-doubled",
        "proposals/329.md:3:9 value-wrong",
        "proposals/329.md:6:1 instruction-unknown",
        "proposals/turnout.md:1:1 file-empty",
        "rules/initial/203.md:1:1 encoding",
        "turns/R4T3.yml:1:9 value-wrong",
    ]
    assert records.withheld == set(broken) - {"players/wren.yml"}
    assert records.settings.tiers == ["immutable", "mutable"]
    assert list(records.players) == ["wren"]


@given(st.sets(st.sampled_from(sorted(set(TREE) - {"nomic.yml"}))), st.binary(max_size=20))
def test_each_file_is_read_on_its_own(broken: set[str], data: bytes) -> None:
    _, findings = read_game(TREE | dict.fromkeys(broken, data))
    alone = [one for path in broken for one in read_game(TREE | {path: data})[1]]
    assert sorted(places(findings)) == sorted(places(alone))


def test_the_certificate_of_an_import() -> None:
    """`import.json` is read as strictly as any file, and no rule depends on it."""
    whole = (
        b'{"format": 1, "kind": "git", "source": "old", "options": {"path": ["r.md"]}, "digest": '
        b'"00", "states": 3,\n'
        b'"identical": 2, "differing": [{"place": "c1", "rule": 101, "why": "text", "states": '
        b"1}]}\n"
    )
    records, findings = read_game(TREE | {"import.json": whole})
    assert findings == ()
    assert records.imported is not None
    assert records.imported.told == "2 of 3 states identical; 1 differs"
    wrong: dict[bytes | Oddity, str] = {
        b"[]\n": "yaml-syntax",
        b'{"format": 1, "kind": "rumour", "source": "x", "digest": "0", "states": -1, '
        b'"identical": 0}\n': "value-wrong",
        b"{": "yaml-syntax",
        Oddity("symlink", "/etc/passwd"): "symlink",
    }
    for content, slug in wrong.items():
        records, findings = read_game(TREE | {"import.json": content})
        assert records.imported is None
        assert slug in {one.slug for one in findings}, (content, findings)
        assert "import.json" in records.withheld


# `lost` in nomic.yml: numbers and ranges of them, and what is no such list.


HEAD = "format: 1\nname: Harbour\nlost:\n  "


def lost(written: str) -> tuple[list[int], list[int], list[str]]:
    """The numbers of proposals and of judgements, and the help with a nomic.yml that says `written`
    of them.
    """
    records, findings = read_game({"nomic.yml": f"{HEAD}{written}\n".encode()})
    known = records.settings.lost
    return known.proposals, known.judgements, [one.help for one in findings]


def test_numbers_and_ranges() -> None:
    assert lost("proposals: [302, 304-307, 9-9]\n  judgements: [1-2]") == (
        [302, 304, 305, 306, 307, 9],
        [1, 2],
        [],
    )


@pytest.mark.parametrize("written", ["[7-2]", "[1-100001]", "[1-90000, 1-90000]", "[1-999999999]"])
def test_ranges_that_are_none(written: str) -> None:
    help = "it should name at most 100000 numbers, and each range the smaller one first, as in 2-7"
    assert lost(f"proposals: {written}") == ([], [], [help])


@pytest.mark.parametrize("written", ["[1-2-3]", "[0-4]", "[a-b]", "['1 - 2']"])
def test_words_that_are_no_range(written: str) -> None:
    found = lost(f"proposals: {written}")
    assert found[:2] == ([], [])
    assert found[2] == ["it should be a whole number such as 203"]


def test_many_numbers_are_told_by_their_first() -> None:
    assert listed([302, 307]) == "302, 307"
    assert listed(range(1, 21)).endswith("19, 20")
    assert listed(range(1, 31), 3) == "1, 2, 3 and 27 more"
