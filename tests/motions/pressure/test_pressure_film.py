# SPDX-License-Identifier: GPL-3.0-or-later
"""Films of pressure: bodies that are drawn where they are, panels that see the same ground, files that can be encoded."""

from __future__ import annotations

import importlib.util
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lope.addon.cli import main
from lope.addon.motions.pressure.database import MOTION_HZ, Database
from lope.addon.motions.pressure.features import features_of
from lope.addon.motions.pressure.files import write_pressure
from lope.addon.motions.pressure.images import MOST_PA, Pressure, as_measured
from lope.addon.motions.pressure.synthesis import read_motion
from lope.addon.motions.responses.feet import with_feet
from lope.addon.motions.responses.response import reference_body
from lope.addon.reports.film import canvas as mats
from lope.addon.reports.film import figures as bodies
from lope.addon.reports.film.canvas import write_pictures
from lope.addon.reports.film.figures import FULL, HALF_VIEW_RAD, camera_for, capsule_distance
from lope.addon.reports.film.films import DELAY_S, FourPanels, feet_of, four_panels, take_film
from lope.addon.reports.pressure import mat_of
from lope.addon.search.pressed_clips import window_means
from lope.addon.sim.example_take import example_take
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Stand
from lope.addon.specs.shot import Shot
from pressure_kit import on_mat, step_motion

MISSING = importlib.util.find_spec("matplotlib") is None or importlib.util.find_spec("PIL") is None
pytestmark = [pytest.mark.slow, pytest.mark.skipif(MISSING, reason="films are drawn by the extra plot")]
needs_blender = pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="films are encoded by Blender")
SIZE = (640, 360)


@pytest.fixture(scope="module")
def stepped() -> tuple[Database, Pressure]:
    """A database of a stance and a step, and the pressure of somebody who stands, then steps."""
    motions = [step_motion("stands", 0.0, 0.0, True), step_motion("ahead", 0.35, 0.0)]
    felt = [on_mat(one) for one in motions]
    known = tuple(replace(one, features=features_of(mat)) for one, mat in zip(motions, felt, strict=True))
    images = np.concatenate([felt[0].images[:12], felt[1].images])
    mat = Pressure(images, felt[0].pitch_m, 12.0, "Pa", "mat", felt[0].origin_m)
    return Database("steps", "CC0-1.0", known), as_measured(mat, MOST_PA)


def take_of_step() -> Take:
    """The step as a Take."""
    motion = step_motion("ahead", 0.35, 0.0)
    body = reference_body()
    qpos = with_feet(body, motion.root, motion.turn, motion.joints).coordinates(body)
    shot = Shot(motion=Stand(), duration_s=round((len(qpos) - 1) / MOTION_HZ, 4))
    return example_take(shot, body, 1.0 / MOTION_HZ, qpos, motion.planted, {})


def test_rays_end_on_the_skin_of_a_capsule() -> None:
    drawn = np.random.default_rng(2)
    eye, start, end, radius = np.array([-3.0, 0.2, 0.9]), np.array([0.1, -0.2, 0.8]), np.array([0.4, 0.3, 1.1]), 0.12
    rays = np.array([0.25, 0.1, 0.9]) + 0.35 * drawn.standard_normal((4000, 3)) - eye
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)

    def away(points: np.ndarray) -> np.ndarray:
        along = end - start
        share = np.clip((points - start) @ along / (along @ along), 0.0, 1.0)
        return np.linalg.norm(points - start - share[..., None] * along, axis=-1)

    found = capsule_distance(eye, rays, start, end, radius)
    hit = np.isfinite(found)
    assert 100 < hit.sum() < 3900
    assert np.abs(away(eye + found[hit, None] * rays[hit]) - radius).max() < 1e-9
    steps = np.linspace(2.0, 5.0, 600)
    near = np.array([away(eye + steps[:, None] * ray).min() for ray in rays])
    assert (near[~hit] > radius - 1e-9).all()  # nothing is missed
    before = np.array([away(eye + np.linspace(0.0, way - 1e-3, 100)[:, None] * ray).min()
                       for way, ray in zip(found[hit], rays[hit], strict=True)])
    assert (before > radius).all()  # the first place, not the last


def test_the_camera_keeps_all_of_the_body_in_the_picture() -> None:
    shown = bodies.of_take(take_of_step())
    capsules = shown.capsules
    kicked = replace(capsules, ends=capsules.ends + np.array([1.2, 0.0, 0.6]))
    for body in (capsules, kicked):
        camera = camera_for([body], [shown.target_m], SIZE)
        eyes = np.array([camera.eye_m(target) for target in shown.target_m])
        for ends in (body.starts, body.ends):
            seen = (ends - eyes[:, None]) @ camera.axes.T
            up = (np.abs(seen[..., 1]) + body.radii) / (seen[..., 2] * math.tan(HALF_VIEW_RAD))
            across = (np.abs(seen[..., 0]) + body.radii) / (seen[..., 2] * math.tan(HALF_VIEW_RAD)) * SIZE[1] / SIZE[0]
            assert max(up.max(), across.max()) <= FULL + 1e-6
    picture = shown.drawn(camera_for([capsules], [shown.target_m], SIZE), 1.0)
    yellow = (picture[..., 0] > 90) & (picture[..., 2] < 0.55 * picture[..., 0]) & (picture[..., 1] > 0.6 * picture[..., 0])
    red = (picture[..., 0] > 80) & (picture[..., 1] < 0.5 * picture[..., 0])
    assert yellow.sum() > 50 and red.sum() > 50
    assert np.nonzero(yellow)[1].mean() < np.nonzero(red)[1].mean()  # left is left


def test_both_panels_of_pressure_see_as_much_ground_and_the_matched_one_lies_on_the_live_one(
        stepped: tuple[Database, Pressure]) -> None:
    database, pressure = stepped
    panels = FourPanels(read_motion(pressure, database), database, None, SIZE, 0.0)
    picture = panels.picture(2.4)
    half, upper = SIZE[0] // 2, panels.upper
    left, right = (picture[upper + 4:, start + half // 2:start + half - 4].astype(int) for start in (0, half))
    green = [(part[..., 1] > 60) & (part[..., 2] < 10) & (part[..., 0] < 130) for part in (left, right)]
    places = [np.argwhere(part).mean(axis=0) for part in green]
    assert min(part.sum() for part in green) > 100
    assert 0.75 < green[0].sum() / green[1].sum() < 1.33  # as large
    assert np.abs(places[0] - places[1]).max() < 6.0  # and there


def test_a_mat_is_drawn_with_ahead_up_and_left_on_the_left() -> None:
    images = np.zeros((2, 20, 10))
    images[:, 15:18, 7:9] = 100.0  # ahead, to the left
    shown = mats.Shown(Pressure(images, (0.02, 0.02), 12.0), 100.0)
    picture = shown.drawn(0, np.zeros(2), 400.0, (100, 160), 160)
    rows, columns = np.nonzero(picture[..., 0] == 127)
    assert len(rows) and rows.max() < 80 and columns.max() < 50
    assert tuple(picture[2, 2]) != (0, 0, 0) or tuple(picture[0, 50]) == tuple(mats.BESIDE)
    assert mats.pressed(shown, 0)[1] == "left 100 %, right 0 %" and mats.pressed(shown, 0)[0] == "0 N"


def test_a_show_is_a_second_longer_and_equal_films_are_equal_pictures(stepped: tuple[Database, Pressure], tmp_path: Path) -> None:
    database, pressure = stepped
    reading = read_motion(pressure, database, stream=True)
    shows = [four_panels(reading, database, take_of_step(), SIZE, 6.0, DELAY_S) for _ in range(2)]
    assert len(shows[0]) == round((len(pressure) / 12.0 + 1.0) * 6.0)
    assert (shows[0].picture(10) == shows[1].picture(10)).all()
    short = replace(shows[0], count=2)
    paths = write_pictures(short, tmp_path / "pictures")
    assert [path.name for path in paths] == ["frame_0001.png", "frame_0002.png"] == sorted(
        path.name for path in (tmp_path / "pictures").iterdir())


def test_the_verb_writes_pictures_and_refuses_what_is_no_film(stepped: tuple[Database, Pressure], tmp_path: Path,
                                                              capsys: pytest.CaptureFixture[str]) -> None:
    database, pressure = stepped
    database.save(tmp_path / "db.npz")
    write_pressure(tmp_path / "step.csv", [pressure.within(0, 26)])
    asked = ["pressure", "film", str(tmp_path / "step.csv"), "--database", str(tmp_path / "db.npz")]
    assert main([*asked, "--out", str(tmp_path / "out"), "--size", "640x360", "--fps", "4", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["frames"] == len(list((tmp_path / "out").glob("frame_*.png"))) == 9
    for words, told in ((["--out", str(tmp_path / "out"), "--size", "641x360"], "must be even"),
                        (["--out", str(tmp_path / "out"), "--fps", "500"], "Frames a second"),
                        (["--out", str(tmp_path / "kick.avi")], "whose name has no ending"),
                        (["--beside", "none.npz", "--out", str(tmp_path / "out")], "none.npz"), ([], "needs --database")):
        assert main([*asked, *words]) == 2
        assert told in capsys.readouterr().err


def test_feet_of_a_take_are_outlined_as_they_press() -> None:
    walk = simulate(Shot(duration_s=2.0))
    film, mat = take_film(walk, [mat_of(walk)], SIZE, 12.0), mat_of(walk)
    feet = feet_of(walk, mat)
    held = np.einsum("tfrc,trc->tf", feet, mat.images)
    force = window_means(walk.grf_n[..., 2], float(walk.time_s[1] - walk.time_s[0]), np.arange(len(mat)) / 12.0, 1.0 / 12.0)
    shares, real = (each / each.sum(axis=1, keepdims=True) for each in (held, force))
    assert np.abs(shares - real).max() < 0.12 and (real[:, 0] > 0.99).any() and (real[:, 1] > 0.99).any()
    assert not (feet[:, 0] & feet[:, 1]).any() and (film.picture(3) == film.picture(3)).all()


@needs_blender
def test_a_take_is_filmed_with_what_its_soles_press(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulate(Shot(motion=Stand(), duration_s=0.6)).save(tmp_path / "stands.npz")
    film = tmp_path / "stands.mp4"
    assert main(["pressure", "of", str(tmp_path / "stands.npz"), "--film", str(film), "--size", "640x360", "--fps", "10"]) == 0
    assert film.stat().st_size > 1000
    assert main(["pressure", "of", str(tmp_path / "stands.npz"), "--insoles", "--film", str(tmp_path / "soles"), "--size",
                 "640x360", "--fps", "5"]) == 0
    assert len(list((tmp_path / "soles").iterdir())) == 3
    assert main(["pressure", "of", str(tmp_path / "stands.npz"), "--fps", "5"]) == 2
    assert "say with --film" in capsys.readouterr().err
