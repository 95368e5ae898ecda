"""Mutation testing: `make mutants` changes the code of law/ and files/ in small ways, and the tests
should see each.
"""
