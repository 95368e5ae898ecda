"""What a foreign archive looks like before it is imported: each answer with how sure it is, and the command to run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from posixpath import splitext
from shlex import quote
from typing import Literal

from msgspec import Struct

from nomicgen.model.findings import counted
from nomicgen.files.file_findings import quoted
from nomicgen.importers.git.credit import archivist_of
from nomicgen.importers.git_outline import guessed
from nomicgen.importers.commit_log import Past
from nomicgen.importers.git.subjects import Subjects
from nomicgen.importers.git_texts import FileText, Passage, number_of_file
from nomicgen.importers.outline_doubts import Doubt
from nomicgen.importers.text_import import import_text
from nomicgen.importers.text_lines import ranges_of
from nomicgen.patterns import lazy_pattern

Confidence = Literal["sure", "likely", "unsure"]

_TEXTS = ("md", "markdown", "mdown", "txt", "text", "rst", "")
_PICTURES = ("png", "jpg", "jpeg", "gif", "svg", "webp", "bmp")
_LINKED = lazy_pattern(r"!\[[^\]]*\]\((?P<path>[^)\s]+)|<img\b[^>]*\bsrc=[\"']?(?P<source>[^\"'\s>]+)", re.IGNORECASE)
_PULLED = lazy_pattern(r"Merge (?:pull|merge) request|Merged PR", re.IGNORECASE)
_SQUASHED = lazy_pattern(r".*\((?:#|!)[0-9]+\)$")
_FEWEST = 3
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
_MANY = 6
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
    patterns = Counter(_pattern(path) for path in paths if number_of_file(path) is not None and is_text(path))
    rule_places = [
        RulePlace(pattern=pattern, rules=count, named=True) for pattern, count in patterns.items() if count >= _FEWEST
    ]
    for path, data in texts.items():
        if number_of_file(path) is None and _NEVER.fullmatch(path) is None:
            guess = guessed(data)
            if guess.rules >= _FEWEST or (guess.rules and guess.doubt is not None):
                rule_places.append(RulePlace(pattern=path, rules=guess.rules, named=False, doubt=guess.doubt))
    return sorted(rule_places, key=_rank)


def _pattern(path: str) -> str:
    """A pattern for the files of a folder whose names are alike up to the number: `rules/r*.md` for `rules/r101.md`."""
    folder, slash, name = path.rpartition("/")
    start = re.split("[0-9]", name, maxsplit=1)[0]
    return f"{folder}{slash}{start}*{splitext(name)[1]}"


def _rank(place: RulePlace) -> tuple[bool, bool, bool, int, bool, str]:
    is_hidden = any(part.startswith(".") for part in place.pattern.split("/"))
    return place.is_slight, place.doubt is not None, is_hidden, -place.rules, not place.named, place.pattern


def _suffix(path: str) -> str:
    return splitext(path)[1].removeprefix(".").casefold()


def survey_of_past(source: str, past: Past, rule_places: Sequence[RulePlace], paths: Collection[str]) -> Survey:
    """What a repository shows whose rules stand in the first place that was found, and `past` is that of its files."""
    if not rule_places:
        words = "no file of the newest commit has numbered rules"
        help = "say where they stood: --path GLOB; a text without numbers cannot be a game"
        unread = next((path for path in sorted(paths) if _UNREAD.fullmatch(path)), None)
        if unread is not None:
            words += f"; {quoted(unread)} may have some, in a format that is not read"
            help = "write its text as Markdown or as plain text, one rule below the other, and import that"
        return Survey(answers=(Answer(about="rules", words=words, confidence="likely"),), help=help)
    place, *others = rule_places
    newest = _newest(past)
    passages = [passage for text in newest.values() for passage in text.passages]
    answers = [
        _of_rules(place, passages, past, others),
        _of_others(others),
        _of_tiers(passages),
        _of_history(past),
        *_of_commits(past),
        _of_pictures(passages, paths),
        _of_rest(newest),
    ]
    doubt = place.doubt or (past.doubt.doubt if past.doubt is not None else None) or _none_stands_out(rule_places)
    if doubt is not None:
        answers.insert(1, Answer(about="doubt", words=doubt.message, confidence="unsure"))
    command = f"nomicgen import git {quote(source)} --path {quote(place.pattern)} --into GAME"
    return Survey(
        answers=tuple(answer for answer in answers if answer is not None),
        command=command if doubt is None else None,
        patterns=(place.pattern,),
        help=doubt.help if doubt is not None else "",
    )


def _newest(past: Past) -> dict[str, FileText]:
    texts = {path: past.texts.get((oid, number_of_file(path))) for path, oid in past.newest.items()}
    return {path: text for path, text in sorted(texts.items()) if text is not None}


def _sure(share: float) -> Confidence:
    return "sure" if share >= _SURE else "likely" if share >= _LIKELY else "unsure"


def _of_rules(place: RulePlace, passages: Sequence[Passage], past: Past, others: Sequence[RulePlace]) -> Answer:
    numbers = ranges_of(passage.number for passage in passages)
    kept = "a file each" if place.named else "in one file"
    shape = past.form.shape
    form = "" if shape is None or shape.key is None else f", and begin as {shape.in_words}"
    words = f"{counted(len(passages), 'rule')}, {kept}: {place.pattern} ({numbers}){form}"
    has_rival = any(other.rules >= _RIVAL * place.rules > 0 and other.doubt is None for other in others)
    return Answer(about="rules", words=words, confidence="unsure" if has_rival or not passages else "sure")


def _none_stands_out(rule_places: Sequence[RulePlace]) -> Doubt | None:
    """Why the likeliest of many files is not believed: each has numbers, and none has most of them."""
    files = [place for place in rule_places if place.doubt is None]
    if rule_places[0].is_slight:
        first = rule_places[0]
        message = f"{first.pattern} has {counted(first.rules, 'line')} with numbers, and nothing calls them rules"
        help = f"if they are, `--path {quote(first.pattern)}` takes them; a text without numbers cannot be a game"
        return Doubt(line=1, message=message, help=help)
    if files[0].named or len(files) < _MANY or 2 * files[0].rules > sum(place.rules for place in files):
        return None
    message = f"{len(files)} files have lines or headings with numbers, and none of them has most"
    options = ", or ".join(f"`--path {quote(place.pattern)}`" for place in files[:_SHOWN])
    return Doubt(line=1, message=message, help=f"say which are the rules: {options}")


def _of_others(others: Sequence[RulePlace]) -> Answer | None:
    if not others:
        return None
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    words = ", ".join(f"{place.pattern} ({counted(place.rules, 'rule')})" for place in others[:_SHOWN])
    return Answer(about="elsewhere", words=f"{words}{more}; --path takes them in place of it", confidence="likely")


def _of_tiers(passages: Sequence[Passage]) -> Answer:
    tiers = Counter(passage.tier for passage in passages if passage.tier is not None)
    if not tiers:
        words = "said nowhere: --tiers immutable=101-199,mutable=200- says which numbers are of which"
        return Answer(about="tiers", words=words, confidence="unsure")
    words = ", ".join(f"{count} {tier}" for tier, count in sorted(tiers.items()))
    rest = len(passages) - tiers.total()
    more = f"; {rest} say none, and are of the least entrenched" if rest else ""
    return Answer(about="tiers", words=f"said with the rules: {words}{more}", confidence="likely" if rest else "sure")


def _of_history(past: Past) -> Answer:
    """In how many of the commits rules can be read."""
    touched = [commit for commit in past.line if commit.touched]
    good = 0
    for commit in touched:
        texts = [past.texts.get((file.after, number_of_file(file.path))) for file in commit.touched if file.after]
        good += any(text is not None and text.passages for text in texts) or not texts
    days = [str(commit.day) for commit in (touched[0], touched[-1]) if commit.day] if touched else []
    words = f"{counted(len(touched), 'commit')} changed them ({' to '.join(dict.fromkeys(days))}); "
    words += f"{good} of them have rules that can be read"
    return Answer(about="history", words=words, confidence=_sure(good / max(len(touched), 1)))


def _of_commits(past: Past) -> Iterator[Answer]:
    touched = [commit for commit in past.line if commit.touched]
    names = Counter(commit.author for commit in touched).most_common(_SHOWN)
    authors = ", ".join(f"{name} {count}" for name, count in names)
    archivist = archivist_of(past)
    if archivist is None:
        yield Answer(about="authors", words=f"who committed is the author: {authors}", confidence="likely")
    else:
        words = f"{archivist.name} committed {archivist.share:.0%} of what no merge brought, and is the author only"
        words += f" where a subject, a trailer or a pull request says so: {authors}"
        yield Answer(about="authors", words=words, confidence=_sure(archivist.share))
    pulls = sum(_PULLED.match(commit.subject) is not None for commit in touched)
    squashed = sum(_SQUASHED.match(commit.subject) is not None for commit in touched)
    merges = sum(len(commit.parents) > 1 for commit in touched) - pulls
    if pulls or squashed or merges > 0:
        words = f"{pulls} merged, {squashed} as one commit each, {max(merges, 0)} other merges; a merge's day counts"
        yield Answer(about="pulls", words=words, confidence="sure")
    subjects = Subjects()
    classed = sum(subjects.of(commit.subject).kind is not None for commit in touched)
    words = f"{classed} of {len(touched)} name a proposal, a judgement or an act; the others become corrections, unless"
    words += " --subject says how to read them"
    yield Answer(about="subjects", words=words, confidence=_sure(classed / max(len(touched), 1)))


def _of_pictures(passages: Sequence[Passage], paths: Collection[str]) -> Answer | None:
    shown = {match[1] or match[2] for passage in passages for match in _LINKED.finditer(passage.text or "")}
    pictures = [path for path in paths if _suffix(path) in _PICTURES]
    if not shown and not pictures:
        return None
    words = f"{counted(len(pictures), 'file')} in the repository, {len(shown)} shown by rules"
    return Answer(about="pictures", words=f"{words}; those are brought along, but for svg", confidence="sure")


def _of_rest(newest: Mapping[str, FileText]) -> Answer:
    slips = [(path, slip) for path, text in newest.items() for slip in text.slips if "left out" in slip.made]
    if not slips:
        return Answer(about="left out", words="nothing of these files", confidence="sure")
    lines = ", ".join(f"{path}:{slip.line}" for path, slip in slips[:_SHOWN])
    return Answer(about="left out", words=f"{counted(len(slips), 'passage')}: {lines}", confidence="likely")


def survey_of_text(source: str, filename: str, data: bytes) -> Survey:
    """What a text shows: what its import would say."""
    imported = import_text(data, filename)
    messages = {finding.slug: finding.message for finding in reversed(imported.findings)}
    if not imported.files:
        refusal = imported.findings[0]
        return Survey(answers=(Answer(about="doubt", words=refusal.message, confidence="unsure"),), help=refusal.help)
    numbers = imported.numbers
    tiers = messages.get("import-tier", "said with the rules, or by them")
    answers = (
        Answer(
            about="rules",
            words=f"{counted(len(numbers), 'rule')} ({ranges_of(numbers)})",
            confidence="sure" if len(numbers) > _FEWEST else "unsure",
        ),
        Answer(about="tiers", words=tiers, confidence="unsure" if "import-tier" in messages else "sure"),
        Answer(about="left out", words=messages.get("import-outside", "nothing"), confidence="sure"),
    )
    return Survey(answers=answers, command=f"nomicgen import text {quote(source)} --into GAME")
