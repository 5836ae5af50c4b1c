# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons and panels, in the bpy module: settings, what each button refuses and why, and what it leaves in the scene."""

from pathlib import Path
from types import SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope  # noqa: E402
import lope_scene  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.worlds.planets import load_world, world_names  # noqa: E402

scene, astronaut = lope_scene.scene, lope_scene.astronaut


@pytest.fixture
def bare_armature(scene):
    """An armature of one bone."""
    bpy.ops.object.armature_add()
    return bpy.context.object


def test_unregister_leaves_nothing(scene):
    lope.unregister()
    names = [name for name in dir(bpy.types) if name.startswith("LOPE_")]
    assert names == [] and not hasattr(bpy.types.Scene, "lope") and not hasattr(bpy.types.Object, "lope")
    lope.register()
    assert hasattr(bpy.types.Scene, "lope")


def test_worlds_are_those_of_the_presets(scene):
    items = scene.lope.bl_rna.properties["world"].enum_items
    assert {item.identifier for item in items} == {*world_names(), "custom"}
    assert scene.lope.world == "moon"


@pytest.mark.slow
def test_gaits_are_those_of_the_presets(astronaut):
    folder = Path(lope.__file__).parent / "presets" / "gaits"
    items = astronaut.lope.bl_rna.properties["gait"].enum_items
    assert {item.identifier for item in items} == {path.stem for path in folder.glob("*.json")} | {"auto"} >= {"walk"}
    assert (astronaut.lope.gait, astronaut.lope.gait_law) == ("auto", "people")


def test_every_setting_and_button_explains_itself(scene):
    from lope.operators.settings import LopeObjectSettings, LopeSceneSettings

    for group in (LopeObjectSettings, LopeSceneSettings):
        for prop in group.bl_rna.properties:
            assert prop.identifier in ("rna_type", "name") or prop.description, prop.identifier
    for name in ("add_astronaut", "detect_rig", "simulate", "bake"):
        assert len(getattr(bpy.ops.lope, name).get_rna_type().description) > 20


def test_without_an_armature_only_the_astronaut_can_be_added(scene):
    assert bpy.ops.lope.add_astronaut.poll()
    assert [name for name in ("detect_rig", "simulate", "bake") if getattr(bpy.ops.lope, name).poll()] == []
    with pytest.raises(RuntimeError, match="Pick a character"):
        bpy.ops.lope.simulate()


@pytest.mark.slow
def test_astronaut_comes_selected_and_at_the_cursor(scene):
    scene.cursor.location = (1.0, 2.0, 3.0)
    bpy.ops.lope.add_astronaut()
    armature = bpy.context.object
    assert armature.type == "ARMATURE" and bpy.context.selected_objects == [armature]
    assert tuple(armature.location) == (1.0, 2.0, 3.0)
    bpy.ops.lope.add_creature()
    assert tuple(bpy.context.object.location) == (2.5, 2.0, 3.0), "beside who is there already"


@pytest.mark.slow
def test_the_mesh_of_an_armature_stands_for_it(astronaut):
    from lope.operators.context import active_armature

    bpy.context.view_layer.objects.active = astronaut.children[0]
    assert active_armature(bpy.context) == astronaut


@pytest.mark.slow
def test_detect_says_what_it_found(astronaut):
    assert bpy.ops.lope.detect_rig() == {"FINISHED"}
    assert "54 degrees of freedom" in astronaut.lope.figure and "1.8" in astronaut.lope.figure


def test_an_armature_that_is_no_figure_is_refused(bare_armature):
    bare_armature.lope.figure = "old words"
    with pytest.raises(RuntimeError, match="no known family"):
        bpy.ops.lope.detect_rig()
    assert bare_armature.lope.figure == ""
    with pytest.raises(RuntimeError, match="no known family"):
        bpy.ops.lope.simulate()
    assert bare_armature.lope.take_path == ""


def test_a_button_that_can_do_nothing_says_so_in_the_tab(bare_armature):
    """A button pressed says it at the top of the tab and warns; Blender's popup would be cut. Here is no window to press in."""
    from lope.operators import context as notes
    from lope.operators.bone_map import LOPE_OT_detect_rig
    from lope.operators.context import reports_errors

    reports = []
    pressed = SimpleNamespace(options=SimpleNamespace(is_invoke=True), bl_idname="LOPE_OT_detect_rig",
                              report=lambda level, text: reports.append(level))
    assert reports_errors(LOPE_OT_detect_rig.execute.__wrapped__)(pressed, bpy.context) == {"CANCELLED"}
    assert "family" in notes.of(bare_armature).text and notes.of(bare_armature).level == "ERROR" and reports == [{"WARNING"}]
    bare_armature.lope.mass_kg = 80.0
    assert notes.of(bare_armature) is None, "what could not be done may be possible now"


@pytest.mark.slow
def test_shot_carries_the_settings(astronaut, scene):
    from lope.operators.simulate import make_shot

    settings = astronaut.lope
    settings.mass_kg, settings.seed, scene.lope.world, scene.lope.duration_s = 120.0, 7, "mars", 4.0
    shot = make_shot(astronaut, scene)
    assert (shot.body.mass_kg, shot.seed, shot.duration_s, shot.motion.speed_m_s) == (120.0, 7, 4.0, None)
    assert shot.world == load_world("mars") and "ankle_L" in shot.body.landmarks
    settings.use_speed, settings.speed_m_s, scene.lope.world, scene.lope.gravity_m_s2 = True, 0.75, "custom", 5.0
    shot = make_shot(astronaut, scene)
    assert (shot.motion.speed_m_s, shot.world.name, shot.world.gravity_m_s2) == (0.75, "custom", 5.0)


@pytest.mark.slow
def test_changed_settings_of_the_controller_reach_the_shot(astronaut, scene):
    from lope.operators.simulate import make_shot

    bpy.ops.lope.list_add(name="changed_settings")
    entry = astronaut.lope.changed_settings[0]
    assert make_shot(astronaut, scene).gains is None, "an entry without a name changes nothing"
    entry.setting = "walk.clearance_m"
    assert entry.value == pytest.approx(0.012), "it starts as shipped"
    entry.value = 0.03
    assert make_shot(astronaut, scene).gains == {"walk": {"clearance_m": 0.03}}
    entry.value = 3.0
    with pytest.raises(InputError, match="walk.clearance_m must lie between 0 and 0.3 m"):
        make_shot(astronaut, scene)
    bpy.ops.lope.list_remove(name="changed_settings")
    assert make_shot(astronaut, scene).gains is None


@pytest.mark.slow
def test_bake_wants_a_take(astronaut, tmp_path):
    with pytest.raises(RuntimeError, match="Simulate first"):
        bpy.ops.lope.bake()
    damaged = tmp_path / "damaged.npz"
    damaged.write_bytes(b"no take")
    astronaut.lope.take_path = str(damaged)
    with pytest.raises(RuntimeError, match="damaged"):
        bpy.ops.lope.bake()
    assert astronaut.animation_data is None


@pytest.mark.slow
def test_simulate_then_bake(astronaut, scene, tmp_path):
    old = bpy.data.actions.new("Old")
    astronaut.animation_data_create().action = old
    scene.lope.duration_s = 2.0
    scene.frame_start, scene.frame_end = 11, 20
    assert bpy.ops.lope.simulate() == {"FINISHED"}
    assert Path(astronaut.lope.take_path).parent == tmp_path and "Moon" in astronaut.lope.take_summary
    assert astronaut.animation_data.action == old, "simulating touches nothing in the scene"
    assert bpy.ops.lope.bake() == {"FINISHED"}
    action = astronaut.animation_data.action
    assert action != old and bpy.data.actions.get("Old") == old
    assert action.frame_range[0] == 11 and scene.frame_end == 20, "a range of the artist's stays"
    assert "ends before the bake does" in astronaut.lope.bake_report
    assert action.frame_range[1] - 11 == pytest.approx(2.0 * scene.render.fps, abs=1.0)


@pytest.mark.slow
def test_a_bake_is_one_undo_step(astronaut, scene):
    scene.lope.duration_s = 1.0
    bpy.ops.lope.simulate()
    bpy.ops.ed.undo_push(message="Before the bake")
    assert bpy.ops.lope.bake("EXEC_DEFAULT", True) == {"FINISHED"}
    assert len(bpy.data.actions) == 1
    assert bpy.ops.ed.undo() == {"FINISHED"}
    assert bpy.context.object.animation_data is None and len(bpy.data.actions) == 0
    assert bpy.context.object.lope.take_summary, "the take is still there to bake again"


def test_takes_are_kept_in_a_folder_that_exists(scene):
    from lope.operators.context import takes_folder

    assert takes_folder().is_dir()


@pytest.mark.slow
def test_running_again_gives_the_same_motion(astronaut, scene):
    scene.lope.duration_s, astronaut.lope.seed = 1.0, 4
    assert not bpy.ops.lope.rerun.poll()
    bpy.ops.lope.simulate()
    bpy.ops.lope.bake()
    first = Path(astronaut.lope.take_path).read_bytes()
    scene.lope.duration_s, scene.lope.world, astronaut.lope.seed = 5.0, "earth", 0
    assert bpy.ops.lope.rerun() == {"FINISHED"}
    assert Path(astronaut.lope.take_path).read_bytes() == first


@pytest.mark.slow
def test_a_shot_that_cannot_be_read_is_told(astronaut):
    action = bpy.data.actions.new("Strange")
    action["lope_shot"] = "no shot"
    astronaut.animation_data_create().action = action
    with pytest.raises(RuntimeError, match="cannot be read"):
        bpy.ops.lope.rerun()


@pytest.mark.slow
def test_foot_events_go_to_a_file(astronaut, scene, tmp_path):
    with pytest.raises(RuntimeError, match="Simulate first"):
        bpy.ops.lope.export_events()
    scene.lope.duration_s = 3.0
    bpy.ops.lope.simulate()
    assert bpy.ops.lope.export_events(filepath=str(tmp_path / "events.csv")) == {"FINISHED"}
    lines = (tmp_path / "events.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "frame,time_s,foot,event,x,y,z,speed_m_s,force_n" and len(lines) > 3
    assert bpy.ops.lope.export_events() == {"FINISHED"}
    assert list(Path(astronaut.lope.take_path).parent.glob("*events.csv"))


@pytest.mark.slow
def test_preview_plans_and_touches_nothing(astronaut, scene):
    from lope.operators import plan_board

    assert bpy.ops.lope.preview() == {"FINISHED"}
    made = plan_board.of(astronaut)
    assert made.preview.speed_m_s > 0.3 and "m/s" in plan_board.figures_of(made)[0] and not made.out_of_range
    assert astronaut.animation_data is None and astronaut.lope.take_path == ""
    scene.lope.show_preview = False
    assert plan_board.plan is None


@pytest.mark.slow
def test_a_plan_that_cannot_be_made_says_why(astronaut):
    astronaut.lope.path = "CURVE"
    with pytest.raises(RuntimeError, match="no curve"):
        bpy.ops.lope.preview()


@pytest.mark.slow
@pytest.mark.parametrize("world, stage", [("moon", "moon"), ("europa", "moon"), ("mars", "mars"), ("saturn", "earth")])
def test_the_stage_is_that_of_the_world(astronaut, scene, world, stage):
    scene.lope.world = world
    assert bpy.ops.lope.add_stage() == {"FINISHED"}
    assert f"Stage {stage}" in bpy.data.collections


@pytest.mark.slow
def test_the_stages_camera_frames_the_character_and_goes_along_with_it(astronaut, scene):
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Vector

    astronaut.location = (2.0, -3.0, 0.5)
    astronaut.rotation_euler.z = 0.7
    bpy.context.view_layer.update()
    assert bpy.ops.lope.add_stage() == {"FINISHED"}
    height = 1.8
    for moved in (0.0, 5.0):
        astronaut.pose.bones["pelvis"].location.z += moved  # along the bone's own axis, over the ground or not
        bpy.context.view_layer.update()
        hips = astronaut.matrix_world @ astronaut.pose.bones["pelvis"].head
        ends = [world_to_camera_view(scene, scene.camera, Vector((hips.x, hips.y, 0.5 + z))) for z in (0.0, height)]
        assert all(0.05 < end.x < 0.95 and 0.05 < end.y < 0.95 for end in ends) and ends[1].y - ends[0].y > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ostrich", "dinosaur"])
def test_a_creature_is_added_to_walk_at_the_cursor(scene, name):
    from lope.operators.creature import is_creature, unread

    scene.cursor.location = (1.0, 2.0, 0.0)
    assert bpy.ops.lope.add_creature(creature=name) == {"FINISHED"}
    armature = bpy.context.object
    assert armature.type == "ARMATURE" and tuple(armature.location) == (1.0, 2.0, 0.0)
    assert is_creature(armature, scene) and unread(armature, scene) == ""
    assert armature.children[0].find_armature() == armature
    with pytest.raises(TypeError):
        bpy.ops.lope.add_creature(creature="unicorn")


@pytest.mark.slow
def test_the_picked_armature_goes_before_the_active_one(astronaut, scene):
    from lope.operators.context import active_armature

    bpy.ops.lope.add_astronaut()
    other = bpy.context.object
    assert active_armature(bpy.context) == other != astronaut
    scene.lope.armature = astronaut
    assert active_armature(bpy.context) == astronaut
    bpy.ops.lope.add_astronaut()
    assert active_armature(bpy.context) == bpy.context.object
    for item in list(bpy.data.objects):
        scene.collection.objects.unlink(item)
    assert active_armature(bpy.context) is None


@pytest.mark.slow
def test_settings_are_saved_with_the_file(astronaut, scene, tmp_path):
    astronaut.lope.gait_source, astronaut.lope.suit, scene.lope.world = "FILE", "mark-iii", "titan"
    astronaut.lope.pushes.add().force_n = 55.0
    scene.lope.gravity_ramp.add().frame = 33
    name = astronaut.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    settings, around = bpy.data.objects[name].lope, bpy.context.scene.lope
    assert (settings.gait_source, settings.suit, around.world) == ("FILE", "mark-iii", "titan")
    assert settings.pushes[0].force_n == 55.0 and around.gravity_ramp[0].frame == 33


@pytest.mark.slow
def test_settings_can_be_changed_on_a_library_override(astronaut, tmp_path):
    name = astronaut.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_, wanted):
        wanted.objects = [name]
    own = wanted.objects[0].override_create(remap_local_usages=True)
    own.lope.gait, own.lope.mass_kg = "walk", 90.0
    names = [prop.identifier for prop in own.lope.bl_rna.properties if prop.identifier not in ("rna_type", "name")]
    assert [n for n in names if not own.lope.is_property_overridable_library(n)] == []


def test_numbers_of_menus_belong_to_names():
    from lope.operators.choices import gait_items, item, suit_items, world_items

    for items in (gait_items(), suit_items(), world_items()):
        assert len({entry[3] for entry in items}) == len(items)
    assert item("moon", "Moon", "")[3] == item("moon", "Another label", "")[3]


def test_help_has_its_pages():
    from lope.operators.status_bar import DOCS, PAGES

    assert [name for name, *_ in PAGES if not (DOCS / f"{name}.md").is_file()] == []


@pytest.mark.slow
def test_panels_draw_in_every_state(astronaut, scene):
    """Every panel against a layout that only listens, which refuses names of settings, operators and icons that do not exist;
    what each state is about must be drawn in it."""
    from layout_listener import Listener
    from lope import panels

    astronaut.lope.pushes.add()
    astronaut.lope.take_path = __file__
    scene.lope.gravity_ramp.add()
    states = (("plane", "straight", "PRESET", {"gait", "heading_deg"}),
              ("MESH", "CURVE", "FILE", {"ground_object", "curve", "motion_path"}),
              ("steps", "TARGETS", "ACTION", {"rise_m", "run_m", "motion_action"}))
    for ground, path, source, asked in states:
        scene.lope.ground, astronaut.lope.path, astronaut.lope.gait_source = ground, path, source
        scene.lope.use_gravity_ramp = True
        drawn = set()
        for cls in panels._classes():
            if issubclass(cls, bpy.types.Panel) and cls.__name__.count("_") == 2:
                listener = Listener(bpy.context)
                listener.draw(cls)
                anything = cls.__name__ == "LOPE_PT_said" or set(listener.drawn) - {"lope.help"}
                assert anything, f"{cls.__name__} draws nothing to set or press"
                drawn.update(listener.drawn)
        assert asked | {"suit", "world", "lope.simulate", "lope.bake"} <= drawn


@pytest.mark.parametrize("text", ["landings jolt the body 3.7 times as hard as in the captured motion",
                                  "더 나쁜 쪽 발이 주기마다 5.6 mm 미끄러집니다"])
def test_labels_wrap_by_the_width_of_their_letters(text):
    import blf

    from lope.panels.base import wrapped

    blf.size(0, 11.0)
    found = list(wrapped(text, 150.0))
    assert " ".join(found) == text and len(found) > 1
    assert all(blf.dimensions(0, line)[0] <= 150.0 for line in found)
    assert list(wrapped("word", 1.0)) == ["word"] and list(wrapped("", 1.0)) == []
