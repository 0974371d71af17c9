"""Names of squares."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoviz.squares import Square


def test_column_comes_first_in_upper_case():
    assert Square(2, 6).name == "Gc"
    assert Square(26, 27).name == "ABaa"


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_every_name_reads_back(row, column):
    square = Square(row, column)
    assert Square.parse(square.name) == square == (row, column)


def test_a_space_in_a_name_does_no_harm():
    assert Square.parse("AB aa") == Square.parse("ABaa")


@pytest.mark.parametrize("name", ["", "c G", "g c", "G", "G1", "GcG"])
def test_anything_else_is_refused(name):
    with pytest.raises(ValueError, match="expected a square such as 'Gc'"):
        Square.parse(name)
