"""Functions that only compiled code calls, compiled as what they are: parts of the entries.

numba prepares every compiled function to be called from Python: it optimises it together with all that it calls,
makes machine code of that, and wraps it twice. An entry over three hundred kernels would so be optimised and translated
at every level of its calls, and none of it is ever run but the entry's own copy. Here an internal function is only
typed and lowered; the entry that calls it links all of them into one module, which is optimised and translated once.
That takes half of the time, and what comes of it is at least as fast.

Python may call an internal function all the same, tests do: then it is compiled as numba does it, for itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher


class NoEnvironments:
    """Instead of the machine's code: what Python hands to a function it calls, nobody hands to one of these."""

    def set_env(self, name: str, env: Any) -> None:
        """Nothing to set: the global of that name is the entry's, which has a copy of the function."""


class InternalLibrary(JITCodeLibrary):
    """The code of one function and of what it calls, as it was lowered: to be linked, not to be run."""

    @property
    def codegen(self) -> Any:
        """For whoever would prepare a call from Python (`CPUContext.get_executable`)."""
        return NoEnvironments()

    def get_pointer_to_function(self, name: str) -> int:
        """There is no machine code."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        """The entry's is optimised, with all that is linked into it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


def holds_arrays(kind: Any) -> bool:
    """Is a value of this type an array, or a tuple of some?"""
    if isinstance(kind, types.BaseTuple):
        members: Any = kind
        return any(holds_arrays(member) for member in members)
    return isinstance(kind, types.Array)


class InternalCompiler(Compiler):
    """numba's own way from a function to code, into an `InternalLibrary` and without wrappers."""

    def compile_extra(self, func: Any) -> Any:
        """Compile for one set of types."""
        state = self.state
        state.library = InternalLibrary(state.targetctx.codegen(), func.__qualname__)
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        made = super().compile_extra(func)
        if state.flags.nrt and holds_arrays(made.signature.return_type):
            raise NumbaError(
                f"{func.__qualname__} returns an array that nobody would ever let go: write into one it is handed"
            )
        return made


class InternalFunction(CPUDispatcher):
    """What `internal` makes: compiled code calls the parts, Python a function compiled for it."""

    _called: Callable[..., Any] | None = None

    def __call__(self, *given: Any, **named: Any) -> Any:
        if self._called is None:
            options = {name: value for name, value in self.targetoptions.items() if name != "nopython"}
            self._called = njit(**options)(self.py_func)
        return self._called(*given, **named)


def internal(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function that other compiled code calls; `options` are those of `numba.njit`."""
    made = njit(pipeline_class=InternalCompiler, **options)(function)
    made.__class__ = InternalFunction
    return made
