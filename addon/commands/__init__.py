# SPDX-License-Identifier: GPL-3.0-or-later
"""The verbs of the command line, one a module: each has `SUMMARY`, `add_arguments(parser)` and `run(args) -> Outcome`."""

VERBS = ("simulate", "follow", "hit", "drive", "plan", "tune", "measure", "report", "inspect", "poses", "responses", "bake",
         "render", "batch", "creature", "pressure", "doctor", "presets")

IN_BLENDER = ("doctor", "bake", "render", "hit", "creature")
"""Verbs that run inside Blender where there is one; the others run in a Python without it (`operators/command_line.py`)."""
