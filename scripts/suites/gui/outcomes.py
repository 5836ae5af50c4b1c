# SPDX-License-Identifier: GPL-3.0-or-later
"""What can come of a shot, in a Blender window: a fall, a cancel, an unknown rig, a library override, two strips in a row. Each
leaves a picture in which it must be read without scrolling. Used by drive.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gui.hand import OUT, REPORT, Failure, armature, done, lope, picture, press_button, scroll, until, viewport, window

FALL_M_S = 2.6
"""No walk on the Moon stands at this speed."""
MASS_KG = 82.0
"""A setting of an override, not as shipped."""


def in_view():
    """Blender's context over the viewport."""
    return bpy.context.temp_override(window=window(), area=viewport(), region=viewport().regions[-1])


def fresh() -> bpy.types.Object:
    """A scene with the astronaut alone, all settings as shipped."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    bpy.context.scene.lope.duration_s, bpy.context.scene.lope.world = 10.0, "moon"
    bpy.context.scene.frame_set(1)
    with in_view():
        bpy.ops.lope.add_astronaut()
        bpy.ops.view3d.view_all()
    return armature()


def note():
    """What the tab says of the armature."""
    return lope("operators.context").of(armature())


def planned():
    """The plan that the tab shows of the armature; None while there is none."""
    return lope("operators.plan_board").of(armature())


def simulated() -> Iterator[float]:
    """Press Simulate, and wait until the job has ended."""
    desk = lope("operators.desk")
    yield from press_button("lope.simulate(")
    yield from until(lambda: desk.queue.busy or note() is not None, "the job")
    yield from until(lambda: not desk.queue.busy, "its end")


def fall() -> Iterator[float]:
    """A walk far too fast: it falls, the fall is shown, and the advice is tried."""
    settings = fresh().lope
    settings.gait, settings.suit, settings.use_speed, settings.speed_m_s, settings.force = "walk", "none", True, FALL_M_S, True
    yield from scroll(-80)
    yield from simulated()
    yield from picture("fall-1-said")
    if note().kind != "fell":
        raise Failure(f"It should have fallen, and the tab says {note().text!r}.")
    yield from press_button("lope.show_fall(")
    yield from until(lambda: bpy.context.scene.frame_current > 1, "the frame of the fall")
    yield from picture("fall-2-shown")
    REPORT["fell_at_frame"] = bpy.context.scene.frame_current
    region, bone = viewport().regions[-1], armature().pose.bones["pelvis"]
    at = location_3d_to_region_2d(region, viewport().spaces.active.region_3d, armature().matrix_world @ bone.head)
    if at is None or not (0.0 < at.x < region.width and 0.0 < at.y < region.height):
        raise Failure(f"The fall is shown out of the view, at {at}.")
    yield from press_button("lope.try_again(")
    desk = lope("operators.desk")
    yield from until(lambda: desk.queue.busy, "the next try")
    yield from picture("fall-3-trying")
    yield from until(lambda: not desk.queue.busy, "its end")
    yield from picture("fall-4-tried")
    REPORT["tried_again"] = f"{settings.speed_m_s:.2f} m/s: {note().text}"
    done("a fall")


def too_short() -> Iterator[float]:
    """From standing to standing in a shot that is too short: said before, and the length is a button."""
    settings = fresh().lope
    settings.gait, settings.start, settings.stop = "walk", "standing", "standing"
    yield from until(lambda: planned() is not None and planned().needs_s is not None, "the plan that does not fit")
    yield from picture("short-1-said")
    yield from press_button("lope.set_duration(")
    yield from until(lambda: planned() is not None and planned().needs_s is None, "the plan that fits")
    yield from picture("short-2-longer")
    REPORT["length_given_s"] = bpy.context.scene.lope.duration_s
    done("a shot too short")


def unknown_rig() -> Iterator[float]:
    """An armature that is no figure."""
    fresh()
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    with in_view():
        bpy.ops.object.armature_add()
    yield 2.0
    yield from picture("unknown-1-rig")
    yield from press_button("lope.simulate(")
    yield 1.0
    if note() is None or note().kind != "failed":
        raise Failure("The tab does not say why nothing is simulated.")
    yield from picture("unknown-2-simulated")
    done("an unknown rig")


def override() -> Iterator[float]:
    """The astronaut of another file, as a library override: simulated, baked, its settings there after saving and loading."""
    fresh()
    library = OUT / "library.blend"
    with in_view():
        bpy.ops.wm.save_as_mainfile(filepath=str(library), copy=True)
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    with bpy.data.libraries.load(str(library), link=True) as (there, wanted):
        wanted.objects = list(there.objects)
    for item in wanted.objects:
        bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.objects.active = next(item for item in wanted.objects if item.type == "ARMATURE")
    yield 2.0
    yield from picture("override-1-linked")
    yield from press_button("lope.doctor_fix(")
    own = bpy.context.view_layer.objects.active
    if own is None or own.override_library is None or own.override_library.is_system_override:
        raise Failure(f"There is no override to work on, but {own}.")
    bpy.context.scene.lope.duration_s = 4.0
    yield from simulated()
    yield from picture("override-2-baked")
    REPORT["override"] = lope("operators.context").of(own).text
    own.lope.mass_kg = MASS_KG
    with in_view():
        bpy.ops.wm.save_as_mainfile(filepath=str(OUT / "shot.blend"), copy=True)
        bpy.ops.wm.open_mainfile(filepath=str(OUT / "shot.blend"), load_ui=False)
    yield 2.0
    if armature().override_library is None or armature().lope.mass_kg != MASS_KG:
        raise Failure(f"The override comes back as {armature()}, of {armature().lope.mass_kg:g} kg.")
    yield from picture("override-3-loaded")
    done("an override")


def two_strips() -> Iterator[float]:
    """Two shots pushed down to the NLA, one after the other."""
    settings = fresh().lope
    settings.bake_push_down = True
    bpy.context.scene.lope.duration_s = 4.0
    for count in (1, 2):
        settings.seed, settings.bake_go_on = count, count > 1
        yield from simulated()
        strips = [strip for track in armature().animation_data.nla_tracks for strip in track.strips]
        if len(strips) != count:
            raise Failure(f"There should be {count} strips, and there are {len(strips)}.")
        yield from picture(f"nla-{count}")
    REPORT["strips"] = [[strip.frame_start, strip.frame_end] for strip in strips]
    done("two strips")


def outcomes() -> Iterator[float]:
    """All of them, in order."""
    for part in (fall, too_short, unknown_rig, override, two_strips):
        yield from part()
        yield from scroll(-80)
