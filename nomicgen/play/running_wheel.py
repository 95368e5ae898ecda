"""The wheel of the nomicgen that is running, for a game's workflows to install.

It is packed from the files that run, and its bytes are those that `make dist` gives. With it, the
workflows need no package index that has nomicgen.
"""

from __future__ import annotations

import csv
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from msgspec import Struct

import nomicgen
from nomicgen.play.refusal import Refused

WHEELS = ".github/nomicgen"
"""The folder of a game that holds the wheel, and the list of all that its workflows install."""

_DAY = (2020, 2, 2, 0, 0, 0)
"""The time that hatchling gives every file in a wheel."""
_LEAVE_OUT = "begin without it, `nomicgen init --no-wheel`, and put one there yourself"


class Wheel(Struct, frozen=True):
    """A wheel: where a game has it, and its bytes."""

    path: str
    data: bytes

    @property
    def digest(self) -> str:
        return sha256(self.data).hexdigest()


@cache
def own_wheel() -> Wheel:
    """Return the wheel of the nomicgen that runs.

    Raises Refused if it is not installed, if another version is, or if its metadata are missing.
    """
    try:
        package = distribution("nomicgen")
    except PackageNotFoundError:
        raise Refused(
            "this nomicgen is not installed, so no wheel can be made of it", _LEAVE_OUT
        ) from None
    if package.version != nomicgen.__version__:
        message = (
            f"this is nomicgen {nomicgen.__version__}, but the installed package says "
            f"{package.version}"
        )
        raise Refused(message, "install nomicgen again, then repeat the command")
    release = f"nomicgen-{package.version}"
    members = [
        *_package(Path(nomicgen.__file__).parent),
        *_package_metadata(package, f"{release}.dist-info"),
    ]
    record = StringIO()
    lines = csv.writer(record, lineterminator="\n")
    for path, data in members:
        digest = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
        lines.writerow((path, f"sha256={digest}", len(data)))
    lines.writerow((f"{release}.dist-info/RECORD", "", ""))
    members.append((f"{release}.dist-info/RECORD", record.getvalue().encode()))
    return Wheel(f"{WHEELS}/{release}-py3-none-any.whl", _zipped(members))


def _package(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the package's files by path in the wheel, a folder's own first, as hatchling does."""
    entries = sorted(folder.iterdir(), key=lambda entry: (entry.is_dir(), entry.name))
    for entry in entries:
        if entry.name == "__pycache__" or entry.is_symlink():
            continue
        if entry.is_dir():
            yield from ((f"{folder.name}/{path}", data) for path, data in _package(entry))
        else:
            yield f"{folder.name}/{entry.name}", entry.read_bytes()


def _package_metadata(package: Distribution, folder: str) -> Iterator[tuple[str, bytes]]:
    """Yield the metadata that came with the package, without what the installer added."""
    licences = (f"licenses/{name}" for name in package.metadata.get_all("License-File") or ())
    for name in ("METADATA", "WHEEL", "entry_points.txt", *licences):
        text = package.read_text(name)
        if text is None:
            raise Refused(
                f"{name} of the installed nomicgen is missing, so no wheel can be made of it",
                _LEAVE_OUT,
            )
        yield f"{folder}/{name}", text.encode()


def _zipped(members: list[tuple[str, bytes]]) -> bytes:
    wheel = BytesIO()
    with ZipFile(wheel, "w", compression=ZIP_DEFLATED) as archive:
        for path, data in members:
            info = ZipInfo(path, _DAY)
            info.create_system = 3  # Unix, so that the bytes do not depend on the system
            # Permissions; hatchling marks only the package's files as regular ones.
            info.external_attr = (0o644 if ".dist-info/" in path else 0o100644) << 16
            archive.writestr(info, data, compress_type=ZIP_DEFLATED)
    return wheel.getvalue()
