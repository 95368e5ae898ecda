"""A survey of a source before it is imported: which maps read it, how much of it they read, and the
command to run.

The maps that ship are tried, and maps that are derived from lines that look alike. A derived map is
never taken unasked.
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
from nomicgen.importers.linear import compile_linear
from nomicgen.importers.lines import ranges_of
from nomicgen.importers.map_reader import MapReader, number_of
from nomicgen.importers.omissions import Omission
from nomicgen.importers.source_map import Counting, RulePattern, SourceMap, map_bytes, shipped_maps
from nomicgen.model.findings import counted

_TEXTS = ("md", "markdown", "mdown", "txt", "text", "rst", "adoc", "asciidoc", "")
"""Endings of files that may hold rules."""
_FEWEST = 3
"""The fewest rules that a map must find, if no option names the files, and the fewest lines from
which a map is derived.
"""
_LOW = 100
"""A list in plain text whose numbers are all lower need not be a ruleset."""
_BEST = 3
"""The most trials that a survey shows."""
_LINES = 3
"""The most lines without a place that a trial shows."""
_WHOLE = 1.0
"""A map may be taken unasked only if it places this share of the words."""
_RIVAL = 0.85
"""If another map places this share, that may be the right one."""
_NEVER = (
    r"(?i)(?:.*/)?(?:licen[cs]es?|copying|notice|change(?:s|log)|history|contributing|code[_ "
    r"-]of[_ -]conduct|security"
    r"|agents|claude|todo|authors|credits)(?:[._-][^/]*)?"
)
"""Names of files that hold no rules, such as `LICENSE.md`."""
_CALLED = (
    r"(?i).*(?:rule|law|nomic|statut|constitution|charter|regulation|ordinance|satzung|reglement|r[eè]gle"
    r"|s[aä][aä]nt).*"
)
"""Names of files, if the name speaks of rules."""
_WORDS = r"\w+"
_NUMBERED = (
    r"(?P<before>(?:[#=]{1,6}[ \t]*|[*+-][ \t]+)?(?:\*\*|__|[*_'])?(?:(?:[^\W\d_]{2,20}|§)[ "
    r"\t]*)?#?)"
    r"(?P<number>[1-9][0-9]{0,8}|[IVXLC]{1,7}|[A-Z])(?P<after>[.:)\]–—'-]*(?:\*\*|__|[*_])?)(?=[ "
    r"\t]|$)"
)
"""A line that may begin a rule: its number, and the signs before and after that."""
_HEADED = r"(?:#{1,6}|={1,6})[ \t]+(?=\S)"
"""How a heading of Markdown or AsciiDoc begins."""
_UNDERLINE = r"={3,}|-{3,}|~{3,}"
_NUMBERS: Mapping[Counting, str] = {"arabic": r"[1-9]\d*", "roman": "[IVXLC]+", "letters": "[A-Z]"}
"""A pattern for a number, by the way in which rules are numbered."""
_TIER_LINE = (
    r"(?:#{1,6}[ \t]*)?(?P<tier>(?i:constitutional|immutable|mutable))(?:[ "
    r"\t]+(?i:rules?))?[ \t]*[.:]?[ \t]*$"
)
"""A line that names the tier of the rules below it."""
_MOST_FORMS = 6
"""The most forms of lines that are made maps: the most frequent."""
_STRICT = 24
"""A map's score has its share of placed words to this power. So a map that places less loses, even
if it finds more rules, such as each section of an article.
"""
_FAR_LESS = 8
"""A map is worse than another that finds the same rules only if its score is this many times lower,
which means about 8 % fewer words.
"""
_REST = (
    r"(?:[ \t]*\((?P<tier>(?i:constitutional|immutable|mutable))\))?"
    r"(?:[ \t]*[.:–—-]?[ \t]+(?P<title>\S.*?))?[ \t]*#*[ \t]*$"
)
"""What may follow the number in a heading: the tier in brackets, and the title."""


class Trial(Struct, frozen=True, kw_only=True):
    """A map that was tried: its `name`, None where it was derived; the numbers of the rules that it
    finds; and how many of the `words` it has `placed`: in a rule, or left out by the map.

    `lines` are the first that it cannot place, each with its file and number. `telling`
    says whether the names of all files speak of rules.
    """

    map: SourceMap
    name: str | None
    rules: tuple[int, ...]
    placed: int
    words: int
    lines: tuple[str, ...] = ()
    telling: bool = False

    @property
    def coverage(self) -> float:
        """The share of the words that it places, 0 to 1."""
        return self.placed / max(self.words, 1)

    @property
    def is_whole(self) -> bool:
        """Whether it may be taken unasked, if no other map finds many more rules: it places all
        words, and the names of the files speak of rules. A derived map may not; nor one that finds
        low numbers in plain text, for that may be any list.
        """
        is_list = self.map.text == "plain" and max(self.rules, default=0) < _LOW
        return self.name is not None and self.telling and self.coverage >= _WHOLE and not is_list

    @property
    def in_words(self) -> str:
        """`map numbered: 2 rules (101–102), 98.1 % of the words; in no rule: rules.txt:1 ...`."""
        name = f"map {self.name}" if self.name else "a map made for it"
        paths = f", for {', '.join(self.map.paths)}" if self.map.paths else ""
        found = (
            f"{counted(len(self.rules), 'rule')} ({ranges_of(self.rules)}), "
            f"{int(1000 * self.coverage) / 10} %"
        )
        lines = f"; in no rule: {', '.join(self.lines)}" if self.lines else ""
        return f"{name}{paths}: {found} of the words{lines}"


class Answer(Struct, frozen=True, kw_only=True):
    """What was found out about a repository's history: `about` is `history` for how much of it can
    be read, `subjects` for what the subjects of its commits name.
    """

    about: str
    words: str


class Survey(Struct, frozen=True, kw_only=True):
    """The best `trials`, answers about the history, and the `command` that imports the source by
    the best map; that is None where no map reads it. `help` says what to do then, or what somebody
    has to decide first.
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
        """Whether the best map may be taken unasked: it is whole, and no rival finds many more
        rules.
        """
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
    placed="how many of them stand in a rule, or are left out by the map",
    lines="the first lines that stand in no rule, with their files",
)
ANSWER = Shape(
    "AnswerView",
    "What is known of a history.",
    Answer,
    about="`history`, or `subjects`",
    words="the answer",
)
SURVEY = Shape(
    "SurveyView",
    "Which maps read an archive, and how to import it.",
    Survey,
    format=FORMAT,
    trials=TRIAL("the best maps, the best first"),
    answers=ANSWER("what was found out about its history"),
    command="what imports it; null where no map reads it",
    help=at(
        lambda survey: survey.help or None,
        "what to do where there is no command, or somebody must decide",
        str | None,
    ),
)


def is_text(path: str) -> bool:
    """Return whether a file's ending says that it is a text."""
    return splitext(path)[1].removeprefix(".").casefold() in _TEXTS


def trials(texts: Mapping[str, bytes], paths: Sequence[str] = ()) -> tuple[Trial, ...]:
    """Return the trials of the maps that read some files best, `_BEST` at most. `paths` are globs
    of the files with rules, if they are known: then a map is tried on all files together.
    """
    some = {
        path: data for path, data in texts.items() if paths or re.fullmatch(_NEVER, path) is None
    }
    found: list[Trial] = []
    for name, one in shipped_maps().items():
        for globs, files in _file_groups(one, some, paths):
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
        scores[_rules_found(trial)] = max(scores.get(_rules_found(trial), 0), _score(trial))
    best: dict[tuple[str, ...], Trial] = {}
    for trial in sorted(kept, key=lambda trial: _rank(trial, scores[_rules_found(trial)])):
        best.setdefault((*_rules_found(trial), str(trial.placed)), trial)
    return tuple(best.values())[:_BEST]


def _rules_found(trial: Trial) -> tuple[str, ...]:
    """Return the paths of a trial and the rules that it finds, by which trials are compared."""
    return (*trial.map.paths, str(trial.rules))


def _score(trial: Trial) -> float:
    """Return how well a map reads: the more it places and the more rules it finds, the better.

    A map that counts headings itself, or finds rules inside lines, is worth half.
    """
    rule = trial.map.rule
    worth = 0.5 if rule.number == "order" or rule.split is not None else 1.0
    return worth * trial.placed * trial.coverage**_STRICT * log2(1 + len(trial.rules))


def _rank(
    trial: Trial, score: float
) -> tuple[tuple[bool, ...], float, int, tuple[str, ...], tuple[bool, ...], int]:
    """Return a sort key that puts the best trial first; `score` is the highest of the trials that
    find the same rules.

    Among those, maps with front matter come first; then those that read not far less than the best;
    then those that ship.
    """
    hidden = any(part.startswith(".") for path in trial.map.paths for part in path.split("/"))
    worse = not trial.map.front_matter, _score(trial) < score / _FAR_LESS, trial.name is None
    poor = hidden, len(trial.rules) < _FEWEST
    return poor, -score, -len(trial.rules), _rules_found(trial), worse, -trial.placed


def _file_groups(
    one: SourceMap, texts: Mapping[str, bytes], paths: Sequence[str]
) -> Iterator[tuple[list[str], Mapping[str, bytes]]]:
    """Yield the groups of files on which a map is tried, with their globs: the files of a folder
    that have a rule each, or every file by itself.
    """
    if paths:
        yield [*paths], texts
    elif one.by_path and not one.front_matter:
        folders: dict[str, dict[str, bytes]] = defaultdict(dict)
        for path, data in texts.items():
            if compile_linear(one.rule.path or "").fullmatch(path):
                folder, slash, name = path.rpartition("/")
                start = re.split("[0-9]", name, maxsplit=1)[0]
                folders[f"{folder}{slash}{start}*{splitext(name)[1]}"][path] = data
        yield from (([glob], files) for glob, files in folders.items())
    elif not one.by_path:
        yield from (([path], {path: data}) for path, data in texts.items())


def _front_matter_maps(
    texts: Mapping[str, bytes], paths: Sequence[str]
) -> Iterator[tuple[SourceMap, Mapping[str, bytes]]]:
    """Yield a map for each folder with files that begin with front matter, and those files."""
    folders: dict[tuple[str, str], tuple[dict[Meaning, str], dict[str, bytes]]] = {}
    for path, data in texts.items():
        if keys := keys_of_front_matter(_words(data).split("\n")):
            folder, slash, name = path.rpartition("/")
            glob = paths[0] if paths else f"{folder}{slash}*{splitext(name)[1]}"
            known, files = folders.setdefault((glob, keys["number"]), ({}, {}))
            # The keys of earlier files stay.
            known |= keys | known
            files[path] = data
    base = shipped_maps()["front-matter"]
    for (glob, _), (known, files) in folders.items():
        meant = base.front_matter if known.items() <= base.front_matter.items() else known
        yield base.replace(paths=[*paths] or [glob], front_matter=meant), files


def _numbered_line_maps(data: bytes) -> Iterator[SourceMap]:
    """Yield maps for a file: by each, either lines that differ only by a rising number begin rules,
    or headings without numbers do.
    """
    lines = _words(data).split("\n")
    groups: dict[tuple[str, Counting, str, bool], list[int]] = defaultdict(list)
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        underlined = re.fullmatch(_UNDERLINE, below.rstrip()) is not None and bool(line.strip())
        match = re.match(_NUMBERED, line)
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
        # Of headings without numbers only the count matters, so any value will do.
        headed = re.match(_HEADED, line)
        if headed is not None and match is None:
            groups[headed[0], "order", "", False].append(len(lines))
        elif underlined and match is None:
            groups["", "order", below[0], True].append(len(lines))
    for key, numbers in sorted(groups.items(), key=lambda item: -len(item[1]))[:_MOST_FORMS]:
        if len(numbers) >= _FEWEST:
            yield _map_of(*key)


def _map_of(before: str, counting: Counting, after: str, underlined: bool) -> SourceMap:
    """Return a map by which lines of one form begin rules: what stands before the number, how it is
    counted, what stands after it, and whether the line is underlined.

    For headings without numbers, `after` is the sign of which the underline is made.
    """
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
        rest = _REST if headed else r"(?:[ \t]+|$)"
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
    """Return what a map reads of some files. Of rules in several files with the same number, only
    the first is placed.
    """
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
        telling=all(is_text(path) and re.fullmatch(_CALLED, path) for path in files),
    )


@lru_cache(maxsize=16)
def _words(data: bytes) -> str:
    """Return the text of a file; '' where it holds none."""
    return decode_words(data)[0] or ""


def survey_of_text(source: str, filename: str, data: bytes, *, is_long: bool = False) -> Survey:
    """Return the survey of a single text: the maps that read it best, and the command to import it.
    `is_long` says that it is in the long format, which no map is for.
    """
    if not _words(data).strip():
        return Survey(help=f"{quote(source)} holds no text: name a file that has the rules")
    best = tuple(
        replace(trial, map=trial.map.replace(paths=[]))
        for trial in trials({filename: data}, [filename])
    )
    if best and is_long:
        command = f"nomicgen import long {quote(source)} --into GAME"
        help = "it is in the long format: a map would take the rules' histories for text"
        return Survey(trials=best, command=command, help=help)
    command = "nomicgen import text {source} --map {map} --into GAME"
    return build_survey(source, best, command, ())


def build_survey(
    source: str, best: Sequence[Trial], command: str, answers: Sequence[Answer]
) -> Survey:
    """Return the survey of a source, made from the best trials. `command` is a template of the
    command that imports the source, with `{source}`, `{map}` and `{paths}`.
    """
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
        return f"if nothing is missing from the rules, run the command; else edit the map: {write}"
    if not first.telling:
        return "no file's name says that these are rules: if they are, run the command"
    if not first.is_whole:
        return "it may be any list: if these are rules, run the command"
    return (
        "another map finds many more rules: if the first is right, run the command; else save one "
        f"to edit: {write}"
    )
