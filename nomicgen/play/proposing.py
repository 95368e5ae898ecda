"""Proposing: writing drafts, and registering them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.documents import read_instrument
from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import read_front
from nomicgen.files.instruction_text import enact, repeal, transmute
from nomicgen.files.yaml_writing import write_front_matter, write_yaml
from nomicgen.law.checks.votes import without_change
from nomicgen.law.prospects import against_opening
from nomicgen.law.questions import has_room, has_turn_order, next_turn_of, rule_of_proposers
from nomicgen.law.replay.moments import precedes
from nomicgen.law.replay.results import NextTurn, Rule
from nomicgen.law.replay.seats import TurnsPlayed
from nomicgen.law.replay.turn_proposals import has_proposal, standing_in
from nomicgen.law.replay.watched_records import WatchedRecords
from nomicgen.model.findings import Findings
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Proposal, Turn
from nomicgen.model.values import Moment
from nomicgen.play.draft import in_draft, slug_of
from nomicgen.play.game_status import next_number, turn_missing
from nomicgen.play.load import Game, as_of, law_on, overlay
from nomicgen.play.mending.shown import as_shown
from nomicgen.play.move import Move, Part, edit_file, verify_move
from nomicgen.play.preconditions import require_open, require_player, require_turn
from nomicgen.play.refusal import Refused, Wait
from nomicgen.play.voting.ballots import ballot_keys
from nomicgen.play.whole_files import ENACTED_TEXT, NEW_TEXT, amendment

# What `propose --register` advises if the draft still has the template's words, or changes nothing.
_BODY_ALONE = (
    "--body is the argument here: put the change into it too, as `## Amend Rule 203/0` "
    "with the whole new text"
)
_WRITE_FIRST = "leave --register out and edit the draft, or give its text with --body"
# The words of the template for which an author writes an argument.
_ARGUMENT = "Why the rules should change so: this is the argument, up to the first heading."


class NewProposal(Struct, frozen=True, kw_only=True):
    """A proposal to be written.

    `amend` and `repeal` have numbers of rules, `transmute` pairs of a number and a tier. With
    `enact`, or without any of these, it enacts a rule. A `body` with instructions stands as it is;
    one without is the argument.
    """

    title: str
    author: PlayerId
    enact: bool = False
    amend: Sequence[int] = ()
    repeal: Sequence[int] = ()
    transmute: Sequence[tuple[int, str]] = ()
    argument: str = ""
    body: str = ""
    commences: Moment | None = None


def propose(game: Game, draft: NewProposal, on: Moment, *, registers: bool = False) -> Move:
    """Return the move that writes a draft; with `registers` it gets its number at once.

    Raises Refused if it cannot be written, or with `registers` cannot get its number.
    """
    require_player(game, draft.author)
    path = f"proposals/{slug_of(draft.title)}.md"
    if path in game.tree:
        raise Refused(f"{path} is there already", "give another --title, or edit that draft")
    matter = {
        "title": draft.title,
        "author": draft.author,
        "date": on,
        "turn": _turn_of(game, draft.author, on, drafted=True),
        "commences": draft.commences,
        "status": "draft",
    }
    matter = {key: value for key, value in matter.items() if value is not None}
    body = _body(game, draft, path, matter)
    part = Part(writes={path: write_front_matter(matter, body)}, subject=f"Propose: {draft.title}")
    laid = overlay(game, part.writes)
    if registers:
        try:
            number, part, lines = registration(laid, path, on)
            lines = (f"proposals/{number}.md is written", *lines[1:])
            with refusal_names_turn(laid, path, on):
                return verify_move(game, replace(part, deletes=frozenset()), said=lines, on=on)
        except Refused as refused:
            message, remedy = refused.message, refused.remedy
            # What names the draft's file is neither true nor a help: nothing has been written.
            if refused.waits is not None:
                message = f"the proposal {refused.waits.predicate}"
                remedy += "; without --register it is kept as a draft"
            elif path in remedy:
                remedy = _BODY_ALONE if draft.body else _WRITE_FIRST
            raise Refused(message, remedy, refused.findings) from None
    lines = (
        f"{path} is the draft: edit its argument and its changes, then",
        f"  nomicgen register {slug_of(draft.title)}",
    )
    try:  # Its author learns at once whether it has to wait for a turn to get its number.
        with refusal_names_turn(laid, path, on):
            verify_move(laid, _registration_unchecked(laid, path, on)[1])
    except Refused as refused:
        lines += (f"{refused.waits.words}.",) if refused.waits is not None else ()
    return verify_move(game, part, said=lines, on=on)


def _body(game: Game, draft: NewProposal, path: str, matter: Mapping[str, object]) -> str:
    """Return what stands below the front matter.

    Raises Refused if the given body has front matter, or if it has instructions, and options ask
    for changes as well.
    """
    if not draft.body:
        return _template(game, draft)
    front = read_front(draft.body.encode(), Notes(""))
    if front is not None and front[1] is not None and front[1].data:
        how = f"put the file itself into proposals/, as {path}; then `nomicgen register`"
        raise Refused("the body has front matter, so it is a whole proposal", how)
    instrument, _ = read_instrument(path, write_front_matter(matter, draft.body))
    if instrument is not None and not instrument.instructions:
        return _template(game, replace(draft, argument=draft.body))
    asked = [
        f"--{name}" for name in ("enact", "amend", "repeal", "transmute") if getattr(draft, name)
    ]
    if asked:
        raise Refused(
            f"the body already says what changes, and so does {', '.join(asked)}",
            "leave the option out, or give a body that is the argument alone, without headings",
        )
    return draft.body


def turn_on(game: Game, on: Moment) -> str | None:
    """Return the id of the turn that is being played; None unless there is exactly one."""
    running = _running(game, on)
    return running[0].ident if len(running) == 1 else None


def last_turn_on(game: Game, on: Moment) -> str | None:
    """Return the id of the turn that is being played, the last if there are several."""
    running = _running(game, on)
    return running[-1].ident if running else None


def _running(game: Game, on: Moment) -> list[Turn]:
    return [turn for turn in as_of(game, on).replay.running if not precedes(on, turn.matter.began)]


def _turn_of(
    game: Game,
    author: PlayerId | None,
    on: Moment,
    *,
    named: str | None = None,
    drafted: bool = False,
) -> str | None:
    """Return the id of the running turn that a proposal is made in: its author's, else the last.

    If its author plays several turns, one with room for another proposal goes first, then the one
    `named`, then one without a proposal. None if no turn is running. None also for a draft
    (`drafted`) if only a later turn of its author can take it.
    """
    running, law = _running(game, on), law_on(game, on)
    own = [turn for turn in running if turn.matter.player == author]
    if own:
        full = {
            turn.ident
            for turn in own
            if not has_room(len(standing_in(turn, WatchedRecords(game.records))), law)
        }
        turn = min(
            own,
            key=lambda turn: (
                turn.ident in full,
                turn.ident != named,
                has_proposal(turn, WatchedRecords(game.records), anybody=False),
                turn.order,
            ),
        )
        return None if drafted and turn.ident in full else turn.ident
    waits = drafted and rule_of_proposers(law) is not None
    return running[-1].ident if running and not waits else None


def _template(game: Game, draft: NewProposal) -> str:
    parts = [draft.argument or _ARGUMENT]
    for number in draft.amend:
        rule = standing_rule(game, number)
        parts.append(amendment(rule, rule.text or NEW_TEXT))
    parts.extend(repeal(standing_rule(game, number).ref) for number in draft.repeal)
    parts.extend(
        transmute(standing_rule(game, number).ref, tier) for number, tier in draft.transmute
    )
    if draft.enact or len(parts) == 1:
        parts.append(enact(None, draft.title, ENACTED_TEXT))
    return "\n\n".join(parts)


def standing_rule(game: Game, number: int) -> Rule:
    """Return the rule in force that bears, or bore, a number. Raises Refused if there is none."""
    rule = game.replay.current.once_numbered(number)
    if rule is None:
        raise Refused(
            f"there is no Rule {number} in force", "`nomicgen status --rules` lists the rules"
        )
    return rule


def register(
    game: Game, draft: str, on: Moment, *, discussion: str | None = None, opens: bool = False
) -> Move:
    """Return the move that gives a draft the next number: its file moves, and the debate begins.

    `draft` is its name or path. With `opens` the vote opens too, if it may. `discussion` is the
    address where it is debated. Raises Refused as `registration` does, or if the game would have
    errors.
    """
    keys = {"discussion": discussion} if discussion is not None else None
    _, part, lines = registration(game, draft, on, opens=opens, keys=keys)
    (path,), (target,) = part.deletes, part.writes
    try:
        with refusal_names_turn(game, path, on):
            return verify_move(game, part, said=lines, on=on)
    except Refused as refused:
        before = game.tree[path]
        assert isinstance(before, bytes)
        refused.findings = in_draft(refused.findings, path, before, target, part.writes[target])
        raise


@contextmanager
def refusal_names_turn(laid: Game, path: str, on: Moment) -> Iterator[None]:
    """Let a refusal in the block name the turn for which the draft at `path` waits, if it only has
    to wait for its number.

    Between turns in which only their players may propose, the block is not run. If no turn to come
    takes the draft, the refusal says so, or what is wrong. `laid` has the draft in it.
    """
    try:
        require_turn(laid, laid.records.instruments[path].actor, on)
        yield
    except Refused as refused:
        if not any(finding.slug == "turn-proposals" for finding in refused.findings):
            raise
        against: Findings = ()
        for coming, then in _turns_to_come(laid, laid.records.instruments[path].actor, on):
            left = _errors_once_numbered(then, path, on)
            if not left:
                turn = coming
                break
            against = against or tuple(error for error in left if error.slug != "turn-proposals")
        else:
            # No turn of the next round lets it be proposed.
            if against:
                message = "the game would have errors after this, so nothing was written"
                raise Refused(message, findings=as_shown(laid, against)) from None
            help = (
                "no turn to come lets it be proposed, so take it back, or see to a change of "
                "that rule"
            )
            refused.findings = tuple(
                replace(one, help=help) if one.slug == "turn-proposals" else one
                for one in refused.findings
            )
            raise
        why = refused.findings[0]
        known = has_turn_order(law_on(laid, on))
        which = f" ({turn.ident})" if known else ""
        waiting = f"waits for {turn.player}'s turn{which}, and then gets its number"
        # Another draft may get that number first. Is the text still right then?
        number = next_number(laid.records, laid.replay, on)
        taken = write_front_matter(
            {"number": number, "date": on, "decided": on, "status": "withdrawn"}, ""
        )
        data = laid.tree[path]
        names_it = isinstance(data, bytes) and str(number).encode() in data
        if names_it and _errors_once_numbered(
            overlay(then, {f"proposals/{number}.md": taken}), path, on
        ):
            waiting += f", if that is still {number}: its text names it, so leave it out"
        waits = Wait(
            subject="Legal. It",
            predicate=waiting,
            player=turn.player,
            turn=turn.ident if known else None,
        )
        remedy = f"{why.message}{f'; {refused.remedy}' if refused.remedy else ''}"
        raise Refused(f"{path} {waiting}", remedy, waits=waits) from None


def _turns_to_come(
    game: Game, author: PlayerId | None, on: Moment
) -> Iterator[tuple[NextTurn, Game]]:
    """Yield the turns to come, each with the game as if it began: at most one more than there are
    players.

    They all begin on `on`. If no rule gives the order, each turn after the first of the game is
    taken to be the author's.
    """
    law, players = law_on(game, on), game.records.players
    played, following = TurnsPlayed(game.replay.archived), as_of(game, on).replay.next_turn
    for begun in game.records.turns_in_order:
        played.add(begun)
    for index in range(len(players) + 1):
        # What waits for the next turn may say whose it is.
        comes = index == 0 and following is not None and following.ident not in game.records.turns
        turn = following if comes else next_turn_of(players, law, played, on)
        if (
            turn is None
            and author is not None
            and played.last is not None
            and not has_turn_order(law)
        ):
            turn = NextTurn(played.last.order[0], played.last.order[1] + 1, author)
        if turn is None:
            return
        then = overlay(
            game, {f"turns/{turn.ident}.yml": write_yaml({"player": turn.player, "began": on})}
        )
        yield turn, then
        law = law_on(then, on)
        played.add(then.records.turns[turn.ident])


def _errors_once_numbered(game: Game, path: str, on: Moment) -> Findings:
    """Return the errors that a draft itself would have if it got its number now."""
    number, part, _ = _registration_unchecked(game, path, on)
    after = overlay(game, part.writes, part.deletes)
    return tuple(error for error in after.errors if error.span.file == f"proposals/{number}.md")


def registration(
    game: Game,
    draft: str,
    on: Moment,
    *,
    opens: bool = False,
    keys: Mapping[str, object | None] | None = None,
) -> tuple[int, Part, tuple[str, ...]]:
    """Return the number that a draft gets, the part that gives it, and the lines to print.

    `keys` are set in its file, too. Raises Refused in an archive, and if there is no such draft, it
    cannot be read, has a number or no author, changes nothing, or has words of the template.
    """
    require_open(game)
    name = draft.removeprefix("proposals/").removesuffix(".md")
    path = f"proposals/{name}.md"
    instrument = game.records.proposal(path)
    if instrument is None and path in game.tree:
        findings = tuple(finding for finding in game.findings if finding.span.file == path)
        raise Refused(
            f"{path} could not be read", "correct it, then register it", as_shown(game, findings)
        )
    if instrument is None or not isinstance(game.tree.get(path), bytes):
        drafts = ", ".join(_drafts(game)) or "none"
        raise Refused(
            f"there is no draft {name}", f"drafts: {drafts}; `nomicgen propose` writes one"
        )
    if instrument.number is not None:
        raise Refused(
            f"proposal {instrument.number} has its number already",
            "`nomicgen status` says what is next",
        )
    if instrument.matter.author is None:
        raise Refused(f"{path} names no author", f"write `author: ID` into {path}: who proposes it")
    _require_written(game, instrument)
    return _registration_unchecked(game, path, on, opens=opens, keys=keys)


def _registration_unchecked(
    game: Game,
    path: str,
    on: Moment,
    *,
    opens: bool = False,
    keys: Mapping[str, object | None] | None = None,
) -> tuple[int, Part, tuple[str, ...]]:
    """Return the number, part and lines of `registration` without its checks of the draft."""
    instrument = game.records.proposal(path)
    assert instrument is not None, "the caller has found it"
    number = next_number(game.records, game.replay, on)
    opened, line = (
        opening_keys(game, instrument, number, on, on)
        if opens
        else ({}, _opening_line(game, instrument, number, on))
    )
    changes: dict[str, object | None] = {**(keys or {}), "number": number, "date": on}
    changes |= {"status": "debate", **opened}
    if game.records.turns:
        # A draft may name the turn in which it was written. It counts in the turn, if any, in which
        # it is put forward.
        changes["turn"] = _turn_of(game, instrument.actor, on, named=instrument.matter.turn)
    # A forge's editor may leave no line feed, or several, at the end. The digest ignores that.
    changed = edit_file(game, path, changes).rstrip(b"\n") + b"\n"
    target = f"proposals/{number}.md"
    part = Part(
        writes={target: changed},
        deletes=frozenset({path}),
        subject=f"Register proposal {number}: {instrument.title or instrument.name}",
    )
    missing = turn_missing(game.records, game.replay, on)
    return number, part, (f"{path} is now {target}", line, *missing)


def _opening_line(game: Game, proposal: Proposal, number: int, on: Moment) -> str:
    """Return a line that says how the vote can open, and when, if not now."""
    typed = f"nomicgen vote {number} for --player ID"
    against = _against_opening(game, proposal, number, on, on)
    if not against:
        return f"  {typed}   opens the vote and casts the first one"
    waits = against[0].waits
    then = f", with {typed}" if waits and waits.since else f"; then {typed} opens the vote"
    return f"  {against[0].message}{then}"


def _against_opening(
    game: Game, proposal: Proposal, number: int, date: Moment | None, on: Moment
) -> Findings:
    """Return what prevents the vote on a proposal, with this number and put forward on `date`."""
    matter = proposal.matter.replace(status="debate", number=number, date=date)
    tried = replace(proposal, matter=matter)
    return against_opening(tried, game.records, as_of(game, on).replay, on)


def opening_keys(
    game: Game, instrument: Proposal, number: int, date: Moment | None, on: Moment
) -> tuple[dict[str, object | None], str]:
    """Return the keys that open the vote on a proposal put forward on `date`, and a line to print.

    No keys while a rule is against it.
    """
    if against := _against_opening(game, instrument, number, date, on):
        return {}, f"  {against[0].message}"
    keys: dict[str, object | None] = {
        "status": "open",
        **ballot_keys(game, instrument, law_on(game, on), on),
    }
    name, typed = f"{number}-{keys['ballot']}", f"nomicgen vote {number} for --player ID"
    return keys, f"  the vote on proposal {number} is open, as ballot {name}: {typed}"


def _require_written(game: Game, instrument: Proposal) -> None:
    """Raise Refused for a draft that changes nothing, or has words of the template."""
    if missing := next(without_change(instrument), None):
        raise Refused(
            "a proposal that changes nothing gets no number",
            f"correct {instrument.path}, then register it",
            (missing,),
        )
    lines = {
        line
        for instruction in instrument.instructions
        for line in (instruction.text or "").split("\n")
    }
    if _ARGUMENT in instrument.preamble or lines & {ENACTED_TEXT, NEW_TEXT}:
        raise Refused(
            f"{instrument.path} still has the template's words",
            f"write your own words in {instrument.path}: the new text of the rule, and why",
        )
    step = game.replay.previews.get(instrument.path)
    for change in step.changes if step else ():
        if change.verb != "amend" or change.before is None or change.after is None:
            continue
        same = replace(change.after, number=change.before.number, revision=change.before.revision)
        block = change.instruction.block
        # Players may vote on an amendment that changes nothing, but its author has to say so.
        if same == change.before and (block is None or block.meaning is None):
            raise Refused(
                f"{change.instruction.heading}: the text and the provisions are those in force",
                f"change the text in {instrument.path}: so far nothing would change; or, if the "
                "vote is to be on these "
                "words, `meaning: stands` in a `yaml rule` block says so",
            )


def _drafts(game: Game) -> list[str]:
    return [draft.stem for draft in game.records.of_kind("proposal") if draft.number is None]


def proposal_of(game: Game, number: int) -> Proposal:
    """Return a numbered proposal. Raises Refused if there is none, or it cannot be read."""
    path = f"proposals/{number}.md"
    proposal = game.records.proposal(path)
    if proposal is not None:
        return proposal
    if path in game.tree:
        raise Refused(f"proposal {number} cannot be read", "`nomicgen check` says why")
    remedy = "`nomicgen status` lists the proposals"
    if drafts := _drafts(game):
        remedy = f"a draft gets its number by `nomicgen register {drafts[0]}`"
    raise Refused(f"proposal {number} is not there", remedy)
