"""What git may heed of its environment and of a repository's settings, so that no program that a
repository names is run.

Git runs programs that settings name: filters, hooks, monitors, signers, helpers that fetch; `git
help config` explains each. A clone brings no settings along, but an archive that someone unpacks
may, and anybody who can write to the disk can change them. GitPython gives git the whole
environment, so `cleanse` takes out of it what git is not to see, before each start.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, MutableMapping

from msgspec import Struct

from nomicgen.repository.errors import GitFailed, UnsafeSettings

SETTINGS = (
    "advice.graftFileDeprecated=false",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.untrackedCache=false",
    f"diff.orderFile={os.devnull}",
    "i18n.commitEncoding=UTF-8",
    "log.mailmap=false",
    "log.showRoot=true",
    "log.showSignature=false",
    "submodule.recurse=false",
    "trailer.separators=:",
)
"""Settings for every command. They override the repository's: they keep programs from running, and
the output as it is expected.
"""

ENVIRONMENT = {
    "LC_ALL": "C",
    # A partial clone would fetch what it lacks, by any program that the repository names.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    # Grafts and replacements put commits in place of others. They are as local as the settings, and
    # no part of the history.
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_EDITOR": ":",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
}

INERT = frozenset(
    {
        "cat-file",
        "check-attr",
        "config",
        "for-each-ref",
        "init",
        "ls-files",
        "ls-tree",
        "merge-base",
        "rev-parse",
        "symbolic-ref",
        "var",
        "version",
        "write-tree",
    }
)
"""Commands that convert no file, sign nothing and move no branch: they run without a `Guard`."""

LISTING = ("--list", "-z", "--show-scope")
"""The options of `git config` for what `guard_from_settings` reads."""

# Who commits, where the person's own settings are, where git looks for a repository, and how it
# makes one. Of others that begin with GIT_, some lead git elsewhere, name programs for it, or make
# it print more; git itself sets some when it runs a hook.
_HEEDED = frozenset(
    {
        "GIT_AUTHOR_DATE",
        "GIT_AUTHOR_EMAIL",
        "GIT_AUTHOR_NAME",
        "GIT_CEILING_DIRECTORIES",
        "GIT_COMMITTER_DATE",
        "GIT_COMMITTER_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_SYSTEM",
        "GIT_DEFAULT_HASH",
        "GIT_DEFAULT_REF_FORMAT",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_TEST_ASSUME_DIFFERENT_OWNER",
    }
)
# The settings that a person may give through the environment: none of them names a program.
_HEEDED_KEYS = frozenset(
    {
        *("author.email", "author.name", "committer.email", "committer.name"),
        *("commit.gpgsign", "gpg.format", "init.defaultobjectformat", "safe.directory"),
        *("user.email", "user.name", "user.signingkey", "user.useconfigonly"),
    }
)
# The programs that sign and check signatures, and what git would run if nobody named another. Only
# for the last has git no default: `false` is a program that gives no key.
GPG_PROGRAMS = {
    "gpg.program": "gpg",
    "gpg.openpgp.program": "gpg",
    "gpg.x509.program": "gpgsm",
    "gpg.ssh.program": "ssh-keygen",
    "gpg.ssh.defaultkeycommand": "false",
}
# The scopes of settings that the person and the system made, not the repository.
_OWN = ("system", "global", "command")
# At most so many filters and hooks are switched off, each by settings on the command line; if there
# are more, git is not started.
_MANY = 500


class Guard(Struct, frozen=True, kw_only=True):
    """The names of all filters, and settings (`name=value`) that keep programs from running."""

    filters: frozenset[str] = frozenset()
    settings: tuple[str, ...] = ()


def withheld(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the variables that git is not to see."""
    return tuple(
        sorted(name for name in environment if name.startswith("GIT_") and name not in _HEEDED)
    )


def cleanse(environment: MutableMapping[str, str]) -> None:
    """Take out of an environment what git is not to see; of the settings in it, only those in
    `_HEEDED_KEYS` stay.

    GitPython hands the whole environment of this process on, and can only add to it.
    """
    settings = tuple(harmless_settings(environment))
    for name in withheld(environment):
        del environment[name]
    if settings:
        environment["GIT_CONFIG_COUNT"] = str(len(settings))
    for index, (key, value) in enumerate(settings):
        environment[f"GIT_CONFIG_KEY_{index}"] = key
        environment[f"GIT_CONFIG_VALUE_{index}"] = value


def harmless_settings(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the settings in `_HEEDED_KEYS` that a person gives through the environment."""
    count = environment.get("GIT_CONFIG_COUNT", "")
    for index in range(
        int(count) if count.isascii() and count.isdecimal() and len(count) < 4 else 0
    ):
        key, value = (environment.get(f"GIT_CONFIG_{part}_{index}") for part in ("KEY", "VALUE"))
        if key is not None and value is not None and key.lower() in _HEEDED_KEYS:
            yield key, value


def own_settings(listing: bytes) -> dict[str, str]:
    """Return the settings of `git config --list -z --show-scope` that the person and the system
    made.

    Raises GitFailed.
    """
    return {key: value for scope, key, value in _settings(listing) if scope in _OWN}


def _settings(listing: bytes) -> Iterator[tuple[str, str, str]]:
    """Yield the scope, the key and the value of each setting."""
    words = os.fsdecode(listing).split("\0")
    if len(words) % 2 == 0:
        raise GitFailed("config", f"it printed {words[-1][:80]!r}")
    for scope, setting in zip(words[:-1:2], words[1::2], strict=True):
        key, _, value = setting.partition("\n")
        yield scope, key, value


def guard_from_settings(listing: bytes) -> Guard:
    """Return what keeps the programs in the output of `git config --list -z --show-scope` from
    running.

    Filters never run: what the game holds is what is committed, and a filter that a person trusts
    may itself obey settings of the repository. A signer only runs if the person or the system named
    it, or if it is git's default.

    Raises GitFailed, UnsafeSettings.
    """
    own = own_settings(listing)
    foreign: set[str] = set()
    filters: set[str] = set()
    hooks: set[str] = set()
    for scope, key, _ in _settings(listing):
        section, _, rest = key.partition(".")
        name, dot, _ = rest.rpartition(".")
        if dot and section in ("filter", "hook"):
            (filters if section == "filter" else hooks).add(name)
        elif key in GPG_PROGRAMS and scope not in _OWN:
            foreign.add(key)
    for name in (*filters, *hooks):
        # Git takes what stands before the first equals sign for the key.
        if "=" in name:
            raise UnsafeSettings(f"a program under the name {name!r}")
    if len(filters) + len(hooks) > _MANY:
        raise UnsafeSettings(f"programs under {len(filters) + len(hooks)} names")
    return Guard(
        filters=frozenset(filters),
        settings=(
            *(f"filter.{name}.{part}" for name in sorted(filters) for part in _OFF),
            *(f"hook.{name}.enabled=false" for name in sorted(hooks)),
            *(f"{key}={_signer(key, own)}" for key in sorted(foreign)),
        ),
    )


# Without `process`, git falls back on `clean`; without `clean`, it fails if the filter is required.
_OFF = ("clean=", "smudge=", "process=", "required=false")


def _signer(key: str, own: Mapping[str, str]) -> str:
    """Return the signer that the person or the system named, else git's default."""
    # These two are one setting to git.
    both = ("gpg.program", "gpg.openpgp.program")
    named = [own[name] for name in (both if key in both else (key,)) if name in own]
    return named[-1] if named else GPG_PROGRAMS[key]
