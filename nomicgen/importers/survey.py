"""What a source looks like before it is imported: which maps read it, how much of it, and the
command to run.

A map that ships is tried as it is; others are derived from lines that look alike, and are only ever
proposed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import log2
from posixpath import splitext
from shlex import quote

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import quoted
from nomicgen.formats.documents import FORMAT, Shape, at
from nomicgen.importers.decoding import decode_words
from nomicgen.importers.front_matter import Meaning, keys_of_front_matter
from nomicgen.importers.linear import linear
from nomicgen.importers.lines import ranges_of
from nomicgen.importers.map_reader import MapReader, number_of
from nomicgen.importers.omissions import Omission
from nomicgen.importers.source_map import Counting, RulePattern, SourceMap, map_bytes, shipped_maps
from nomicgen.model.findings import counted

_TEXTS = ("md", "markdown", "mdown", "txt", "text", "rst", "adoc", "asciidoc", "")
_FEWEST = 3
_LOW = 100
_BEST = 3
_LINES = 3
_WHOLE = 1.0
"""A map may be taken unasked if it places all; words above the first rule do not count."""
_RIVAL = 0.85
"""A map that places so much may be meant as well."""
_NEVER = (
    r"(?i)(?:.*/)?(?:licen[cs]es?|copying|notice|change(?:s|log)|history|contributing|code[_ "
    r"-]of[_ -]conduct|security"
    r"|agents|claude|todo|authors|credits)(?:[._-][^/]*)?"
)
_CALLED = (
    r"(?i).*(?:rule|law|nomic|statut|constitution|charter|regulation|ordinance|satzung|reglement|r[eè]gle"
    r"|s[aä][aä]nt).*"
)
_WORDS = r"\w+"
_SHAPE = (
    r"(?P<before>(?:[#=]{1,6}[ \t]*|[*+-][ \t]+)?(?:\*\*|__|[*_'])?(?:(?:[^\W\d_]{2,20}|§)[ "
    r"\t]*)?#?)"
    r"(?P<number>[1-9][0-9]{0,8}|[IVXLC]{1,7}|[A-Z])(?P<after>[.:)\]–—'-]*(?:\*\*|__|[*_])?)(?=[ "
    r"\t]|$)"
)
_HEADED = r"(?:#{1,6}|={1,6})[ \t]+(?=\S)"
_UNDERLINE = r"={3,}|-{3,}|~{3,}"
_NUMBERS: Mapping[Counting, str] = {"arabic": r"[1-9]\d*", "roman": "[IVXLC]+", "letters": "[A-Z]"}
_TIER_LINE = (
    r"(?:#{1,6}[ \t]*)?(?P<tier>(?i:constitutional|immutable|mutable))(?:[ "
    r"\t]+(?i:rules?))?[ \t]*[.:]?[ \t]*$"
)
_SHAPES = 6
_STRICT = 24
"""The weight of what a map does not place: a rule for each section loses to one per article."""
_FAR_LESS = 8
"""Scores so many times lower leave out 8 % more of the words; `_STRICT` would exaggerate 3 %."""
_TITLED = (
    r"(?:[ \t]*\((?P<tier>(?i:constitutional|immutable|mutable))\))?"
    r"(?:[ \t]*[.:–—-]?[ \t]+(?P<title>\S.*?))?[ \t]*#*[ \t]*$"
)


class Trial(Struct, frozen=True, kw_only=True):
    """A map that was tried: its `name`, None where it was derived.

    The rules that it finds; the words that it places, of how many; and the first lines that it
    cannot place, each with its file and line. `called` says that the files are texts whose names
    speak of rules.
    """

    map: SourceMap
    name: str | None
    rules: tuple[int, ...]
    placed: int
    words: int
    lines: tuple[str, ...] = ()
    called: bool = False

    @property
    def coverage(self) -> float:
        return self.placed / max(self.words, 1)

    @property
    def is_whole(self) -> bool:
        """Whether it may be taken unasked: a list of low numbers in plain text may be any list."""
        is_list = self.map.text == "plain" and max(self.rules, default=0) < _LOW
        return self.name is not None and self.called and self.coverage >= _WHOLE and not is_list

    @property
    def in_words(self) -> str:
        """`map numbered: 29 rules (101–213), 98.1 % of the words; in no rule: rules.txt:1 ...`."""
        name = f"map {self.name}" if self.name else "a map made for it"
        paths = f", for {', '.join(self.map.paths)}" if self.map.paths else ""
        found = (
            f"{counted(len(self.rules), 'rule')} ({ranges_of(self.rules)}), "
            f"{int(1000 * self.coverage) / 10} %"
        )
        lines = f"; in no rule: {', '.join(self.lines)}" if self.lines else ""
        return f"{name}{paths}: {found} of the words{lines}"


class Answer(Struct, frozen=True, kw_only=True):
    """What was found out of one thing."""

    about: str
    words: str


class Survey(Struct, frozen=True, kw_only=True):
    """The best `trials`, answers about the history, and the `command` that imports the source by
    the best map, None where none reads it. `help` says what to do then, or where somebody must
    decide.
    """

    trials: tuple[Trial, ...] = ()
    answers: tuple[Answer, ...] = ()
    command: str | None = None
    help: str = ""

    @property
    def best(self) -> Trial | None:
        return self.trials[0] if self.trials else None

    @property
    def is_clear(self) -> bool:
        """Whether the best map may be taken unasked: it reads all, and no other finds more."""
        rivals = [one for one in self.trials[1:] if one.coverage >= _RIVAL]
        best = self.best
        return (
            best is not None
            and best.is_whole
            and all(len(one.rules) <= 1.2 * len(best.rules) for one in rivals)
        )


TRIAL = Shape(
    "TrialView",
    "A map that was tried.",
    Trial,
    map=at(lambda trial: trial.name, "the name of the map; null where it was derived", str | None),
    paths=at(lambda trial: [*trial.map.paths], "the paths that it reads", list[str]),
    rules=at(lambda trial: [*trial.rules], "the numbers of the rules that it finds", list[int]),
    words="how many words there are",
    placed="how many of them stand in a rule",
    lines="the first lines that stand in no rule, with their files",
)
ANSWER = Shape(
    "AnswerView",
    "What was found out of one thing.",
    Answer,
    about="of what",
    words="the answer",
)
SURVEY = Shape(
    "SurveyView",
    "Which maps read an archive, and how to import it.",
    Survey,
    format=FORMAT,
    trials=TRIAL("the best maps, the best first"),
    answers=ANSWER("what was found out of its history"),
    command="what imports it; null where no map reads it",
    help=at(
        lambda survey: survey.help or None,
        "what to do where there is no command, or somebody must decide",
        str | None,
    ),
)


def is_text(path: str) -> bool:
    """Return whether a file's name says that it may hold rules."""
    return splitext(path)[1].removeprefix(".").casefold() in _TEXTS


def trials(texts: Mapping[str, bytes], paths: Sequence[str] = ()) -> tuple[Trial, ...]:
    """Return the maps that read some files best, `_BEST` at most; `paths` are globs, where they are
    known.
    """
    some = {
        path: data for path, data in texts.items() if paths or re.fullmatch(_NEVER, path) is None
    }
    found: list[Trial] = []
    for name, one in shipped_maps().items():
        for globs, files in _groups(one, some, paths):
            found.append(_try_map(one.replace(paths=globs), name, files))
    for fronted, files in _front_matter_maps(some, paths):
        shipped = fronted.front_matter == shipped_maps()["front-matter"].front_matter
        found.append(_try_map(fronted, "front-matter" if shipped else None, files))
    derived = {
        (map_bytes(one), "" if paths else path): (one, path)
        for path, data in some.items()
        for one in _numbered_line_maps(data)
    }
    for one, path in derived.values():
        found.append(
            _try_map(
                one.replace(paths=[*paths] or [path]), None, some if paths else {path: some[path]}
            )
        )
    kept = [trial for trial in found if len(trial.rules) >= (1 if paths else _FEWEST)]
    scores: dict[tuple[str, ...], float] = {}
    for trial in kept:
        scores[_trial_answers(trial)] = max(scores.get(_trial_answers(trial), 0), _score(trial))
    best: dict[tuple[str, ...], Trial] = {}
    for trial in sorted(kept, key=lambda trial: _rank(trial, scores[_trial_answers(trial)])):
        best.setdefault((*_trial_answers(trial), str(trial.placed)), trial)
    return tuple(best.values())[:_BEST]


def _trial_answers(trial: Trial) -> tuple[str, ...]:
    """Return what a trial has in common with others that find the same rules in the same files."""
    return (*trial.map.paths, str(trial.rules))


def _score(trial: Trial) -> float:
    """Return how well a map reads: it places all, and finds many rules.

    A count of headings, and what stands anywhere, are worth half.
    """
    rule = trial.map.rule
    worth = 0.5 if rule.number == "order" or rule.split is not None else 1.0
    return worth * trial.placed * trial.coverage**_STRICT * log2(1 + len(trial.rules))


def _rank(
    trial: Trial, score: float
) -> tuple[tuple[bool, ...], float, int, tuple[str, ...], tuple[bool, ...], int]:
    """Return the best first.

    What finds the same rules is ranked together; front matter comes first, then what ships. What
    reads far less than another comes behind it.
    """
    hidden = any(part.startswith(".") for path in trial.map.paths for part in path.split("/"))
    better = not trial.map.front_matter, _score(trial) < score / _FAR_LESS, trial.name is None
    poor = hidden, len(trial.rules) < _FEWEST
    return poor, -score, -len(trial.rules), _trial_answers(trial), better, -trial.placed


def _groups(
    one: SourceMap, texts: Mapping[str, bytes], paths: Sequence[str]
) -> Iterator[tuple[list[str], Mapping[str, bytes]]]:
    """Yield the files that one map may be for: those of a folder with a rule each, or one file."""
    if paths:
        yield [*paths], texts
    elif one.by_path and not one.front_matter:
        folders: dict[str, dict[str, bytes]] = defaultdict(dict)
        for path, data in texts.items():
            if linear(one.rule.path or "").fullmatch(path):
                folder, slash, name = path.rpartition("/")
                start = re.split("[0-9]", name, maxsplit=1)[0]
                folders[f"{folder}{slash}{start}*{splitext(name)[1]}"][path] = data
        yield from (([glob], files) for glob, files in folders.items())
    elif not one.by_path:
        yield from (([path], {path: data}) for path, data in texts.items())


def _front_matter_maps(
    texts: Mapping[str, bytes], paths: Sequence[str]
) -> Iterator[tuple[SourceMap, Mapping[str, bytes]]]:
    """Yield a map of the keys, if the files of a folder begin with front matter."""
    folders: dict[tuple[str, str], tuple[dict[Meaning, str], dict[str, bytes]]] = {}
    for path, data in texts.items():
        if keys := keys_of_front_matter(_words(data).split("\n")):
            folder, slash, name = path.rpartition("/")
            glob = paths[0] if paths else f"{folder}{slash}*{splitext(name)[1]}"
            known, files = folders.setdefault((glob, keys["number"]), ({}, {}))
            known |= keys | known
            files[path] = data
    base = shipped_maps()["front-matter"]
    for (glob, _), (known, files) in folders.items():
        meant = base.front_matter if known.items() <= base.front_matter.items() else known
        yield base.replace(paths=[*paths] or [glob], front_matter=meant), files


def _numbered_line_maps(data: bytes) -> Iterator[SourceMap]:
    """Yield maps of lines that differ only by a rising number, and of headings without numbers."""
    lines = _words(data).split("\n")
    groups: dict[tuple[str, Counting, str, bool], list[int]] = defaultdict(list)
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        underlined = re.fullmatch(_UNDERLINE, below.rstrip()) is not None and bool(line.strip())
        match = re.match(_SHAPE, line)
        countings: tuple[Counting, ...] = ("arabic", "roman", "letters")
        for counting in countings if match is not None else ():
            number = number_of(match["number"], counting) if match is not None else None
            if (
                match is not None
                and number
                and (counting == "arabic") == match["number"].isdecimal()
            ):
                last = groups[match["before"], counting, match["after"], underlined]
                if not last or number > last[-1]:
                    last.append(number)
        headed = re.match(_HEADED, line)
        if headed is not None and match is None:
            groups[headed[0], "order", "", False].append(len(lines))
        elif underlined and match is None:
            groups["", "order", below[0], True].append(len(lines))
    for key, numbers in sorted(groups.items(), key=lambda item: -len(item[1]))[:_SHAPES]:
        if len(numbers) >= _FEWEST:
            yield _map_of(*key)


def _map_of(before: str, counting: Counting, after: str, underlined: bool) -> SourceMap:
    """Return a map of lines that are alike."""
    headed = underlined or before.lstrip().startswith(("#", "=", "**", "__")) or counting == "order"
    below = (
        None
        if not underlined
        else f"{_as_pattern(after)}{{3,}}"
        if counting == "order"
        else "[=~-]{3,}"
    )
    level = len(before) - len(before.lstrip(before[0])) if before.startswith(("#", "=")) else 0
    if counting == "order":
        heading = f"{_as_pattern(before)}(?P<title>\\S.*?)[ \\t]*#*[ \\t]*$"
    else:
        rest = _TITLED if headed else r"(?:[ \t]+|$)"
        heading = f"{_as_pattern(before)}(?P<number>{_NUMBERS[counting]}){_as_pattern(after)}{rest}"
    return SourceMap(
        description="Derived from lines that look alike.",
        text="markdown" if headed else "plain",
        rule=RulePattern(heading=heading, below=below, number=counting),
        section=[_TIER_LINE],
        ends=[f"{before[0]}{{1,{level - 1}}}[ \\t]"] if level > 1 else [],
        omit=[Omission(lines=f"{before[0]} .*", why="the title")] if level > 1 else [],
    )


def _as_pattern(words: str) -> str:
    """Return words as a pattern that matches them alone."""
    return re.sub(r"[\\.^$*+?()\[\]{}|]", r"\\\g<0>", words)


def _try_map(one: SourceMap, name: str | None, files: Mapping[str, bytes]) -> Trial:
    reader = MapReader(one)
    read = {path: reader.read(data, path) for path, data in files.items()}
    numbers = sorted({rule.number for text in read.values() for rule in text.passages})
    words = sum(len(re.findall(_WORDS, _words(data))) for data in files.values())
    outside = [(path, line, text) for path, found in read.items() for line, text in found.outside]
    seen: dict[int, str] = {}
    doubled = [
        (path, line, f"Rule {rule.number} stands in {seen[rule.number]} already\n{rule.text}")
        for path in sorted(read)
        for line, rule in read[path].rules
        if seen.setdefault(rule.number, path) != path
    ]
    missing = sum(len(re.findall(_WORDS, text)) for _, _, text in outside)
    missing += sum(len(re.findall(_WORDS, text.partition("\n")[2])) for _, _, text in doubled)
    outside += doubled
    lines = tuple(
        f"{path}:{line} {quoted(text.strip().split(chr(10))[0], 40)}"
        for path, line, text in outside[:_LINES]
    )
    return Trial(
        map=one,
        name=name,
        rules=tuple(numbers),
        words=words,
        placed=words - missing,
        lines=lines,
        called=all(is_text(path) and re.fullmatch(_CALLED, path) for path in files),
    )


@lru_cache(maxsize=16)
def _words(data: bytes) -> str:
    """Return the words of a file, '' where it is none of text."""
    return decode_words(data)[0] or ""


def survey_of_text(source: str, filename: str, data: bytes) -> Survey:
    """Return the maps that read a text best."""
    best = tuple(
        replace(trial, map=trial.map.replace(paths=[]))
        for trial in trials({filename: data}, [filename])
    )
    command = "nomicgen import text {source} --map {map} --into GAME"
    return build_survey(source, best, command, ())


def build_survey(
    source: str, best: Sequence[Trial], command: str, answers: Sequence[Answer]
) -> Survey:
    """Return what the maps that read a source best say together; `command` imports it by a map."""
    if not best:
        help = "write a map that says how a rule begins, and import with --map FILE"
        return Survey(answers=tuple(answers), help=help)
    first = best[0]
    paths = "".join(f" --path {quote(path)}" for path in first.map.paths) if first.name else ""
    made = command.format(source=quote(source), map=first.name or "my-map.yml", paths=paths)
    return Survey(
        trials=tuple(best),
        answers=tuple(answers),
        command=made,
        help=_help(Survey(trials=tuple(best)), source),
    )


def _help(survey: Survey, source: str) -> str:
    """Return what somebody has to decide before a map is taken; '' where nobody has to."""
    write = f"`nomicgen import survey {quote(source)} --write my-map.yml`"
    first = survey.trials[0]
    if survey.is_clear:
        return ""
    if first.name is None:
        return (
            "no map that ships reads this best: look at the one that was made, and use it if "
            f"it is right: {write}"
        )
    if first.coverage < _WHOLE:
        return f"if what stands in no rule is no law, run the command; else edit the map: {write}"
    if not first.called:
        return "no name says that these are rules: if they are, run the command"
    if not first.is_whole:
        return "it may be any list: if these are rules, run the command"
    return (
        "another map finds more rules: if the first is right, run the command; else save one "
        f"to edit: {write}"
    )
