"""An edit of `rules/` by hand, written as the proposal that it was meant for. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nomicgen.files.instruction_text import enact, repeal, retitle, transmute
from nomicgen.files.rule_files import read_rule
from nomicgen.files.text_encoding import trim_blank_lines
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.law.replay.results import Rule
from nomicgen.play.draft import GameNames, title_of
from nomicgen.play.mending.front import read_front
from nomicgen.play.whole_files import amendment

_PATH = re.compile(r"rules/(?:initial/)?([1-9][0-9]{0,8})\.[A-Za-z]+")


def proposal_for(edits: Mapping[str, bytes | None], known: GameNames) -> tuple[str, bytes] | None:
    """Return a title, and the draft that changes the rules as files of `rules/` were changed. None
    where no rule was changed, or where another file was, too. In `edits`, None is a file that was
    removed.
    """
    title, parts = "", []
    for path, data in sorted(edits.items()):
        match = _PATH.fullmatch(path)
        if match is None:
            return None
        number = int(match[1])
        rule = known.rules.once_numbered(number)
        instructions = [*_instructions(path, data, rule)]
        parts += instructions
        title = title or (_title(instructions[0], rule, number) if instructions else "")
    if not parts:
        return None
    keys = {"title": title, "author": known.author, "status": "draft"}
    return title, write_front_matter(keys, "\n\n".join(parts))


def _title(instruction: str, rule: Rule | None, number: int) -> str:
    """Return a proposal's title by its first instruction: `Repeal Rule 203 (Lamps)`."""
    if rule is None:
        return instruction.partition(": ")[2].partition("\n")[0] or f"Rule {number}"
    verb = instruction.removeprefix("## ").partition(" ")[0]
    return f"{verb} Rule {number}{f' ({rule.title})' if rule.title else ''}"


def _instructions(path: str, data: bytes | None, rule: Rule | None) -> Iterator[str]:
    """Yield the instructions that give `rule` (None for a new one) what a file says of it."""
    if data is None:
        if rule is not None:
            yield repeal(rule.ref)
        return
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    front = read_front(lines)
    start, end = trim_blank_lines(lines, front.end, len(lines))
    text = "\n".join(lines[start:end])
    tier, named = front.data.get("mutability"), front.data.get("title")
    if rule is None:
        title = (
            named
            if isinstance(named, str) and named.strip()
            else title_of(lines[front.end :], path)
        )
        if text:
            yield enact(None, " ".join(title.split()), text)
        return
    provisions = _provisions(path, data, rule)
    if text and (text != rule.text or provisions != (rule.provisions or {})):
        # The draft has the provisions even if they stay: the author should see them.
        yield amendment(rule, text, provisions)
    if isinstance(tier, str) and tier != rule.tier and re.fullmatch(r"[a-z][a-z0-9-]{0,63}", tier):
        yield transmute(rule.ref, tier)
    if isinstance(named, str) and named.strip() and " ".join(named.split()) != (rule.title or ""):
        yield retitle(rule.ref, " ".join(named.split()))


def _provisions(path: str, data: bytes, rule: Rule) -> Mapping[str, object]:
    """Return the provisions of a file; those of the rule where the file cannot be read."""
    read, _ = read_rule(path, data)
    return (rule.provisions if read is None else read.matter.provisions) or {}
