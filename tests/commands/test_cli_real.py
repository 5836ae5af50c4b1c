# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line with nothing pretended: a short simulation, a chattering engine, a captured clip, Blender files."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bvh_writer import Style, standing_poses, write_bvh
from lope.addon.cli import main
from lope.addon.commands.inspect import in_short
from lope.addon.reports.card import physics_card
from lope.addon.reports.measures import measure
from lope.addon.sim.take import Take
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow


def test_a_real_simulation(tmp_path, capfd):
    out = tmp_path / "moon.npz"
    assert main(["simulate", "--world", "moon", "--seconds", "1", "--out", str(out), "--json"]) == 0
    printed, said = capfd.readouterr()
    report = json.loads(printed)
    assert physics_card(Take.load(out)).short() in said, "the card speaks without being asked"
    assert (report["fell"], report["duration_s"], report["gravity_m_s2"]) == (False, pytest.approx(1.0), 1.62)
    assert report["qp_solves"] >= 100 and report["penetration_mm_max"] < 50.0
    assert {**report, "sim_s_per_cpu_s": None} == measure(Take.load(out))


def test_an_engine_that_prints_leaves_standard_output_alone(tmp_path):
    """PyBullet greets on standard output from compiled code when it is imported."""
    pytest.importorskip("pybullet", reason="PyBullet is not installed here")
    run = subprocess.run([sys.executable, "-m", "lope", "simulate", "--engine", "pybullet", "--seconds", "0.5", "--json"],
                         capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["engine"] == "pybullet"
    assert "pybullet build time" in run.stderr


@pytest.fixture
def astronaut_file(tmp_path):
    """A Blender file with the astronaut, a camera and a lamp; gives its path and the armature's name."""
    bpy = pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")
    from lope.addon.rigs.astronaut.astronaut import add_astronaut

    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = add_astronaut(bpy.context.scene)
    scene = bpy.context.scene
    for data, place in ((bpy.data.cameras.new("Camera"), (0.0, -6.0, 1.0)), (bpy.data.lights.new("Sun", "SUN"), (0, 0, 5))):
        thing = bpy.data.objects.new(data.name, data)
        thing.location = place
        scene.collection.objects.link(thing)
    scene.camera = bpy.data.objects["Camera"]
    scene.camera.rotation_euler = (np.pi / 2, 0.0, 0.0)
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path, armature.name


def test_bake_and_render(astronaut_file, tmp_path, capfd):
    import bpy

    blend, armature = astronaut_file
    make_take(Walk(seconds=2.0)).save(tmp_path / "take.npz")
    before = blend.read_bytes()
    capfd.readouterr()  # what Blender said while the file was made
    baked = tmp_path / "out" / "baked.blend"
    take = str(tmp_path / "take.npz")
    assert main(["bake", "--blend", str(blend), "--armature", armature, "--take", take, "--out", str(baked), "--start-frame",
                 "11", "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert (report["armature"], report["frame_start"], report["frame_end"]) == (armature, 11.0, 11.0 + 2.0 * 24.0)
    assert blend.read_bytes() == before
    bpy.ops.wm.open_mainfile(filepath=str(baked))
    assert bpy.data.objects[armature].animation_data.action.name == report["action"]
    assert bpy.context.scene.frame_end >= 59
    capfd.readouterr()

    pictures = tmp_path / "pictures"
    assert main(["render", "--blend", str(baked), "--out", str(pictures), "--frames", "11,35,24", "--size", "32x18",
                 "--samples", "1", "--json"]) == 0
    written = json.loads(capfd.readouterr().out)["frames"]
    assert written == [str(pictures / "frame_0011.png"), str(pictures / "frame_0035.png")]
    film = tmp_path / "film.mp4"
    assert main(["render", "--blend", str(baked), "--out", str(film), "--frames", "11,14", "--size", "32x18", "--samples", "1",
                 "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert (report["film"], report["frame_count"]) == (str(film), 4)
    assert film.read_bytes()[4:8] == b"ftyp"
    bpy.ops.wm.read_factory_settings(use_empty=True)
    image = bpy.data.images.load(written[1])
    assert tuple(image.size) == (32, 18)
    assert np.ptp(np.array(image.pixels).reshape(-1, 4)[:, :3]) > 0.05, "the picture is one colour"


def test_simulate_for_an_armature(astronaut_file, tmp_path):
    blend, armature = astronaut_file
    out = tmp_path / "take.npz"
    main(["simulate", "--blend", str(blend), "--armature", armature, "--mass", "90", "--seconds", "0.5", "--out", str(out)])
    take = Take.load(out)
    assert take.body.mass_kg == pytest.approx(90.0, abs=1e-9)
    assert {"hip_L", "knee_R", "ankle_L", "head"} <= set(take.shot.body.landmarks)


def test_inspect_a_real_clip(capfd):
    clip = Path(__file__).resolve().parents[3] / "shared" / "motion" / "bvh" / "07_01_walk_normal.bvh"
    if not clip.is_file():
        pytest.skip(f"the reference clip {clip.name} is not here")
    assert main(["inspect", str(clip), "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert len(report["strides"]) >= 2 and report["frames"] == 158
    assert main(["inspect", str(clip)]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert len([line for line in lines if "side L" in line and "start_s" in line]) >= 1
    assert max(map(len, lines)) < 700


def test_a_simulation_that_the_engine_lost_is_no_fall(monkeypatch, capfd):
    said = "MuJoCo lost the simulation at 3.200 s (its state was not a number)."
    take = make_take(Walk(seconds=4.0), stats={"time_fell_s": None, "lost": said})
    monkeypatch.setattr("lope.addon.reports.retry.simulate", lambda shot, progress, cancelled: take)
    assert main(["simulate", "--json"]) == 4
    out, err = capfd.readouterr()
    assert json.loads(out)["lost"] == said and said in err and "no fall" in err and "fell after" not in err


def test_inspect_of_a_clip_that_can_only_be_followed(tmp_path, capfd):
    """No gait can be made of it, and it says that nothing moves; all the same a body can follow it."""
    path = write_bvh(tmp_path / "stand.bvh", *standing_poses(3.0, 30.0), Style(frame_time=1 / 30))
    assert main(["inspect", str(path), "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["gait"] is None and "has no steps" in found["faults"][-1]
    assert any("Nothing moves: all 91 frames" in fault for fault in found["faults"])
    assert main(["inspect", str(path)]) == 0
    assert "can_be_followed" in (shown := capfd.readouterr().out) and "yes" in shown


def test_inspect_of_a_clip_that_will_not_do(tmp_path, capfd):
    """The report is there, and the exit code says that it is of no use."""
    path = write_bvh(tmp_path / "short.bvh", *standing_poses(0.4, 30.0), Style(frame_time=1 / 30))
    assert main(["inspect", str(path), "--json"]) == 2
    found = json.loads(capfd.readouterr().out)
    assert found["gait"] is None and "has no steps" in found["faults"][-1] and "cannot be followed" in found["not_followed"]


def test_inspect_shows_the_first_contacts_of_many():
    report = {"contacts": [{"side": "L", "strike_s": float(i)} for i in range(20)], "steps": [], "not_followed": "too short"}
    shown = in_short(report)
    assert shown["contacts"][:-1] == report["contacts"][:8] and shown["contacts"][-1] == "and 12 more, which --json lists"
    assert shown["steps"] == [] and shown["can_be_followed"] == "no: too short"
