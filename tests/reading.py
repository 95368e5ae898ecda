"""What the tests of `nomicgen.files` share: how findings are shown, and the shortest files that can
be read.
"""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from nomicgen.files.documents import read_instrument
from nomicgen.files.rule_files import read_rule
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instrument, RuleFile

PROPOSAL = "proposals/329.md"
RULE = "rules/initial/203.md"
FRONT = "number: 329\nstatus: open\n"


def said(findings: Iterable[Finding]) -> list[str]:
    """`line:column slug: message`, for each finding of one file."""
    return [f"{one.span.line}:{one.span.column} {one.slug}: {one.message}" for one in findings]


def places(findings: Iterable[Finding]) -> list[str]:
    """`file:line:column slug`."""
    return [f"{one.span} {one.slug}" for one in findings]


def proposal(body: str, front: str = FRONT) -> tuple[Instrument | None, tuple[Finding, ...]]:
    """Reads a proposal whose body begins on line 6, if its front matter has two lines."""
    return read_instrument(PROPOSAL, f"---\n{front}---\n{body and f'{chr(10)}{body}'}".encode())


def fronted(front: str) -> list[str]:
    """What is said about a proposal with this front matter, which begins on line 2, and no body."""
    return said(read_instrument(PROPOSAL, f"---\n{front}---\n".encode())[1])


def good(body: str, front: str = FRONT) -> Instrument:
    """Reads a proposal that must be without findings."""
    found, findings = proposal(body, front)
    assert said(findings) == []
    assert found is not None
    return found


def rule(
    body: str, front: str = "number: 203\nmutability: mutable\n"
) -> tuple[RuleFile | None, tuple[Finding, ...]]:
    """Reads an initial rule whose body begins on line 6, if its front matter has two lines."""
    return read_rule(RULE, f"---\n{front}---\n\n{body}".encode())


_LINES = """## Amend Rule 1/0
## Repeal Rule 2/1
# x
### y
text\x20\x20
> q
- i
  - j
---
===
```
~~~~
    code
[a]: /u
[a]
<b>
| a | b |
|---|---|
```yaml rule
note: x
## Ruling

"""
MARKDOWN = st.lists(st.sampled_from(_LINES.split("\n")), max_size=14).map(
    lambda lines: "\n".join(lines) + "\n"
)
