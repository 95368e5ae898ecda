"""Entering what happened before the game was played here: `nomicgen record` reads a table, and its
rows become proposals, judgements and acts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.change_table import RecordRow
from nomicgen.files.instruction_text import amend, enact, renumber, repeal, retitle, transmute
from nomicgen.history.past.rewrites import changed_outcomes
from nomicgen.importers.derived_names import one_line, slug
from nomicgen.importers.game_writing import gaps, instrument_file, player_files, ranges
from nomicgen.importers.instruments import CauseKind, ImportedInstrument
from nomicgen.importers.rule_text.from_markdown import with_lower_headings
from nomicgen.law.replay.correction_acts import CORRECTION
from nomicgen.law.replay.events import next_seq
from nomicgen.law.replay.results import OPENING, Step
from nomicgen.law.subjects import rule_words
from nomicgen.model.findings import Finding, counted, ordered
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.record_table import ChangeRow
from nomicgen.model.values import Moment, Span
from nomicgen.play.load import Game, overlay
from nomicgen.play.mending.shown import as_shown
from nomicgen.play.move import Move, Part, blocking_errors, edit_file, free_path, idle
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import with_rules

_SERIAL = (
    r"(?P<kind>[Pp]roposal|[Jj]udg(?:e)?ment) #?(?P<number>[1-9][0-9]{0,8})(?:: *(?P<title>\S.*))?"
)
"""How the key `by` of a row names a proposal or a judgement: `Proposal 305: Lamps`."""
_END = re.compile(r"(?:-[1-9][0-9]*)?\.md")
"""What follows the stem in the name of an entry's file."""

_UNKNOWN = "an unknown cause"
"""The cause of an act if its row has no `by`."""
_EARLIEST = Moment.of(date.min)

Reader = Callable[[str], bytes | str]
"""Gives the bytes of a file that a row names, or says why it cannot be read."""


class _Entry(Struct, frozen=True, kw_only=True):
    """An instrument to be entered, which becomes one file; `rows` are its rows, in their order.

    `cause` is what the first of them has as `by`, else `_UNKNOWN`; the `number` of an act is 0.
    """

    kind: CauseKind
    number: int
    cause: str
    title: str | None
    rows: tuple[RecordRow, ...]

    @property
    def on(self) -> Moment | None:
        return next((row.matter.on for row in self.rows if row.matter.on), None)

    @property
    def status(self) -> str:
        """What became of a proposal."""
        return next((row.matter.status for row in self.rows if row.matter.status), "adopted")

    @property
    def author(self) -> str | None:
        return next((row.matter.author for row in self.rows if row.matter.author), None)


def record(game: Game, rows: Sequence[RecordRow], reader: Reader) -> Move:
    """Return the move that enters changes from before the game was played: a part for each
    instrument, in their order.

    What was entered before in the same words is left out, so that a table that has grown can be
    given again. Raises Refused with all that is wrong with the rows; or if the game has errors, or
    a later decision would have another outcome.
    """
    texts, wrong = _texts(rows, reader)
    given = _entries(game, rows, wrong)
    entries = [*_not_entered_yet(game, given, texts)] if not wrong else given
    wrong += [*_late(game, entries), *_taken(game, entries)]
    if wrong:
        raise Refused(_refusal(rows), "correct them all, then run it again", ordered(wrong))
    left_out = len(rows) - sum(len(entry.rows) for entry in entries)
    left = f"{counted(left_out, 'change')} {'was' if left_out == 1 else 'were'} entered before"
    if not entries:
        return idle(game, game.until, f"{left}: nothing is new")
    known, parts, places = blocking_errors(game), list[Part](), dict[str, Span]()
    state = game
    for entry in entries:
        part, path = _part(state, entry, texts)
        state = overlay(state, part.writes, part.deletes)
        parts.append(part)
        places[path] = entry.rows[0].span
    errors = [error for error in blocking_errors(state) if error not in known]
    if errors:
        raise Refused(
            _refusal(rows),
            "correct them all, then run it again",
            ordered(_at_rows(as_shown(state, errors), places)),
        )
    if known:
        raise Refused(
            "the game has errors",
            "`nomicgen check` shows them; nothing was written",
            as_shown(game, known),
        )
    if settled := tuple(
        changed_outcomes(game.records, game.replay, state.replay, next(iter(places)), archived=True)
    ):
        raise Refused(
            "decisions since the opening of the game would have another outcome", "", settled
        )
    lines = [*_lines(state, places), *_imported_otherwise(game, state)]
    lines += [f"{left}, and left out"] if left_out else []
    return Move(before=game, after=state, parts=tuple(parts), said=tuple(lines))


def _imported_otherwise(game: Game, state: Game) -> Iterator[str]:
    """Yield a line if what is entered changes the effect of others in a game that was imported."""
    if game.records.imported is None:
        return
    was = {step.instrument.path: step for step in game.replay.steps}
    changed = [
        step.instrument.path
        for step in state.replay.steps
        if (before := was.get(step.instrument.path)) is not None
        and _outcome(before) != _outcome(step)
    ]
    if changed:
        some = f"{changed[0]}{f' and {len(changed) - 1} more' if len(changed) > 1 else ''}"
        yield (
            f"what was imported reads otherwise now, in {some}: `nomicgen verify --source "
            "PATH` says where"
        )


def _outcome(step: Step) -> list[tuple[object, ...] | None]:
    """Return what an instrument makes of rules, for comparison; None for each repealed one."""
    rules = [change.after for change in step.changes]
    return [
        (rule.number, rule.title, rule.tier, rule.text, rule.void) if rule is not None else None
        for rule in rules
    ]


def _refusal(rows: Sequence[RecordRow]) -> str:
    return f"nothing was recorded, of {counted(len(rows), 'change')}"


def _value(row: RecordRow, message: str, help: str, slug: str = "value-wrong") -> Finding:
    return Finding(slug=slug, span=row.span, message=message, help=help)


def _texts(rows: Sequence[RecordRow], reader: Reader) -> tuple[dict[int, str], list[Finding]]:
    """Return the texts that rows give, by the row's `id()`; and what is wrong with their files."""
    texts, wrong = dict[int, str](), list[Finding]()
    for row in rows:
        matter = row.matter
        if matter.text is not None and not matter.is_lost:
            texts[id(row)] = matter.text.strip("\n")
        elif matter.file is not None:
            data = reader(matter.file)
            if isinstance(data, str):
                wrong.append(
                    _value(
                        row, f"`file`: {data}", "name a file beside the table, or in a folder there"
                    )
                )
                continue
            try:
                texts[id(row)] = data.decode("utf-8-sig").replace("\r\n", "\n")
            except UnicodeDecodeError:
                wrong.append(
                    _value(
                        row, f"`file`: {matter.file} is not UTF-8", "save it as UTF-8", "encoding"
                    )
                )
                continue
            texts[id(row)] = texts[id(row)].strip("\n")
            if not texts[id(row)].strip():
                wrong.append(
                    _value(
                        row,
                        f"`file`: {matter.file} is empty",
                        "write the text into it, or say `text: lost`",
                    )
                )
        if id(row) in texts:
            # A heading of level 2 would be an instruction, and no text of a rule has one.
            texts[id(row)] = with_lower_headings(texts[id(row)])
    return texts, wrong


def _entries(game: Game, rows: Sequence[RecordRow], wrong: list[Finding]) -> list[_Entry]:
    """Return the entries in the order of their days, and add to `wrong` what is wrong with `by`,
    `on`, `author` and `status`. Rows of one proposal or judgement share an entry, as do rows with
    the same other `by` on one day.
    """
    entries: dict[object, _Entry] = {}
    for index, row in enumerate(rows):
        by = one_line(row.matter.by or "")
        match = re.fullmatch(_SERIAL, by)
        if by.casefold() in (CORRECTION, OPENING):
            message = f"`by` cannot be `{by}` alone, which is a kind of act of its own"
            help = (
                f"neither `{CORRECTION}` nor `{OPENING}` alone: say whose it was, such as "
                f"`{by} by the judge`"
            )
            wrong.append(_value(row, message, help))
        if match is not None:
            kind: CauseKind = "proposal" if match["kind"].casefold() == "proposal" else "judgement"
            key: object = (kind, int(match["number"]))
            entry = _Entry(
                kind=kind, number=int(match["number"]), cause=by, title=match["title"], rows=(row,)
            )
        else:
            key = (by, row.matter.on.day) if by and row.matter.on else index
            entry = _Entry(kind="act", number=0, cause=by or _UNKNOWN, title=None, rows=(row,))
        first = entries.get(key)
        entries[key] = (
            entry
            if first is None
            else replace(first, rows=(*first.rows, row), title=first.title or entry.title)
        )
        if first is not None:
            wrong += _disagrees(first, row)
        if row.matter.status is not None and (
            match is None or match["kind"].casefold() != "proposal"
        ):
            message = f"`status` is for proposals, and `by` {f'is `{by}`' if by else 'is missing'}"
            wrong.append(
                _value(
                    row, message, "name the proposal, as `by: Proposal 305`, or leave `status` out"
                )
            )
        elif match is None and row.matter.on is None:
            message = f"nobody knows the day of {by or 'this'}, and no number says where it belongs"
            help = (
                "give what is known of the date, such as `on: about 2019`; or name the proposal "
                "in `by`"
            )
            wrong.append(_value(row, message, help))
    return _in_order(game, [*entries.values()])


def _in_order(game: Game, entries: Sequence[_Entry]) -> list[_Entry]:
    """Return the entries sorted by day. One without a day follows that of the next lower number
    with a day, or comes first.
    """
    numbered = game.records.instruments.values()
    days = {
        (instrument.kind, instrument.number): instrument.decided
        for instrument in numbered
        if instrument.number is not None
    }
    days |= {(entry.kind, entry.number): entry.on for entry in entries if entry.kind != "act"}

    def place(entry: _Entry) -> tuple[bool, Moment, bool, int]:
        if entry.on is not None:
            return True, entry.on, False, 0
        known = (
            (number, on)
            for (kind, number), on in days.items()
            if kind == entry.kind and number < entry.number and on
        )
        _, last = max(known, default=(0, None))
        return last is not None, last or _EARLIEST, True, entry.number

    return sorted(entries, key=place)


def _disagrees(entry: _Entry, row: RecordRow) -> Iterator[Finding]:
    """Yield where a row says something else of an instrument than the entry's rows before it."""
    for key in ("on", "author", "status"):
        now = getattr(row.matter, key)
        said = ((getattr(one.matter, key), one.span.line) for one in entry.rows)
        was, line = next(((value, line) for value, line in said if value), (None, 0))
        if was is not None and now is not None and was != now:
            message = f"`{key}` of {entry.cause} is {now} here, and {was} in line {line}"
            yield _value(
                row,
                message,
                "it happened once: say the same in both rows, or leave it out of one",
            )


def _late(game: Game, entries: Sequence[_Entry]) -> Iterator[Finding]:
    """Yield what is wrong with days: the game was played here already, they are still to come, or
    nobody knows them though the game is played.
    """
    for row, on in ((row, row.matter.on or entry.on) for entry in entries for row in entry.rows):
        if on is None:
            if game.replay.initial.with_provisions or game.replay.judged_from is not None:
                message = "the game is played here, and nobody could tell whether this was before"
                help = "give what is known of the date, such as `on: about 2019`"
                yield _value(row, message, help)
        elif game.until.day < on.day:
            message = f"{on} is after {game.until.day}: it has not happened yet"
            yield _value(row, message, "give the day on which it happened", "date-future")
        elif not game.replay.is_archived(on):
            since = game.replay.judged_from
            when = "its first day" if since is None else f"{since}"
            message = (
                f"this happened on {on}; the game has been played since {when}, and from then on "
                "only its rules say what changes rules"
            )
            help = (
                "give the day on which it happened, if that was before; else put it to the "
                "vote: `nomicgen propose`"
            )
            yield _value(row, message, help, "authority-missing")


def _taken(game: Game, entries: Sequence[_Entry]) -> Iterator[Finding]:
    """Yield a finding for each entry whose number has a file already."""
    for entry in entries:
        path = f"{entry.kind}s/{entry.number}.md"
        if entry.kind != "act" and path in game.tree:
            message, help = (
                f"{path} is there already, and says something else",
                "the file stays as it is: leave out the row, or correct the number",
            )
            yield _value(entry.rows[0], message, help, "number-doubled")


def _not_entered_yet(
    game: Game, entries: Sequence[_Entry], texts: Mapping[int, str]
) -> Iterator[_Entry]:
    """Yield the entries that are not in the game yet. A file with the same words is the same entry,
    whatever its `seq`.
    """
    taken: set[str] = set()
    for entry in entries:
        author = _author(game, entry.author, {}) if entry.author else None
        data = _file(entry, texts, author)
        stem = _stem(entry)
        paths = (
            path
            for path in game.tree
            if path.startswith(stem) and _END.fullmatch(path, len(stem)) and path not in taken
        )
        found = next((path for path in paths if edit_file(game, path, {"seq": None}) == data), None)
        if found is None:
            yield entry
        else:
            taken.add(found)


def _stem(entry: _Entry) -> str:
    """Return the path of an entry's file without `.md`, and without a count that sets it apart."""
    if entry.kind != "act":
        return f"{entry.kind}s/{entry.number}"
    assert entry.on is not None, "what has no number has a day"
    return (
        f"acts/{entry.on.day}-{slug(entry.cause, 'act') if entry.cause != _UNKNOWN else 'record'}"
    )


def _file(entry: _Entry, texts: Mapping[int, str], author: PlayerId | None, seq: int = 0) -> bytes:
    """Return the file that an entry becomes."""
    remarks = dict.fromkeys(
        words for row in entry.rows for words in (row.matter.note, row.matter.source) if words
    )
    note = "; ".join(map(one_line, remarks))
    instrument = ImportedInstrument(
        kind=entry.kind,
        cause=str(entry.number) if entry.number else entry.cause,
        date=entry.on,
        seq=seq,
        title=entry.title or "",
        note=note,
        status=entry.status,
        instructions=[
            one for row in entry.rows for one in _instructions(row.matter, texts.get(id(row)))
        ],
    )
    return instrument_file(instrument, author)


def _part(game: Game, entry: _Entry, texts: Mapping[int, str]) -> tuple[Part, str]:
    """Return the part of the move that enters an entry, and the path of its file."""
    writes: dict[str, bytes] = {}
    author = _author(game, entry.author, writes) if entry.author else None
    path = free_path(game, _stem(entry)) if entry.kind == "act" else f"{_stem(entry)}.md"
    writes[path] = _file(entry, texts, author, next_seq(game.records, entry.on) if entry.on else 0)
    if entry.kind != "act":
        writes |= _with_lost_numbers(game, entry)
    name = (
        entry.cause
        if entry.cause != _UNKNOWN
        else "; ".join(_heading(row.matter) for row in entry.rows)
    )
    return with_rules(game, Part(writes=writes, subject=f"Record: {name}", on=entry.on), path), path


def _author(game: Game, name: str, writes: dict[str, bytes]) -> PlayerId:
    """Return the id of the player whom a row names by id or name.

    For somebody without a file it adds one to `writes`, as a player of the past.
    """
    known = game.records.players
    plain = one_line(name)
    for ident, player in known.items():
        if plain == ident or plain.casefold() == player.matter.name.casefold():
            return ident
    ident = PlayerId(slug(plain, "player"))
    while ident in known:
        ident = PlayerId(f"{ident}-2")
    writes |= player_files({plain: ident})
    return ident


def _instructions(row: ChangeRow, text: str | None) -> Iterator[str]:
    """Yield the instructions that a row stands for; `text` is the rule's new text, if it
    has one.
    """
    if row.enact is not None:
        yield enact(row.rule, row.called and one_line(row.called), text, mutability=row.transmute)
        return
    if row.repeal:
        yield repeal(row.rule)
        return
    if text is not None or row.is_lost:
        yield amend(row.rule, text)
    if row.title is not None:
        yield retitle(row.rule, one_line(row.title))
    if row.transmute is not None:
        yield transmute(row.rule, row.transmute)
    if row.renumber is not None:
        yield renumber(row.rule, row.renumber)


def _heading(row: ChangeRow) -> str:
    """Return the heading of a row's first instruction, such as `Amend Rule 3`."""
    return (
        next(iter(_instructions(row, row.text or row.file))).partition("\n")[0].removeprefix("## ")
    )


def _with_lost_numbers(game: Game, entry: _Entry) -> dict[str, bytes]:
    """Return `nomic.yml` with the numbers that are lost once the entry's number is known; nothing
    if they stay the same. Lost numbers above all known ones stay.
    """
    numbers = {"proposal": game.settings.lost.proposals, "judgement": game.settings.lost.judgements}
    were_lost = numbers[entry.kind]
    given = {
        instrument.number
        for instrument in game.records.of_kind(entry.kind)
        if instrument.number is not None
    } | {entry.number}
    first = 1 if entry.kind == "judgement" else min({*given, *were_lost})
    lost = {f"{kind}s": ranges(missing) for kind, missing in numbers.items()}
    gone = [*gaps(given, first), *ranges(number for number in were_lost if number > max(given))]
    if gone == lost[f"{entry.kind}s"]:
        return {}
    lost[f"{entry.kind}s"] = gone
    said = {kind: missing for kind, missing in lost.items() if missing}
    return {"nomic.yml": edit_file(game, "nomic.yml", {"lost": said or None})}


def _at_rows(findings: Sequence[Finding], places: Mapping[str, Span]) -> Iterator[Finding]:
    """Yield findings, those of an entered file at the first row that it is made of: `places` has
    the places of these rows, by file.
    """
    for finding in findings:
        span = places.get(finding.span.file)
        yield finding if span is None else replace(finding, span=span)


def _lines(state: Game, places: Mapping[str, Span]) -> Iterator[str]:
    """Yield what each entered file changes, or that its proposal was not adopted."""
    for step in state.replay.steps:
        if step.instrument.path in places:
            yield f"{step.instrument.path}: {'; '.join(map(rule_words, step.changes))}"
    for path in places:
        proposal = state.records.proposal(path)
        if proposal is not None and proposal.matter.status != "adopted":
            yield f"{path}: {proposal.matter.status}"
