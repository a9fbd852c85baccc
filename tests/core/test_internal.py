"""Internal functions are parts of entries, and Python can call them all the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.errors import NumbaError

from genesia_rl.core import compile
from genesia_rl.core.compile import OPTIONS, OWNING, kernel, merged, owning, summing

pytestmark = pytest.mark.skipif(compile.PLAIN, reason="plain Python is not compiled")


@kernel
def half(number: Any) -> Any:
    """A leaf."""
    return number // 2


@kernel
def steps(number: Any) -> Any:
    """One that calls itself and another."""
    return 0 if number == 0 else 1 + steps(half(number))


@merged
def first(numbers: Any) -> Any:
    """One that is merged into its caller."""
    return numbers[0]


@summing
def total(numbers: Any) -> Any:
    """A sum whose order is free."""
    found = 0.0
    for k in range(numbers.shape[0]):
        found += numbers[k]
    return found


@kernel
def refuse(number: Any) -> Any:
    """One that raises."""
    if number < 0:
        raise ValueError("a negative number")
    return number


def outer(number: Any, numbers: Any) -> Any:
    """What Python calls."""
    return steps(refuse(number)), first(numbers), total(numbers)


def entry() -> Any:
    """`outer`, compiled without a cache."""
    return njit(**OPTIONS)(outer)


def test_an_entry_calls_its_parts() -> None:
    assert entry()(9, np.array([1.5, 2.0])) == (4, 1.5, 3.5)


def test_parts_have_no_machine_code_of_their_own() -> None:
    entry()(9, np.array([1.5, 2.0]))
    parts: list[Any] = [half, steps, first, total, refuse]
    for found in [found for part in parts for found in part.overloads.values()]:
        for name in (found.fndesc.mangled_name, found.fndesc.llvm_cpython_wrapper_name):
            assert found.library.get_pointer_to_function(name) == 0
    assert all(part.overloads for part in parts)


def test_an_exception_of_a_part_reaches_python() -> None:
    with pytest.raises(ValueError, match="a negative number"):
        entry()(-1, np.array([1.5]))


@pytest.mark.parametrize("before", (True, False), ids=("after an entry", "alone"))
def test_python_may_call_a_part(before: bool) -> None:
    if before:
        entry()(9, np.array([1.5, 2.0]))
    assert (steps(9), half(number=9), first(np.array([7])), total(np.ones(3))) == (4, 4, 7, 3.0)
    with pytest.raises(ValueError, match="a negative number"):
        refuse(-1)


# ---------------------------------------------------------------- who counts arrays


@owning
def middle(numbers: Any) -> Any:
    """One that makes an array for itself."""
    held = np.zeros(numbers.shape[0])
    for k in range(numbers.shape[0]):
        held[k] = numbers[k]
    held.sort()
    return held[held.shape[0] // 2]


@owning
def doubled(numbers: Any) -> Any:
    """One that would hand over what it made."""
    return 2 * numbers


@kernel
def zeros(number: Any) -> Any:
    """One that makes an array and does not say so."""
    return np.zeros(number)[0]


def test_a_part_that_says_so_makes_arrays() -> None:
    found = njit(**OPTIONS)(lambda numbers: middle(numbers))
    assert [found(np.array([3.0, 1.0, 2.0])) for _ in range(3)] == [2.0] * 3


def test_arrays_that_nobody_says_are_made_are_refused() -> None:
    with pytest.raises(
        NumbaError, match=r"NRT required but not enabled|Only accept returning of array passed"
    ):
        njit(**OPTIONS)(lambda number: zeros(number))(3)


@pytest.mark.parametrize("options", (OPTIONS, OWNING), ids=("borrowing", "owning"))
def test_an_array_that_nobody_would_let_go_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(NumbaError, match="doubled returns an array that nobody would ever let go"):
        njit(**options)(lambda numbers: doubled(numbers)[0])(np.ones(3))
