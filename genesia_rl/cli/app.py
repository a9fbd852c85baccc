"""The program: runs a command, and turns whatever goes wrong into one line and an exit code.

0  done          1  differences were found
2  the user's mistake: `genesia: error: ...`, which names the thing, its value, what is allowed
130  interrupted
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from genesia_rl.core.errors import GenesiaError

MISTAKE, INTERRUPTED = 2, 130
EXTRA = ("typer", "rich", "click")


def main() -> None:
    """The console script."""
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # while the program is still being loaded
        print("genesia: interrupted", file=sys.stderr)
        code = INTERRUPTED
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    try:
        from genesia_rl.cli.commands import USAGE_ERROR, Abort, program
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        return _complain(f'the command line needs {error.name}: pip install "genesia-rl[cli]"')
    try:
        code = program(arguments)
    except USAGE_ERROR as error:
        return _complain(error.format_message())
    except (GenesiaError, UnicodeError) as error:
        return _complain(str(error))
    except BrokenPipeError:
        return _unread()
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename}: "
        return _complain(f"{name}{error.strerror or error}")
    except (Abort, KeyboardInterrupt):
        code = INTERRUPTED
    if code == INTERRUPTED:  # some versions of typer return it, others raise
        print("genesia: interrupted", file=sys.stderr)
    return code if isinstance(code, int) else 0


def _unread() -> int:
    """The reader of our output has left; nothing may be written to it when Python closes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _complain(message: str) -> int:
    print(f"genesia: error: {' '.join(message.split())}", file=sys.stderr)
    return MISTAKE
