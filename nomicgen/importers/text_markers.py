"""Where rules begin in a text: `Rule 101`, `101.`, `## 101`, or `101.` in the middle of a run-on paragraph.

Every line that could begin a rule is a candidate. Those of one form that ascend the furthest are taken for rules: so
neither the numbers of a list nor a number that a sentence happens to put at a line's start part a rule.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from nomicgen.importers.text_lines import Line, TierWords, ends_sentence, is_ruler
from nomicgen.importers.text_rule_forms import (
    ANY_LEVEL,
    EXPLICIT,
    STRONG,
    Candidate,
    FormKind,
    FormReading,
    Key,
    RuleForm,
    matching,
)
from nomicgen.patterns import lazy_pattern

_N = r"(?P<number>0|[1-9][0-9]{0,8})"
_REVISION = r"(?:/(?P<revision>0|[1-9][0-9]{0,5}))?"
_OPEN = r"\s*(?P<open>[*_]{0,3})"
_NAMED = lazy_pattern(
    rf"{_OPEN}rule\s+(?:no\.?\s*|number\s+|#)?{_N}{_REVISION}(?![0-9A-Za-z/-])(?P<tail>.*)", re.IGNORECASE
)
_SHUT = r"(?:\](?:\([^()\s]*\))?|\)(?!\)))?"
_HEADING = lazy_pattern(
    r"\s{0,3}(?P<level>#{1,6})\s+(?P<open>[*_]{0,3})(?P<sign>rule\s+|§\s?|r(?=[0-9]))?(?:[#(]|\[(?=[0-9]+\]))?0{0,4}"
    rf"{_N}{_REVISION}(?![0-9A-Za-z/-]|\.[0-9]){_SHUT}(?P<tail>.*?)[\s#]*",
    re.IGNORECASE,
)
_UNDERLINED = lazy_pattern(
    rf"\s{{0,3}}{_OPEN}(?:rule\s+)?#?{_N}{_REVISION}(?![0-9A-Za-z/-]|\.[0-9])(?P<tail>.*)", re.IGNORECASE
)
_UNDERLINE = lazy_pattern(r" {0,3}(?:(?P<high>={3,})|-{3,})[ \t]*")
_NUMBERED = lazy_pattern(
    rf"{_OPEN}(?P<before>(?:[\[(#]|§\s?)?){_N}{_REVISION}(?P<shut>[*_]{{0,3}})"
    r"(?P<delimiter>[.)\]:]|\s?[–—-](?=\s+\D))"
    r"(?=\s|$|[*_\"'“‘\[(]|[^\W\d_])(?P<tail>.*)"
)
_BARE = lazy_pattern(
    rf"{_OPEN}(?P<before>(?:§\s?)?){_N}{_REVISION}(?=[*_]{{0,3}}(?:\s+[^\Wa-z\d_]|\s+[\"'“‘(\[*_]|\s*$))(?P<tail>.*)"
)
_PLAIN_TAIL = lazy_pattern(r"[*_]{0,3}\s*(?:$|[.:)\]–—\[(-])")
_INLINE_NAMED = lazy_pattern(rf"\b(?i:rule)[ \t]+{_N}[.:)](?=\s+[\"'“‘(\[]?[^\Wa-z\d_]|\s+\[)")
_INLINE = lazy_pattern(rf"(?<![\w.,/§#(\[-]){_N}[.:)](?=\s+[\"'“‘(\[]?[^\Wa-z\d_]|\s+\[)")
_INLINE_BARE = lazy_pattern(rf"(?<![\w.,/§#(\[-]){_N}(?=\s+[\"'“‘(\[]?[^\Wa-z\d_])")
_COMMENT = lazy_pattern(r"\[[^\[\]]*\]")
_LISTED = lazy_pattern(r"\s*rule\s+[0-9]{1,9}\s*", re.IGNORECASE)
_LIKELY, _WEAK = 3, 1
_FORMS = 12
_ANNEXES = 50
_HIGH = 100
_LONGEST = 80


def find_rules(
    lines: Sequence[Line], tiers: TierWords, code: Collection[int] = (), shape: RuleForm | None = None
) -> FormReading:
    """Finds the rules' beginnings, those of one `shape` alone where it is known.

    `code` are lines, from 0, in which none can stand.
    """
    if shape is not None and shape.pattern is not None:
        return FormReading(rules=tuple(matching(lines, code, re.compile(shape.pattern))))
    known = readings(lines, tiers, code)
    if shape is not None and shape.key is not None:
        return next((reading for reading in known if reading.key == shape.key), FormReading())
    named = _largest(reading for reading in known if reading.is_explicit)
    numbered = _largest(reading for reading in known if not reading.is_explicit)
    if _explicit_wins(named.rules, numbered.rules):
        return named if _count(named) > 1 else _largest([named, _run_on(lines, tiers, (_INLINE_NAMED,))])
    run_on = _run_on(lines, tiers, (_INLINE_NAMED, _INLINE, _INLINE_BARE))
    many = _count(run_on) > _count(numbered) and (_count(numbered) <= 1 or _count(run_on) >= 2 * _count(numbered))
    within = sum(run_on.cut_lines[rule.at].column > 1 for rule in run_on.rules)
    return run_on if many and 2 * within >= _count(run_on) else numbered


def readings(lines: Sequence[Line], tiers: TierWords, code: Collection[int] = ()) -> list[FormReading]:
    """What the rules are for each form in which lines begin, but for lists within the rules of another."""
    resets = [at for at in range(len(lines)) if is_tier_heading(lines, at, tiers)]
    groups: dict[Key, list[Candidate]] = defaultdict(list)
    for at, line in enumerate(lines):
        if at not in code and not line.blank:
            for candidate in _candidates(lines, at):
                for key in candidate.keys:
                    groups[key].append(candidate)
    _join_levels(groups)
    explicit = [_of(key, _all_of(group, lines)) for key, group in groups.items() if key[0] in EXPLICIT]
    counted = [
        (_of(key, _without_list_above(_ascending(group, resets), lines)), group)
        for key, group in groups.items()
        if key[0] not in EXPLICIT
    ]
    most = sorted(counted, key=lambda pair: _count(pair[0]), reverse=True)[:_FORMS]
    return [*explicit, *_outermost(most)]


def _join_levels(groups: dict[Key, list[Candidate]]) -> None:
    """Makes one form of headings of several levels whose numbers ascend through the text: chapters part such rules.

    Headings with `§` or `Rule` are joined without those of chapters that have a plain number.
    """
    headings = [rule for key in groups if key[0] == "heading" and not key[1] for rule in groups[key]]
    signed = [rule for rule in headings if rule.signed]
    joined = sorted(signed if 2 * len(signed) > len(headings) else headings, key=lambda rule: rule.at)
    pairs = [*pairwise(joined)]
    levels = {rule.level for rule in joined}
    # An annex may count anew.
    back = sum(rule.number >= after.number for rule, after in pairs)
    changes = sum(rule.level != after.level for rule, after in pairs)
    if len(levels) < 2 or _ANNEXES * back > len(joined) or not (joined[0].signed or changes >= len(levels)):
        return
    taken = {rule.at for rule in joined}
    for level in levels:
        key: Key = ("heading", "", level)
        groups[key] = [rule for rule in groups[key] if rule.at not in taken]
    groups["heading", "", ANY_LEVEL] = joined


def _of(key: Key, reading: FormReading) -> FormReading:
    return FormReading(rules=reading.rules, doubtful=reading.doubtful, key=key)


def _outermost(counted: Sequence[tuple[FormReading, Sequence[Candidate]]]) -> Iterator[FormReading]:
    """Those that are no lists within the rules of another."""
    for reading, _ in counted:
        if not any(_is_within(reading.rules, other.rules, group) for other, group in counted if other is not reading):
            yield reading


def _is_within(inner: Sequence[Candidate], outer: Sequence[Candidate], group: Sequence[Candidate]) -> bool:
    """Whether items that count from 1 are a list in the rules `outer`, which are some of `group`."""
    if not outer or not inner or inner[0].number != 1 or inner[0].at <= outer[0].at:
        return False
    if inner[-1].at < outer[-1].at:
        return True
    # It is in the last rule as well, or in that alone.
    deeper = inner[0].keys[0][2] > outer[0].keys[0][2]
    return len(inner) <= 3 * len(outer) and (deeper or {rule.at for rule in inner} <= {rule.at for rule in group})


def is_tier_heading(lines: Sequence[Line], at: int, tiers: TierWords) -> bool:
    """Whether a line is the heading of a tier, and stands alone as headings do."""
    if tiers.heading(lines[at].text) is None:
        return False
    return _parted(lines, at - 1) and (_parted(lines, at + 1) or any(True for _ in _candidates(lines, at + 1)))


def _parted(lines: Sequence[Line], at: int) -> bool:
    return not 0 <= at < len(lines) or lines[at].blank or is_ruler(lines[at].text)


def _count(reading: FormReading) -> int:
    return len(reading.rules)


def _largest(known: Iterable[FormReading]) -> FormReading:
    return max(known, key=_count, default=FormReading())


def _explicit_wins(explicit: Sequence[Candidate], counted: Sequence[Candidate]) -> bool:
    """Whether `Rule 101` and its like begin the rules, where numbers alone could as well."""
    if not explicit or len(explicit) >= len(counted):
        return bool(explicit)
    numbers = {rule.number for rule in explicit}
    return counted[0].number <= 1 < min(numbers) and len(numbers) > 1


def _candidates(lines: Sequence[Line], at: int) -> Iterator[Candidate]:
    text = lines[at].text
    if match := _HEADING.fullmatch(text):
        level = len(match["level"])
        candidate = _candidate(match, at, "heading", (("heading", "", level),), STRONG, level)
        yield replace(candidate, signed=match["sign"] is not None)
    elif (level := _underline(lines, at)) and (match := _UNDERLINED.fullmatch(text)):
        yield _candidate(match, at, "heading", (("heading", "underlined", level),), STRONG, level)
    elif match := _NAMED.match(text):
        plain = _PLAIN_TAIL.match(match["tail"])
        weight = _weight(lines, at, alone=not match["tail"].strip(" \t.:*_"))
        if (plain and weight > _WEAK) or (weight == STRONG and _capital(match["tail"])):
            yield _candidate(match, at, "named", (("named", "", 0),), weight)
    elif match := _NUMBERED.match(text):
        delimiter = match["before"].strip() + match["delimiter"].strip()
        weight = _weight(lines, at, alone=not _COMMENT.sub("", match["tail"]).strip(" \t*_"))
        yield _candidate(match, at, "numbered", _columns(match, "numbered", delimiter), weight)
    elif (match := _BARE.match(text)) and _weight(lines, at, alone=False) == STRONG:
        yield _candidate(match, at, "bare", _columns(match, "bare", match["before"]), STRONG)


def _underline(lines: Sequence[Line], at: int) -> int:
    """The level of a line that is underlined, and short as headings are; else 0."""
    below = _UNDERLINE.fullmatch(lines[at + 1].text) if at + 1 < len(lines) else None
    text = lines[at].text.strip()
    if below is None or not _parted(lines, at - 1) or len(text) > _LONGEST or (not below["high"] and text[-1] in ".;,"):
        return 0
    return 1 if below["high"] else 2


def _candidate(
    match: re.Match[str], at: int, form: FormKind, keys: tuple[Key, ...], weight: int, level: int = 0
) -> Candidate:
    return Candidate(
        at=at,
        number=int(match["number"]),
        revision=int(match["revision"] or 0),
        form=form,
        keys=keys,
        level=level,
        tail=match.start("tail"),
        open="" if match.groupdict().get("shut") else match["open"],
        weight=weight,
    )


def _columns(match: re.Match[str], form: str, delimiter: str) -> tuple[Key, Key]:
    """Rules of one list begin in one column, or their numbers end in one."""
    start = len(match.string[: match.start("number")].expandtabs(8))
    return (form, f"{delimiter} from", start), (form, f"{delimiter} to", start + len(match["number"]))


def _capital(text: str) -> bool:
    bare = text.strip(" \t\xa0\"'“‘(*_")
    return bool(bare) and bare[0].isupper()


def _weight(lines: Sequence[Line], at: int, *, alone: bool) -> int:
    """How much a line looks like a rule's first: how a paragraph, at least how a sentence would begin."""
    if _parted(lines, at - 1):
        return STRONG
    # What is wrapped ends its paragraph with such a line, and does not begin one.
    if alone and _parted(lines, at + 1) and not _LISTED.fullmatch(lines[at - 1].text):
        return _WEAK
    return _LIKELY if alone or ends_sentence(lines[at - 1].text) else _WEAK


def _all_of(group: Sequence[Candidate], lines: Sequence[Line]) -> FormReading:
    """All of a form that needs no counting to be known, but for the entries of a table of contents."""
    last = {rule.number: rule for rule in group}
    contents = {
        rule.at
        for rule, after in pairwise(group)
        if last[rule.number] is not rule and all(line.blank for line in lines[rule.at + 1 : after.at])
    }
    return FormReading(rules=tuple(rule for rule in group if rule.at not in contents))


def _ascending(group: Sequence[Candidate], resets: Sequence[int]) -> FormReading:
    """Those that ascend the furthest, between one heading of a tier and the next."""
    parts: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in group:
        parts[bisect_right(resets, candidate.at)].append(candidate)
    rules: list[Candidate] = []
    doubtful: list[Candidate] = []
    for part in parts.values():
        listless = _without_lists(part)
        kept = {candidate.at for candidate in _chain(listless)}
        counts = Counter(candidate.number for candidate in listless)
        # Out of order, but as plain a beginning as any.
        kept |= {candidate.at for candidate in listless if candidate.weight == STRONG and counts[candidate.number] == 1}
        rules += [candidate for candidate in listless if candidate.at in kept]
        doubtful += [candidate for candidate in listless if candidate.at not in kept]
    return FormReading(rules=tuple(rules), doubtful=tuple(doubtful))


def _without_lists(group: Sequence[Candidate]) -> list[Candidate]:
    """Without the lists that begin at 1 behind a higher number."""
    kept: list[Candidate] = []
    run = 0
    for candidate in group:
        top = kept[-1].number if kept else 0
        if kept and candidate.number == 1:
            run = 1
        elif run and candidate.number == run + 1 != top + 1:
            run += 1
        else:
            run = 0
            kept.append(candidate)
    return kept


def _without_list_above(reading: FormReading, lines: Sequence[Line]) -> FormReading:
    """Without a list from 1 on, of one line each, above as many rules from 100 on that are headed or set apart."""
    low = [rule for at, rule in enumerate(reading.rules) if rule.number == at + 1 < _HIGH]
    high = reading.rules[len(low) :]
    if len(low) < 2 or len(high) < len(low) or min(rule.number for rule in high) < _HIGH:
        return reading
    is_list = low[-1].at - low[0].at < len(low)
    is_headed = any(not line.blank for line in lines[low[-1].at + 1 : high[0].at])
    is_apart = high[-1].at - high[0].at >= len(high)
    return FormReading(rules=high, doubtful=reading.doubtful) if is_list and (is_headed or is_apart) else reading


def _chain(group: Sequence[Candidate]) -> list[Candidate]:
    """The heaviest ascending chain, of several the last. A wrapped line's number counts only as the next one."""
    # The heaviest chain that ends in each of some numbers; both the numbers and the weights ascend.
    numbers: list[int] = []
    ends: list[tuple[int, int]] = []
    before: list[int] = []
    for index, candidate in enumerate(group):
        place = bisect_left(numbers, candidate.number)
        weight, previous = ends[place - 1] if place else (0, -1)
        weight += candidate.weight
        before.append(previous)
        last = place
        while last < len(ends) and ends[last][0] <= weight:
            last += 1
        numbers[place:last] = [candidate.number]
        ends[place:last] = [(weight, index)]
    chain: list[Candidate] = []
    at = ends[-1][1] if ends else -1
    while at >= 0:
        chain.append(group[at])
        at = before[at]
    return list(_likely(chain[::-1]))


def _likely(chain: Iterable[Candidate]) -> Iterator[Candidate]:
    last = 0
    for candidate in chain:
        if candidate.weight > _WEAK or candidate.number == last + 1:
            last = candidate.number
            yield candidate


def _run_on(lines: Sequence[Line], tiers: TierWords, forms: Sequence[re.Pattern[str]]) -> FormReading:
    """Rules in the middle of lines, which are cut there: a number behind a sentence's end, or a tier's heading."""
    text = "\n".join(line.text for line in lines)
    for pattern in forms:
        cuts: dict[int, str | None] = {}
        parts: list[list[Candidate]] = [[]]
        for match in pattern.finditer(text):
            first = max(0, match.start() - 200)
            above = text[first : match.start()]
            if heading := tiers.closing(above):
                cuts[first + heading[0]] = heading[1]
                parts.append([])
            if not above.strip() or heading or above.endswith("\n\n") or ends_sentence(above):
                parts[-1].append(Candidate(at=match.start(), number=int(match["number"]), form="numbered"))
        rules = [rule for part in parts for rule in _chain(_without_lists(part))]
        # One alone is believed below a heading.
        if len(rules) > 1 or (rules and cuts):
            cut_lines = _cut(lines, {**cuts, **{rule.at: None for rule in rules}})
            return replace(_largest(readings(cut_lines, tiers)), cut_lines=tuple(cut_lines))
    return FormReading()


def _cut(lines: Sequence[Line], cuts: Mapping[int, str | None]) -> list[Line]:
    """The lines, cut at places of their whole text, and set apart there; a cut may begin the heading of a tier."""
    places = sorted(cuts)
    tier: str | None = None
    pieces: list[Line] = []
    start = 0
    for line in lines:
        end = start + len(line.text) + 1
        begin = 0
        for place in places[bisect_left(places, start) : bisect_left(places, end)]:
            pieces.append(_piece(line, begin, place - start, tier))
            pieces.append(Line(line.number, line.column, ""))
            begin, tier = place - start, cuts[place]
        pieces.append(_piece(line, begin, None, tier))
        start = end
    return pieces


def _piece(line: Line, begin: int, end: int | None, tier: str | None) -> Line:
    piece = line.part(begin, end)
    text = piece.text if end is None else piece.text.rstrip()
    return replace(piece, text=text, tier=tier if text.strip() else None)
