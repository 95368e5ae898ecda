"""`nomicgen` in children of one process that has loaded it: Python's start is most of what a call
takes.

`python -m tests.served SOCKET` serves. A client, which is a script, sends its streams, where it is,
its environment and its words, and ends as its child ends.
"""

from __future__ import annotations

import array
import atexit
import functools
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import NoReturn

from tests.support import ROOT

__all__ = ["script"]

_MODULES = {"nomicgen": "nomicgen", "nomicgen-on": "tests.pulls.forge.nomicgen_on"}
_CLIENT = """
import array, json, os, socket, sys
there = socket.socket(socket.AF_UNIX)
there.connect(sys.argv[1])
there.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
there.sendall(json.dumps([os.getcwd(), dict(os.environ), sys.argv[2:]]).encode())
there.shutdown(socket.SHUT_WR)
sys.exit(int(there.recv(8)))
"""


def script(name: str) -> str:
    """A shell's script that runs a program there."""
    return f"#!/bin/sh\nexec {sys.executable} -I -S -c '{_CLIENT}' {_served()} {name} \"$@\"\n"


@functools.cache
def _served() -> Path:
    """Where a process serves that ends with this one."""
    place = Path(tempfile.mkdtemp(prefix="forge-"), "socket")
    command = [sys.executable, "-m", __name__, str(place)]
    # It ends when its input does, and that is when this process ends.
    there = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, start_new_session=True
    )
    assert there.stdout is not None
    assert there.stdout.readline() == b"ready\n"
    atexit.register(there.communicate)
    return place


def _main(place: str) -> None:
    for module in iter_modules(import_module("nomicgen.cli").__path__):
        import_module(f"nomicgen.cli.{module.name}")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(place)
        door.listen()
        print("ready", flush=True)
        serving = os.fork()
        if not serving:
            _serve(door)
    sys.stdin.read()
    os.kill(serving, signal.SIGTERM)
    os.waitpid(serving, 0)  # and so its time is counted with ours
    Path(place).unlink()
    Path(place).parent.rmdir()
    os.killpg(0, signal.SIGTERM)


def _serve(door: socket.socket) -> NoReturn:
    answering: set[int] = set()
    while True:
        visitor, _ = door.accept()
        answering -= {child for child in answering if os.waitpid(child, os.WNOHANG)[0]}
        child = os.fork()
        if not child:
            _answer(visitor)
        answering.add(child)
        visitor.close()


def _answer(visitor: socket.socket) -> NoReturn:
    streams = array.array("i")
    _, sent, _, _ = visitor.recvmsg(1, socket.CMSG_SPACE(3 * streams.itemsize))
    streams.frombytes(sent[0][2])
    where, environment, words = json.loads(b"".join(iter(lambda: visitor.recv(1 << 16), b"")))
    child = os.fork()
    if not child:
        _carry_out(where, environment, words, streams)
    _, status = os.waitpid(child, 0)
    visitor.sendall(str(os.waitstatus_to_exitcode(status) % 256).encode())
    os._exit(0)


def _carry_out(
    where: str, environment: dict[str, str], words: list[str], streams: array.array[int]
) -> NoReturn:
    os.chdir(where)
    os.environ.clear()
    os.environ.update(environment)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, mode, encoding="utf-8", closefd=False)
        for number, mode in enumerate("rww")
    )
    sys.argv = words
    code: object = 0
    try:
        runpy.run_module(_MODULES[words[0]], run_name="__main__", alter_sys=False)
    except SystemExit as ended:
        code = ended.code
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    _main(sys.argv[1])
