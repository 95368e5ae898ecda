"""The pictures of a site: functions of the site and a page, each from a module of its own; None with nothing to see.

A figure has a headline, an inline drawing that says in words what is to be seen, and the numbers as a table. Colours
are the stylesheet's; what a colour says, a dash, a pattern or a word beside it says too.
"""

from nomicgen.site.chart_citations import citations
from nomicgen.site.chart_growth import growth
from nomicgen.site.chart_proposals import proposals
from nomicgen.site.chart_scores import scores

__all__ = ["citations", "growth", "proposals", "scores"]
