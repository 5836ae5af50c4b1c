# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles and conditions in the panel: what is asked for, what is said of it, that presets add up, and undo."""

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope import panels  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.specs.muscles import Actuation, Change, condition_names, condition_preset  # noqa: E402
from lope.operators.condition_settings import (  # noqa: E402
    known_in,
    muscle_names,
)
from lope.operators.override_settings import dumped, restored  # noqa: E402

scene, shot = lope_scene.scene, lope_scene.shot
astronaut = lope_scene.astronaut


@pytest.fixture
def muscled(astronaut):
    astronaut.lope.actuation = "MUSCLES"
    return astronaut


def add(armature, **values):
    bpy.ops.lope.list_add(name="condition_changes")
    entry = armature.lope.condition_changes[armature.lope.condition_index]
    for name, value in values.items():
        setattr(entry, name, value)
    return entry


def drawn() -> Listener:
    listener = Listener(bpy.context)
    listener.draw(next(cls for cls in panels._classes() if cls.__name__ == "LOPE_PT_condition"))
    return listener


@pytest.mark.slow
def test_torques_are_what_was_always_asked_for(astronaut):
    assert shot().actuation is None and shot().condition is None
    add(astronaut)
    astronaut.lope.unloaded_months = 6.0
    assert shot().condition is None  # torques feel none


@pytest.mark.slow
def test_muscles_as_the_settings_say(muscled):
    settings = muscled.lope
    assert shot().actuation == Actuation()
    settings.muscle_set, settings.muscle_tendon, settings.muscle_strength = "full", "elastic", 2.0
    assert shot().actuation == Actuation("full", "elastic", 2.0)


@pytest.mark.slow
@pytest.mark.parametrize(("values", "change"), [
    ({}, Change("weak", "plantar_flexors", "both", 0.5)),
    ({"kind": "tight", "group": "hamstrings", "side": "L"}, Change("tight", "hamstrings", "L", 0.8)),
    ({"kind": "pain", "side": "R", "spared": 40.0}, Change("pain", "foot", "R", 40.0)),
    ({"kind": "pain", "sore": "MUSCLE", "muscle": "soleus", "spared": 40.0}, Change("pain", "soleus", "both", 40.0)),
    ({"kind": "displaced", "joint": "knee", "side": "L", "out_cm": -2.0}, Change("displaced", "knee", "L", -0.02)),
])
def test_a_change_is_what_its_entry_says(muscled, values, change):
    add(muscled, **values)
    assert shot().condition.changes == (change,) and shot().condition.name == "own"


@pytest.mark.slow
@pytest.mark.parametrize("name", condition_names())
def test_a_shipped_condition_comes_back_as_it_is(muscled, name):
    assert bpy.ops.lope.condition_add(name=name) == {"FINISHED"}
    assert shot().condition == condition_preset(name).condition and [known.name for known in known_in(muscled.lope)] == [name]
    assert any(condition_preset(name).label in said for said in drawn().said)


@pytest.mark.slow
def test_conditions_add_up_and_go(muscled):
    bpy.ops.lope.condition_add(name="trendelenburg")
    bpy.ops.lope.condition_add(name="weak_ankle")
    muscled.lope.unloaded_months = 3.0
    made = shot().condition
    assert made.name == "trendelenburg + weak_ankle + own" and len(made.changes) == 4
    assert bpy.ops.lope.condition_clear() == {"FINISHED"} and shot().condition is None
    with pytest.raises(RuntimeError, match="healthy already"):
        bpy.ops.lope.condition_clear()


@pytest.mark.slow
def test_a_condition_is_one_undo_step(muscled):
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.lope.condition_add("EXEC_DEFAULT", True, name="waddle")
    assert len(bpy.context.object.lope.condition_changes) == 2
    bpy.ops.ed.undo()
    assert len(bpy.context.object.lope.condition_changes) == 0


@pytest.mark.slow
def test_a_muscle_that_is_no_name_is_said(muscled):
    add(muscled, group="MUSCLE", muscle="")
    with pytest.raises(InputError, match="no group of muscles named"):
        shot()
    assert any("no group of muscles" in said for said in drawn().said)


def test_muscles_are_found_by_their_names():
    names = muscle_names()
    assert {"soleus", "tibialis_anterior"} <= set(names) and not any(name.endswith(("_L", "_R")) for name in names)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "shown"), [("weak", "force"), ("tight", "slack"), ("pain", "spared"), ("displaced", "out_cm")])
def test_the_panel_shows_what_a_change_has(muscled, kind, shown):
    add(muscled, kind=kind)
    assert {"lope.condition_add", "kind", "side", shown, "unloaded_months", "muscle_set"} <= set(drawn().drawn)


@pytest.mark.slow
def test_the_panel_is_there_for_muscles_alone(astronaut):
    panel = next(cls for cls in panels._classes() if cls.__name__ == "LOPE_PT_condition")
    assert not panel.poll(bpy.context)
    astronaut.lope.actuation = "MUSCLES"
    assert panel.poll(bpy.context)


@pytest.mark.slow
def test_settings_of_an_override_are_kept_whole(muscled):
    bpy.ops.lope.condition_add(name="crouch")
    muscled.lope.unloaded_months = 2.0
    kept, before = dumped(muscled.lope), shot().condition
    bpy.ops.lope.condition_clear()
    restored(muscled.lope, kept)
    assert shot().condition == before


@pytest.mark.slow
def test_a_row_writes_every_name_alike_and_has_room_for_its_value(muscled):
    from lope.operators.condition_settings import fill
    from lope.panels.lists import CHANGE_TEXT, _change_text

    entry = add(muscled, group="MUSCLE", muscle="gluteus_minimus", side="L")
    assert _change_text(entry) == "Weak: Gluteus Minimus L"
    fill(entry, Change("pain", "gluteus_medius", "R", 70.0))
    assert entry.muscle == "Gluteus Medius" and _change_text(entry) == "Painful: Gluteus Medius R"
    assert shot().condition.changes == (Change("pain", "gluteus_medius", "R", 70.0),)
    assert _change_text(add(muscled)) == "Weak: Plantar Flexors" and CHANGE_TEXT < 0.8
    entry = add(muscled, group="MUSCLE", muscle="soleus_L")
    with pytest.raises(InputError, match="soleus_l' has a side in it"):
        shot()
