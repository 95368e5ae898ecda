"""What is to be done next with a pull request, in words for somebody who has never used git."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from nomicgen.archive.proposal_preview import Preview
from nomicgen.archive.pull_request import Kind, PullVerdict
from nomicgen.archive.pull_status import ProposalStatus
from nomicgen.archive.unclaimed_players import claim_line
from nomicgen.diagnostics import counted
from nomicgen.formats.preview_parts import Line, Name, names
from nomicgen.model import Moment


class Typed(Struct, frozen=True):
    """Lines to be copied into a comment, each by itself."""

    lines: tuple[str, ...]


Step = Iterator[Line | Typed]

_EDIT = (Name("Files changed"), ", then ", Name("…"), " beside the file's name, and ", Name("Edit file"))
_AGAIN = Line(("Change the file in this pull request (", *_EDIT, "); this comment is then written anew."))
_REMEDIES: dict[Kind, str] = {
    "rules": "Nobody edits the rules by hand: a proposal says what is to change, and nomicgen writes it once adopted.",
    "mixed": "Keep one thing in this pull request, and open another pull request for each of the others.",
}


def moment_words(moment: Moment) -> str:
    """`2026-02-08`, or `2026-02-08 at 18:30`."""
    return str(moment).replace("T", " at ")


def next_step(
    verdict: PullVerdict,
    preview: Preview | None,
    standing: ProposalStatus | None,
    head: str | None = None,
    *,
    is_mended: bool = False,
) -> Step:
    """Where it stands, and what who wants to go on must do; `head` is the id of its last commit, if it has one.

    `is_mended` says that the comment holds the whole file as it could be.
    """
    if standing is not None:
        yield from _registered(verdict, standing)
    elif is_mended:
        yield from _mended(verdict)
    elif verdict.refused and verdict.kind == "machinery":
        yield from _allow(head)
    elif verdict.refused:
        yield from _refused(verdict)
    elif verdict.kind == "proposal":
        yield from _debated(preview)
    elif verdict.kind == "nothing":
        yield Line(("There is nothing to do: close it, or add to it what is missing.",))
    elif verdict.kind == "machinery":
        yield Line(("Whoever merges it must have read all of it: it decides how the game is kept and judged.",), "warn")
    else:
        if verdict.claims is not None:
            asks = (Name(verdict.actor or ""), " asks for the seat of ", Name(verdict.claims))
            yield Line(
                (*asks, ", which nobody has claimed: merge it only if you know that the account is theirs."), "warn"
            )
        yield Line(("A rulekeeper can merge it; then it is part of the game.",))
    if verdict.claims is None and standing is None:
        yield from _unclaimed(verdict)
        yield from _joins(verdict, preview)


def _unclaimed(verdict: PullVerdict) -> Step:
    """To an account that is no player's: it may be that of a player whose file does not say so yet."""
    if verdict.actor is None or not verdict.unclaimed:
        return
    yield Line(("Nobody has claimed these seats yet: ", *names(verdict.unclaimed, 5), "."))
    yield Line(
        (
            "If you are one of them, do not join a second time. Add this line to your file in ",
            Name("players/"),
            ", in a pull request of its own:",
        ),
        level=1,
    )
    yield Typed((claim_line(verdict.actor),))


def _joins(verdict: PullVerdict, preview: Preview | None) -> Step:
    """To an account that is no player's, and proposes something: the whole file that makes it one."""
    if verdict.actor is None or verdict.players or verdict.kind != "proposal" or preview is None:
        return
    new = ("a new file in ", Name("players/"), ", called by an id of yours in small letters such as ", Name("ada.yml"))
    yield Line(("To join, open a pull request with ", *new, ":"))
    yield Typed((f"name: Your Name\njoined: {preview.moment.day}\n{claim_line(verdict.actor)}",))


def _mended(verdict: PullVerdict) -> Step:
    if verdict.kind in _REMEDIES:
        yield Line((_REMEDIES[verdict.kind],))
    yield Line(
        (
            "It cannot go to the vote as it is. Below is the whole file as it could be: "
            "copy it if it says what you mean.",
        )
    )
    yield Line(("Below that stands what is wrong, and what to do.",))


def _refused(verdict: PullVerdict) -> Step:
    if verdict.kind in _REMEDIES:
        yield Line((_REMEDIES[verdict.kind],))
        return
    yield Line(("First mend what is wrong: it is listed below, with what to do.",))
    yield _AGAIN


def _allow(head: str | None) -> Step:
    if head is None:
        yield Line(("A rulekeeper who has read all of it may allow it: ", Name("--machinery"), "."))
        return
    yield Line(("A rulekeeper who is not its author and has read this whole commit may allow it, with this comment:",))
    yield Typed((f"/machinery {head}",))
    yield Line(("Every later commit has to be read and allowed again.",))


def _debated(preview: Preview | None) -> Step:
    yield Line(("It is in debate: anybody may comment on it, and its author may still change it. Nobody votes yet.",))
    if preview is not None and not preview.legal:
        yield Line(("As the rules now stand it could not be carried out: see below why.",), "bad")
    yield from _ask()
    debate = preview.supposed.before.law.says("ballot", "debate") if preview and preview.supposed else None
    if debate is not None and debate.value:
        days = counted(debate.value, "day")
        yield Line((f"Then it gets its number, and after {days} of debate (Rule {debate.rule}) the vote opens.",))
    else:
        yield Line(("Then it gets its number, and the vote opens.",))


def _ask() -> Step:
    yield Line(("When it is ready, its author asks for the vote, with a comment that says only this:",))
    yield Typed(("/vote",))


def _registered(verdict: PullVerdict, standing: ProposalStatus) -> Step:
    if standing.status == "debate":
        yield from _in_debate(verdict, standing)
    elif standing.status == "open":
        yield from _open(standing)
    else:
        yield from _decided(standing)


def _in_debate(verdict: PullVerdict, standing: ProposalStatus) -> Step:
    yield Line((f"It has its number, {standing.number}, and is in debate: its author may still change it.",))
    if verdict.refused:
        yield from _refused(verdict)
    until = f" on {moment_words(standing.debate_until)}" if standing.debate_until is not None else ""
    if standing.discussion is not None:
        yield Line((f"Its author has asked for the vote: it opens by itself{until or ' soon'}.",))
        return
    if until:
        yield Line((f"The vote opens{until}, or later, once its author has asked for it.",))
    yield from _ask()


def _open(standing: ProposalStatus) -> Step:
    since = f" since {moment_words(standing.opened)}" if standing.opened else ""
    ends = (
        f", and ends on {moment_words(standing.closes)}" if standing.closes else ", and ends when everybody has voted"
    )
    if standing.closes is None and standing.may_end:
        ends = ", and can be counted as it stands"
    yield Line((f"The vote is open{since}{ends}.",))
    if standing.changed:
        yield Line(("This pull request no longer holds the text that is voted on, which is shown below.",), "warn")
        yield Line(("To put the new text to the vote instead, and begin anew, its author comments:",), level=1)
        yield Typed(("/resubmit",))
    if standing.ballot is not None:
        yield from ballot_lines(standing.ballot, reviews=not standing.changed, abstentions=standing.may_abstain)
    if standing.lapsed:
        yield Line(
            (*names(standing.lapsed), " voted on the text before this one. Those votes do not count: vote again.")
        )
    if not standing.is_counted:
        yield Line(("The votes are listed here when they are counted next.",))
    if standing.may_withdraw:
        yield Line(("Its author may take it back with the comment ", Name("/withdraw"), "."))


def ballot_lines(ballot: str, *, reviews: bool, abstentions: bool = True) -> Step:
    """How to vote on a ballot, by its name; a review votes on what the pull request holds when it is written."""
    choices = ("for", "against", *(("abstain",) if abstentions else ()))
    if reviews:
        which = (Name("Approve"), " is for, ", Name("Request changes"), " against.")
        yield Line(("Vote by a review, under ", Name("Files changed"), ": ", *which))
    words = "Or vote" if reviews else "Vote"
    yield Line((f"{words} by a comment that has one of these lines, and nothing else on that line:",))
    yield Typed(tuple(f"/vote {choice} {ballot}" for choice in choices))
    yield Line(
        (Name(ballot), " names this vote and its text. If the text is put to the vote again, the name is another.")
    )
    yield Line(("Your last vote counts. A vote that was edited does not count.",))


def _decided(standing: ProposalStatus) -> Step:
    votes = ""
    if standing.is_counted and standing.ballots:
        votes = f", with {counted(standing.count('for'), 'vote')} for and {standing.count('against')} against"
    on = f" on {moment_words(standing.decided)}" if standing.decided else ""
    became = {"adopted": "was adopted", "defeated": "was defeated", "withdrawn": "was withdrawn", "void": "became void"}
    yield Line((f"It {became[standing.status]}{on}{votes}.",))
    if standing.status == "adopted":
        yield Line((_effect(standing),))
    else:
        yield Line(("It keeps its number and stays on record. To try again, write a new proposal.",))


def _effect(standing: ProposalStatus) -> str:
    if standing.effective is not None and standing.effective != standing.decided:
        on = moment_words(standing.effective)
        return f"It takes effect on {on}: the rules are changed then. You need do nothing."
    return "The rules are changed. You need do nothing more."
