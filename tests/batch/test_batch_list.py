# SPDX-License-Identifier: GPL-3.0-or-later
"""Shot lists: what a file says becomes shots; what is wrong is told with its line; keys follow the inputs' contents."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from lope.addon.batch.document import line_of
from lope.addon.batch.plan import BAKE, RENDER, REPORT, SIMULATE, plan_list
from lope.addon.batch.shot_list import expanded, label, read_list
from lope.addon.batch.status import dry_run
from lope.addon.batch.verdict import cells, judge
from lope.addon.errors import InputError
from lope.addon.options.shot_options import render_fields, shot_fields
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import BodySpec, Push, Shot, World

TOML = """# a night
out = "results"
sheet = true

[defaults]
seconds = 4.0
world = "moon"
render = { size = "64x36", samples = 2 }

[rigs.mia]
file = "mia.blend"
armature = "Mia"
bone_map = "mia.json"

[[shots]]
name = "first"
rig = "mia"
speed = 0.5
push = [
  "1,0.2,0,75,0",
  "2,0.2,0,-75,0",
]

[[shots]]
name = "heavy"
gravity = 20.0
render = false
bake = false
report = false
min_card = "amber"

[[grids]]
name = "g"
gait = ["walk", "run"]
world = ["mars", "earth"]
seed = [0, 1]
"""


def written(folder: Path, text: str, name: str = "night.toml") -> Path:
    """The text as a list's file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_list_becomes_shots(tmp_path):
    shots = read_list(written(tmp_path, TOML))
    assert (shots.out, shots.sheet) == (tmp_path / "results", True)
    assert [shot.name for shot in shots.shots] == ["first", "heavy", *(
        f"g-{gait}-{world}-seed{seed}" for gait in ("walk", "run") for world in ("mars", "earth") for seed in (0, 1))]
    first, heavy, last = shots.shots[0], shots.shots[1], shots.shots[-1]
    assert (first.rig.name, first.rig.file, first.rig.armature) == ("mia", str(tmp_path / "mia.blend"), "Mia")
    assert first.rig.bone_map == str(tmp_path / "mia.json")
    assert first.render == {"size": "64x36", "samples": 2} and first.bake == {} and first.report
    assert (heavy.render, heavy.bake, heavy.report, heavy.min_card) == (None, None, False, "amber")
    assert "world" not in heavy.values, "gravity takes the defaults' world away"
    assert last.values == {"seconds": 4.0, "gait": "run", "world": "earth", "seed": 1}
    assert last.rig.name == "astronaut"


def test_toml_and_json_say_the_same(tmp_path):
    same = read_list(written(tmp_path, json.dumps(tomllib.loads(TOML), indent=1), "night.json"))
    assert same.shots == read_list(written(tmp_path, TOML)).shots


def test_the_plan_has_the_shots_that_the_command_line_would_make(tmp_path):
    (tmp_path / "mia.blend").write_bytes(b"a file")
    (tmp_path / "mia.json").write_text("{}")
    plan = plan_list(read_list(written(tmp_path, TOML)))
    first, heavy = plan.shots[:2]
    pushes = (Push(1.0, 0.2, (0.0, 75.0, 0.0)), Push(2.0, 0.2, (0.0, -75.0, 0.0)))
    assert first.shot == Shot(
        motion=Gait(speed_m_s=0.5, law="people", retry=True), world=World("moon", 1.62), duration_s=4.0, pushes=pushes
    )
    assert heavy.shot.world == World("custom", 20.0)
    assert list(first.keys) == [SIMULATE, REPORT, BAKE, RENDER] and list(heavy.keys) == [SIMULATE]
    assert heavy.rig is None, "without a bake the astronaut need not be built"
    assert len(plan.rigs) == 2


def test_the_body_of_a_rig_takes_the_shots_mass(tmp_path):
    plan = plan_list(read_list(written(tmp_path, '[[shots]]\nname = "a"\nmass = 60\n')))
    shot = plan.shots[0].with_body({"height_m": 1.5, "mass_kg": 75.0, "landmarks": None})
    assert shot.body == BodySpec(1.5, 60.0)


@pytest.mark.parametrize(("text", "line", "said"), [
    ('[[shots]]\nname = "a"\nspede = 1\n', 3, "Did you mean 'speed'"),
    ('[defaults]\n\nseconds = "long"\n[[shots]]\nname = "a"\n', 3, "must be a number"),
    ('[[shots]]\nname = "a"\n[[shots]]\nname = "b"\ngait = "wakl"\n', 5, "Did you mean 'walk'"),
    ('[[shots]]\nname = "a"\nworld = "mon"\n', 3, "Did you mean 'moon'"),
    ('[[grids]]\nname = "g"\nworld = ["moon",\n  "earht"]\n', 3, "Did you mean 'earth'"),
    ('[[shots]]\nspeed = 1\n', 1, 'needs a "name"'),
    ('[[shots]]\nname = "../a"\n', 2, "a name begins with"),
    ('[[shots]]\nname = "a"\n\n[[shots]]\nname = "A"\n', 4, "two shots are called"),
    ('[[shots]]\nname = "a"\nrig = "mia"\n', 3, "There is no rig named 'mia'"),
    ('[rigs.mia]\narmature = "M"\n[[shots]]\nname = "a"\n', 1, 'needs "file"'),
    ('[rigs.mia]\nfile = "mia.obj"\n[[shots]]\nname = "a"\n', 2, ".blend, .fbx"),
    ('[[shots]]\nname = "a"\ngravity = 1\nworld = "moon"\n', 3, "exclude one another"),
    ('[[shots]]\nname = "a"\nmin_card = "blue"\n', 3, "green"),
    ('[[shots]]\nname = "a"\nrender = { sise = "64x64" }\n', 3, "Did you mean 'size'"),
    ('[[shots]]\nname = "a"\nbake = { controls = "hands" }\n', 3, "hands"),
    ('[[shots]]\nname = "a"\nbake = { control = "ik" }\n', 3, "Did you mean 'controls'"),
    ('[[shots]]\nname = "a"\nbake = { dust = 2 }\n', 3, "'dust' must be true or false"),
    ('[[shots]]\nname = "a"\nbake = false\nrender = true\n', 4, "not baked"),
    ('[[shots]]\nname = "a"\nforce = 1\n', 3, "true or false"),
    ('[[shots]]\nname = "a"\nseed = 1.5\n', 3, "whole number"),
    ('[[grids]]\nname = "g"\nspeed = []\n', 3, "is empty"),
    ('[[grids]]\nname = "g"\nseed = [' + "1," * 400 + ']\nspeed = [' + "1," * 400 + ']\n', 1, "160000 shots"),
    ('[rigs.astronaut]\nfile = "a.blend"\n[[shots]]\nname = "a"\n', 1, "built-in"),
    ('[[shots]]\nname = "Rigs"\n', 1, "holds the rigs"),
    ('shots = 3\n', 1, "list of tables"),
    ('out = "x"\n', 1, "no shots"),
    ('[[shots]]\nname = "a"\nrender = { frames = "9,1" }\n', 3, "FIRST,LAST"),
])
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, line, said):
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_list(path)
    assert str(error.value).startswith(f"{path}, line {line}: ") and said in str(error.value)


@pytest.mark.parametrize(("name", "text", "said"), [
    ("a.toml", '[[shots]\nname = "a"\n', "line 1"), ("a.toml", 'a = 1\na = 2\n', "line 2"),
    ("a.json", '{"shots":\n [,]}', "line 2"), ("a.json", '{"out": 1, "out": 2}', "'out' stands twice"),
    ("a.json", "[]", "line 1"), ("a.yaml", "", ".toml or .json"),
])
def test_a_file_that_is_no_list(tmp_path, name, text, said):
    with pytest.raises(InputError, match=said):
        read_list(written(tmp_path, text, name))


def test_no_file(tmp_path):
    with pytest.raises(InputError, match="There is no shot list at"):
        read_list(tmp_path / "none.toml")


def test_lines_of_json():
    text = '{\n "a": [1,\n  {"b": "x]}",\n   "c": [true,\n    2]}],\n "d": 5}\n'
    places = {("a",): 2, ("a", 0): 2, ("a", 1): 3, ("a", 1, "b"): 3, ("a", 1, "c"): 4, ("a", 1, "c", 1): 5, ("d",): 6}
    assert {place: line_of(text, place, False) for place in places} == places
    assert line_of(text, ("a", 1, "missing"), False) == 3 and line_of(text, ("nothing",), False) == 1


def test_lines_of_toml():
    text = '# top\na.b = 1\n\n[t]\n# says\nlist = [\n 1,\n 2,\n]\ntext = """\n[[x]]\n"""\n[[x]]\nk = 1\n[[x]]\nk = 2\n'
    places = {("a",): 2, ("a", "b"): 2, ("t",): 4, ("t", "list"): 6, ("t", "list", 1): 6, ("t", "text"): 10, ("x", 0): 13,
              ("x", 0, "k"): 14, ("x", 1): 15, ("x", 1, "k"): 16}
    assert {place: line_of(text, place, True) for place in places} == places


def test_files_are_relative_to_the_list(tmp_path, monkeypatch):
    folder = tmp_path / "lists"
    folder.mkdir()
    (folder / "hill.csv").write_text("0,0\n0,0\n")
    (folder / "way.txt").write_text("3,0\n")
    (folder / "walk.bvh").write_text("HIERARCHY")
    text = ('[[shots]]\nname = "a"\nmotion = "walk.bvh"\nheightfield = "hill.csv,0.5"\npath = "way.txt"\n'
            '[[shots]]\nname = "b"\npath = "circle:5"\n')
    monkeypatch.chdir(tmp_path)
    plan = plan_list(read_list(written(folder, text)))
    a, b = plan.shots
    assert a.problem is None, a.problem
    assert a.shot.motion.file == str(folder / "walk.bvh") and a.shot.world.ground.kind == "field"
    assert a.shot.motion.path.points_m == ((3.0, 0.0),) and b.shot.motion.path.kind == "circle"


@pytest.mark.parametrize(("entry", "said"), [
    ("speed = 99", "Speed must lie between"), ('motion = "none.bvh"', "not there"), ("mass = 2", "Mass"),
    ('path = "circle:wide"', "circle:RADIUS"), ('rig = "none.blend"', "rig .*none.blend is not"),
    ('rig = { file = "a.glb", bone_map = "m.json" }', "not there"),
])
def test_a_bad_shot_is_its_own_problem(tmp_path, entry, said):
    plan = plan_list(read_list(written(tmp_path, f'[[shots]]\nname = "bad"\n{entry}\n[[shots]]\nname = "good"\n')))
    bad, good = plan.shots
    assert bad.shot is None and bad.keys == {} and good.problem is None
    assert re.search(said, bad.problem)


def test_keys_follow_contents_not_names_or_times(tmp_path):
    def keys(text: str) -> dict[str, str]:
        return plan_list(read_list(written(tmp_path, text))).shots[0].keys

    rig, clip = tmp_path / "mia.blend", tmp_path / "walk.bvh"
    rig.write_bytes(b"one")
    clip.write_text("HIERARCHY")
    text = '[[shots]]\nname = "a"\nrig = "mia.blend"\nmotion = "walk.bvh"\nrender = { samples = 2 }\n'
    before = keys(text)
    rig.touch()
    assert keys(text) == before
    rig.write_bytes(b"two")
    other_rig = keys(text)
    assert all(other_rig[stage] != before[stage] for stage in before), "the body comes from the rig"
    rig.write_bytes(b"one")
    clip.write_text("HIERARCHY ")
    assert all(keys(text)[stage] != before[stage] for stage in before)
    clip.write_text("HIERARCHY")
    finer = keys(text.replace("2", "3"))
    assert [stage for stage in before if finer[stage] != before[stage]] == [RENDER]
    moved = keys(text + "bake = { start_frame = 11 }\n")
    assert [stage for stage in before if moved[stage] != before[stage]] == [BAKE, RENDER]


def test_keys_follow_the_pressure_that_is_followed_and_its_database(tmp_path):
    def keys() -> dict[str, str]:
        text = '[[shots]]\nname = "a"\nfollow = "mat"\ndatabase = "mine.npz"\n'
        return plan_list(read_list(written(tmp_path, text))).shots[0].keys

    (tmp_path / "mat").mkdir()
    picture, database = tmp_path / "mat" / "0.png", tmp_path / "mine.npz"
    picture.write_bytes(b"one")
    database.write_bytes(b"one")
    before = keys()
    for file in (picture, database):
        file.write_bytes(b"two")
        assert keys()[SIMULATE] != before[SIMULATE]
        file.write_bytes(b"one")
    assert keys() == before


def test_only_names_shots_of_the_list(tmp_path):
    shots = read_list(written(tmp_path, '[[grids]]\nname = "g"\nseed = [1, 2, 3]\n'))
    assert [shot.name for shot in plan_list(shots, ["g-seed3", "g-seed1", "g-seed3"]).shots] == ["g-seed3", "g-seed1"]
    with pytest.raises(InputError, match="Did you mean 'g-seed2'"):
        plan_list(shots, ["g-sed2"])


def test_grids_turn_the_last_axis_fastest():
    grid = {"name": "n", "speed": [1, 1.5], "rig": ["a.blend", {"file": "x/b.fbx"}], "push": ["1,2,3,4,5"], "seconds": 3}
    made = list(expanded(grid, frozenset({"push"})))
    assert [name for name, _ in made] == ["n-a-speed1", "n-a-speed1.5", "n-b-speed1", "n-b-speed1.5"]
    assert made[-1][1] == {"push": ["1,2,3,4,5"], "seconds": 3, "rig": {"file": "x/b.fbx"}, "speed": 1.5}
    assert label("world", "orbit-station:0.3") == "orbit_station_0.3" and label("force", True) == "force"


def test_every_option_of_the_command_line_is_a_field():
    known = shot_fields().by_name
    assert {"gait", "speed", "world", "gravity", "path", "push", "gravity_ramp", "slope", "suit", "seed"} <= set(known)
    assert not {"blend", "armature", "body"} & set(known)
    assert {"size", "samples", "frames", "renderer", "camera"} <= set(render_fields().by_name)
    assert not {"blend", "out", "sheet"} & set(render_fields().by_name)


def test_numbers_below_zero_and_lists_reach_the_options(tmp_path):
    text = '[[shots]]\nname = "a"\nheading = -30\nslope = -5\ngravity_ramp = ["1,2.0", "2,3.0"]\n'
    shot = plan_list(read_list(written(tmp_path, text))).shots[0].shot
    assert (shot.motion.path.heading_deg, shot.world.ground.slope_deg) == (-30.0, -5.0)
    assert shot.world.gravity_ramp == ((1.0, 2.0), (2.0, 3.0))


LISTS = sorted((Path(__file__).resolve().parents[2] / "docs" / "lists").iterdir())


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_the_examples_can_be_planned(path):
    plan = plan_list(read_list(path))
    assert len(plan.shots) > 1 and [shot.problem for shot in plan.shots if shot.problem] == []


def test_who_stands_and_is_hit_may_be_listed(tmp_path):
    text = '[[shots]]\nname = "jab"\ngait = "stand"\nseconds = 3\npunch = ["1.5,jaw,12,180"]\nhit = ["2,left_arm,4,6,90"]\n'
    shot = plan_list(read_list(written(tmp_path, text))).shots[0].shot
    assert shot.controller == "standing" and [hit.segment for hit in shot.hits] == ["head", "upper_arm_L"]


def test_who_stands_is_listed_as_standing(tmp_path):
    text = '[[shots]]\nname = "still"\ngait = "stand"\nseconds = 3\n[[shots]]\nname = "lopes"\ngait = "lope"\nseconds = 3\n'
    listed = dry_run(plan_list(read_list(written(tmp_path, text))), 1, False)[0]["shots"]
    assert [(shot["gait"], shot["speed_m_s"]) for shot in listed] == [("stand", None), ("lope", None)]


def test_the_sheets_heads_tell_conditions_apart(tmp_path):
    render = 'render = { size = "64x64", frames = "1,2", samples = 1 }'
    plain = "".join(f'[[shots]]\nname = "{name}"\n{more}\n' for name, more in (
        ("limp", 'condition = ["trendelenburg"]'), ("bent", 'condition = ["crouch"]'), ("well", ""),
        ("half", 'condition = ["crouch:0.5"]')))
    plan = plan_list(read_list(written(tmp_path, f'[defaults]\nrig = "astronaut"\n{render}\n{plain}')))
    found = {cell["lines"][0]: cell["column"] for cell in cells(plan, judge(plan, {}))}
    assert found == {"limp": "walk, trendelenburg", "well": "walk, healthy", "bent": "bent", "half": "half"}
