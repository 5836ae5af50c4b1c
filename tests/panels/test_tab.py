# SPDX-License-Identifier: GPL-3.0-or-later
"""The tab: how much it shows, that its head is as high whatever happens, that it is there whatever is active, and its words."""

import re
from types import SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope import panels  # noqa: E402
from lope.addon.children.protocol import Task  # noqa: E402
from lope.addon.errors import LopeError  # noqa: E402
from lope.addon.jobs.beside import explained  # noqa: E402
from lope.addon.jobs.job import Job  # noqa: E402
from lope.addon.rigs.bake.bake import bake_take  # noqa: E402
from lope.addon.rigs.read.doctor import examine  # noqa: E402
from lope.addon.specs.bake_options import BakeOptions  # noqa: E402
from lope.operators import context as notes  # noqa: E402
from lope.operators import desk, plan_board  # noqa: E402
from lope.operators import properties as changes  # noqa: E402
from lope.operators.context import active_armature  # noqa: E402
from lope.operators.verbs import VERBS  # noqa: E402
from lope.panels.status import told  # noqa: E402
from lope.panels.top import go_button  # noqa: E402
from take_factory import Walk, make_take  # noqa: E402

scene, astronaut = lope_scene.scene, lope_scene.astronaut
NAMES = [name for name, *_ in VERBS]
MOST_ROOTS, MOST_CONTROLS, MOST_PROPERTIES = 5, 18, 7


class Counting(Listener):
    """A layout whose folds are closed, as they are at first; `rows` counts what is drawn one below the other."""

    def __init__(self, context, rows=None):
        super().__init__(context)
        self.across, self.rows = False, [0] if rows is None else rows
        self.folds, self.use_property_split = [], False

    def _part(self, across):
        part = Counting(self._context, self.rows)
        part.drawn, part.said, part.folds = self.drawn, self.said, self.folds
        part.across = True
        if not self.across:
            self.rows[0] += 1 if across else 0
        part.across = self.across or across
        return part

    def row(self, *_arguments, **_options):
        return self._part(True)

    split = row

    def column(self, *_arguments, **_options):
        return self._part(False)

    box = column

    def grid_flow(self, *_arguments, columns=1, **_options):
        self.rows[0] += -(-len(NAMES) // columns)
        part = self._part(False)
        part.across = True
        return part

    def panel(self, name, default_closed=False):
        if name not in self.folds:
            self.folds.append(name)
        header = Counting(self._context)
        return header, None if default_closed else self._part(False)

    def _down(self):
        if not self.across:
            self.rows[0] += 1

    def label(self, **options):
        self._down()
        super().label(**options)

    def prop(self, *arguments, **options):
        self._down()
        super().prop(*arguments, **options)

    def operator(self, *arguments, **options):
        self._down()
        return super().operator(*arguments, **options)


def properties(drawn):
    return [name for name in drawn if "." not in name and not name.startswith("LOPE_")]


def counted(name):
    layout = Counting(bpy.context)
    layout.draw(next(cls for cls in panels._classes() if cls.__name__ == name))
    return layout


def roots():
    return [cls for cls in panels._classes() if issubclass(cls, bpy.types.Panel) and cls.bl_region_type == "UI"
            and getattr(cls, "bl_category", "") == "Lope" and not hasattr(cls, "bl_parent_id")]


def test_there_are_at_most_five_panels_and_they_are_open_as_said(scene):
    assert [cls.__name__ for cls in roots()] == ["LOPE_PT_top", "LOPE_PT_page", "LOPE_PT_body", "LOPE_PT_result",
                                                 "LOPE_PT_advanced"]
    assert len(roots()) <= MOST_ROOTS and not roots()[-1].poll(bpy.context), "Advanced has to be asked for"


def filled(armature):
    """Whatever makes a page longer."""
    settings = armature.lope
    settings.pushes.add()
    settings.hits.add().kind = "OBJECT"
    settings.keys.add()
    settings.targets.add()
    settings.pressure_path = settings.pressure_database = "/none.csv"


VARIANTS = {
    "WALK": [{}, {"gait_source": "FILE"}, {"gait_source": "ACTION"}, {"gait_source": "REFLEX"},
             {"gait_source": "REFLEX", "walker": "FILE"}, {"path": "circle"}, {"path": "CURVE"}, {"path": "TARGETS"}],
    "FOLLOW": [{}, {"follow_source": "ACTION"}], "STAND": [{}, {"stand_on": "L"}, {"stand_pose": "{}"}],
    "DRIVE": [{}, {"drive_by": "GAIT"}, {"drive_by": "GAIT", "gait_source": "POSES"},
              {"drive_by": "GAIT", "gait_source": "FILE"}],
    "POSES": [{}, {"pose_gait": "FILE"}, {"planar": True}], "PUSH": [{}, {"motion": "STAND"}], "HIT": [{}],
    "CREATURE": [{"body_kind": "CREATURE"}, {"body_kind": "CREATURE", "creature_by": "FILE"}], "PRESSURE": [{}]}


@pytest.mark.slow
@pytest.mark.parametrize("verb", NAMES)
def test_a_page_has_at_most_seven_properties_before_its_folds(astronaut, scene, verb):
    filled(astronaut)
    for settings in VARIANTS[verb]:
        for name, value in settings.items():
            setattr(astronaut.lope, name, value)
        if "motion" not in settings:
            scene.lope.verb = verb
        for name, value in settings.items():
            setattr(astronaut.lope, name, value)
        page = counted("LOPE_PT_page")
        assert 0 < len(properties(page.drawn)) <= MOST_PROPERTIES, (settings, page.drawn)
        for name in settings:
            if name != "gait_source":
                astronaut.lope.property_unset(name)


def test_the_first_screen_has_at_most_eighteen_controls(astronaut, scene):
    """Everything that can be set or pressed with the panels as they open. The verbs are one setting; folds are none."""
    opened = [cls for cls in roots() if getattr(cls, "poll", bool)(bpy.context)
              and "DEFAULT_CLOSED" not in getattr(cls, "bl_options", ())]
    shown = [name for cls in opened for name in counted(cls.__name__).drawn]
    inner = [cls for cls in panels._classes() if getattr(cls, "bl_parent_id", "") in [one.bl_idname for one in opened]
             and cls.poll(bpy.context)]
    for cls in inner:  # closed: their heads
        head = Listener(bpy.context)
        cls.draw_header_preset(SimpleNamespace(layout=head, page=cls.page, presets=cls.presets), bpy.context)
        shown += head.drawn
    assert inner and len(shown) <= MOST_CONTROLS, shown


def said_of(armature, kind, text="It is so. " * 40, **more):
    notes.tell(armature.session_uid, armature.name, notes.Note(kind, text, **more))


@pytest.mark.slow
def test_the_head_is_as_high_whatever_is_said(astronaut, scene, monkeypatch):
    heights = {}
    for verb in NAMES:
        scene.lope.verb = verb
        heights[verb] = counted("LOPE_PT_top").rows[0]
    scene.lope.verb = "WALK"
    for kind in (notes.DONE, notes.CANCELLED, notes.WARNED, notes.FAILED):
        said_of(astronaut, kind)
        heights[kind] = counted("LOPE_PT_top").rows[0]
    said_of(astronaut, notes.FAILED, needs_s=12.0, button="LOPE_OT_simulate")
    heights["needs"] = counted("LOPE_PT_top").rows[0]
    job = Job(Task("simulate", {}, "x.npz", {}), astronaut.name)
    monkeypatch.setattr(desk.queue, "jobs", [job, job])
    layout = counted("LOPE_PT_top")
    heights["job"] = layout.rows[0]
    assert {"lope.cancel", "lope.finish_now"} <= set(layout.drawn), "what ends a job is there though a button was refused"
    monkeypatch.setattr(desk.queue, "jobs", [])
    notes.forget()
    astronaut.lope.take_path = __file__
    heights["take"] = counted("LOPE_PT_top").rows[0]
    scene.lope.world = "custom"
    heights["custom"] = counted("LOPE_PT_top").rows[0]
    bpy.data.objects.remove(astronaut)
    heights["nobody"] = counted("LOPE_PT_top").rows[0]
    assert len(set(heights.values())) == 1 and heights["job"] > 5, heights


ADDED = [lambda: bpy.ops.object.camera_add(), lambda: bpy.ops.object.light_add(type="SUN"),
         lambda: bpy.ops.curve.primitive_bezier_curve_add(), lambda: bpy.ops.object.empty_add(),
         lambda: bpy.ops.mesh.primitive_cube_add(), lambda: bpy.ops.object.text_add(), lambda: bpy.ops.object.metaball_add(),
         lambda: bpy.ops.object.add(type="LATTICE"), lambda: bpy.ops.object.speaker_add(),
         lambda: bpy.ops.surface.primitive_nurbs_surface_sphere_add(), lambda: bpy.ops.object.lightprobe_add()]


@pytest.mark.slow
@pytest.mark.parametrize("at", range(len(ADDED)))
def test_the_tab_is_there_whatever_is_active(astronaut, scene, at):
    ADDED[at]()
    assert bpy.context.object is not astronaut and active_armature(bpy.context) == astronaut
    for cls in roots()[:4]:
        assert getattr(cls, "poll", lambda _: True)(bpy.context)
        counted(cls.__name__)
    assert bpy.ops.lope.simulate.poll()


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["EDIT", "POSE"])
def test_the_tab_is_there_in_every_mode_of_the_armature(astronaut, scene, mode):
    bpy.ops.object.mode_set(mode=mode)
    assert bpy.ops.lope.simulate.poll() and "gait" in counted("LOPE_PT_page").drawn
    bpy.ops.object.mode_set(mode="OBJECT")


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "mode"), [("MESH", "EDIT"), ("MESH", "SCULPT"), ("MESH", "WEIGHT_PAINT"),
                                            ("MESH", "VERTEX_PAINT"), ("CURVE", "EDIT")])
def test_the_tab_is_there_in_modes_of_other_objects(astronaut, scene, kind, mode):
    (bpy.ops.mesh.primitive_cube_add if kind == "MESH" else bpy.ops.curve.primitive_bezier_curve_add)()
    bpy.ops.object.mode_set(mode=mode)
    assert active_armature(bpy.context) == astronaut and bpy.ops.lope.simulate.poll()
    assert "lope.simulate" in counted("LOPE_PT_top").drawn
    bpy.ops.object.mode_set(mode="OBJECT")


@pytest.mark.slow
def test_with_nothing_active_it_is_the_last_the_only_or_the_picked_one(astronaut, scene, monkeypatch):
    bpy.context.view_layer.objects.active = None
    assert active_armature(bpy.context) == astronaut
    monkeypatch.setattr(notes, "_last", "")
    assert active_armature(bpy.context) == astronaut, "the only one"
    bpy.ops.lope.add_astronaut()
    second = active_armature(bpy.context)
    bpy.context.view_layer.objects.active = None
    assert active_armature(bpy.context) == second, "the last one"
    monkeypatch.setattr(notes, "_last", "")
    assert active_armature(bpy.context) is None and go_button(bpy.context, None)[0] == "lope.simulate"
    assert any("pick one above" in one.text for one in told(bpy.context))
    scene.lope.armature = astronaut
    assert active_armature(bpy.context) == astronaut


@pytest.mark.slow
def test_a_verb_chosen_before_there_was_anybody_is_what_the_new_one_does(scene):
    scene.lope.verb = "STAND"
    assert go_button(bpy.context, None)[0] == "lope.simulate", "nothing else comes under the mouse that adds somebody"
    assert {"lope.add_astronaut", "lope.add_creature"} <= set(counted("LOPE_PT_page").drawn)
    bpy.ops.lope.add_astronaut()
    assert scene.lope.verb == "STAND" and bpy.context.object.lope.motion == "STAND"


@pytest.mark.slow
def test_a_verb_is_what_older_settings_say(astronaut, scene):
    settings = astronaut.lope
    for motion, source, verb in (("FOLLOW", "PRESET", "FOLLOW"), ("DRIVE", "POSES", "DRIVE"), ("GAIT", "POSES", "POSES"),
                                 ("GAIT", "REFLEX", "WALK"), ("STAND", "POSES", "STAND"), ("GAIT", "FILE", "WALK")):
        settings.motion, settings.gait_source = motion, source
        assert scene.lope.verb == verb
    scene.lope.verb = "HIT"
    assert settings.motion == "GAIT" and settings.gait_source == "FILE", "a hit leaves what it does"
    scene.lope.verb = "POSES"
    assert (settings.motion, settings.gait_source) == ("GAIT", "POSES")
    scene.lope.verb = "WALK"
    assert settings.gait_source == "PRESET"


def first_told():
    one = next(told(bpy.context))
    buttons = Listener(bpy.context)
    if one.buttons is not None:
        one.buttons(buttons)
    return one.text, buttons


@pytest.mark.slow
def test_a_figure_of_no_human_size_is_told_with_its_cure_until_it_has_one(astronaut, scene):
    astronaut.scale = (0.01,) * 3
    bpy.context.view_layer.update()
    plan_board.plan = plan_board.Plan(astronaut.session_uid, astronaut.name)
    with pytest.raises(LopeError) as why:
        plan_board.make_now(bpy.context)
    plan_board._tell(plan_board.plan, *explained(why.value))
    text, buttons = first_told()
    assert "tall" in text and "lope.doctor_fix" in buttons.drawn and "Scale to 1.75 m" in buttons.said
    asked = []
    changes.listeners.append(lambda: asked.append(True))
    try:
        bpy.ops.lope.doctor_fix(key="size")
        bpy.context.view_layer.update()
        assert asked, "what was said of another size is asked again"
        asked.clear()
        astronaut.location.x += 1.0
        bpy.context.view_layer.update()
        assert not asked
    finally:
        changes.listeners.pop()
    plan_board.make_now(bpy.context)
    assert not any("tall" in one.text for one in told(bpy.context))


@pytest.mark.slow
def test_keys_past_the_scenes_end_are_said_with_a_button(astronaut, scene):
    bake_take(astronaut, make_take(Walk(seconds=6.0)), scene=scene, options=BakeOptions(lock_feet=False))
    astronaut.lope.take_path, last = "take.npz", 1 + 6 * 24
    notes.tell(astronaut.session_uid, astronaut.name, notes.Note(notes.DONE, "Done"))
    scene.frame_end = last - 1
    text, buttons = first_told()
    assert text == f"Keys to frame {last}, the scene ends at {last - 1}. Done" and f"End at {last}" in buttons.said
    bpy.ops.wm.context_set_int(data_path="scene.frame_end", value=last)
    text, buttons = first_told()
    assert text == "Done" and "wm.context_set_int" not in buttons.drawn


@pytest.mark.slow
def test_apply_scale_is_offered_only_where_it_can_be(astronaut, scene):
    astronaut.scale = (1.1,) * 3
    bpy.context.view_layer.update()
    assert {finding.key: finding.fix for finding in examine(astronaut, scene)}["unapplied"] == "Apply Scale"
    double = bpy.data.objects.new("Double", astronaut.data)
    scene.collection.objects.link(double)
    assert {finding.key: finding.fix for finding in examine(astronaut, scene)}["unapplied"] is None


@pytest.mark.slow
def test_bones_that_are_no_persons_are_asked_about(scene):
    bpy.ops.lope.add_creature()
    armature = active_armature(bpy.context)
    assert not any("what is it" in one.text for one in told(bpy.context)), "that was said by its button"
    armature.lope.body_kind = "AUTO"
    asked = next(one for one in told(bpy.context) if "what is it" in one.text)
    buttons = Listener(bpy.context)
    asked.buttons(buttons)
    assert buttons.drawn == ["body_kind"]


FORBIDDEN = re.compile(r"froude|exponent|\bcontrollers?\b|\bCOM\b|centroidal|pendulum|quadratic|torque|\bLee\b|\bMPC\b|\bQP\b"
                       r"|\bgains?\b|\b[Ss]tands from\b", re.IGNORECASE)
"""Words of the engine's makers."""


def test_what_a_suit_does_to_key_poses_is_said_before(astronaut, scene):
    scene.lope.verb = "POSES"
    astronaut.lope.suit = "apollo-a7lb"
    said = [one.text for one in told(bpy.context)]
    assert any("tuned without a suit" in text for text in said)
    astronaut.lope.suit = "none"
    assert not any("tuned without a suit" in one.text for one in told(bpy.context))


def test_no_text_of_the_interface_has_words_of_its_makers(astronaut, scene):
    """But for what the panel Advanced alone shows, which has to be asked for."""
    from ui_strings import all_texts

    behind = set()
    for name in (*properties(counted("LOPE_PT_advanced").drawn), "planar_engine", "follow_controller"):
        prop = astronaut.lope.bl_rna.properties[name]
        behind |= {prop.name, prop.description}
        behind |= {text for item in getattr(prop, "enum_items", ()) for text in (item.name, item.description)}
    behind |= {prop.description for prop in type(astronaut.lope.changed_settings.add()).bl_rna.properties}
    assert sorted(text for _, text in all_texts() if FORBIDDEN.search(text) and text not in behind) == []
