"""How rules begin, in a text and in a commit: both are read alike, and what may be two things is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files import read_game
from nomicgen.importers.git.importer import GitImported, import_git
from nomicgen.importers.git_outline import ArchiveForm, guessed, read_form
from nomicgen.importers.commit_log import Past
from nomicgen.importers.git_states import tier_of_path
from nomicgen.importers.rule_front_matter import FrontKeys
from nomicgen.importers.survey import places
from nomicgen.importers.text_import import import_text
from nomicgen.importers.text_rule_forms import RuleForm
from nomicgen.law.replay.run import replay
from nomicgen.repository.foreign_history import read_past
from tests.importers.archives import Story
from tests.support import GitRepo

Repos = Callable[..., GitRepo]

FORMS = {
    "third level": ("### 101: Obey", "### 102: Oil", "### 201: Lamps"),
    "fifth level": ("##### 101: Obey", "##### 102: Oil", "##### 201: Lamps"),
    "underlined": ("101: Obey\n=========", "102: Oil\n========", "201: Lamps\n=========="),
    "underlined below": ("101: Obey\n---------", "102: Oil\n--------", "201: Lamps\n----------"),
    "bold": ("**101** *Obey*", "**102** *Oil*", "**201** *Lamps*"),
    "bold with a colon": ("**101**: **Obey**", "**102**: **Oil**", "**201**: **Lamps**"),
    "all bold": ("**101. Obey**", "**102. Oil**", "**201. Lamps**"),
    "a bold title": ("101: **Obey**", "102: **Oil**", "201: **Lamps**"),
}
TEXTS = ("Whoever plays obeys.", "Oil is shared.", "Lamps are lit at dusk.")
KEEPER = "Wren Keeper <wren@example.org>"
PLAYERS = "".join(f"{at}. {name}\n" for at, name in enumerate(("Finch", "Quill", "Ada", "Brook", "Teal", "Rook"), 1))


def whole(heads: tuple[str, ...], texts: tuple[str, ...] = TEXTS) -> str:
    return "\n\n".join(f"{head}\n\n{text}" for head, text in zip(heads, texts, strict=True)) + "\n"


def law(files: Mapping[str, bytes]) -> dict[int, tuple[str | None, str, str | None]]:
    """Title, tier and text of each rule in force."""
    records, _ = read_game(files)
    return {one.number: (one.title, one.tier, one.text) for one in replay(records).current}


def walked(story: Story, pattern: str, form: ArchiveForm | None = None) -> tuple[Past, GitImported]:
    past = read_past(story.repo.path, "HEAD", [pattern], form)
    return past, import_git(past, "archive")


@pytest.fixture
def story(git_repo: Repos) -> Story:
    return Story(git_repo())


@pytest.mark.parametrize("heads", FORMS.values(), ids=FORMS)
def test_a_text_and_a_commit_are_read_alike(heads: tuple[str, ...], story: Story) -> None:
    expected = {
        101: ("Obey", "mutable", TEXTS[0]),
        102: ("Oil", "mutable", TEXTS[1]),
        201: ("Lamps", "mutable", TEXTS[2]),
    }
    assert law(import_text(whole(heads).encode(), "rules.md").files) == expected
    story.commit("Begin", {"rules.md": whole(heads)})
    story.commit("Proposal 301", {"rules.md": whole(heads, (*TEXTS[:2], "Lamps are out."))})
    past, found = walked(story, "rules.md")
    assert past.doubt is None
    assert law(found.files) == expected | {201: ("Lamps", "mutable", "Lamps are out.")}
    assert [one.slug for one in found.report.warnings if one.slug != "author-unsaid"] == []


def test_an_older_version_may_have_another_form(story: Story) -> None:
    story.commit("Begin", {"rules.md": whole(FORMS["a bold title"])})
    story.commit("Headings", {"rules.md": whole(FORMS["fifth level"])})
    story.commit("Proposal 301", {"rules.md": whole(FORMS["fifth level"], (*TEXTS[:2], "Lamps are out."))})
    _, found = walked(story, "rules.md")
    assert [(one.what, one.rule) for one in found.report.events if one.what != "initial"] == [("amended", 201)]


# --- what is refused -------------------------------------------------------------------------------------------------


def refused(text: str) -> tuple[str, str]:
    found = import_text(text.encode(), "rules.md")
    assert not found.files
    (one,) = found.findings
    assert (one.slug, one.severity) == ("import-unsure", "error")
    return one.message, one.help


BYLAWS = "# Bylaws\n\n" + "".join(f"## 1.{at} Duty {at}\n\nA member does duty {at}.\n\n" for at in range(1, 7))
ARTICLES = "# Bylaws\n\n" + "".join(f"## Duty {at}\n1. A member does duty {at}.\n2. Twice.\n\n" for at in range(1, 7))


@pytest.mark.parametrize("text", [BYLAWS, ARTICLES])
def test_articles_and_sections_are_no_numbered_rules(text: str, story: Story) -> None:
    message, help = refused(text)
    assert "part this text into articles or sections, which are no numbered rules" in message
    assert "a game needs numbered rules" in help
    story.commit("Begin", {"rules.md": text})
    past, _ = walked(story, "rules.md")
    assert past.doubt is not None
    assert past.doubt.doubt.message == message


WORDS = "Nobody who came to the lamps that night had thought of bringing oil. " * 20


def test_a_text_that_is_mostly_no_rule_is_refused_with_what_decides() -> None:
    text = f"# The club\n\n{WORDS}\n\n{PLAYERS}\n\n# Laws\n\n" + "\n\n".join(
        f"Law {number}\n{text}" for number, text in zip((101, 102, 201), TEXTS, strict=True)
    )
    message, help = refused(text)
    assert message.startswith("most of this text, ")
    assert "would stand outside of its rules: 6 rules as in `1. Finch` (1–6)" in message
    assert "--heading '" in help
    found = import_text(text.encode(), "rules.md", shape=RuleForm(pattern=r"Law (?P<number>[0-9]+)"))
    assert {number: text for number, (_, _, text) in law(found.files).items()} == dict(
        zip((101, 102, 201), TEXTS, strict=True)
    )


def test_a_list_of_players_above_bold_numbers_is_no_rule() -> None:
    text = f"# The club\n\n{PLAYERS}\n# Rules\n\n{whole(FORMS['bold'])}"
    more = "".join(f"\n**{at}** *Lamp {at}*\n\nLamp {at} is lit.\n" for at in range(202, 212))
    assert sorted(law(import_text((text + more).encode(), "rules.md").files)) == [101, 102, *range(201, 212)]


def test_a_list_of_players_is_left_out_where_the_rules_look_the_same() -> None:
    text = f"# Club\n\n## Players\n\n{PLAYERS}\n## Rules\n\n"
    text += "".join(f"{number}. Lamp {number} is lit.\n\n" for number in (*range(101, 106), *range(201, 204)))
    found = import_text(text.encode(), "rules.md")
    assert found.numbers == (*range(101, 106), *range(201, 204))
    assert [one.message for one in found.findings if one.slug == "import-outside"] == [
        "lines 1–12 stand above the first rule, and are left out: `# Club` to `## Rules`"
    ]


STEPS = "".join(f"## {at}. Step {at}\n\nDo step {at}, and wait.\n\n" for at in range(1, 7))
PLAIN = "".join(f"{at}. Lamp {at} is lit.\n\n" for at in range(101, 107))
NAMED = "".join(f"Rule {at}\n\nLamp {at} is lit.\n\n" for at in range(1, 7))


@pytest.mark.parametrize("text", [STEPS + PLAIN, STEPS + NAMED])
def test_a_text_that_can_be_read_in_two_ways_is_refused_with_both(text: str) -> None:
    message, help = refused(text)
    assert message.startswith("this text can be read in two ways: 6 rules as in ")
    assert "; or " in message
    for pattern in help.split("`")[1::2]:
        found = import_text(text.encode(), "rules.md", shape=RuleForm(pattern=pattern[len("--heading '") : -1]))
        assert len(found.numbers) >= 6


def test_contents_and_players_above_are_no_other_reading() -> None:
    contents = "".join(f"{at}. Step {at}\n" for at in range(1, 7))
    assert import_text(f"# Club\n\n{contents}\n{STEPS}".encode(), "rules.md").numbers == (1, 2, 3, 4, 5, 6)
    text = f"# Club\n\n{contents}\n" + whole(FORMS["third level"])
    assert import_text(text.encode(), "rules.md").numbers == (101, 102, 201)


@pytest.mark.parametrize(
    ("line", "pattern"),
    [
        ("- **{n}** Lamp {n} is lit.", r"\- \*\*(?P<number>[0-9]+)\*\*"),
        ("> **{n}.** Lamp {n} is lit.", r"> \*\*(?P<number>[0-9]+)\.\*\*"),
        ("## Lamps and oil ({n})\n\nLamp {n} is lit.", r"## Lamps and oil \((?P<number>[0-9]+)\)"),
        ("== Rule {n}: Oil ==\nLamp {n} is lit.", r"== Rule (?P<number>[0-9]+):[ ]*(?P<title>.*?)[ ]*==[ ]*$"),
        ("* **Rule {n}** Lamp {n} is lit.", r"\* \*\*Rule (?P<number>[0-9]+)\*\*"),
        ("[#{n}](rules/{n}.md):\n\nLamp {n} is lit.", r"\[#(?P<number>[0-9]+)\]\([^()]*\):"),
    ],
)
def test_lines_that_may_begin_rules_are_refused_with_the_option_that_reads_them(line: str, pattern: str) -> None:
    text = "# Club\n\n" + "\n\n".join(line.format(n=number) for number in range(101, 107)) + "\n"
    message, help = refused(text)
    assert "6 lines such as " in message
    assert help == f"if they begin rules: `--heading '{pattern}'`"
    found = import_text(text.encode(), "rules.md", shape=RuleForm(pattern=pattern))
    assert found.numbers == tuple(range(101, 107))
    assert {text for _, _, text in law(found.files).values()} == {f"Lamp {at} is lit." for at in range(101, 107)}


@pytest.mark.parametrize(
    "head", ["## ({n}) Lamps", "## [{n}] Lamps", "#### [{n}](#r{n}) Lamps", "### R{n}: Lamps", "# 0{n}: Lamps"]
)
def test_a_number_in_a_heading_may_be_dressed(head: str, story: Story) -> None:
    text = "".join(f"{head.format(n=number)}\n\nLamp {number} is lit.\n\n" for number in (101, 102, 201))
    expected = {number: ("Lamps", "mutable", f"Lamp {number} is lit.") for number in (101, 102, 201)}
    assert law(import_text(text.encode(), "rules.md").files) == expected
    story.commit("Begin", {"rules.md": text})
    assert law(walked(story, "rules.md")[1].files) == expected


def test_an_expression_names_title_tier_and_revision() -> None:
    text = "Law 7/2 <Lamps> immutable\n\nLamps are lit.\n\nLaw 8/0 <Oil> mutable\n\nOil is shared.\n"
    pattern = r"Law (?P<number>\d+)/(?P<revision>\d+) <(?P<title>.*?)> (?P<tier>\w+)"
    found = import_text(text.encode(), "rules.txt", shape=RuleForm(pattern=pattern))
    assert law(found.files) == {7: ("Lamps", "immutable", "Lamps are lit."), 8: ("Oil", "mutable", "Oil is shared.")}
    assert b"revision: 2\n" in found.files["rules/initial/7.md"]
    (none,) = import_text(b"1. Lamps.\n", "rules.txt", shape=RuleForm(pattern=r"Law (?P<number>\d+)")).findings
    assert none.message == "no line begins as `--heading` says, with a number that a rule can have"


# --- front matter ----------------------------------------------------------------------------------------------------


def fronted(number: int, tier: str, text: str) -> str:
    return f"---\nRULE: {number}\nAuthor: Finch <finch@example.org>\nType: {tier}\nTags:\n- a\n---\n\n{text}\n"


def test_front_matter_says_number_and_tier_and_is_no_text(story: Story) -> None:
    files = {
        "r/rule101.md": fronted(101, "Immutable", "Obey."),
        "r/rule105.md": fronted(105, "Mutable", "Vote at dusk."),
    }
    story.commit("Begin", files)
    moved = {"r/rule105.md": None, "r/rule309.md": fronted(309, "Immutable", "Vote at dusk.")}
    story.commit("Proposal 309: make 105 immutable", moved)
    _, found = walked(story, "r/*.md")
    assert law(found.files) == {101: (None, "immutable", "Obey."), 309: (None, "immutable", "Vote at dusk.")}
    assert [one.what for one in found.report.events][2:] == ["transmuted", "renumbered"]


def test_keys_of_front_matter_can_be_said(story: Story) -> None:
    text = "---\nlaw: 7\nrank: High\nheading: Lamps\ntype: mutable\n---\nLamps are lit.\n"
    story.commit("Begin", {"r/lamps.md": text})
    keys = FrontKeys.parse("law=number, rank=tier, heading=title")
    _, found = walked(story, "r/*.md", ArchiveForm(front=keys))
    assert law(found.files) == {7: ("Lamps", "high", "Lamps are lit.")}
    with pytest.raises(ValueError, match="should name keys and what they mean"):
        FrontKeys.parse("law=what")


def test_what_only_looks_like_front_matter_is_text(story: Story) -> None:
    story.commit("Begin", {"r/101.md": "---\nLamps are lit\n---\nand oil is shared.\n"})
    _, found = walked(story, "r/*.md")
    text = law(found.files)[101][2]
    assert text is not None
    assert "Lamps are lit" in text


def test_a_rule_of_which_only_a_name_tells_keeps_its_tier_under_a_new_number(story: Story) -> None:
    story.commit("Begin", {"r/101.md": "## 101/0 (IMMUTABLE)\n\nObey.\n", "r/201.md": "Lamps are lit at dusk.\n"})
    story.commit("Proposal 301", {"r/101.md": None, "r/301.md": "Obey.\n"})
    _, found = walked(story, "r/*.md")
    assert law(found.files)[301] == (None, "immutable", "Obey.")
    assert [one.what for one in found.report.events][2:] == ["renumbered"]


def test_a_folder_or_a_file_may_say_the_tier(story: Story) -> None:
    files = {"r/immutable/101.md": "# Rule 101\n\nObey.\n", "r/mutable/201.md": "# Rule 201\n\nLamps.\n"}
    story.commit("Begin", files)
    story.commit("Proposal 301", {"r/mutable/201.md": None, "r/immutable/201.md": "# Rule 201\n\nLamps.\n"})
    _, found = walked(story, "r/**/*.md")
    assert {number: tier for number, (_, tier, _) in law(found.files).items()} == {101: "immutable", 201: "immutable"}
    assert [one.what for one in found.report.events][2:] == ["transmuted"]
    for path, tier in (
        ("initial-immutable-rules.md", "immutable"),
        ("no-mutable-immutable.md", None),
        ("rules.md", None),
    ):
        assert tier_of_path(path) == tier


# --- days and authors ------------------------------------------------------------------------------------------------


def instrument(found: GitImported, path: str) -> str:
    return found.files[path].decode()


def test_a_merged_pull_request_is_of_the_day_of_the_merge_and_by_its_author(story: Story) -> None:
    story.commit("Begin", {"r/201.md": "## 201/0\n\nLamps.\n"})
    for at in range(301, 306):
        story.commit(f"Proposal {at}", {"r/201.md": f"## 201/{at - 300}\n\nLamps {at}.\n"})
    story.branch("oil")
    story.commit("Oil", {"r/202.md": "## 202/0\n\nOil.\n"}, author="Finch <finch@example.org>", day=-400)
    story.merge("oil", "Merge pull request #9 from finch/oil")
    _, found = walked(story, "r/*.md")
    acts = [data.decode() for path, data in found.files.items() if path.startswith("acts/")]
    (act,) = acts
    assert "by: finch\n" in act
    assert "date: 2021-03-08\n" in act


def test_who_only_commits_is_nobodys_author(story: Story) -> None:
    story.commit("Begin", {"r/201.md": "## 201/0\n\nLamps.\n"})
    for at in range(301, 305):
        story.commit(f"Proposal {at}", {"r/201.md": f"## 201/{at - 300}\n\nLamps {at}.\n"})
    story.commit("Proposal 305\n\nProposed-by: Quill <q@example.org>", {"r/201.md": "## 201/5\n\nLamps 305.\n"})
    other = "Finch <finch@example.org>"
    story.commit("Proposal 306", {"r/201.md": "## 201/6\n\nLamps 306.\n"}, author=other)
    _, found = walked(story, "r/*.md")
    assert "author:" not in instrument(found, "proposals/301.md")
    assert "author: quill\n" in instrument(found, "proposals/305.md")
    assert "author: finch\n" in instrument(found, "proposals/306.md")
    (told,) = [one for one in found.report.warnings if one.slug == "author-unsaid"]
    assert told.message.endswith("of 4 of its 6 instruments nothing else says whose they are")


def test_players_who_commit_their_own_are_authors(story: Story) -> None:
    story.commit("Begin", {"r/201.md": "## 201/0\n\nLamps.\n"})
    for at in range(301, 305):
        author = ("Finch <f@example.org>", "Quill <q@example.org>")[at % 2]
        story.commit(f"Proposal {at}", {"r/201.md": f"## 201/{at - 300}\n\nLamps {at}.\n"}, author=author)
    _, found = walked(story, "r/*.md")
    assert "author: quill\n" in instrument(found, "proposals/301.md")
    assert "author: finch\n" in instrument(found, "proposals/302.md")


# --- whatever stands there -------------------------------------------------------------------------------------------

LINES = st.sampled_from(
    [
        *(
            "---",
            "RULE: 101",
            "Type: Immutable",
            "Tags:",
            "- a",
            "key",
            "",
            "",
            "# Rules",
            "## Immutable",
            "Words. More.",
        ),
        *("### 101: Obey", "**102** *Oil*", "103. Lamps", "104: Oil", "=====", "Rule 105", "[106] Dusk", "1. Finch"),
        *(
            "2. Quill",
            "## 1.1 Name",
            "## Article II",
            "- **107** Oil",
            "```",
            "    code",
            "<b>",
            "200",
            "## Void Rules",
            "0.",
        ),
        *("## (108) Dawn", "## 109 [void]", "> 110. Rain", "| 111 | Wind |", "## Snow (112)", "\x00", "Caf\u00e9 113."),
    ]
)
SHAPES = st.sampled_from(
    [None, RuleForm(), RuleForm(key=("heading", "", 3)), RuleForm(pattern=r".*?(?P<number>[0-9]+)")]
)


@given(st.lists(LINES, max_size=24).map("\n".join), SHAPES, st.sampled_from([None, 101]))
def test_whatever_stands_in_a_file_is_read(text: str, shape: RuleForm | None, named: int | None) -> None:
    data = text.encode()
    found = read_form(data, named, ArchiveForm(shape=shape))
    last = text.count("\n") + 1
    assert all(1 <= one <= last for one in (*(line for line, _ in found.rules), *(slip.line for slip in found.slips)))
    numbers = [one.number for one in found.passages]
    assert len(set(numbers)) == len(numbers)
    assert 0 not in numbers
    guess = guessed(data)
    assert guess.doubt is None or (guess.doubt.message and guess.doubt.help and 1 <= guess.doubt.line <= last)
    assert all(one.rules > 0 for one in places(["rules.md"], {"rules.md": data}))
    for one in import_text(data, "rules.md", shape=shape).findings:
        assert one.slug.startswith("import-")
