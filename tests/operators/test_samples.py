# SPDX-License-Identifier: GPL-3.0-or-later
"""Something to try: the library of moves is whole and as it is said to be, a move holds its feet on rigs of other makes, is
followed, and sample pressure is read."""

import json
from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope  # noqa: E402
import lope_scene  # noqa: E402
from blender_scene import load  # noqa: E402
from foot_slip import slips_mm  # noqa: E402
from lope.addon.batch.shot_list import read_list  # noqa: E402
from lope.addon.rigs.bake.bake import bake_take  # noqa: E402
from lope.addon.rigs.bake.provenance import OPTIONS_KEY, shot_of  # noqa: E402
from lope.addon.rigs.read.armature import read_figure  # noqa: E402
from lope.addon.rigs.shots.library import CATALOGUES, FILE, FOLDER, bring_in, move_names  # noqa: E402
from lope.addon.sim.take import Take  # noqa: E402
from lope.addon.specs.bake_options import BakeOptions  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene
astronaut = lope_scene.astronaut
LIST = Path(__file__).resolve().parents[2] / "docs/lists/library.toml"
LEAST_MOVES, MOST_MB = 60, 20.0
LIMIT_MM = 1.0
"""Of a foot that stands, on any rig (`test_bake_feet.py`)."""
SPARSE_MM = 4.0
"""The same of the library's own keys, which leave the feet 2 mm to every side."""


def test_the_library_is_whole_small_and_free(scene):
    listed = read_list(LIST).shots
    numbers = {line.split(":")[0] for line in (FOLDER / CATALOGUES).read_text(encoding="utf-8").splitlines() if ":" in line}
    assert len(move_names()) == len(listed) >= LEAST_MOVES and (FOLDER / FILE).stat().st_size < 1e6 * MOST_MB
    with bpy.data.libraries.load(str(FOLDER / FILE), link=True, assets_only=True) as (_, wanted):
        wanted.actions = list(move_names())
    for action in wanted.actions:
        data = action.asset_data
        assert data.catalog_id in numbers and data.license == "CC0-1.0" and data.description, action.name
        assert len(data.tags) >= 2 and min(action.preview.image_size) >= 128, action.name
        shown = np.array(action.preview.image_pixels_float)
        assert shown.std() > 0.05, f"nothing is seen of {action.name}"
        assert not (shot := shot_of(action)).motion.source_file and shot.body.landmarks is None


def used(armature, move: str) -> tuple[Take, np.ndarray]:
    """A move that an armature has done: its take, and the frames of its keys."""
    assert bpy.ops.lope.use_move(move=move) == {"FINISHED"}
    assert bpy.ops.lope.bake() == {"FINISHED"}
    action = armature.animation_data.action
    return Take.load(armature.lope.take_path), np.arange(action.frame_range[0], action.frame_range[1] + 1.0)


def test_a_click_in_the_asset_shelf_uses_that_move(astronaut, scene, monkeypatch):
    from lope.operators import moves

    shelf, shots = bpy.types.VIEW3D_AST_lope_moves, []
    assert shelf.bl_activate_operator == "LOPE_OT_use_move" and not shelf.poll(bpy.context)
    assert bpy.ops.lope.register_library() == {"FINISHED"} and shelf.poll(bpy.context)
    libraries = bpy.context.preferences.filepaths.asset_libraries
    libraries.remove(libraries["Lope"])
    monkeypatch.setattr(moves, "run_shot", lambda *told: shots.append(told[2]) or {"FINISHED"})
    bpy.ops.lope.use_move(asset_library_type="CUSTOM", relative_asset_identifier=f"{FILE}/Action/Gait lope moon")
    bpy.ops.lope.use_move()
    assert [(shot.motion.name, shot.world.name) for shot in shots] == [("lope", "moon"), ("walk", "earth")]


@pytest.mark.acceptance
@pytest.mark.parametrize("rig", ["rigs/mpfb_female_unreal.glb", "rigs/mpfb_male_mixamo.glb", "rigs/kaykit_rogue.glb"])
@pytest.mark.parametrize("move", ["Normal walk", "Turn left", "Gait lope moon"])
def test_a_move_holds_its_feet_on_any_rig(rig, move, tmp_path, monkeypatch):
    lope.register()
    try:
        monkeypatch.setattr("lope.operators.simulate.takes_folder", lambda: tmp_path)
        armature = load(rig)
        bpy.context.view_layer.objects.active = armature
        take, frames = used(armature, move)
        slips = slips_mm(armature, read_figure(armature), take, frames)
        assert not take.fell and len(slips) >= 4 and max(slips) < LIMIT_MM
    finally:
        lope.unregister()


@pytest.mark.acceptance
def test_keys_as_sparse_as_the_librarys_hold_their_feet_on_the_astronaut(astronaut, scene):
    scene.render.fps = 30
    astronaut.lope.suit, astronaut.lope.mass_kg = "none", 75.0
    take, frames = used(astronaut, "Normal walk")
    error_m = json.loads(bring_in("Normal walk")[0][OPTIONS_KEY])["reduce_error_m"]
    bake_take(astronaut, take, options=BakeOptions(target="new", reduce_error_m=error_m))
    assert max(slips_mm(astronaut, read_figure(astronaut), take, frames)) < SPARSE_MM


def test_a_sample_is_followed(astronaut, scene):
    from lope.operators.shot_builder import make_shot

    assert bpy.ops.lope.add_sample_clip() == {"FINISHED"}
    shot = make_shot(astronaut, scene)
    assert "sneak" in shot.called and Path(shot.motion.file).is_file()
    assert astronaut.lope.follow_armature.name not in scene.objects
    assert bpy.ops.lope.add_sample_clip(move="Posed tired") == {"FINISHED"}
    assert make_shot(astronaut, scene).called != shot.called


@pytest.mark.acceptance
def test_sample_pressure_is_read(astronaut):
    assert bpy.ops.lope.add_pressure_sample() == {"FINISHED"}
    assert bpy.ops.lope.read_pressure() == {"FINISHED"}
    assert "a few steps" in astronaut.lope.take_pressure


def test_the_library_is_registered_once(scene):
    libraries = bpy.context.preferences.filepaths.asset_libraries
    for _ in range(2):
        assert bpy.ops.lope.register_library() == {"FINISHED"}
        assert [one.name for one in libraries if Path(one.path) == FOLDER] == ["Lope"]
    libraries.remove(libraries["Lope"])
