"""A preview as Markdown, for a comment in a pull request.

Whatever a player wrote stands in a code span, or in a fence that is longer than any in the text.
There a forge reads no markup and no HTML, notifies nobody (`@wren`) and links nothing (`#123`), and
no text can pass for a part of the comment.
"""

from __future__ import annotations

from nomicgen.formats.markdown_templates import markdown_templates
from nomicgen.formats.preview_templates import filled_template
from nomicgen.play.preview.proposal import Preview
from nomicgen.play.preview.sections import preview_sections


def preview_markdown(preview: Preview) -> str:
    """Return the whole preview, with one line feed at its end."""
    environment = markdown_templates()
    parts = [f"### {filled_template(environment, 'preview_title.md', preview=preview)}"]
    for heading, words in preview_sections(environment, preview):
        parts += [f"#### {heading}", words]
    return "\n\n".join(parts) + "\n"
