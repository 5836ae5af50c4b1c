# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: `lope VERB …`. Verbs stand in `addon/commands`; docs/command-line.md tells what may be relied on. Standard
output carries the result and nothing else, with --json one JSON object on one line (of a live stream, one for each frame before
it); all other words go to standard error, also those that engines and Blender print by themselves."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import errno
import gc
import importlib
import json
import os
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, NoReturn

from . import VERSION
from .children.protocol import flush_c_output, leave, use_one_thread
from .commands import VERBS
from .commands.outcome import BAD_INPUT, DONE, FAULT, STOPPED, Outcome, Outcomes
from .errors import InputError, LopeError, shown, unknown_name

PROGRAM = "lope"
REFUSED = (errno.ENAMETOOLONG, errno.ELOOP, errno.EACCES, errno.EPERM)
"""Why a system does not even tell whether there is a file at a path."""
LONGEST = 2000
"""Letters of an error that are shown."""
CODES = """exit codes:
  0 done, 1 the character fell, 2 bad input, 3 a fault in Lope itself, 4 the physics engine lost the simulation,
  130 stopped by the user"""
HELP = f"""examples:
  {PROGRAM} simulate --gait walk --world moon --seconds 10 --out moon.npz
  {PROGRAM} bake --blend scene.blend --armature Rig --take moon.npz --out walked.blend
  {PROGRAM} render --blend walked.blend --out walk.mp4

`{PROGRAM} VERB --help` lists what a verb takes, `{PROGRAM} presets` the names of gaits, worlds and suits,
`{PROGRAM} doctor` what this machine lacks. In Blender: blender --background --command {PROGRAM} VERB ...

{CODES}"""


class _Parser(argparse.ArgumentParser):
    """Argparse with Lope's errors, no guessing of abbreviated options, and epilogs as they are written."""

    verbs: argparse._SubParsersAction

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **kwargs)

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (`{self.prog} --help` lists what can be given)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Returns its exit code, one of those of `commands/outcome.py`; without `argv` it is the process's own words,
    and that ends."""
    use_one_thread()
    if argv is not None:
        return _run(argv)
    gc.set_threshold(20_000)  # what is loaded stays: looking for rubbish among it every 700 objects takes 40 ms of a start
    return leave(_run(sys.argv[1:]))


def _run(words: Sequence[str]) -> int:
    """Run one verb; gives its exit code."""
    try:
        if not words:
            print(_overview().format_help(), file=sys.stderr)
            return BAD_INPUT
        args = parse(words)
        code = DONE
        for outcome in _outcomes(args):
            _show(json.dumps(outcome.report, allow_nan=False) if args.json else outcome.text)
            code = outcome.code
        return code
    except SystemExit as leaving:  # --help and --version
        return int(leaving.code or 0)
    except LopeError as error:
        words = str(error)  # which may hold a whole word of the command line, however long that is
        print(f"lope: {words if len(words) <= LONGEST else words[:LONGEST] + '...'}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("lope: stopped.", file=sys.stderr)
        return STOPPED
    except Exception as error:
        if _lacks_package(error):
            print(f"lope: This Python cannot load a package that Lope needs ({error}); `lope doctor` says what is missing.",
                  file=sys.stderr)
            return BAD_INPUT
        if isinstance(error, OSError) and error.errno in REFUSED and error.filename is not None:
            print(f"lope: The system refuses the path {shown(error.filename)}: {error.strerror}.", file=sys.stderr)
            return BAD_INPUT
        traceback.print_exc()
        print("lope: this is a fault in Lope, not in what you asked; please report it with these lines.", file=sys.stderr)
        return FAULT


def _outcomes(args: argparse.Namespace) -> Iterator[Outcome]:
    """What the verb gives, one or one after the other."""
    with output_to_stderr():
        given: Outcomes = _module(args.verb).run(args)
    if isinstance(given, Outcome):
        yield given
        return
    while True:
        with output_to_stderr():
            outcome = next(given, None)
        if outcome is None:
            return
        yield outcome


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The options of `words`, a verb and what belongs to it; only that verb's module is loaded. Raises InputError, with the
    nearest name, for a verb or an option that there is not."""
    verb, *rest = words
    if verb == "help":
        verb, *rest = [*rest[:1], "--help"]
    if verb in ("-h", "--help", "--version"):
        return _overview().parse_args([verb])
    if verb.startswith("-"):
        return make_parser().parse_args([verb, *rest])
    if verb not in VERBS:
        raise unknown_name("verb", verb, VERBS)
    parser = _with_options(_Parser(prog=f"{PROGRAM} {verb}", description=VERBS[verb]), verb)
    nothing = next((word for word in rest if word.startswith("--") and word.endswith("=--")), None)
    if nothing is not None:  # argparse would make an empty list of it
        parser.error(f"{nothing} gives no value")
    args, unknown = parser.parse_known_args(rest, argparse.Namespace(verb=verb))
    if unknown:
        known = sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", parser.format_help())))
        asked = unknown[0].partition("=")[0]
        near = difflib.get_close_matches(asked, known, n=1)
        why = getattr(_module(verb), "INSTEAD", {}).get(asked)
        hint = f" {why}" if why else f" Did you mean {near[0]}?" if near else ""
        parser.error(f"`{PROGRAM} {verb}` does not know {' '.join(unknown)}.{hint}")
    return args


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line, with every verb and its options."""
    parser = _overview()
    for name, verb in parser.verbs.choices.items():
        _with_options(verb, name)
    return parser


def _overview() -> _Parser:
    """The parser with every verb's name and summary: none is loaded."""
    parser = _Parser(prog=PROGRAM, description="Physically simulated walking under any planet's gravity.", epilog=HELP)
    parser.add_argument("--version", action="version", version=f"Lope {VERSION}")
    parser.verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB", title="verbs")
    for name, summary in VERBS.items():
        parser.verbs.add_parser(name, help=summary, description=summary)
    return parser


def _with_options(parser: argparse.ArgumentParser, verb: str) -> argparse.ArgumentParser:
    """The parser with the verb's examples and own options, and with --json, which all have."""
    module = _module(verb)
    parser.epilog = f"{module.EXAMPLE}\n\n{CODES}"
    module.add_arguments(parser)
    parser.add_argument("--json", action="store_true",
                        help="print the result as one JSON object on one line, and progress as JSON lines on standard error")
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
            stack.callback(flush_c_output)
        stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        yield


def _show(text: str) -> None:
    """Print the result; whoever reads it may stop reading at any line (`lope presets | head`)."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)  # Python flushes standard output once more when it ends
        os.close(nowhere)


def _lacks_package(error: Exception) -> bool:
    """Whether an error is an absent or broken package of somebody else's."""
    own = __package__.partition(".")[0]
    return isinstance(error, ImportError) and (error.name or "").partition(".")[0] not in ("", own)


def _module(verb: str) -> ModuleType:
    """The module of a verb."""
    return importlib.import_module(f".commands.{verb}", __package__)
