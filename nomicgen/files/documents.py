"""Readers of the files of a game that are not rules: instruments, players, turns, settings, and
`import.json`.

Each but `read_keys` returns what the file says, None if that cannot be used, and what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import YamlPlace, compose, read_front
from nomicgen.files.instructions import read_parts
from nomicgen.files.markdown import outline_body
from nomicgen.files.merge_conflicts import without_conflicts
from nomicgen.files.rule_files import check_number
from nomicgen.files.text_encoding import decode
from nomicgen.files.validation import validate
from nomicgen.model.common_keys import Matter
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import (
    ActMatter,
    JudgementMatter,
    PlayerMatter,
    ProposalMatter,
    TurnMatter,
)
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.import_record import Imported
from nomicgen.model.records import Act, Instrument, Judgement, Player, Proposal, Turn
from nomicgen.model.settings import Settings
from nomicgen.model.values import Source

M = TypeVar("M", bound=Matter)

_CLASSES: dict[str, tuple[type[Instrument], type[ProposalMatter | JudgementMatter | ActMatter]]] = {
    "proposals": (Proposal, ProposalMatter),
    "judgements": (Judgement, JudgementMatter),
    "acts": (Act, ActMatter),
}
"""For each folder, the record and the front matter of its files."""


def read_instrument(path: str, data: bytes) -> tuple[Instrument | None, tuple[Finding, ...]]:
    """Read a proposal, a judgement or an act. `path` has to be in the folder of one of them."""
    notes = Notes(path)
    class_, model = _CLASSES[path.split("/")[-2]]
    read = read_front(data, notes)
    if read is None:
        return None, notes.findings()
    front, composed = read
    matter = validate(model, composed, notes) if composed else None
    body = (
        without_conflicts(front.body, front.body_line, notes)
        if matter is None or _is_undecided(matter)
        else front.body
    )
    commences = matter.commences if isinstance(matter, ProposalMatter) else None
    title = (matter.title or "") if isinstance(matter, ProposalMatter) else ""
    archived = matter is not None and _may_be_archived(matter)
    sketch = outline_body(body, front.body_line)
    parts = read_parts(
        class_.kind, sketch, notes, commences=commences, title=title, archived=archived
    )
    instrument = None
    if (
        composed
        and matter is not None
        and _fits_name(path, matter, composed.source, notes)
        and parts.complete
    ):
        instrument = class_(
            path=path,
            matter=matter,
            source=composed.source,
            preamble=parts.preamble,
            ruling=parts.ruling,
            instructions=parts.instructions,
            digest=parts.digest,
            whole_digest=parts.whole_digest,
        )
    return instrument, notes.findings()


def read_keys(data: bytes) -> Mapping[str, Any]:
    """Return a file's front matter, such as `{"number": "305"}`, with every scalar as its source
    text; `{}` if it cannot be read.
    """
    _, composed = read_front(data, Notes("")) or (None, None)
    return composed.data if composed else {}


def read_player(path: str, data: bytes) -> tuple[Player | None, tuple[Finding, ...]]:
    """Read a file of `players/`."""
    read, findings = _read_yaml(PlayerMatter, path, data)
    return (
        Player(ident=PlayerId(_stem(path)), matter=read[0], source=read[1]) if read else None
    ), findings


def read_turn(path: str, data: bytes) -> tuple[Turn | None, tuple[Finding, ...]]:
    """Read a file of `turns/`."""
    read, findings = _read_yaml(TurnMatter, path, data)
    return (Turn(ident=_stem(path), matter=read[0], source=read[1]) if read else None), findings


def read_settings(
    path: str, data: bytes
) -> tuple[tuple[Settings, Source] | None, tuple[Finding, ...]]:
    """Read `nomic.yml`: the settings, and where they stand."""
    return _read_yaml(Settings, path, data)


def read_imported(path: str, data: bytes) -> tuple[Imported | None, tuple[Finding, ...]]:
    """Read `import.json`, the certificate of an import."""
    read, findings = _read_yaml(Imported, path, data)
    return (read[0] if read else None), findings


def _read_yaml(
    model: type[M], path: str, data: bytes
) -> tuple[tuple[M, Source] | None, tuple[Finding, ...]]:
    """Read a file that is all YAML: what it says, and where that stands."""
    notes = Notes(path)
    text = decode(data, notes)
    composed = compose(text, notes, YamlPlace(path, 1)) if text is not None else None
    matter = validate(model, composed, notes) if composed else None
    return (
        (matter, composed.source) if composed and matter is not None else None
    ), notes.findings()


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].removesuffix(".yml")


def _is_undecided(matter: ProposalMatter | JudgementMatter | ActMatter) -> bool:
    """Return whether an instrument is undecided. An act never is.

    The words of a decided one are law or history, and may hold any lines.
    """
    return not isinstance(matter, ActMatter) and matter.is_undecided


def _may_be_archived(matter: ProposalMatter | JudgementMatter | ActMatter) -> bool:
    """Return whether an instrument may have been decided before nomicgen kept the game: it is
    decided, and its file has no `votes`.
    """
    return not _is_undecided(matter) and not (
        isinstance(matter, ProposalMatter) and matter.votes is not None
    )


def _fits_name(
    path: str, matter: ProposalMatter | JudgementMatter | ActMatter, source: Source, notes: Notes
) -> bool:
    """Return whether number, file name and status agree; if not, a finding is added to `notes`."""
    if isinstance(matter, ActMatter):
        return True
    if not check_number(path, matter.number, source, notes):
        return False
    if not isinstance(matter, ProposalMatter):
        return True
    problem = _draft_problem(path, matter)
    if problem is None:
        return True
    span = source.at("number") if matter.number is not None else source.at("status")
    notes.add("number-mismatch", span, *problem)
    return False


def _draft_problem(path: str, matter: ProposalMatter) -> tuple[str, str] | None:
    """Return how a proposal's file name, number and status disagree, and what to do; else None."""
    name = path.rsplit("/", 1)[-1].removesuffix(".md")
    if name.isdigit() and matter.number is None:
        return (
            f"the file is named {name}, but it has no number",
            f"write `number: {name}` above the title",
        )
    if not name.isdigit() and matter.number is not None:
        message = f"the proposal has the number {matter.number}, but its file is named {name}.md"
        return message, f"rename the file to {matter.number}.md; a draft has no number"
    if matter.number is None and matter.status != "draft":
        message = f"a proposal with the status `{matter.status}` needs a number"
        return message, f"write `status: draft`, then `nomicgen register {path}`"
    if matter.number is not None and matter.status == "draft":
        help = (
            "delete `number`, and call the file by a name such as tea.md: the game gives the number"
        )
        return f"a draft has no number, and this is {matter.number}", help
    return None
