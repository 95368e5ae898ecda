"""What can be done now, as lines that people read and copy from."""

from __future__ import annotations

from nomicgen.play.open_tasks import Task

_WIDTH = 100


def task_lines(task: Task) -> tuple[str, ...]:
    """Return a sentence; the command after it or on the next line, whole, and so the address."""
    what = " ".join(task.what.split())
    more = [f"  {hint}" for hint in (task.help, task.address) if hint]
    if task.command is None:
        return (what, *more)
    line = f"{what}: {task.command}"
    return (line, *more) if len(line) <= _WIDTH else (f"{what}:", f"  {task.command}", *more)
