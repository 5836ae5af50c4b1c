# SPDX-License-Identifier: GPL-3.0-or-later
"""After a fall the tab says when it was, shows it, and tries again as advised; a shot too short for its ends says so before."""

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope.addon.gaits.remedy import Remedy  # noqa: E402

pytestmark = pytest.mark.slow

scene, astronaut = lope_scene.scene, lope_scene.astronaut


def top():
    """What the top of the tab draws: buttons, and the words beside them."""
    from lope.panels.top import LOPE_PT_top

    listener = Listener(bpy.context)
    listener.draw(LOPE_PT_top)
    return listener.drawn, " ".join(listener.said)


@pytest.mark.acceptance
def test_a_fall_is_shown_and_tried_again(astronaut, scene):
    from lope.operators import context as notes
    from lope.operators.outcomes import fall_of

    assert not bpy.ops.lope.show_fall.poll() and not bpy.ops.lope.try_again.poll()
    settings = astronaut.lope
    settings.suit, settings.gait, settings.use_speed, settings.speed_m_s, settings.force = "none", "walk", True, 2.5, True
    scene.lope.duration_s, scene.frame_start = 6.0, 11
    bpy.ops.lope.simulate()
    fall, note = fall_of(astronaut), notes.of(astronaut)
    assert note.kind == notes.FELL and "Fell after" in note.text and 0.0 < fall.fell_s < 6.0
    drawn, said = top()
    assert {"lope.simulate", "lope.show_fall", "lope.try_again"} <= set(drawn) and f"Frame {11 + round(24 * fall.fell_s)}" in said
    assert bpy.ops.lope.show_fall() == {"FINISHED"}
    assert scene.frame_current == 11 + round(24 * fall.fell_s)
    action = astronaut.animation_data.action
    assert action is not None and abs(action.frame_range[1] - scene.frame_current) <= 1.0
    assert bpy.ops.lope.show_fall() == {"FINISHED"} and astronaut.animation_data.action == action, "it was there already"
    scene.lope.duration_s = 3.0
    assert bpy.ops.lope.try_again() == {"FINISHED"}
    assert settings.use_speed and settings.speed_m_s == pytest.approx(fall.remedy.value, rel=1e-6) and settings.speed_m_s < 2.5
    assert fall_of(astronaut) is None and notes.of(astronaut).kind == notes.DONE
    assert "lope.try_again" not in top()[0]


@pytest.mark.parametrize("remedy, changed", [
    (Remedy("push_share", 0.6), lambda lope: lope.pushes[0].force_n == pytest.approx(60.0)),
    (Remedy("stride_frequency_hz", None), lambda lope: not lope.use_stride_frequency),
    (Remedy("noise", 0.0), lambda lope: lope.noise == 0.0),
    (Remedy("gait", "walk"), lambda lope: lope.gait == "walk" and lope.gait_source == "PRESET" and not lope.use_speed),
    (Remedy("condition_share", 0.5),
     lambda lope: lope.condition_changes[0].force == pytest.approx(0.65) and lope.unloaded_months == pytest.approx(3.0)),
    (Remedy("strength", 1.5), lambda lope: lope.muscle_strength == 1.5),
    (Remedy("suit", "none"), lambda lope: lope.suit == "none"),
    (Remedy("actuation", None), lambda lope: lope.actuation == "TORQUE"),
])
def test_each_advice_changes_what_its_button_says(astronaut, remedy, changed):
    from lope.operators.outcomes import Fall, apply
    from lope.operators.outcomes import fall_label_of as label_of

    settings = astronaut.lope
    settings.pushes.add().force_n = 100.0
    settings.actuation, settings.unloaded_months = "MUSCLES", 6.0
    settings.condition_changes.add().force = 0.3
    settings.use_stride_frequency = settings.use_speed = True
    settings.noise, settings.gait, settings.gait_source = 0.5, "run", "FILE"
    assert not changed(settings) and label_of(remedy).startswith("Try Again")
    apply(Fall(3.0, remedy), settings)
    assert changed(settings)


def test_a_stop_in_too_short_a_shot_is_told_before_and_its_length_offered(astronaut, scene):
    from lope.operators import context as notes
    from lope.operators import desk, plan_board

    astronaut.lope.start = astronaut.lope.stop = "standing"
    scene.lope.duration_s, scene.lope.show_preview = 4.0, False
    with pytest.raises(RuntimeError, match="needs at least"):
        bpy.ops.lope.simulate()
    needs_s = notes.of(astronaut).needs_s
    assert needs_s > 4.0 and not desk.queue.busy and "lope.set_duration" in top()[0]
    assert bpy.ops.lope.set_duration(seconds=needs_s) == {"FINISHED"}
    assert scene.lope.duration_s == pytest.approx(needs_s) and "lope.set_duration" not in top()[0]
    assert bpy.ops.lope.preview() == {"FINISHED"} and plan_board.of(astronaut).needs_s is None


def test_a_cancelled_job_and_a_done_one_are_said_at_the_top(astronaut, scene):
    from lope.operators import context as notes
    from lope.operators import status_bar

    notes.tell(astronaut.session_uid, "Astronaut", notes.Note(notes.CANCELLED, "Cancelled; nothing was changed"))
    assert "Cancelled" in top()[1]
    bar = Listener(bpy.context)
    status_bar.draw(type("Bar", (), {"layout": bar})(), bpy.context)
    assert bar.said == ["Lope: Astronaut: Cancelled; nothing was changed"]
    notes.forget()
    bar.said.clear()
    status_bar.draw(type("Bar", (), {"layout": bar})(), bpy.context)
    assert bar.said == []


def test_the_status_bar_cuts_a_long_sentence_at_a_word(scene):
    import blf

    from lope.operators.status_bar import LABEL_PX, cut

    blf.size(0, LABEL_PX)
    sentence = "Lope: Armature 'Crane' is no figure on two legs with two arms that Lope can find"
    assert cut(sentence, 2000.0) == sentence
    short = cut(sentence, 200.0)
    assert short.endswith(" ...") and sentence.startswith(short[:-4]) and sentence[len(short) - 4] == " "
    assert 100.0 < blf.dimensions(0, short)[0] <= 200.0


def test_a_gait_that_was_chosen_stays_when_another_speed_is_tried(astronaut):
    from lope.operators.outcomes import Fall, apply

    astronaut.lope.gait = "auto"
    apply(Fall(3.0, Remedy("speed_m_s", 1.2), "lope"), astronaut.lope)
    assert astronaut.lope.gait == "lope" and astronaut.lope.use_speed
