# SPDX-License-Identifier: GPL-3.0-or-later
"""The verbs of the command line, one a module: each has `EXAMPLE`, `add_arguments(parser)` and `run(args) -> Outcome`."""

VERBS = {
    "simulate": "simulate a walk and measure it; exit code 1 if the character falls, 4 if the engine loses it",
    "follow": "simulate a body that follows a clip, an action or pressure under any gravity, and measure it; exit codes of "
              "simulate",
    "hit": "let balls and fists hit a clip or an action, and bake what that does to the action's frames around the hit",
    "drive": "simulate again what was driven in Blender, from its script or its take, byte for byte; exit codes as of simulate",
    "plan": "preview a walk or a followed clip: speed, stride frequency and footsteps, without simulating all of it",
    "tune": "tune a gait's foot paths for a world (CMA-ES), a controller to a clip, a creature's gait, or --gains of the "
            "controller",
    "measure": "measure a take: speed, strides, ground forces, slip and more, and judge its physics (docs/measures.md)",
    "report": "write a page with plots and tables on a matrix of takes beside what was published",
    "inspect": "look into a motion file: scale, contacts, strides, faults, whether it can be followed",
    "poses": "make a gait of two or more key poses of an action or a clip, and say what of them had to give so that it walks",
    "responses": "find the motion that answers a push, from a library of examples; index a folder of clips; make Lope's own "
                 "library",
    "bake": "write a take to an armature as a new action (needs Blender or the bpy module)",
    "render": "render a Blender file as pictures, film or contact sheet (needs Blender or the bpy module)",
    "export": "write a baked character for Unreal, Unity or Godot: FBX or glTF with root motion (needs Blender)",
    "batch": "work off a shot list: simulate, bake, render and report every shot that is not done yet (docs/shot-list.md)",
    "creature": "read any rig on two legs as a creature: write it as a file, show its parts and bones, or check whether it can "
                "walk",
    "pressure": "the pressure under the feet of a take, as a mat or insoles feel it; motions known by theirs, and read from it",
    "doctor": "check what Lope needs on this machine, or an armature in a Blender file; exit code 2 if something is broken",
    "presets": "list gaits, reflex walkers, moves, worlds, suits, muscles, conditions, creatures and their gaits, controllers "
               "and rigs, show one, or check a file",
}
"""What each verb does, in one line of its help: known without loading it."""

IN_BLENDER = ("doctor", "bake", "render", "export", "hit", "creature")
"""Verbs that run inside Blender where there is one; the others run in a Python without it (`operators/command_line.py`)."""
