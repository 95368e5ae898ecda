"""The pictures of a site: functions of the site and a page, each from a module of its own; None with nothing to see.

A figure has a headline, an inline drawing that says in words what is to be seen, and the numbers as a table. Colours
are the stylesheet's; what a colour says, a dash, a pattern or a word beside it says too.
"""

from nomicgen.site.charts.citations import citations
from nomicgen.site.charts.growth import growth
from nomicgen.site.charts.proposals import proposals
from nomicgen.site.charts.scores import scores

__all__ = ["citations", "growth", "proposals", "scores"]
