"""What `nomicgen judgement file` and `nomicgen judgement overrule` refuse."""

from __future__ import annotations

from collections.abc import Callable

from tests.cli.playing import begun, passed, refused, run
from tests.support import GitRepo

LAW = {212: {"judgements": {"judge": {"role": "herald"}, "overruled_until": 3, "voids": "offended"}}}
HERALD = "name: Quill\njoined: 2026-01-01\norder: 2\nroles: [{role: herald, since: 2026-01-01}]\n"


def test_a_court_of_heralds(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), LAW)
    game.write({"players/quill.yml": HERALD})
    game.commit("Quill is the herald")
    passed(game, 301, "Tea.\n\n## Enact Rule\n\nThere is tea.\n", "2026-01-03")
    ruling = game.path.parent / "ruling.md"
    ruling.write_text("It is void.\n")
    said = refused(game.path, f"judgement file --judge wren --ruling {ruling} --on 2026-01-04", code=1)
    assert (
        "error[judge-wrong]: wren judges; by Rule 212 the judge is a herald, that is quill\n  rule: Rule 212\n" in said
    )
    typed = f"judgement file --judge quill --voids 301 --ruling {ruling} --on 2026-01-04"
    said = refused(game.path, typed, code=1)
    assert "error[voids-unlawful]: Judgement 1 voids Proposal 301, and names no rule in `under`; " in said
    assert run(game.path, f"{typed} --under 203 --commit").startswith("judgements/1.md is written\n")
    late = "Judgement 1 is overruled on 2026-01-08; by Rule 212 that was possible until 2026-01-07"
    assert f"error[overruling-wrong]: {late}\n" in refused(game.path, "judgement overrule 1 --on 2026-01-08", code=1)
    assert f"error[overruling-wrong]: {late}\n" in refused(
        game.path, "judgement overrule 1 --on 2026-01-08 --dry-run", code=1
    )
    assert "judgement 1 is overruled, from 2026-01-07" in run(game.path, "judgement overrule 1 --on 2026-01-07")
