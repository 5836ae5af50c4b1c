# SPDX-License-Identifier: GPL-3.0-or-later
"""Long takes are baked block by block: the keys are those of the whole at once, and a take given as a file is let go of."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from bake_kit import everything, rig_and_take
from blender_scene import bpy
from foot_slip import walk
from lope.addon import rows
from lope.addon.rigs.bake import bake as prepare
from lope.addon.rigs.bake import tracks as reduce
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read import blend_file
from lope.addon.sim.take import Take
from lope.addon.specs.bake_options import BakeOptions

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("options", [
    BakeOptions(), BakeOptions(root_motion="object"), BakeOptions(root_motion="in_place", subframe_events=True),
    BakeOptions(loop=True), BakeOptions(reduce_error_m=0.0005)], ids=["plain", "object", "in place", "loop", "fewer keys"])
def test_blocks_give_what_the_whole_gives(options, monkeypatch):
    armature, _ = rig_and_take("rigs/mpfb_male_cmu.glb")
    whole = prepare.prepare(armature, walk("earth", 6.0), options, None, bpy.context.scene)
    monkeypatch.setattr(rows, "BLOCK_ROWS", 7)
    monkeypatch.setattr(reduce, "_SAMPLES", 500)
    parts = prepare.prepare(armature, walk("earth", 6.0), options, None, bpy.context.scene)
    np.testing.assert_allclose(parts.motion.sole_points, whole.motion.sole_points, atol=1e-12)
    for mine, wanted in zip(parts.written.tracks + parts.written.on_object, whole.written.tracks + whole.written.on_object,
                            strict=True):
        assert (mine.bone, mine.prop) == (wanted.bone, wanted.prop)
        np.testing.assert_allclose(mine.values, wanted.values, atol=1e-12)
    assert (whole.written.kept is None) == (options.reduce_error_m is None)
    for (keys, slopes), (wanted_keys, wanted_slopes) in zip(parts.written.kept or (), whole.written.kept or (), strict=True):
        assert (keys == wanted_keys).all()
        np.testing.assert_allclose(slopes, wanted_slopes, atol=1e-9)


def test_a_take_given_as_a_file_is_gone_when_keys_are_written(tmp_path, monkeypatch):
    armature, take = rig_and_take()
    take.save(tmp_path / "take.npz")
    held, load = [], Take.load

    def loading(path):
        loaded = load(path)
        held.append(weakref.ref(loaded))
        return loaded

    def writing(*arguments):
        gc.collect()
        alive.append(held[0]())
        return write(*arguments)

    alive, write = [], bake_take.__globals__["_write"]
    monkeypatch.setattr(Take, "load", loading)
    monkeypatch.setitem(bake_take.__globals__, "_write", writing)
    from_file = bake_take(armature, tmp_path / "take.npz")
    assert len(held) == 1 and alive == [None]
    assert everything(from_file) == everything(bake_take(armature, take))


@pytest.mark.parametrize("options", [BakeOptions(), BakeOptions(reduce_error_m=0.0005)], ids=["every key", "fewer keys"])
def test_blocks_of_few_frames_give_the_same_keys(options, monkeypatch):
    armature, take = rig_and_take()
    whole = everything(bake_take(armature, take, options=options))
    monkeypatch.setattr(rows, "BLOCK_ROWS", 5)
    parts = everything(bake_take(armature, take, options=options))
    assert parts.keys() == whole.keys() and sum(map(len, whole.values())) > 1000
    for curve, keys in whole.items():
        assert [key[3:] for key in parts[curve]] == [key[3:] for key in keys]
        np.testing.assert_allclose(*(np.array([key[:3] for key in some]) for some in (parts[curve], keys)), atol=1e-6)


def test_a_large_action_is_saved_without_being_evaluated(tmp_path, monkeypatch):
    armature, take = rig_and_take()
    wanted = everything(bake_take(armature, take))
    met = []

    def evaluated(_scene, graph):
        met.append(armature.evaluated_get(graph).animation_data.action is not None)

    bpy.app.handlers.depsgraph_update_post.append(evaluated)
    monkeypatch.setattr(blend_file, "MANY_KEYS", 1000)
    try:
        blend_file.save_copy(tmp_path / "saved.blend")
    finally:
        bpy.app.handlers.depsgraph_update_post.remove(evaluated)
    assert met and not any(met)
    assert everything(armature.animation_data.action) == wanted and armature.animation_data.action_slot is not None
    assert not bpy.app.handlers.save_pre and not bpy.app.handlers.save_post
    name = armature.name
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    data = bpy.data.objects[name].animation_data
    assert everything(data.action) == wanted and data.action_slot is not None
