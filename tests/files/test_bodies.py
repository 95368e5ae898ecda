"""What a body cannot hold, and what could pass for an instruction and is none."""

from __future__ import annotations

import pytest

from tests.reading import good, proposal, said


def test_misplaced_headings() -> None:
    body = (
        "# Top\n\nfoo\nbar\n---\n\n> ## Amend Rule 2/0\n\n- ## x\n\n1. # y\n\nz\n=\n\n"
        "## Amend Rule 2/0\n\n# in text\n\nfoo\n---\n\n> ## q\n\n### fine\n"
    )
    found, findings = proposal(body)
    assert said(findings) == [
        "6:1 heading-misplaced: the heading `Top` is of level 1",
        "8:1 heading-misplaced: the heading `foo` comes from the line of `-` below it",
        "12:3 heading-misplaced: the heading `Amend Rule 2/0` of level 2 stands inside a list or "
        "a quotation",
        "14:3 heading-misplaced: the heading `x` of level 2 stands inside a list or a quotation",
        "16:4 heading-misplaced: the heading `y` is of level 1",
        "18:1 heading-misplaced: the heading `z` comes from the line of `=` below it",
        "23:1 heading-level: the heading `in text` of level 1 is in a rule's text",
        "25:1 heading-misplaced: the heading `foo` comes from the line of `-` below it",
        "28:3 heading-misplaced: the heading `q` of level 2 stands inside a list or a quotation",
    ]
    assert found is not None
    assert [one.verb for one in found.instructions] == ["amend"]


@pytest.mark.parametrize(
    "line",
    [
        "\\## Amend Rule 203/0",
        "### Repeal Rule 5",
        "##Amend Rule 203/0",
        "    ## Mark Rule 3/0",
        "> - ##Amend Rule 1/0",
        "\uff03\uff03 Amend Rule 1/0",
        "\ufe5f Amend Rule 1/0",
        "&#35;&#35; Amend Rule 1/0",
        "**# Amend** Rule 5",
        "1. \\# Enact Rule: x",
        "####### Renumber Rule 5",
        "| ## Transmute Rule 5 |",
        "#### **RETITLE** rule 5",
        "# # \\# repeal `rule` 5",
    ],
)
def test_hidden_instructions(line: str) -> None:
    found, findings = proposal(f"a\n\n{line}\n")
    hidden = [one for one in findings if one.slug == "instruction-hidden"]
    column = len(line) - len(line.lstrip()) + 1
    if line.startswith("# #"):  # It is a heading of level 1, which says it all.
        assert said(findings) == [
            "8:1 heading-misplaced: the heading `# \\# repeal `rule` 5` is of level 1"
        ]
    else:
        assert said(hidden) == [
            f"8:{column} instruction-hidden: `{line.strip()}` looks like an instruction, but is "
            "not one"
        ]
        assert hidden == list(findings)
    assert found is not None
    assert found.instructions == ()


def test_an_instruction_with_characters_of_no_width_is_hidden() -> None:
    assert said(proposal("#\u200b# Amend Rule 1/0\n")[1]) == [
        "6:1 instruction-hidden: `#\\u200b# Amend Rule 1/0` looks like an instruction, but is "
        "not one",
        "6:2 control-character: the line holds U+200B (zero width space), which readers cannot see",
    ]


@pytest.mark.parametrize(
    "prose",
    [
        "We should repeal Rule 203.",
        "Repeal Rule 203, I say: # amend rule 3",
        "- amend Rule 203\n- enact rules",
        "#### Why we amend Rule 5",
        "#5 amends rule 3",
        "C# Amend Rule 3",
        "```\nrepeal Rule 203\n```",
    ],
)
def test_prose_about_instructions_is_prose(prose: str) -> None:
    assert good(f"{prose}\n").preamble == prose


def test_a_fence_that_swallows_an_instruction() -> None:
    found, findings = proposal("## Enact Rule\n\n```\nopen\n\n## Amend Rule 203/0\n\nx\n")
    assert said(findings) == [
        "8:1 fence-open: the fence of 3 backticks is never closed",
        "11:1 instruction-hidden: `## Amend Rule 203/0` looks like an instruction, but is not one",
    ]
    assert found is not None
    assert [one.verb for one in found.instructions] == ["enact"]


def test_open_fences() -> None:
    body = (
        "- ```\n  a\n\nb\n\n> ~~~~\n> a\n> ~~~~\n\n> ```\n> a\n\n```\n```\n\n~~~~\n~~~\n~~~~\n"
        "\n```\n    ```\n> ```\n"
    )
    assert said(proposal(body)[1]) == [
        "6:3 fence-open: the fence of 3 backticks is never closed",
        "15:3 fence-open: the fence of 3 backticks is never closed",
        "25:1 fence-open: the fence of 3 backticks is never closed",
    ]


def test_html() -> None:
    body = """<div>
</div>

a <b>c</b> <sub>d</sub> <br/> <br /> <span class=x> `<i>` \\<i> <i>
second <u> line

> - quoted <u>x</u>

| a | <em>b |
|---|---|
| `<q>` | <s> |

<br>

![a <b> c](x) <!-- c --> <https://a.example> <SUB>

```
<p>
```
"""
    assert said(proposal(body)[1]) == [
        "6:1 html: `<div>` is raw HTML",
        "9:3 html: `<b>` is raw HTML",
        "9:7 html: `</b>` is raw HTML",
        "9:38 html: `<span class=x>` is raw HTML",
        "9:54 html: `<i>` is raw HTML",
        "10:8 html: `<u>` is raw HTML",
        "12:12 html: `<u>` is raw HTML",
        "12:16 html: `</u>` is raw HTML",
        "14:7 html: `<em>` is raw HTML",
        "16:11 html: `<s>` is raw HTML",
        "18:1 html: `<br>` stands on a line of its own",
        "20:5 html: `<b>` is raw HTML",
        "20:15 html: `<!-- c -->` is raw HTML",
        "20:46 html: `<SUB>` is raw HTML",
    ]


def test_blocks_in_the_wrong_place_or_with_wrong_keys() -> None:
    body = """```yaml rule
note: x
```

## Enact Rule

```yaml rule
mutability: m
void: true
note: x
foo: 1
```

T

```yaml rule
x: y
```

## Amend Rule 2/0

```yaml rule
reenacts: 4
```

T

## Repeal Rule 2/0

```yaml rule
note: x
```

## Mark Rule 2/0

```yaml rule
text: lost
void: soon
```

## Amend Rule 1/0

```Yaml  Rule
note: x
```
"""
    found, findings = proposal(body)
    assert found is None
    assert said(findings) == [
        "6:1 block-misplaced: a `yaml rule` block stands where none can be",
        "14:1 block-misplaced: `void` cannot be in the block of `Enact`",
        "15:1 block-misplaced: `note` cannot be in the block of `Enact`",
        "16:1 key-unknown: there is no key `foo` here",
        "21:1 block-misplaced: a `yaml rule` block stands where none can be",
        "28:1 block-misplaced: `reenacts` cannot be in the block of `Amend`",
        "35:1 block-misplaced: `Repeal` takes no `yaml rule` block",
        "42:1 block-misplaced: `text` cannot be in the block of `Mark`",
        "43:7 value-wrong: `void` cannot be `soon`",
        "48:1 block-misplaced: the info string `Yaml  Rule` is not that of a rule's block",
    ]


def test_the_yaml_of_a_block_is_checked_like_any_other() -> None:
    body = (
        "## Enact Rule\n\n  ```yaml rule\n  section: &a x\n  defines: *a\n  section: y\n"
        "  ```\n\nT\n"
    )
    found, findings = proposal(body)
    assert found is None
    assert said(findings) == [
        "9:12 yaml-alias: `&a` is an anchor",
        "10:12 yaml-alias: `*a` is an alias",
        "11:3 key-doubled: the key `section` is here a second time",
    ]


def test_bodies_of_instructions() -> None:
    body = (
        "## Enact Rule\n\n## Amend Rule 1/0\n\n```yaml rule\ntext: lost\n```\n\nfoo\n\n"
        "## Repeal Rule 1/0\n\n  foo\n\n"
        "## Transmute Rule 1/0 to x\n> a\n\n## Retitle Rule 1/0: x\nb\n"
        "## Renumber Rule 1/0 to 4\nc\n\n"
        "## Mark Rule 1/0\n\n## Mark Rule 1/0\n\n```yaml rule\n```\n\n"
        "## Mark Rule 1/0\n\n```yaml rule\nnote: x\n```\nz\n"
    )
    found, findings = proposal(body)
    assert found is None
    assert said(findings) == [
        "6:1 instruction-body: `Enact` needs the rule's text, and there is none",
        "14:1 instruction-body: the text is said to be lost, but here it is",
        "18:3 instruction-body: text stands under `Repeal`, which takes none",
        "21:1 instruction-body: text stands under `Transmute`, which takes none",
        "24:1 instruction-body: text stands under `Retitle`, which takes none",
        "26:1 instruction-body: text stands under `Renumber`, which takes none",
        "28:1 instruction-body: `Mark` does not say what to mark",
        "30:1 instruction-body: `Mark` does not say what to mark",
        "40:1 instruction-body: text stands under `Mark`, which takes none",
    ]


def test_link_definitions_that_reach_into_a_rule() -> None:
    body = (
        "[a]: http://x.example\n\n## Amend Rule 1/0\n\nfine\n\n> see [a]\n\n## Amend Rule 2/0\n\n"
        "[b]\n\n"
        "[b]: http://y.example\n\n## Amend Rule 3/0\n\n[c]: http://z.example\n\n[c] and [b]\n\n"
        "## Amend Rule 4/0\n\n"
        "[A]: http://other.example\n\n[a]\n"
    )
    assert said(proposal(body)[1]) == [
        "12:1 text-context: in rules/ this text would read otherwise: a link here is defined "
        "outside of this text",
        "24:1 text-context: in rules/ this text would read otherwise: a link here is defined "
        "outside of this text",
        "30:1 text-context: in rules/ this text would read otherwise: a link here is defined "
        "outside of this text",
    ]
