"""What a pull request is: its kind, by what it touches; which findings are its own and not its
base's; and what in it is somebody else's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field, structs

from nomicgen.files.game_files import is_hidden
from nomicgen.history.past.boundary import keys_changed
from nomicgen.history.past.effects_between import Effects
from nomicgen.law.replay.correction_acts import CORRECTION
from nomicgen.law.replay.player_spans import is_player
from nomicgen.law.replay.results import NextTurn
from nomicgen.model.findings import Finding, listed
from nomicgen.model.front_matters import ActMatter, JudgementMatter, ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument, Judgement, Player, Records
from nomicgen.model.values import Moment, Span
from nomicgen.play.unclaimed_players import (
    JOIN,
    claim_line,
    claim_seat,
    how_to_join,
    is_unclaimed,
    unclaimed_seats,
)

Kind = Literal[
    "proposal",
    "judgement",
    "act",
    "correction",
    "player",
    "turn",
    "rules",
    "machinery",
    "mixed",
    "nothing",
]
# The kind of a file by its folder; a file in any other, except a picture, is machinery.
_FOLDERS: dict[str, Kind] = {
    "acts": "act",
    "judgements": "judgement",
    "players": "player",
    "proposals": "proposal",
    "rules": "rules",
    "turns": "turn",
}
# Kinds that may bring with them what they change in rules/.
_CARRIES_RULES = ("act", "correction", "judgement", "turn")
_SHOWN = 3  # paths in a finding
# How many files of one kind a pull request brings, if not one: one turn ends and the next begins.
_MOST: dict[Kind, int] = {"turn": 2}


class PullVerdict(Struct, frozen=True, kw_only=True):
    """What is to be said of a pull request.

    `paths` are those that it touches, seen from the game's root (`../x` is outside of it).
    `findings` are its own, `old` those that the base has already. `path` is the file of its one
    instrument, player or turn (of two turns, the last), which it removes if it `is_gone`. `actor`
    is the login of the account that it comes from, None where that was not said; `players` are the
    ids of that account's players on the base. `effects` are those that it brings about, or that an
    undecided proposal would bring about. `claims` is the player whose unclaimed seat the actor asks
    for; `unclaimed` are the ids of players whose seats an actor who is no player may claim.
    `remedy` is what to do if nothing in the file can be corrected.
    """

    kind: Kind
    paths: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    old: tuple[Finding, ...] = ()
    path: str | None = None
    actor: str | None = None
    players: tuple[PlayerId, ...] = ()
    claims: PlayerId | None = None
    unclaimed: tuple[str, ...] = ()
    effects: Effects = field(default_factory=Effects)
    is_gone: bool = False
    remedy: str | None = None

    @property
    def refused(self) -> bool:
        return any(finding.is_error for finding in self.findings)


class TouchedPaths(Struct, frozen=True, kw_only=True):
    """The paths that a pull request changes.

    `gone` are those that it removes. `waiting` are proposals of the base whose effect waits for a
    turn to begin, `unjudged` judgements of the base that only others than their judge may give.
    `restated` are files that new corrections restate: `history/past/` checks that nothing else of
    them changes.
    """

    paths: tuple[str, ...]
    gone: frozenset[str] = frozenset()
    waiting: frozenset[str] = frozenset()
    unjudged: frozenset[str] = frozenset()
    restated: frozenset[str] = frozenset()


def _kind_of_path(path: str, records: Records) -> Kind | None:
    """Return the kind of pull request that a file makes; None for a picture: it suits any."""
    folder, _, name = path.partition("/")
    if not name or is_hidden(path):
        return "machinery"
    if folder == "images":
        return None
    instrument = records.instruments.get(path)
    matter = instrument and instrument.matter
    if isinstance(matter, ActMatter) and matter.cause == CORRECTION:
        return "correction"
    return _FOLDERS.get(folder, "machinery")


def classify(touched: TouchedPaths, after: Records) -> tuple[Kind, str | None, tuple[Finding, ...]]:
    """Return a pull request's kind, its one file if any, and findings: that it mixes kinds, brings
    too many files of one kind, or edits `rules/` by hand.
    """
    kinds: dict[Kind, list[str]] = {}
    for path in touched.paths:
        if path in touched.restated:
            continue  # it belongs to the correction that restates it
        kind = _kind_of_path(path, after)
        if kind is not None:
            kinds.setdefault(kind, []).append(path)
    # Changes of the initial set are judged by `history/past/`.
    rules = kinds.pop("rules", [])
    derived = [path for path in rules if not path.startswith("rules/initial/")]
    if "turn" in kinds:
        # A turn that begins dates the proposals that waited for it; `history/past/` checks that
        # nothing else of them changes.
        others = [path for path in kinds.pop("proposal", ()) if path not in touched.waiting]
        kinds |= {"proposal": others} if others else {}
    if not kinds:
        if rules:
            return "rules", None, (_by_hand(derived),) if derived else ()
        return ("machinery" if touched.paths else "nothing"), None, ()
    if len(kinds) > 1:
        return "mixed", None, (_mixed_finding(kinds),)
    [(kind, paths)] = kinds.items()
    wrong = (_by_hand(derived),) if derived and kind not in _CARRIES_RULES else ()
    kept = [path for path in paths if path not in touched.gone] or paths
    # A draft may be renamed: one comes, and one goes.
    if kind != "machinery" and (len(kept) > _MOST.get(kind, 1) or len(touched.gone & {*paths}) > 1):
        return "mixed", None, (*wrong, _too_many(kind, paths))
    return kind, None if kind == "machinery" else kept[-1], wrong


def _by_hand(rules: Sequence[str]) -> Finding:
    return Finding(
        slug="rules-by-hand",
        span=Span(file=rules[0]),
        message=f"rules/ is derived from what was decided, and {listed(rules, _SHOWN)} would "
        "change by hand",
        help="remove it from this pull request; to change a rule, even a typo, add a proposal: "
        "proposals/NAME.md with `## Amend Rule N/R`",
    )


def _mixed_finding(kinds: Mapping[Kind, Sequence[str]]) -> Finding:
    parts = "; ".join(f"{kind}: {listed(paths, _SHOWN)}" for kind, paths in sorted(kinds.items()))
    first = min(path for kind, paths in kinds.items() for path in paths if kind != "machinery")
    return Finding(
        slug="kinds-mixed",
        span=Span(file=first),
        message=f"a pull request does one thing, but this one does {len(kinds)} ({parts})",
        help="keep one of them here, and open a pull request for each of the others",
    )


def _too_many(kind: Kind, paths: Sequence[str]) -> Finding:
    one = "one turn, or the end of one and the next" if kind == "turn" else f"one {kind}"
    return Finding(
        slug="kinds-mixed",
        span=Span(file=paths[1]),
        message=f"a pull request brings {one}, but this one has {len(paths)}: "
        f"{listed(paths, _SHOWN)}",
        help="keep one of them here, and open a pull request for each of the others",
    )


def new_findings(
    base: Iterable[Finding], laid: Iterable[Finding]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Return the findings that the base does not have, and those that it has.

    `laid` are all with the pull request. One that only moved to another line is the same.
    """
    known = Counter(map(_key, base))
    new, old = list[Finding](), list[Finding]()
    for finding in laid:
        is_known = known[_key(finding)] > 0
        known[_key(finding)] -= is_known
        (old if is_known else new).append(finding)
    return tuple(new), tuple(old)


def name_finding(finding: Finding, login: str | None, unclaimed: tuple[str, ...]) -> Finding:
    """Return a finding that says that a name is taken, with the help that the pull request's author
    needs; any other finding as it is. `unclaimed` are players whose seats may be claimed.

    In a pull request a name that looks like another can still be changed, so it counts as taken.
    Whoever takes a taken name may have meant to claim their own seat.
    """
    if finding.slug == "name-alike":
        remedy = (
            "choose another name, id or account; if it is yours and cannot change, ask the "
            "rulekeeper to add you"
        )
        finding = structs.replace(finding, slug="name-taken", help=remedy)
    if finding.slug in ("name-taken", "name-doubled") and login and unclaimed:
        finding = structs.replace(
            finding, help=f"{claim_seat(login, unclaimed)}; else {finding.help}"
        )
    return finding


def turn_findings(
    findings: list[Finding],
    paths: Iterable[str],
    before: Records,
    after: Records,
    due: NextTurn,
    mine: tuple[PlayerId, ...],
) -> tuple[list[Finding], str | None]:
    """Return the findings, and what to do instead of correcting the file, None if the file can be
    corrected. If somebody begins a turn who may not begin the one that is `due`, both say so.
    """
    ends = any(_ends_own_turn(_id_in("turns", path), before, after, mine) for path in paths)
    of_others = [
        finding
        for finding in findings
        if finding.slug in ("turn-order", "actor-other")
        and _id_in("turns", finding.span.file) not in {"", *before.turns}
    ]
    if ends or due.player in mine or not of_others:
        return findings, None
    help = f"{due.ident} comes next, and is {due.player}'s: close this pull request"
    found = [structs.replace(one, help=help) if one in of_others else one for one in findings]
    return found, f"{help}."


def _key(finding: Finding) -> tuple[object, ...]:
    """Return what two findings are compared by: their lines and their help do not count."""
    return finding.slug, finding.span.file, finding.message, finding.rule, finding.detail


def players_of(login: str, players: Iterable[Player]) -> tuple[PlayerId, ...]:
    """Return the ids of the players whose files name this account on GitHub."""
    return tuple(player.ident for player in players if player.has_login(login))


def what_is_others(
    kind: Kind, touched: TouchedPaths, before: Records, after: Records, login: str, until: Moment
) -> Iterator[Finding]:
    """Yield findings on what is somebody else's in a pull request of `login`. `until` is the moment
    that decides who plays.

    Nobody owns the machinery or the initial set, and a mixed pull request is refused anyway.
    """
    mine = players_of(login, before.players.values())
    playing = tuple(ident for ident in mine if is_player(before.players[ident], until))
    if kind == "player":
        for path in touched.paths:
            if path.startswith("players/"):
                yield from _own_player(path, before, after, login, playing, until)
        return
    if kind not in ("proposal", "judgement", "act", "correction", "turn"):
        return
    join = how_to_join(login, unclaimed_seats(before.players.values(), until))
    ends = any(_ends_own_turn(_id_in("turns", path), before, after, mine) for path in touched.paths)
    for path in touched.paths:
        if path in touched.restated:
            continue
        if kind == "turn" and (
            path in touched.waiting or (ends and _only_begins(path, before, after))
        ):
            continue
        if path not in touched.unjudged or not _is_given(after.instruments.get(path)):
            yield from _of_others(path, before, login, mine, join, given=False)
        yield from _of_others(path, after, login, mine, join, given=True)
        yield from _left_players(path, after, mine, playing)
        yield from _changed_questions(path, before, after, mine)


def _id_in(folder: str, path: str) -> str:
    """Return the id that the name of a file in `folder` says; '' for any other file."""
    return path[len(folder) + 1 : -len(".yml")] if path.startswith(f"{folder}/") else ""


def _ends_own_turn(ident: str, before: Records, after: Records, mine: tuple[PlayerId, ...]) -> bool:
    old, new = before.turns.get(ident), after.turns.get(ident)
    return (
        old is not None
        and new is not None
        and old.matter.player in mine
        and new.matter.ended is not None
    )


def _only_begins(path: str, before: Records, after: Records) -> bool:
    """Return whether a new turn is only begun. Whoever ends the turn before may begin it for
    somebody else.
    """
    turn = after.turns.get(_id_in("turns", path))
    return (
        turn is not None
        and turn.ident not in before.turns
        and set(turn.matter.written) <= {"player", "began"}
    )


def _own_player(
    path: str,
    before: Records,
    after: Records,
    login: str,
    playing: tuple[PlayerId, ...],
    until: Moment,
) -> Iterator[Finding]:
    """Yield a finding if `login`, who plays as `playing`, may not change a player's file so."""
    ident = PlayerId(_id_in("players", path))
    old, new = before.players.get(ident), after.players.get(ident)
    span = new.source.at("accounts", "github") if new else Span(file=path)
    account = new.matter.accounts.get("github") if new else None
    if playing and ident not in playing:
        yield _other(
            Span(file=path),
            f"the account {login} plays as {', '.join(playing)}, and this is {ident}'s file",
        )
    elif old is None and path in before.withheld:
        yield _other(
            Span(file=path), "this file is somebody's already, and cannot be read now", _ASK_KEEPER
        )
    elif old is None and new is not None and not new.has_login(login):
        yield _other(
            span,
            f"this file does not say that it is {login}'s",
            f"say in it `accounts: {{github: {login}}}`",
        )
    elif old is not None and is_unclaimed(old, until):
        yield from _claim(old, new, login, path)
    elif old is not None and not old.has_login(login):
        yield _other(
            span,
            f"the seat of {ident} is somebody else's, and {login} cannot take it over",
            _ASK_KEEPER,
        )
    elif new is not None and account is not None and not new.has_login(login):
        yield _other(span, f"the votes of {ident} would be those of another account", _ASK_KEEPER)


def _claim(old: Player, new: Player | None, login: str, path: str) -> Iterator[Finding]:
    """Yield what is wrong with a pull request about a seat that nobody has claimed."""
    line = claim_line(login)
    if new is None or not new.has_login(login):
        span = new.source.at("accounts", "github") if new else Span(file=path)
        message = (
            f"nobody has claimed the seat of {old.ident}, and this does not say that it is "
            f"{login}'s"
        )
        yield _other(
            span,
            message,
            f"if you are {old.ident}: add the line `{line}`, and change nothing else of the file",
        )
        return
    for key in sorted(keys_changed(old.matter, new.matter, {}) - {"accounts"}):
        message = f"{login} claims the seat of {old.ident}, and changes `{key}` besides"
        yield _other(
            new.source.key(key),
            message,
            f"add the line `{line}` alone; the rest is for another pull request",
        )


def claimed_seat(
    path: str | None, before: Records, after: Records, login: str, until: Moment
) -> PlayerId | None:
    """Return the player whose unclaimed seat a pull request of `login` claims, or None."""
    ident = PlayerId(_id_in("players", path or ""))
    old, new = before.players.get(ident), after.players.get(ident)
    if old is None or new is None or not is_unclaimed(old, until):
        return None
    return ident if new.has_login(login) else None


def _of_others(
    path: str, records: Records, login: str, mine: tuple[PlayerId, ...], join: str, *, given: bool
) -> Iterator[Finding]:
    """Yield a finding if `records` have an instrument or a turn at `path` that is somebody else's.

    `given` says that they are the pull request's records, and not the base's. `join` is the help
    for an account that is no player's.
    """
    instrument, turn = records.instruments.get(path), records.turn_at(path)
    if instrument is not None:
        source, key, who = instrument.source, *_actor(instrument, mine, given=given)
    elif turn is not None:
        source, key, who = turn.source, "player", turn.matter.player
    else:
        return
    if who is None or who in mine:
        return
    whose = f"and this is {who}'s" if who else f"and `{key}` says nobody"
    if mine:
        account = f"the account {login} plays as {', '.join(mine)}"
        help = f"add `{key}: {mine[-1]}`" if given and not who else ""
    else:
        account, help = f"no player of this game has the account {login}", join
    yield _other(source.at(key), f"{account}, {whose}", help)


def _is_given(instrument: Instrument | None) -> bool:
    return isinstance(instrument, Judgement) and not instrument.matter.is_undecided


def _left_players(
    path: str, after: Records, mine: tuple[PlayerId, ...], playing: tuple[PlayerId, ...]
) -> Iterator[Finding]:
    """Yield a finding on an instrument of a player in `mine`, those of the pull request's account,
    who is not in `playing`.
    """
    instrument = after.instruments.get(path)
    actor = instrument.actor if instrument is not None else None
    if instrument is not None and actor in mine and actor not in playing:
        key = {"proposal": "author", "judgement": "judge", "act": "by"}[instrument.kind]
        yield _other(instrument.source.at(key), f"{actor} does not play today", JOIN)


def _changed_questions(
    path: str, before: Records, after: Records, mine: tuple[PlayerId, ...]
) -> Iterator[Finding]:
    """Yield findings if a pending judgement's question, which somebody else asked, changes, or is
    no longer about what it was; words may be added below it, and rules.
    """
    old, new = before.instruments.get(path), after.instruments.get(path)
    if not isinstance(old, Judgement) or not isinstance(new, Judgement) or _is_given(old):
        return
    was, now, wrong = old.matter, new.matter, list[tuple[Span, str]]()
    if was.called_by in mine:
        return
    if not new.preamble.strip().startswith(old.preamble.strip()):
        wrong.append((Span(file=path, line=new.source.body_line), "read otherwise"))
    # Who may judge can depend on what it is about.
    gone = {rule.number for rule in was.rules} - {rule.number for rule in now.rules}
    wrong += [(new.source.at("rules"), f"not be about Rule {number}") for number in sorted(gone)]
    if was.proposal not in (None, now.proposal):
        wrong.append((new.source.at("proposal"), f"not be about Proposal {was.proposal}"))
    whose = f"the question is {was.called_by or 'somebody'}'s, and would"
    for span, what in wrong:
        yield _other(span, f"{whose} {what}", "leave it as it is, and answer below it")


_ASK_KEEPER = (
    "ask the rulekeeper, who writes down whose it is; to join, bring a file of another "
    "name in players/"
)


def _actor(
    instrument: Instrument, mine: tuple[PlayerId, ...], *, given: bool
) -> tuple[str, str | None]:
    """Return the key that says whose an instrument is, and the player. None stands for anybody:
    whoever opened the pull request may change it. '' stands for nobody, which is wrong.

    `given` says that the pull request has it so, and not the base.
    """
    matter = instrument.matter
    if isinstance(matter, ProposalMatter):
        return "author", matter.author or ("" if given else None)
    if not isinstance(matter, JudgementMatter):
        if matter.cause == CORRECTION or (matter.by_rule is not None and mine):
            # A correction restores what is law, and any player may write down what a rule does.
            return "by", None
        return "by", "" if matter.by_rule is not None else matter.by or ("" if given else None)
    if matter.status == "pending" and (
        matter.called_by in mine or (matter.judge is None and not given)
    ):
        # Whoever asked may mend the question, and whoever the rules name may answer it.
        return "called_by", None
    if matter.judge is None and matter.status == "pending":
        return "called_by", matter.called_by or ""
    return "judge", matter.judge or ("" if given else None)


def _other(span: Span, message: str, help: str = "") -> Finding:
    return Finding(
        slug="actor-other",
        span=span,
        message=message,
        help=help or "leave what is another's as it is",
    )
