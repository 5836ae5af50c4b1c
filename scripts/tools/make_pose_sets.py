#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make OUT.blend: the astronaut with one action a set of key poses (scripts/poses/sets.py), to make gaits of.

    scripts/make_pose_sets OUT.blend
    lope poses --blend OUT.blend --action swagger --frames 1,7 --out swagger.json
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import own_python

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="lope_poses_"))
try:
    import bpy

    from lope.addon.rigs.read.blend_file import save_copy
    from lope.addon.rigs.shots.open_rig import open_rig
    from poses.keyed import key_set
    from poses.sets import SETS
except ImportError as absent:
    own_python.start_again(absent)

FPS = 24


def main() -> int:
    """Key the sets and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT.blend")
    out = parser.parse_args().out
    armature = open_rig(None, None)
    bpy.context.scene.render.fps = FPS
    for name, poses in SETS.items():
        key_set(armature, name, poses)
        print(f"{name}: frames 1,{1 + poses.apart}")
    save_copy(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
