"""A plain check loads no more than it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support import ROOT


def test_a_plain_check_loads_no_library_that_it_has_no_use_for(tmp_path: Path) -> None:
    (tmp_path / "nomic.yml").write_text("format: 1\nname: Tea\n")
    script = (
        "import sys\n"
        "from nomicgen.cli.program import main\n"
        "try: main(['-C', sys.argv[1], 'check'])\n"
        "except SystemExit as done: assert done.code == 0, done.code\n"
        "spared = ('diff_match_patch', 'git', 'jinja2', 'mkdocs', 'nh3', 'nomicgen.importers', 'nomicgen.site')\n"
        "print([name for name in spared if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
