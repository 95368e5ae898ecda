"""The draft of a pull request, taken into the game as data: registered, brought up to date, put to
the vote again; and the commit that is merged once it is adopted.
"""

from __future__ import annotations

from msgspec.structs import replace

from nomicgen.files.file_editing import set_body
from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import split_front
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Proposal
from nomicgen.model.values import Moment
from nomicgen.play.commit_author import author_of
from nomicgen.play.load import Game, overlay
from nomicgen.play.move import Move, Part, edit_file, idle, verify_move
from nomicgen.play.proposing import proposal_of, refusal_names_turn, registration
from nomicgen.play.refusal import Refused
from nomicgen.play.voting.voting import open_vote, resubmission
from nomicgen.pulls.examine import Pull
from nomicgen.repository.errors import TooMuch
from nomicgen.repository.git_objects import objects
from nomicgen.repository.git_revisions import files_at, touched_on_the_way

_MOST_BYTES = 8 << 20  # of all pictures that one pull request brings


def proposal_debated_at(game: Game, discussion: str) -> Proposal | None:
    """Return the registered proposal that is debated at the address `discussion`; of several, the
    one with the highest number.
    """
    debated = (
        one
        for one in game.records.of_kind("proposal")
        if one.number and one.matter.discussion == discussion
    )
    return max(debated, key=lambda proposal: proposal.number or 0, default=None)


def _draft_of(pull: Pull) -> Proposal:
    """Return the draft that a pull request adds. Raises Refused if it has errors, or adds none."""
    verdict = pull.verdict
    if verdict.refused:
        wrong = tuple(finding for finding in verdict.findings if finding.is_error)
        raise Refused("the pull request is refused", "correct it there; nothing was written", wrong)
    draft = pull.laid.records.proposal(verdict.path or "")
    if verdict.kind != "proposal" or draft is None:
        raise Refused(
            f"the pull request adds no draft: it is of the kind `{verdict.kind}`",
            "add proposals/NAME.md",
        )
    if draft.number is not None:
        raise Refused(
            f"{draft.path} has its number: only a draft can be registered",
            "merge that pull request instead",
        )
    return draft


def register_from(
    game: Game,
    pull: Pull,
    on: Moment,
    *,
    discussion: str | None = None,
    opens: bool = False,
) -> Move:
    """Return the move that registers the draft of a pull request. If it is registered already, the
    move brings it up to date while it is debated, and does nothing later.

    `discussion` is the pull request's address, by which the proposal is found again; without one,
    it is found by author, title and digest. With `opens` the move also opens the vote, unless a
    rule makes it wait. Raises Refused.
    """
    known = proposal_debated_at(game, discussion) if discussion is not None else None
    number = known.number if known is not None else _same_draft(game, pull)
    if known is None and number is not None and discussion is not None:
        # Most likely the repository has another name now, and with it each of its pull requests
        # another address.
        where = proposal_of(game, number).matter.discussion
        raise Refused(
            f"this draft is already proposal {number}, which is debated at {where or 'no address'}",
            "if that is the same pull request, write its new address as `discussion` in "
            f"proposals/{number}.md",
        )
    if number is None:
        return register_new(game, pull, on, discussion=discussion, opens=opens)
    matter = proposal_of(game, number).matter
    if matter.status != "debate":
        return open_vote(game, number, on)
    first = _renew(game, number, pull, on)
    if not opens:
        return (
            first
            if first.writes
            else replace(first, said=(f"proposal {number} is this draft already",))
        )
    second = open_vote(first.after, number, on)
    said = (*first.said, *second.said)
    return Move(
        before=game, after=second.after, parts=(*first.parts, *second.parts), said=said, on=on
    )


def register_new(
    game: Game, pull: Pull, on: Moment, *, discussion: str | None = None, opens: bool = False
) -> Move:
    """Return the move that registers a draft for the first time. Only the keys that an author may
    write are taken over from its front matter.
    """
    draft, laid = _draft_of(pull), _lay_draft(game, pull)
    closed = (
        key
        for key in ProposalMatter.names
        if not ProposalMatter.author_writes(key, "draft", said=False)
    )
    # None takes a key out of the file. `registration` gives the number.
    keys = {**dict.fromkeys(key for key in closed if key != "number"), "discussion": discussion}
    _, part, said = registration(laid, draft.path, on, opens=opens, keys=keys)
    with refusal_names_turn(laid, draft.path, on):
        return _by_its_author(
            game, pull, replace(part, deletes=part.deletes & game.tree.keys()), said, on
        )


def _renew(game: Game, number: int, pull: Pull, on: Moment) -> Move:
    """Return the move that gives a proposal in debate what its pull request says now; an idle one
    if it says so already.
    """
    matter = proposal_of(game, number).matter
    data = rewrite_registered(game, number, pull.laid, _draft_of(pull))
    if data is None or matter.status != "debate":
        return idle(game, on)
    title = _draft_of(pull).title or f"proposals/{number}.md"
    part = Part(
        writes={f"proposals/{number}.md": data},
        subject=f"Bring proposal {number} up to date: {title}",
    )
    said = (f"proposal {number} is brought up to date: it says what the pull request says now",)
    return _by_its_author(game, pull, part, said, on)


def put_again(game: Game, number: int, pull: Pull, on: Moment) -> Move:
    """Return the move that puts an open proposal to the vote again, with what its pull request says
    now; an idle one if it says so already. Raises Refused if its vote is not open.
    """
    matter = proposal_of(game, number).matter
    data = (
        rewrite_registered(game, number, pull.laid, _draft_of(pull))
        if matter.status == "open"
        else None
    )
    if data is None and matter.status == "open":
        return idle(
            game,
            on,
            f"proposal {number} says what the pull request says already: nothing to put to the "
            "vote again",
        )
    laid = overlay(game, {f"proposals/{number}.md": data}) if data is not None else game
    part, said = resubmission(laid, number, on)
    return _by_its_author(game, pull, part, said, on)


def merge_of(game: Game, number: int, pull: Pull) -> tuple[str | None, str]:
    """Return the commit to merge, and ''. If none is to be merged, return None, and why not.

    A pull request is merged only if it still holds what was voted on, and nothing else.
    """
    instrument = proposal_of(game, number)
    matter = instrument.matter
    verdict = pull.verdict
    draft = pull.laid.records.instruments.get(verdict.path or "")
    short = (pull.head or "")[:12]
    if verdict.kind != "proposal" or draft is None:
        return (
            None,
            f"{short} is not merged: it holds other things than the proposal that was voted on",
        )
    if not draft.is_bound_by(matter.digest or instrument.digest) or draft.actor != instrument.actor:
        return None, f"{short} is not merged: it holds another text than the one that was voted on"
    # With a commit comes its past. A forge lets no workflow push commits that changed workflows,
    # and would refuse all.
    try:
        on_the_way = touched_on_the_way(game.root, "HEAD", pull.head) if pull.head else ()
    except TooMuch:
        return None, f"{short} is not merged: earlier commits of the branch changed too many files"
    if not all(path.startswith(("proposals/", "images/")) for path in on_the_way):
        return None, f"{short} is not merged: earlier commits of the branch changed other things"
    return pull.head, ""


def _same_draft(game: Game, pull: Pull) -> int | None:
    """Return the number of the registered, undecided proposal that has the same author, title and
    digest as the draft. None if there is none.
    """
    draft = _draft_of(pull)
    mine = (draft.actor, draft.title, draft.digest)
    undecided = (
        one
        for one in game.records.of_kind("proposal")
        if one.number is not None and one.matter.is_undecided
    )
    same = (
        one.number
        for one in undecided
        if one.digest is not None and (one.actor, one.title, one.digest) == mine
    )
    return next(same, None)


def rewrite_registered(game: Game, number: int, laid: Game, draft: Proposal) -> bytes | None:
    """Return the file of a registered proposal with the text, title and `commences` of a draft;
    None if it has them already. Raises Refused if the two name different authors.
    """
    instrument = proposal_of(game, number)
    matter = instrument.matter
    if draft.actor != instrument.actor:
        raise Refused(
            f"the pull request says that {draft.actor or 'nobody'} is the author, and proposal "
            f"{number} is {instrument.actor}'s",
            "put `author` back as it was",
        )
    path = instrument.path
    before, brought = game.tree[path], laid.tree[draft.path]
    assert isinstance(before, bytes)
    assert isinstance(brought, bytes)
    keys: dict[str, object | None] = {}
    if draft.title != instrument.title:
        keys["title"] = draft.title or None
    if draft.matter.commences != matter.commences:
        keys["commences"] = draft.matter.commences
    after = set_body(edit_file(game, path, keys) if keys else before, _body(brought))
    # Blank lines around the text are no difference: `set_body` also sets those.
    return None if after == set_body(before, _body(before)) else after


def _body(data: bytes) -> str:
    front = split_front(data.decode(), Notes(""))
    assert front is not None, "what became a proposal has front matter"
    return front.body


def _lay_draft(game: Game, pull: Pull) -> Game:
    """Return the game with a pull request's draft and pictures in it."""
    path = _draft_of(pull).path
    data = pull.laid.tree[path]
    assert isinstance(data, bytes)
    return overlay(game, {path: data, **_pictures(game, pull)})


def _by_its_author(game: Game, pull: Pull, part: Part, said: tuple[str, ...], on: Moment) -> Move:
    """Return the move of `part`, together with the pull request's pictures. The draft's author
    becomes the author of its commit.
    """
    whole = replace(
        part,
        writes={**part.writes, **_pictures(game, pull)},
        author=author_of(game, _draft_of(pull).actor),
        on=on,
    )
    return verify_move(game, whole, said=said, on=on)


def _pictures(game: Game, pull: Pull) -> dict[str, bytes]:
    """Return the pictures that a pull request brings and the game does not have.

    Raises Refused where they are too large, or where one of that name came meanwhile with another
    pull request.
    """
    brought = [
        path
        for path in pull.verdict.paths
        if path.startswith("images/") and path not in pull.base.tree
    ]
    if not brought or pull.head is None:
        return {}
    entries = files_at(game.root, pull.head)
    # In the tree b'' stands for a picture; a file that is too large, or a link, is an Oddity.
    there = {
        path: entries[path]
        for path in brought
        if path in entries and pull.laid.tree.get(path) == b""
    }
    if sum(entry.size for entry in there.values()) > _MOST_BYTES:
        raise Refused(
            f"its pictures have more than {_MOST_BYTES >> 20} MiB",
            "make them smaller, or leave some out",
        )
    blobs = objects(game.root, [entry.oid for entry in there.values()])
    pictures = {path: blobs[entry.oid] for path, entry in there.items()}
    for path, data in pictures.items():
        # The tree has b'' for a picture on disk, and the bytes of one that this run has brought.
        if game.tree.get(path, data) not in (data, b""):
            raise Refused(
                f"{path} is now another picture",
                "give your picture another name, and show that one",
            )
    return {path: data for path, data in pictures.items() if path not in game.tree}
