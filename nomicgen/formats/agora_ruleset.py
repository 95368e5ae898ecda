"""Agora's Full and Short Logical Rulesets, as its Rulekeepor publishes them: `{…}` of a template filled in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from textwrap import wrap
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from nomicgen.history.history_lines import MONTHS
from nomicgen.formats.agora_data import AgoraData, Tree
from nomicgen.formats.text_templates import text_templates
from nomicgen.patterns import lazy_pattern

TEMPLATES: Mapping[str, str] = MappingProxyType(
    {
        "header": (
            "Number of rules currently enacted: {num}\n\nHighest ID'd rule in this ruleset: {her}\n"
            "Highest ID'd Proposal Passed: {hp}\nHighest ID'd Rule Enacted: {hr}\n"
        ),
        "full": "THE FULL LOGICAL RULESET\n\n{header}\n\n{line}\n\nTable of Contents:\n\n{toc}\n\n{line}\n\n"
        "Power Distribution:\n\n{powers}\n\n{ruleset}\n",
        "short": "THE SHORT LOGICAL RULESET\n\n{header}\n\n{ruleset}\n",
    }
)
"""What is printed around the rules where a game has no templates of its own."""

_WIDTH = 72
_BIRTH = "1993-06-30"
_COUNTED = {"reenactment", "amendment", "null-amendment", "infection-amendment"}
_CHANGES = {
    "initial": "Initial {mutability} rule {id}",
    "enactment": "Enacted",
    "mutation": "Mutated[ from MI={old-mi}][ to MI={new-mi}]",
    "power-change": "Power changed[ from {old-power}][ to {new-power}]",
    "retitling": "Retitled[ from '{old-title}'][ to '{new-title}']",
    "renumbering": "Renumbered",
    "committee-assignment": "Assigned to the {committee}",
    "amendment": "Amended({number})",
    "null-amendment": "Null-amended({number})",
    "infection-amendment": "Infected and amended({number})",
    "infection": "Infected",
    "repeal": "Repealed",
    "reenactment": "Re-enacted({number})[ at Power={power}]",
    "unknown": "History unknown...",
    "authority-vanished": "Disappeared as authority removed",
}
"""What is printed of each kind of change; what stands in brackets is left out where the change does not say it."""
_IF_SAID = lazy_pattern(r"\[([^{]*\{([^}]*)\}[^]]*)\]")
_PEOPLE = frozenset({"by", "engineer", "person", "magister"})
_BY = {
    "cleaning": "cleaning ({by})",
    "refiling": "refiling ({by})",
    "decree": "decree given by {by}",
    "person": "{by}",
    "experiment": "Experiment #{id} under Mad Engineer {engineer}",
    "rulebending": "Rulebending Form demonstrated by {magister}",
    "tournament_init": "initiation of {name} by {person}",
    "tournament_change": "{person} as part of {name}",
    "tournament_end": "{person} after end of {name}",
}


class PrintSettings(Struct, frozen=True, kw_only=True):
    """How a ruleset is printed: the templates `header`, `full` and `short`, and names that are printed otherwise."""

    templates: Mapping[str, str] = field(default_factory=lambda: TEMPLATES)
    names: Mapping[str, str] = {}


def ruleset(data: AgoraData, settings: PrintSettings, *, full: bool) -> str:
    """The Full Logical Ruleset, with histories and annotations, or the Short, without."""
    rules = [data.rules[int(number)] for category in data.index for number in category["rules"]]
    highest = str(max((int(rule["id"]) for rule in rules), default=0))
    environment = text_templates("nomicgen.formats")
    environment.filters |= {
        "annotated": _annotation,
        "history": lambda rule: list(_history(rule, data, settings)),
        "wrapped": _wrapped,
    }
    contents = environment.get_template("agora_contents.txt")
    body = environment.get_template("agora_ruleset.txt")
    words = {
        "header": settings.templates["header"].strip(),
        "num": str(len(rules)),
        "her": highest,
        "hr": highest,
        "hp": str(max((int(name) for name in data.proposals if name.isdecimal()), default=0)),
        "line": "-" * _WIDTH,
        "toc": contents.render(data=data, width=max((len(rule["id"]) for rule in rules), default=0)),
        "powers": _powers(rules),
        "ruleset": body.render(data=data, full=full, width=_WIDTH),
    }
    text = settings.templates["full" if full else "short"]
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    return text


def _powers(rules: Sequence[Tree]) -> str:
    counts = Counter(power for rule in rules if (power := _decimal(rule.get("power"))) is not None)
    width = max((len(str(count)) for count in counts.values()), default=0)
    lines = [f"{count:<{width}} with Power={power.normalize():f}" for power, count in sorted(counts.items())]
    return "\n".join(lines) or "No rules have power."


def _decimal(power: str | None) -> Decimal | None:
    try:
        return Decimal(power) if power else None
    except InvalidOperation:
        return None


def _history(rule: Tree, data: AgoraData, settings: PrintSettings) -> Iterator[tuple[int, str]]:
    """The revision after each entry of a history, and its line."""
    revision = 0
    for entry in rule.get("history", []):
        change: Tree = entry["change"]
        number = int(entry["revision"]) if "revision" in entry else revision + 1
        counts = change["type"] in _COUNTED and change.get("uncounted", "").lower() != "true"
        revision = number if counts else number - 1
        cause, day = _cause(entry.get("agent"), data, settings), _day(entry.get("date", "unknown"))
        yield revision, f"{_change(change, number)}{f' by {cause}' if cause else ''}{f', {day}' if day else ''}"


def _change(change: Tree, number: int) -> str:
    kind = change["type"]
    if kind not in _CHANGES:
        return str(kind).capitalize()
    if kind == "amendment" and change.get("uncounted", "").lower() == "true":
        return "Amended"
    words = _IF_SAID.sub(lambda part: part[1] if part[2] in change else "", _CHANGES[kind])
    amended = " and amended" if kind == "reenactment" and "unchanged" not in change else ""
    return words.format_map(defaultdict(str, {**change, "number": number})) + amended


def _cause(agent: Any, data: AgoraData, settings: PrintSettings) -> str:
    if not isinstance(agent, Mapping) or len(agent) != 1:
        return str(agent or "")
    ((kind, said),) = agent.items()
    keys: Mapping[str, str] = said if isinstance(said, Mapping) else {}

    match kind:
        case "proposal":
            return _proposal(str(said), data, settings)
        case "rule":
            return f"R{said}"
        case "convergence":
            return f"a convergence caused by {_cause(said, data, settings)}"
        case "ratification":
            return f"{keys.get('document', '')} ratification"
        case "decree" | "person":
            keys = {"by": str(said)}
        case _ if kind not in _BY:
            return f"{kind} {said}"
        case _:
            pass
    who = {key: settings.names.get(one, one) if key in _PEOPLE else one for key, one in keys.items()}
    who["id"] = who.get("id", "").lstrip("0")
    return _BY[kind].format_map(defaultdict(str, who))


def _proposal(number: str, data: AgoraData, settings: PrintSettings) -> str:
    one = data.proposals.get(number, {})
    marks = [one["chamber"]] if "chamber" in one else []
    marks += ["disi."] if one.get("disinterested", "").lower() == "true" else []
    people = [settings.names.get(who, who) for who in (one.get("author"), *one.get("coauthors", [])) if who]
    title = f" '{one['title']}'" if "title" in one else ""
    bracket = f" [{', '.join(marks)}]" if marks else ""
    by = ", ".join(people)
    return f"P{one.get('id', number)}{title}{bracket}{f' ({by})' if by else ''}"


def _annotation(one: Tree) -> str:
    calls = [(case.get("id", ""), _day(case.get("called", "unknown"))) for case in one.get("cfjs", [])]
    told = ", ".join(f"CFJ {number}{f' (called {day})' if day else ''}" for number, day in calls)
    return f"{told}: {one.get('text', '').strip()}"


def _day(said: Any) -> str:
    """A date of the data in Agora's words; '' for one that is not known."""
    if isinstance(said, Mapping):
        if "around" in said:
            return f"around {_day(said['around'])}"
        return f"between {_day(said.get('between', ''))} and {_day(said.get('and', ''))}"
    parts = str(said).split("-")
    if said == _BIRTH:
        return "Agora's birth"
    if len(parts) != 3 or not parts[1].isdecimal() or not 1 <= int(parts[1]) <= len(MONTHS):
        return ""
    return f"{parts[2]} {MONTHS[int(parts[1]) - 1]} {parts[0]}"


def _wrapped(text: str, first: str, rest: str) -> str:
    """The words of a text in lines of 72 characters at most, but for longer words."""
    words = " ".join(line.strip() for line in text.split("\n"))
    lines = wrap(
        words, _WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines) or first
