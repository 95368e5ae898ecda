"""Text with styles for a terminal: all of rich that commands print with, which takes long to import."""

from __future__ import annotations

from collections.abc import Iterable

_CODES = {"bold": 1, "dim": 2, "underline": 4, "strike": 9, "red": 31, "green": 32, "yellow": 33, "cyan": 36}


class Text:
    """Pieces of text, each with a style: names such as `bold red`, or nothing. No text in it is read as markup."""

    def __init__(self, text: str = "", style: str = "") -> None:
        self.pieces = [(text, style)] if text else []

    @classmethod
    def assemble(cls, *pieces: str | tuple[str, str]) -> Text:
        """One text of plain pieces and of pieces with a style."""
        text = cls()
        for piece in pieces:
            text.append(*((piece, "") if isinstance(piece, str) else piece))
        return text

    def append(self, text: str, style: str = "") -> Text:
        """Adds a piece at the end, and returns the text itself."""
        if text:
            self.pieces.append((text, style))
        return self

    def lines(self) -> list[Text]:
        """Its lines, without the line feeds."""
        lines = [Text()]
        for text, style in self.pieces:
            first, *others = text.split("\n")
            lines[-1].append(first, style)
            lines += (Text(line, style) for line in others)
        return lines

    @classmethod
    def joined(cls, lines: Iterable[Text]) -> Text:
        """Lines as one text."""
        text = cls()
        for number, line in enumerate(lines):
            text.append("\n" if number else "")
            text.pieces += line.pieces
        return text

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self.pieces)

    @property
    def ansi(self) -> str:
        """The text with the codes that a terminal takes for its styles."""
        return "".join(
            f"\x1b[{';'.join(str(_CODES[name]) for name in style.split())}m{text}\x1b[0m" if style else text
            for text, style in self.pieces
        )
