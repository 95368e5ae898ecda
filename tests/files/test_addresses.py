"""Addresses that players wrote, and what is known by them."""

from __future__ import annotations

import pytest

from nomicgen.files.urls import pages_address


@pytest.mark.parametrize(
    ("repository", "address"),
    [
        ("https://github.com/us/lanterns", "https://us.github.io/lanterns/"),
        ("https://github.com/Us/Lanterns.git", "https://us.github.io/Lanterns/"),
        ("https://github.com/us/lanterns/", "https://us.github.io/lanterns/"),
        ("https://github.com/Us/us.github.io", "https://us.github.io/"),
        ("https://codeberg.org/us/pages", "https://us.codeberg.page/"),
        ("https://codeberg.org/us/tea", "https://us.codeberg.page/tea/"),
        ("https://github.com/us", None),
        ("https://github.com/us/tea/tree/main", None),
        ("https://forge.example/us/tea", None),
        ("git@github.com:us/tea.git", None),
        ("https://[github.com/us/tea", None),
        ("", None),
        (None, None),
    ],
)
def test_where_a_forge_publishes_the_site_of_a_repository(repository: str | None, address: str | None) -> None:
    assert pages_address(repository) == address
