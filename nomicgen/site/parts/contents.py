"""The contents of a long page: links to its headings, below its title."""

from __future__ import annotations

import re

from markupsafe import Markup

CONTENTS = "n-contents"
"""The id of the contents."""
# A heading of level 2, with its own id or, on the page of the whole ruleset, that of its section.
_HEADING = r'<h2 id="([^"]+)">(.*?)</h2>|<section class="n-rule" id="([^"]+)">\s*<h2>(.*?)</h2>'
_INLINE = r"</?(?:a|span)\b[^>]*>"
_FEWEST, _SHORT, _LONG = 3, 8_000, 8
"""A page with at least so many headings and characters has contents. If it has more headings than
`_LONG`, the contents are folded.
"""


def with_contents(html: str) -> str:
    """Return the HTML of a page, with its contents below the title if it is long."""
    headings = [
        (match[1] or match[3], re.sub(_INLINE, "", match[2] or match[4]).strip())
        for match in re.finditer(_HEADING, html)
    ]
    if len(headings) < _FEWEST or len(html) < _SHORT:
        return html
    form = Markup('<li><a href="#{}">{}</a></li>')
    items = Markup("").join(form.format(ident, Markup(text)) for ident, text in headings)
    listed = Markup("<ul>{}</ul>").format(items)
    if len(headings) > _LONG:
        listed = Markup("<details><summary>Contents</summary>{}</details>").format(listed)
    nav = (
        f'<nav class="n-contents" id="{CONTENTS}" aria-label="Contents of this page" tabindex="-1">'
    )
    return html.replace("</header>", f"</header>{nav}{listed}</nav>", 1)
