"""Moments that are not known to the day."""

from __future__ import annotations

import pytest

from nomicgen.model.values import Moment


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2019-03", "2019-03-01"),
        ("about 2001", "2001-01-01"),
        ("around 1994-08-13", "1994-08-13"),
        ("after 1998-02", "1998-02-01"),
        ("between 1994-08-03 and 1995", "1994-08-03"),
    ],
)
def test_dates_that_are_not_known_to_the_day(text: str, day: str) -> None:
    moment = Moment.told(text)
    assert (str(moment), moment.exact) == (text, day)
    assert moment == Moment.parse(day)
    with pytest.raises(ValueError, match="should be a date such as"):
        Moment.parse(text)


@pytest.mark.parametrize(
    "text", ["2019", "about", "between 2001 and 2000", "about 2001-13", "around 2001-02-30", "before 2001"]
)
def test_dates_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"should be|calendar|ends before"):
        Moment.told(text)
