"""The site: a game with its history goes in, and the files of a site come out.

Begin with `build.py`. It makes every file, and names the function that makes it. `site_view.py` is
what all of them read: the game with its history, and what is looked up often. `addresses.py` says
where each page stands. `render.py` fills the templates in `templates/`. `pages/` has a file for
each kind of page: the first page is `pages/home_page.py`. `parts/` has what pages are put together
from, `charts/` the pictures, `texts/` players' words as HTML. `data/` has the files that programs
read: the JSON, the feed, the search. `publishing/` loads a game to publish. `mkdocs/` is the
plugin, and alone knows MkDocs. `citation_links.py` says where a cited revision stands.
`revision_spans.py` says which revisions have a page. `told_events.py` makes a line of what
happened. `assets/` has styles and scripts, `theme/` what we change in the theme.
"""
