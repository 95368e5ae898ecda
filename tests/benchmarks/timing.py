"""Runs a command and prints what it took, as JSON: `python -m tests.benchmarks.timing COMMAND…`.

A process of its own, and a small one: the kernel adds up what its children took, and the peak of a
child is never below what the process that started it held.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time

__all__: list[str] = []


def main(command: list[str]) -> None:
    """`wall` and `cpu` in seconds, of the command and all that it started; `peak` is the most
    memory, in MiB.
    """
    start = time.perf_counter()
    subprocess.run(command, check=True)
    wall = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    scale = 1024 * 1024 if sys.platform == "darwin" else 1024
    print(
        json.dumps(
            {"wall": wall, "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / scale}
        )
    )


if __name__ == "__main__":
    main(sys.argv[1:])
