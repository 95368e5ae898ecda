"""A preview, section by section, in the words of templates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nomicgen.formats.preview_templates import filled_template
from nomicgen.play.preview.proposal import Preview

if TYPE_CHECKING:
    from jinja2 import Environment

# Headings of sections, in their order, and their templates.
_SECTIONS = {
    "In short": "preview_in_short.md",
    "The rules": "preview_rules.md",
    "What it needs": "preview_needs.md",
    "Findings": "preview_findings.md",
    "What it would bring about": "preview_effects.md",
    "What the rules in force would say": "preview_law.md",
    "References": "preview_all_references.md",
    "Other proposals": "preview_others.md",
}


def preview_sections(environment: Environment, preview: Preview) -> Iterator[tuple[str, str]]:
    """Yield the heading and the words of each section that has something to say, in order."""
    for heading, name in _SECTIONS.items():
        if words := filled_template(environment, name, preview=preview, effects=preview.effects):
            yield heading, words
