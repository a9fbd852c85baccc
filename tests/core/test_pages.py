"""Pages with tables that code makes: what stands between two marks, and nothing else, is made anew."""

from __future__ import annotations

import pytest

from genesia_rl.core.pages import filled

PAGE = "before\n<!-- made by x.py: one -->\nold\n<!-- end of one -->\nafter\n"


def test_a_table_is_made_anew_and_the_rest_stays() -> None:
    assert filled(PAGE, {"one": lambda: "new\nlines"}, "x.py") == PAGE.replace("old", "new\nlines")


def test_what_is_made_already_stays_as_it_is() -> None:
    assert filled(PAGE, {"one": lambda: "old"}, "x.py") == PAGE


@pytest.mark.parametrize("page", ["", PAGE.replace("end of one", "end of two"), PAGE.replace("x.py", "y.py")])
def test_missing_marks_are_named(page: str) -> None:
    with pytest.raises(
        ValueError, match=r"'one' are missing: <!-- made by x.py: one --> and <!-- end of one -->"
    ):
        filled(page, {"one": lambda: "new"}, "x.py")
