"""`nomicgen record` of a proposal that was not adopted: it is known, though nobody may know what it
said.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.archives import faults, lamps
from tests.cli.playing import run
from tests.cli.test_record import table
from tests.support import GitRepo

TABLE = """\
- rule: 3
  on: 2020-05-20
  by: Proposal 302
  text: There is one lamp.
- by: "Proposal 303: More oil"
  author: Wren
  status: defeated
- rule: 4
  on: 2020-06-20
  by: Proposal 304
  status: withdrawn
  repeal: yes
- by: Proposal 305
  on: 2020-06-21
  status: defeated
"""


@pytest.fixture
def archive(git_repo: Callable[..., GitRepo]) -> GitRepo:
    return lamps(git_repo())


def test_a_failed_proposal_is_known(archive: GitRepo) -> None:
    said = run(archive.path, "record --commit --from", table(archive, TABLE)).splitlines()
    assert said[:4] == [
        "proposals/302.md: Rule 3/0 becomes Rule 3/1",
        "proposals/303.md: defeated",
        "proposals/304.md: withdrawn",
        "proposals/305.md: defeated",
    ]
    assert (archive.path / "proposals/303.md").read_text("utf-8") == (
        "---\nnumber: 303\ntitle: More oil\nauthor: wren\nstatus: defeated\nvotes: unrecorded\n"
        "---\n"
    )
    assert "lost" not in (archive.path / "nomic.yml").read_text("utf-8")
    assert "did not survive" not in run(archive.path, "check")
    assert "There is oil." in run(archive.path, "show 4")
    assert faults(archive) == []


def test_one_is_typed(archive: GitRepo) -> None:
    said = run(
        archive.path, "record --on unknown --status defeated --commit", "--by", "Proposal 303"
    )
    assert said.startswith("proposals/303.md: defeated\ncommit ")
    run(archive.path, "check")
    assert faults(archive) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "- status: defeated\n  on: 2020-06-01\n",
            "error[key-missing]: the key `by` is missing in `changes[0]`\n",
        ),
        (
            "- by: Judgement 3\n  status: defeated\n  on: 2020-06-01\n",
            "error[value-wrong]: `status` is for proposals, and `by` is `Judgement 3`\n",
        ),
        (
            "- by: Proposal 303\n  status: defeated\n- by: Proposal 303\n  status: withdrawn\n",
            "error[value-wrong]: `status` of Proposal 303 is withdrawn here, and defeated in "
            "line 1\n",
        ),
        (
            "- rule: 4\n  by: Proposal 303\n  repeal: yes\n- by: Proposal 303\n  status: defeated\n"
            "- by: Proposal 303\n  status: withdrawn\n",
            "error[value-wrong]: `status` of Proposal 303 is withdrawn here, and defeated in "
            "line 4\n",
        ),
        (
            "- by: Proposal 303\n  status: adopted\n",
            "error[value-wrong]: `changes[0].status` cannot be `adopted`\n",
        ),
    ],
)
def test_what_cannot_be_said_of_one(archive: GitRepo, text: str, wanted: str) -> None:
    assert wanted in run(archive.path, "record --from", table(archive, text), code=1)
