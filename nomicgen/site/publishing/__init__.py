"""Around the site: what reads the disk, git and the environment. It does not know MkDocs.

Begin with `publication.py`: a game goes in, and its history comes out as it is published.
`build_day.py` loads the game as of the day that SOURCE_DATE_EPOCH names, else of today.
`markdown_folder.py` makes a folder of Markdown of it, for `nomicgen plumbing pages`;
`repository/site_folder.py` compares it with what is there, and removes what an earlier run wrote.
"""
