"""Around the site: what reads the disk, git and the environment. It does not know MkDocs.

Begin with `publication.py`: a game goes in, and comes out with its history, for `site/build.py`.
`build_day.py` loads the game as of the day that SOURCE_DATE_EPOCH names, or else of today.
`markdown_folder.py` makes a folder of Markdown, for `nomicgen plumbing pages`;
`repository/site_folder.py` compares it with what is there, and removes what an earlier run wrote.
"""
