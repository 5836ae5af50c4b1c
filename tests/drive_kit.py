# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of driving in Blender share: its timers turned by hand, waiting, and what a rig's bones hold."""

import time

from lope.operators import desk, driving

PATIENCE_S = 60.0


def turn():
    """What Blender's timers do."""
    if driving.going is not None:
        driving._step()
    desk.tick()


def until(arrived):
    end = time.monotonic() + PATIENCE_S
    while not arrived():
        assert time.monotonic() < end, "waited in vain"
        turn()
        time.sleep(0.005)


def channels(armature):
    return {bone.name: (tuple(bone.location), tuple(bone.rotation_quaternion), tuple(bone.rotation_euler), tuple(bone.scale))
            for bone in armature.pose.bones}
