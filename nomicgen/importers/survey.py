"""What a foreign archive looks like before it is imported: each answer with how sure it is, and the command to run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from shlex import quote
from typing import Literal

from msgspec import Struct

from nomicgen.diagnostics import counted
from nomicgen.files.file_findings import Notes, quoted
from nomicgen.importers.git_credit import archivist_of
from nomicgen.importers.git_outline import guessed
from nomicgen.importers.git_past import Past
from nomicgen.importers.git_subjects import Subjects
from nomicgen.importers.git_texts import FileText, Passage, number_of_file
from nomicgen.importers.long_format import normalised
from nomicgen.importers.outline_doubts import Doubt
from nomicgen.importers.text_lines import TierWords, ranges_of
from nomicgen.importers.text_reading import outlined
from nomicgen.importers.text_tiers import RANKS
from nomicgen.patterns import lazy_pattern

Confidence = Literal["sure", "likely", "unsure"]

_TEXTS = ("md", "markdown", "mdown", "txt", "text", "rst", "")
_PICTURES = ("png", "jpg", "jpeg", "gif", "svg", "webp", "bmp")
_LINKED = lazy_pattern(r"!\[[^\]]*\]\((?P<path>[^)\s]+)|<img\b[^>]*\bsrc=[\"']?(?P<source>[^\"'\s>]+)", re.IGNORECASE)
_PULLED = lazy_pattern(r"Merge (?:pull|merge) request|Merged PR", re.IGNORECASE)
_SQUASHED = lazy_pattern(r".*\((?:#|!)[0-9]+\)$")
_FEWEST = 3
_SAMPLES = 20
_SHOWN = 4
_SURE, _LIKELY = 0.95, 0.6
_RIVAL = 0.8
"""A place with so many of the rules of another may be meant as well."""


_NEVER = lazy_pattern(
    r"(?:.*/)?(?:licen[cs]es?|copying|notice|change(?:s|log)|history|contributing|code[_ -]of[_ -]conduct|security"
    r"|agents|claude|todo|authors|credits)(?:[._-][^/]*)?",
    re.IGNORECASE,
)
_CALLED = lazy_pattern(
    r".*(?:rule|law|nomic|statut|constitution|charter|regulation|ordinance|satzung|reglement|r[eè]gle|s[aä][aä]nt).*",
    re.IGNORECASE,
)
_ENOUGH = 10
"""So many rules are believed of a file whose name says nothing of rules."""


class Answer(Struct, frozen=True, kw_only=True):
    """What was found out of one thing."""

    about: str
    words: str
    confidence: Confidence


class RulePlace(Struct, frozen=True, kw_only=True):
    """Where rules stand: a pattern of paths, how many rules it has, and why it cannot be read as it stands."""

    pattern: str
    rules: int
    named: bool
    doubt: Doubt | None = None

    @property
    def is_slight(self) -> bool:
        """Whether it is as likely a list in some other text: it is short, and nobody calls it rules."""
        return not self.named and self.rules < _ENOUGH and _CALLED.fullmatch(self.pattern) is None


_MANY = 6
_UNREAD = lazy_pattern(
    r"(?:.*[/_ -])?(?:rules?|ruleset|laws?|nomic)[^/]*(?:/index)?\.(?:html?|pdf|docx?|odt|rtf|tex)", re.I
)


class Survey(Struct, frozen=True, kw_only=True):
    """Answers, and the `command` that imports the source, None where nothing can; `patterns` are its paths.

    `help` says what to do where there is no command, or where somebody must decide.
    """

    answers: tuple[Answer, ...]
    command: str | None = None
    patterns: tuple[str, ...] = ()
    help: str = ""


def is_text(path: str) -> bool:
    """Whether a file's name says that it may hold rules."""
    return _suffix(path) in _TEXTS


def places(paths: Collection[str], texts: Mapping[str, bytes]) -> list[RulePlace]:
    """Where rules may stand among the files of a commit, the likeliest first. `texts` has contents of some of them."""
    folders: Counter[tuple[str, str]] = Counter()
    for path in paths:
        if number_of_file(path) is not None and is_text(path):
            folder, _, name = path.rpartition("/")
            folders[folder, name.rpartition(".")[2] if "." in name else ""] += 1
    found = [
        RulePlace(pattern=f"{f'{folder}/' if folder else ''}{_glob(folder, suffix, paths)}", rules=count, named=True)
        for (folder, suffix), count in folders.items()
        if count >= _FEWEST
    ]
    for path, data in texts.items():
        if number_of_file(path) is None and _NEVER.fullmatch(path) is None:
            guess = guessed(data)
            if guess.rules >= _FEWEST or (guess.rules and guess.doubt is not None):
                found.append(RulePlace(pattern=path, rules=guess.rules, named=False, doubt=guess.doubt))
    return sorted(found, key=_rank)


def _rank(one: RulePlace) -> tuple[bool, bool, bool, int, bool, str]:
    hidden = any(part.startswith(".") for part in one.pattern.split("/"))
    return one.is_slight, one.doubt is not None, hidden, -one.rules, not one.named, one.pattern


def _glob(folder: str, suffix: str, paths: Collection[str]) -> str:
    """A pattern for the files of a folder that are named after rules, and for no other file that is there."""
    names = [path.rpartition("/")[2] for path in paths if path.rpartition("/")[0] == folder]
    own = [name for name in names if number_of_file(name) is not None and (_suffix(name) == suffix)]
    before = {re.split("[0-9]", name, maxsplit=1)[0] for name in own}
    start = before.pop() if len(before) == 1 else ""
    return f"{start}*.{suffix}" if suffix else f"{start}*"


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].casefold() if "." in name.lstrip(".") else ""


def survey_of_past(source: str, past: Past, found: Sequence[RulePlace], paths: Collection[str]) -> Survey:
    """What a repository shows whose rules stand in the first place that was found, and `past` is that of its files."""
    if not found:
        words = "no file of the newest commit has numbered rules"
        help = "say where they stood: --path GLOB; a text without numbers cannot be a game"
        unread = next((one for one in sorted(paths) if _UNREAD.fullmatch(one)), None)
        if unread is not None:
            words += f"; {quoted(unread)} may have some, in a format that is not read"
            help = "write its text as Markdown or as plain text, one rule below the other, and import that"
        return Survey(answers=(Answer(about="rules", words=words, confidence="likely"),), help=help)
    place, *others = found
    newest = _newest(past)
    passages = [one for text in newest.values() for one in text.passages]
    answers = [
        _of_rules(place, newest, past, others),
        _of_others(others),
        _of_tiers(passages, newest),
        _of_history(past),
        *_of_commits(past),
        _of_pictures(passages, paths),
        _of_rest(newest),
    ]
    doubt = place.doubt or (past.doubt.doubt if past.doubt is not None else None) or _none_stands_out(found)
    if doubt is not None:
        answers.insert(1, Answer(about="doubt", words=doubt.message, confidence="unsure"))
    command = f"nomicgen import git {quote(source)} --path {quote(place.pattern)} --into GAME"
    kept = tuple(one for one in answers if one is not None)
    return Survey(
        answers=kept,
        command=command if doubt is None else None,
        patterns=(place.pattern,),
        help=doubt.help if doubt is not None else "",
    )


def _newest(past: Past) -> dict[str, FileText]:
    texts = {path: past.texts.get((oid, number_of_file(path))) for path, oid in past.newest.items()}
    return {path: text for path, text in sorted(texts.items()) if text is not None}


def _sure(share: float) -> Confidence:
    return "sure" if share >= _SURE else "likely" if share >= _LIKELY else "unsure"


def _of_rules(place: RulePlace, newest: Mapping[str, FileText], past: Past, others: Sequence[RulePlace]) -> Answer:
    numbers = [(number_of_file(path), rule.number) for path, text in newest.items() for rule in text.passages]
    kept = "a file each" if place.named else "in one file"
    shape = past.form.shape
    form = "" if shape is None or shape.key is None else f", and begin as {shape.said}"
    told = sum(named in (None, number) for named, number in numbers)
    ranges = ranges_of(number for _, number in numbers)
    words = f"{counted(len(numbers), 'rule')}, {kept}: {place.pattern} ({ranges}){form}"
    rival = any(one.rules >= _RIVAL * place.rules > 0 and one.doubt is None for one in others)
    return Answer(about="rules", words=words, confidence="unsure" if rival else _sure(told / max(len(numbers), 1)))


def _none_stands_out(found: Sequence[RulePlace]) -> Doubt | None:
    """Why the likeliest of many files is not believed: each has numbers, and none has most of them."""
    files = [one for one in found if one.doubt is None]
    if found[0].is_slight:
        first = found[0]
        message = f"{first.pattern} has {counted(first.rules, 'line')} with numbers, and nothing calls them rules"
        help = f"if they are, `--path {quote(first.pattern)}` takes them; a text without numbers cannot be a game"
        return Doubt(line=1, message=message, help=help)
    if files[0].named or len(files) < _MANY or 2 * files[0].rules > sum(one.rules for one in files):
        return None
    message = f"{len(files)} files have lines or headings with numbers, and none of them has most"
    options = ", or ".join(f"`--path {quote(one.pattern)}`" for one in files[:_SHOWN])
    return Doubt(line=1, message=message, help=f"say which are the rules: {options}")


def _of_others(others: Sequence[RulePlace]) -> Answer | None:
    if not others:
        return None
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    words = ", ".join(f"{one.pattern} ({counted(one.rules, 'rule')})" for one in others[:_SHOWN])
    return Answer(about="elsewhere", words=f"{words}{more}; --path takes them in place of it", confidence="likely")


def _of_tiers(passages: Sequence[Passage], newest: Mapping[str, FileText]) -> Answer:
    tiers = Counter(one.tier for one in passages if one.tier is not None)
    said = sum(tiers.values())
    told = ", ".join(f"{count} {tier}" for tier, count in sorted(tiers.items()))
    if not said:
        words = "said nowhere: --tiers immutable=101-199,mutable=200- says which numbers are of which"
        return Answer(about="tiers", words=words, confidence="unsure" if newest else "likely")
    rest = len(passages) - said
    more = f"; {rest} say none, and are of the least entrenched" if rest else ""
    return Answer(
        about="tiers", words=f"said with the rules: {told}{more}", confidence="sure" if not rest else "likely"
    )


def _of_history(past: Past) -> Answer:
    """In how many of twenty commits, spread over the history, rules can be read."""
    touched = [one for one in past.line if one.touched]
    step = max(len(touched) / _SAMPLES, 1)
    some = [touched[int(at * step)] for at in range(min(_SAMPLES, len(touched)))]
    good = 0
    for commit in some:
        texts = [past.texts.get((one.after, number_of_file(one.path))) for one in commit.touched if one.after]
        good += any(text is not None and text.passages for text in texts) or not texts
    days = [str(one.day) for one in (touched[0], touched[-1]) if one.day] if touched else []
    words = f"{counted(len(touched), 'commit')} changed them ({' to '.join(dict.fromkeys(days))}); "
    words += f"of {len(some)} that were looked at, {good} have rules that can be read"
    return Answer(about="history", words=words, confidence=_sure(good / max(len(some), 1)))


def _of_commits(past: Past) -> Iterator[Answer]:
    touched = [one for one in past.line if one.touched]
    authors = Counter(one.author for one in touched)
    told = ", ".join(f"{name} {count}" for name, count in authors.most_common(_SHOWN))
    archivist = archivist_of(past)
    if archivist is None:
        yield Answer(about="authors", words=f"who committed is the author: {told}", confidence="likely")
    else:
        words = (
            f"{archivist.name} committed {archivist.share:.0%} of what no merge brought, and is the author only where"
        )
        words += f" a subject, a trailer or a pull request says so: {told}"
        yield Answer(about="authors", words=words, confidence=_sure(archivist.share))
    pulls = sum(_PULLED.match(one.subject) is not None for one in touched)
    squashed = sum(_SQUASHED.match(one.subject) is not None for one in touched)
    merges = sum(len(one.parents) > 1 for one in touched) - pulls
    if pulls or squashed or merges > 0:
        words = f"{pulls} merged, {squashed} as one commit each, {max(merges, 0)} other merges; a merge's day counts"
        yield Answer(about="pulls", words=words, confidence="sure")
    subjects = Subjects()
    classed = sum(subjects.of(one.subject).kind is not None for one in touched)
    words = f"{classed} of {len(touched)} name a proposal, a judgement or an act; the others become corrections, unless"
    words += " --subject says how to read them"
    yield Answer(about="subjects", words=words, confidence=_sure(classed / max(len(touched), 1)))


def _of_pictures(passages: Sequence[Passage], paths: Collection[str]) -> Answer | None:
    linked = {match[1] or match[2] for one in passages for match in _LINKED.finditer(one.text or "")}
    there = [path for path in paths if _suffix(path) in _PICTURES]
    if not linked and not there:
        return None
    words = f"{counted(len(there), 'file')} in the repository, {len(linked)} shown by rules"
    return Answer(about="pictures", words=f"{words}; those are brought along, but for svg", confidence="sure")


def _of_rest(newest: Mapping[str, FileText]) -> Answer:
    slips = [(path, slip) for path, text in newest.items() for slip in text.slips if "left out" in slip.made]
    if not slips:
        return Answer(about="left out", words="nothing of these files", confidence="sure")
    told = ", ".join(f"{path}:{slip.line}" for path, slip in slips[:_SHOWN])
    return Answer(about="left out", words=f"{counted(len(slips), 'passage')}: {told}", confidence="likely")


def survey_of_text(source: str, filename: str, data: bytes) -> Survey:
    """What a text shows."""
    words = normalised(data, Notes(filename))
    if words is None:
        told = Answer(about="rules", words="the file is no text in UTF-8", confidence="sure")
        return Survey(answers=(told,), help="save it as UTF-8")
    made = outlined(words, markdown=True, words=TierWords(RANKS))
    if made.doubt is not None:
        doubt = Answer(about="doubt", words=made.doubt.message, confidence="unsure")
        return Survey(answers=(doubt,), help=made.doubt.help)
    if made.whole is None:
        none = Answer(about="rules", words="no line begins a numbered rule", confidence="likely")
        return Survey(answers=(none,), help="write each rule's number before its text, or say --heading REGEX")
    parts, outside = made.whole.parts, made.whole.outside
    first = words.split("\n")[parts[0].line - 1].strip()
    rules = (
        f"{counted(len(parts), 'rule')} ({ranges_of(one.number for one in parts)}), the first as {quoted(first, 40)}"
    )
    tiers = Counter(one.mark or one.heading for one in parts)
    said = ", ".join(f"{count} {tier}" for tier, count in tiers.items() if tier) or "none with the rules"
    lost = sum(len(one.lines) for one in outside)
    answers = (
        Answer(about="rules", words=rules, confidence="sure" if len(parts) > _FEWEST else "unsure"),
        Answer(about="tiers", words=f"said: {said}; by the rules: {len(made.statements)}", confidence="likely"),
        Answer(about="left out", words=counted(lost, "line"), confidence="sure"),
    )
    return Survey(answers=answers, command=f"nomicgen import text {quote(source)} --into GAME")
