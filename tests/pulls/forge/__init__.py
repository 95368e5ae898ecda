"""The workflows, run: their steps as shell, on real repositories, with a forge that is a file and a
`gh` for it.
"""
