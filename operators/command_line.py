# SPDX-License-Identifier: GPL-3.0-or-later
"""`blender --background --command lope VERB …`: Lope's command line inside Blender.

Verbs that work on Blender files run in Blender. For the others Blender's own Python, without Blender, takes the place of this
process: they then have their memory and their signals to themselves, may start processes, and nothing of Blender's mixes
with their output.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence

import bpy

from ..addon.children import child as launch
from ..addon.errors import LopeError
from ..addon.specs.settings import TUNED_FOLDER
from .context import tuning_folder

COMMAND = "lope"

_registered: list[object] = []


def register() -> None:
    """Make `--command lope` known to Blender."""
    _registered.append(bpy.utils.register_cli_command(COMMAND, run))


def unregister() -> None:
    """Take it away again."""
    bpy.utils.unregister_cli_command(_registered.pop())


def run(arguments: Sequence[str]) -> int:
    """Run one verb with its words; gives the exit code of Blender."""
    from ..addon.batch.station import STATION
    from ..addon.cli import main
    from ..addon.commands import IN_BLENDER, station_child
    from ..addon.commands.outcome import BAD_INPUT

    arguments = list(arguments)
    _prepare()
    stays = not arguments or arguments[0] in IN_BLENDER or arguments[0].startswith("-")
    if arguments == [STATION]:
        return station_child.main()
    if stays or "--help" in arguments:
        return main(arguments)
    try:
        command = launch.verb_command(_without_rig(arguments))
    except LopeError as error:
        print(f"lope: {error}", file=sys.stderr)
        return BAD_INPUT
    return _hand_over(command)


def _prepare() -> None:
    """The user's own tuned gaits, this Blender for those who need one, and a Ctrl-C that ends the process at once.

    Blender swallows what is raised while it renders, and its own way of stopping waits for a frame to end. No output suffers:
    files are written under another name first.
    """
    from ..addon.batch.station import BLENDER
    from ..addon.children.protocol import use_one_thread

    use_one_thread()
    os.environ.setdefault(TUNED_FOLDER, str(tuning_folder()))
    if bpy.app.binary_path:
        os.environ.setdefault(BLENDER, bpy.app.binary_path)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _without_rig(arguments: list[str]) -> list[str]:
    """The words, with the body itself where they ask for the proportions of an armature, its parts where they name bones, and
    with a clip where they ask for an action. Raises LopeError."""
    from ..addon.cli import output_to_stderr, parse
    from ..addon.options.body_options import body_from, figure_from
    from ..addon.options.motion_options import ACTION, clip_from
    from ..addon.options.world_options import HIT_OPTION, PUNCH_OPTION
    from .handed_words import OF_RIG, with_body, with_clip, with_segments

    names = {word.partition("=")[0] for word in arguments}
    if names.isdisjoint((*OF_RIG, ACTION)):
        return arguments
    args = parse(arguments)
    with output_to_stderr():
        if ACTION in names:
            arguments = with_clip(arguments, clip_from(args))
        if not names.isdisjoint(OF_RIG) and not names.isdisjoint((HIT_OPTION, PUNCH_OPTION)):
            arguments = with_segments(arguments, figure_from(args))
        return arguments if names.isdisjoint(OF_RIG) else with_body(arguments, body_from(args))


def _hand_over(command: list[str]) -> int:  # noqa: RET503  execv does not return
    """Put a program in this process' place. Windows knows no such thing: there it runs as a child."""
    from ..addon.cli import output_to_stderr

    with output_to_stderr():  # what Blender has said so far is no result
        sys.stderr.flush()
    if os.name == "nt":
        return subprocess.call(command)
    shutil.rmtree(bpy.app.tempdir, ignore_errors=True)  # Blender cannot tidy up any more
    os.execv(command[0], command)
