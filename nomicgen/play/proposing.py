"""Proposing: drafts, and the numbers that they get."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.play.draft import slug_of
from nomicgen.play.game_status import next_number
from nomicgen.model.findings import counted
from nomicgen.files import read_instrument, write_front_matter
from nomicgen.files.instruction_text import amend, enact, repeal, transmute
from nomicgen.game.archived import require_open
from nomicgen.play.voting.ballots import ballot_keys
from nomicgen.play.load import Game, law_on, overlay
from nomicgen.play.move import Move, Part, edited, verified
from nomicgen.game.refusal import Refused
from nomicgen.model.identifiers import PlayerId
from nomicgen.law.checks.votes import without_change
from nomicgen.law.precedence import Law
from nomicgen.law.replay.state import Rule
from nomicgen.law.replay.turn_order import awaited_first_turn
from nomicgen.law.voting.voting_rights import debate_left
from nomicgen.model import Instrument, Moment, Proposal

_BODY_ALONE = (
    "--body is the argument here: put the change into it too, as `## Amend Rule 203/0` with the whole new text"
)
_WRITE_FIRST = "leave --register out and edit the draft, or give its text with --body"
_ARGUMENT = "Why the rules should change so: this is the argument, up to the first heading."
_TEXT = "The full text of the new rule."
_NEW_TEXT = "The full new text of the rule."


class NewProposal(Struct, frozen=True, kw_only=True):
    """What a new proposal is to change; several changes stand in this order."""

    title: str
    author: PlayerId
    enact: bool = False
    amend: Sequence[int] = ()
    repeal: Sequence[int] = ()
    transmute: Sequence[tuple[int, str]] = ()
    argument: str = ""
    body: str = ""
    commences: Moment | None = None


def require_player(game: Game, ident: PlayerId) -> None:
    """Raises Refused for an id without a file in players/."""
    if ident not in game.records.players:
        known = ", ".join(game.records.players) or "none yet"
        raise Refused(f"there is no player {ident}", f"players: {known}; `nomicgen player join {ident}` adds one")


def propose(game: Game, draft: NewProposal, on: Moment, *, registers: bool = False) -> Move:
    """A draft from the template, with the current text of what it amends; with `registers` it gets its number at once.

    Raises Refused where it cannot be written, and with `registers` where the template's words still stand in it.
    """
    require_player(game, draft.author)
    path = f"proposals/{slug_of(draft.title)}.md"
    if path in game.tree:
        raise Refused(f"{path} is there already", "give another --title, or edit that draft")
    matter = {
        "title": draft.title,
        "author": draft.author,
        "date": on,
        "turn": turn_on(game, on),
        "commences": draft.commences,
        "status": "draft",
    }
    matter = {key: value for key, value in matter.items() if value is not None}
    body = _body(game, draft, path, matter)
    part = Part(writes={path: write_front_matter(matter, body)}, subject=f"Propose: {draft.title}")
    if registers:
        try:
            number, part, lines = registration(overlay(game, part.writes), path, on)
        except Refused as refused:
            first = _BODY_ALONE if draft.body else _WRITE_FIRST
            remedy = first if path in refused.remedy else refused.remedy  # there is no file to edit
            raise Refused(refused.message, remedy, refused.findings) from None
        lines = (f"proposals/{number}.md is written", *lines[1:])
        return verified(game, replace(part, deletes=frozenset()), said=lines, on=on)
    lines = (
        f"{path} is the draft: edit its argument and its changes, then",
        f"  nomicgen register {slug_of(draft.title)}",
    )
    return verified(game, part, said=(*lines, *_out_of_turn(game, {**matter, "status": "debate"}, body, on)), on=on)


def _body(game: Game, draft: NewProposal, path: str, matter: Mapping[str, object]) -> str:
    """What stands below the front matter: the body that was given, or the template with it as the argument.

    A body with changes stands by itself. Raises Refused where changes are asked for besides those.
    """
    if not draft.body:
        return _template(game, draft)
    instrument, _ = read_instrument(path, write_front_matter(matter, draft.body))
    if instrument is not None and not instrument.instructions:
        return _template(game, replace(draft, argument=draft.body))
    asked = [f"--{name}" for name in ("enact", "amend", "repeal", "transmute") if getattr(draft, name)]
    if asked:
        raise Refused(
            f"the body already says what changes, and so does {', '.join(asked)}",
            "leave the option out, or give a body that is the argument alone, without headings",
        )
    return draft.body


def _out_of_turn(game: Game, matter: Mapping[str, object], body: str, on: Moment) -> Iterator[str]:
    """What the turn that is being played has against a draft, if it were registered now."""
    number = next_number(game.records, game.replay, on)
    path = f"proposals/{number}.md"
    if "turn" in matter:
        put = {path: write_front_matter({**matter, "number": number}, body)}
        errors = overlay(game, put).errors
        refused = (error for error in errors if error.slug == "turn-proposals" and error.span.file == path)
        yield from (f"it cannot be registered yet: {error.message}" for error in refused)
    elif (first := _first_turn(game, PlayerId(str(matter["author"])), on)) is not None:
        yield f"it cannot be registered yet: {first.message}"


def turn_on(game: Game, on: Moment) -> str | None:
    """The turn that is being played at a moment, None between turns or where none are recorded."""
    begun = (
        turn
        for turn in reversed(game.records.turns_in_order)
        if turn.matter.began is not None and not on.precedes(turn.matter.began)
    )
    latest = next(begun, None)
    return latest.ident if latest and latest.matter.ended is None else None


def _template(game: Game, draft: NewProposal) -> str:
    parts = [draft.argument or _ARGUMENT]
    for number in draft.amend:
        rule = standing_rule(game, number)
        # An amendment should say what becomes of the provisions.
        parts.append(amend(rule.ref, rule.text or _NEW_TEXT, provisions=rule.provisions or None))
    parts.extend(repeal(standing_rule(game, number).ref) for number in draft.repeal)
    parts.extend(transmute(standing_rule(game, number).ref, tier) for number, tier in draft.transmute)
    if draft.enact or len(parts) == 1:
        parts.append(enact(None, draft.title, _TEXT))
    return "\n\n".join(parts)


def standing_rule(game: Game, number: int) -> Rule:
    """The rule that bears, or bore, a number. Raises Refused where none stands."""
    rule = game.replay.current.named(number)
    if rule is None:
        raise Refused(f"there is no Rule {number} in force", "`nomicgen status --rules` lists the rules")
    return rule


def register(game: Game, draft: str, on: Moment, *, discussion: str | None = None, opens: bool = False) -> Move:
    """Gives a draft the next number: its file moves, and the debate begins; with `opens` the vote opens if it may.

    `discussion` is the address where it is debated.
    """
    keys = {"discussion": discussion} if discussion is not None else None
    _, part, lines = registration(game, draft, on, opens=opens, keys=keys)
    return verified(game, part, said=lines, on=on)


def registration(
    game: Game, draft: str, on: Moment, *, opens: bool = False, keys: Mapping[str, object | None] | None = None
) -> tuple[int, Part, tuple[str, ...]]:
    """The number that a draft gets, the commit that gives it, and what to say; `keys` are set besides."""
    require_open(game)
    name = draft.removeprefix("proposals/").removesuffix(".md")
    path = f"proposals/{name}.md"
    instrument = game.records.proposal(path)
    if instrument is None and path in game.tree:
        findings = tuple(finding for finding in game.findings if finding.span.file == path)
        raise Refused(f"{path} could not be read", "correct it, then register it", findings)
    if instrument is None or not isinstance(game.tree.get(path), bytes):
        drafts = ", ".join(_drafts(game)) or "none"
        raise Refused(f"there is no draft {name}", f"drafts: {drafts}; `nomicgen propose` writes one")
    if instrument.number is not None:
        raise Refused(f"proposal {instrument.number} has its number already", "`nomicgen status` says what is next")
    _require_written(game, instrument)
    if (first := _first_turn(game, instrument.actor, on)) is not None:
        raise first
    number = next_number(game.records, game.replay, on)
    opened, line = opening(game, instrument, number, on, on) if opens else ({}, _voting(game, number, on))
    changes: dict[str, object | None] = {**(keys or {}), "number": number, "date": on, "status": "debate", **opened}
    if game.records.turns:
        # A draft may have been written in an earlier turn: it counts in the one in which it is put forward, if in any.
        changes["turn"] = turn_on(game, on)
    # A forge's editor leaves the last line as it was typed; votes are on what is above that.
    changed = edited(game, path, changes).rstrip(b"\n") + b"\n"
    target = f"proposals/{number}.md"
    part = Part(
        writes={target: changed},
        deletes=frozenset({path}),
        subject=f"Register proposal {number}: {instrument.title or instrument.name}",
    )
    return number, part, (f"{path} is now {target}", line)


def _voting(game: Game, number: int, on: Moment) -> str:
    """What comes after the number: a vote, perhaps after days of debate."""
    typed = f"nomicgen vote {number} for --player ID"
    debated = debate_left(law_on(game, on), on, on)
    if debated is None:
        return f"  {typed}   opens the vote and casts the first one"
    rule, days, due = debated
    return f"  Rule {rule} leaves {counted(days, 'day')} for debate: the vote opens on {due} or later, with {typed}"


def opening(
    game: Game, instrument: Instrument, number: int, date: Moment | None, on: Moment
) -> tuple[dict[str, object | None], str]:
    """What opens the vote on a proposal put forward on `date`, and what to say; nothing while it is to be debated."""
    law = law_on(game, on)
    if (debated := debate_left(law, date, on)) is not None:
        rule, days, due = debated
        return {}, f"  Rule {rule} leaves {counted(days, 'day')} for debate: the vote opens on {due} or later"
    keys: dict[str, object | None] = {"status": "open", **ballot_keys(game, instrument, law, on)}
    name = f"{number}-{keys['ballot']}"
    return keys, f"  the vote on proposal {number} is open, as ballot {name}: nomicgen vote {number} for --player ID"


def _require_written(game: Game, instrument: Proposal) -> None:
    """Raises Refused for a draft that still is the template: nobody should vote on its words."""
    if missing := next(without_change(instrument), None):
        raise Refused(
            "a proposal that changes nothing gets no number", f"correct {instrument.path}, then register it", (missing,)
        )
    texts = {instruction.text for instruction in instrument.instructions}
    if _ARGUMENT in instrument.preamble or texts & {_TEXT, _NEW_TEXT}:
        raise Refused(f"{instrument.path} still has the template's words", f"edit {instrument.path}, then register it")
    step = game.replay.previews.get(instrument.path)
    for change in step.changes if step else ():
        if change.verb != "amend" or change.before is None or change.after is None:
            continue
        same = replace(change.after, number=change.before.number, revision=change.before.revision)
        if same == change.before:
            raise Refused(
                f"{change.instruction.heading}: the text and the provisions are those in force",
                f"edit {instrument.path}, then register it",
            )


def _first_turn(game: Game, author: PlayerId | None, on: Moment) -> Refused | None:
    """What stands against a proposal where nobody has begun the first turn, and it is another player's."""
    law = Law.of(game.replay.current, game.settings, on)
    awaited = awaited_first_turn(game.records, law, on)
    if awaited is None or author in (None, awaited[0].player):
        return None
    first, provision = awaited
    return Refused(
        f"the first turn, {first.ident} of {first.player}, has not begun, and the proposal of a turn is its player's "
        f"(Rule {provision.rule}), not {author}'s",
        f"begin it with `nomicgen turn`, or with a pull request of {first.player}'s that adds turns/{first.ident}.yml; "
        f"ask for the number when it is {author}'s turn",
    )


def _drafts(game: Game) -> list[str]:
    return [draft.stem for draft in game.records.of_kind("proposal") if draft.number is None]


def proposal_of(game: Game, number: int) -> Proposal:
    """A numbered proposal. Raises Refused where there is none."""
    path = f"proposals/{number}.md"
    proposal = game.records.proposal(path)
    if proposal is None:
        why = "could not be read: `nomicgen check` says why" if path in game.tree else "is not there"
        raise Refused(f"proposal {number} {why}", "`nomicgen status` lists the proposals")
    return proposal
