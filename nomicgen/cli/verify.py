"""`nomicgen verify`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from nomicgen.cli.command_options import (
    end_with,
    errors_as_messages,
    findings_options,
    print_findings,
    print_for_forge,
    print_json,
    read_limited,
    say,
    show,
    working_folder,
)
from nomicgen.formats.findings import findings_json
from nomicgen.importers.sources import compare_with_source
from nomicgen.play.load import load
from nomicgen.verify.as_text import verify_json, verify_text
from nomicgen.verify.history import Verified, verify
from nomicgen.verify.seen import MemoryOptions

_LIMIT = 1 << 20  # bytes of an index.json


@click.command("verify")
@click.option(
    "--published",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="An api/v1/index.json that you kept: its commit must still be in the history.",
)
@click.option(
    "--signers",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A file of SSH keys that may sign, in `ssh-keygen`'s format (default: the one in your "
    "git settings).",
)
@click.option(
    "--forget", is_flag=True, help="Forget what it remembers; begin with the present history."
)
@click.option(
    "--no-memory", is_flag=True, help="Neither read nor remember a commit (the default in CI)."
)
@click.option(
    "--source",
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH",
    help="Only compare the ledger with the source of the import.",
)
@click.option(
    "--texts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="REPO",
    help="With --source, the repository that `import agora --texts` named.",
)
@findings_options
def command(
    published: Path | None,
    signers: Path | None,
    forget: bool,
    no_memory: bool,
    source: Path | None,
    texts: Path | None,
    form: str,
    strict: bool,
) -> None:
    """Check that every commit that changed rules/ was lawful.

    It follows the first-parent line of HEAD. It finds edits of rules/ by hand, even if they were
    undone; decided proposals that were changed later; commits that name the wrong instrument;
    commits that the ledger names and the history lacks; missing signatures, if nomic.yml asks for
    them; and a rewritten history.

    If there is no error, it remembers, on your machine, the last commit of this game and branch. A
    later history that does not contain this commit is an error.

    Exits with 0 without errors, 1 with errors, 2 if it cannot be verified at all.

    \b
    nomicgen verify
    nomicgen verify --strict --format github       in CI, with the whole history
    nomicgen verify --published index.json         compare with the file that you kept
    nomicgen verify --source ../old-game           compare with the source of the import
    nomicgen verify --forget                       if you know why the history is another one
    """
    if forget and no_memory:
        raise click.UsageError("--forget and --no-memory exclude each other")
    if source is not None:
        _compare(source, texts, form)
        return
    with errors_as_messages():
        visit = MemoryOptions(
            forget=forget, ignored="" if forget else why_no_memory(no_memory=no_memory)
        )
        verified = verify(
            working_folder(), published=_read(published), signers=signers, visit=visit
        )
        _print(verified, form)
        end_with(verified.findings, strict=strict)


def _compare(source: Path, texts: Path | None, form: str) -> None:
    """Compare the game with its source, print what differs, and exit."""
    with errors_as_messages():
        now, findings = compare_with_source(load(working_folder()), source, texts)
        if form == "json":
            print_json(findings_json(findings))
        elif form != "text":
            print_for_forge(form, findings)
        else:
            print_findings(findings)
            say(f"{now.source}: {now.told}")
        raise SystemExit(1 if findings else 0)


def why_no_memory(*, no_memory: bool) -> str:
    """Return why nothing seen is remembered, or '' if it is. A machine of CI is new, or shared."""
    return (
        "--no-memory"
        if no_memory
        else "CI is set"
        if os.environ.get("CI", "false") not in ("", "false")
        else ""
    )


def _read(published: Path | None) -> bytes | None:
    if published is None:
        return None
    return read_limited(published, _LIMIT, "use api/v1/index.json from the site")


def _print(verified: Verified, form: str) -> None:
    if form == "json":
        print_json(verify_json(verified.verdict, verified.notes, verified.seen))
    elif form != "text":
        print_for_forge(form, verified.findings, folder=verified.folder)
    else:
        for text in verify_text(verified.verdict, verified.notes, verified.seen):
            show(text)
