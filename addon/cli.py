# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: `lope VERB …`. Verbs stand in `addon/commands`.

Standard output carries the result and nothing else, with --json one JSON object; all other words go to standard error, also
those that engines and Blender print by themselves.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import importlib
import json
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import NoReturn

from . import VERSION
from .commands import VERBS
from .commands.outcome import BAD_INPUT, FAULT, STOPPED, Outcome
from .errors import InputError, LopeError

CODES = """exit codes:
  0 done, 1 the character fell (simulate), 2 bad input, 3 a fault in Lope itself"""


class _Parser(argparse.ArgumentParser):
    """Argparse with Lope's errors, no guessing of abbreviated options, and epilogs as they are written."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **kwargs)

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (`{self.prog} --help` lists what can be given)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Returns 0 done, 1 the character fell, 2 bad input, 3 a fault in Lope, 130 stopped by the user."""
    use_one_thread()
    try:
        args = make_parser().parse_args(argv)
        with output_to_stderr():
            outcome: Outcome = _module(args.verb).run(args)
        text = json.dumps(outcome.report, indent=2, allow_nan=False) if args.json else outcome.text
        print(text, flush=True)
        return outcome.code
    except SystemExit as leaving:  # --help and --version
        return int(leaving.code or 0)
    except LopeError as error:
        print(f"lope: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("lope: stopped.", file=sys.stderr)
        return STOPPED
    except Exception:
        traceback.print_exc()
        print("lope: this is a fault in Lope, not in what you asked; please report it with these lines.", file=sys.stderr)
        return FAULT


def use_one_thread() -> None:
    """Keep the linear algebra under numpy and scipy to one thread, unless the user's environment says otherwise.

    The matrices of one body are small: several threads make a simulation seven times slower, waiting for one another. The
    libraries read these names once, when they are loaded, so this has to run before the first import of numpy.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = _Parser(prog="lope", description="Physically simulated walking under any planet's gravity.", epilog=CODES)
    parser.add_argument("--version", action="version", version=f"Lope {VERSION}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name in VERBS:
        module = _module(name)
        verb = verbs.add_parser(name, help=module.SUMMARY, description=module.SUMMARY, epilog=f"{module.EXAMPLE}\n\n{CODES}")
        module.add_arguments(verb)
        verb.add_argument("--json", action="store_true", help="print one JSON object on standard output")
    return parser


@contextlib.contextmanager
def output_to_stderr() -> Iterator[None]:
    """Send to standard error what Python and compiled libraries write to standard output meanwhile."""
    sys.stdout.flush()
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # a Blender without a console has no descriptors to turn round
            kept = os.dup(1)
            stack.callback(os.close, kept)
            os.dup2(2, 1)
            stack.callback(os.dup2, kept, 1)
            stack.callback(_flush_c_output)
        stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        yield


def _flush_c_output() -> None:
    """Empty the C library's own buffers: what a compiled library printed must not come out later, on standard output."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("ucrtbase" if os.name == "nt" else None).fflush(None)


def _module(verb: str) -> ModuleType:
    """The module of a verb."""
    return importlib.import_module(f".commands.{verb}", __package__)
