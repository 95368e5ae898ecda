"""The site: a game with its history goes in, and the files of a site come out.

Begin with `build.py`: it lists the functions that make the pages and the other files. They all read
a `Site` (`site_view.py`): the game with its history, and what is looked up often. `addresses.py`
has the path of each page. `render.py` fills the templates in `templates/`. `pages/` has a file for
each kind of page: the first page is made by `pages/home_page.py`. `parts/` has what pages share,
`charts/` the pictures, `texts/` players' words as HTML. `data/` has the files that programs read:
the JSON, the feed, the search. `workshop/` is about the page for proposals. `publishing/` loads a
game to publish. `mkdocs/` is the plugin, and alone knows MkDocs. `citation_links.py` makes the
address of a cited revision, `revision_spans.py` the pages of revisions, `told_events.py` the lines
of the history page. `assets/` has styles and scripts, `theme/` what we change in the theme.
"""
