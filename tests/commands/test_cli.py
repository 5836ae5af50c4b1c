# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line's plumbing with a made-up simulation: options to Shot, exit codes, clean standard output."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from lope.addon import VERSION
from lope.addon.cli import main
from lope.addon.commands import VERBS
from lope.addon.commands.outcome import table
from lope.addon.commands.render import frames_from, size_from
from lope.addon.errors import EngineError, InputError
from lope.addon.jobs.tasks import take_report
from lope.addon.reports.card import physics_card
from lope.addon.reports.measures import GAIT_UNITS, UNITS, measure
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Gait
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import BodySpec, Push, Shot, World
from take_factory import Walk, make_take


@pytest.fixture
def simulation(monkeypatch):
    """A stand-in for `addon.sim.simulation`: notes the shots it is given and answers with `take` and `plan`."""
    module = ModuleType("lope.addon.sim.simulation")
    module.shots = []
    module.take = make_take(Walk(seconds=4.0))

    def simulate(shot, progress=None, cancelled=None):
        module.shots.append(shot)
        print("an engine that chatters")
        os.write(1, b"a compiled library that chatters\n")
        progress(0.5, "walking")
        return module.take

    def preview(shot):
        module.shots.append(shot)
        path = np.zeros((3, 3))
        return SimpleNamespace(time_s=np.arange(3.0), com_m=path, cart_m=path, footstep_m=np.array([[0.7, 0.1, 0.0]]),
                               footstep_time_s=np.array([0.6]), footstep_side=np.array([1]), speed_m_s=1.2,
                               stride_frequency_hz=0.8, froude=0.17, note="", along=None)

    module.simulate, module.preview = simulate, preview
    monkeypatch.setitem(sys.modules, module.__name__, module)
    attempts = SimpleNamespace(attempt=lambda *args, **more: module.simulate(*args, **more))
    monkeypatch.setitem(sys.modules, "lope.addon.reports.retry", attempts)
    return module


def test_every_option_reaches_the_shot(simulation, tmp_path, capfd):
    clip = tmp_path / "walk.bvh"
    clip.write_text("HIERARCHY")
    words = (f"simulate --motion {clip} --gravity 3.5 --friction 0.5 --speed 0.9 --stride-frequency 0.6 --seconds 12 "
             "--engine ideal --scaling fixed --height 1.6 --mass 62 --push 4,0.2,0,75,0 --push 6,0.1,-5.5,0,1e1 --seed 3 "
             "--gait-law similar --path circle:-4 --heading 30 --suit Mark-III --start standing --stop standing --noise 0.1 "
             "--untuned --force --no-retry")
    assert main(words.split()) == 0
    assert simulation.shots == [
        Shot(
            motion=Gait(
                file=str(clip),
                speed_m_s=0.9,
                stride_frequency_hz=0.6,
                scaling="fixed",
                path=PathSpec("circle", 30.0, -4.0),
                start="standing",
                stop="standing",
                tuned=False,
                force=True,
            ),
            body=BodySpec(1.6, 62.0),
            world=World("custom", 3.5, 0.5),
            duration_s=12.0,
            engine="ideal",
            seed=3,
            pushes=(Push(4.0, 0.2, (0.0, 75.0, 0.0)), Push(6.0, 0.1, (-5.5, 0.0, 10.0))),
            suit="mark-iii",
            noise=0.1,
        )
    ]


@pytest.mark.parametrize(("text", "points"), [
    ("3,0.5", ((3.0, 0.5),)), ("3,0;6,-2.5;", ((3.0, 0.0), (6.0, -2.5))), ("1e1, 2 ;-3,4", ((10.0, 2.0), (-3.0, 4.0))),
])
def test_path_of_points_on_the_command_line(simulation, text, points, capfd):
    assert main(["plan", f"--path={text}"]) == 0
    assert simulation.shots == [Shot(motion=Gait(path=PathSpec("points", points_m=points), law="people", retry=True))]


def test_path_from_a_file(simulation, tmp_path, capfd):
    file = tmp_path / "way.txt"
    file.write_text("# x, y\n2, 0\n\n4 1.5  # a turn\n")
    assert main(["plan", "--path", str(file), "--heading", "90"]) == 0
    path = PathSpec("points", 90.0, points_m=((2.0, 0.0), (4.0, 1.5)))
    assert simulation.shots == [Shot(motion=Gait(path=path, law="people", retry=True))]


@pytest.mark.parametrize(("text", "told"), [
    ("circle:wide", "circle:RADIUS"), ("nowhere.txt", "nowhere.txt"), ("3,0;4", "'4'"), ("3,0;4,5,6", "x,y"),
    ("circle:99999", "Radius"),
])
def test_bad_path_is_told(simulation, text, told, capfd):
    assert main(["simulate", "--path", text]) == 2
    assert told in capfd.readouterr().err and not simulation.shots


def test_empty_path_file_is_told(simulation, tmp_path, capfd):
    file = tmp_path / "way.txt"
    file.write_text("# nothing\n")
    assert main(["simulate", "--path", str(file)]) == 2
    assert "no points" in capfd.readouterr().err


def test_unknown_suit_is_told(simulation, capfd):
    assert main(["simulate", "--suit", "apolo-a7lb"]) == 2
    assert "Did you mean 'apollo-a7lb'" in capfd.readouterr().err


def test_no_options_are_the_shots_own_defaults_but_for_the_gait_law(simulation):
    assert main(["simulate"]) == 0
    assert main(["plan", "--world", "Moon", "--gait-law", "similar"]) == 0
    assert simulation.shots == [
        Shot(motion=Gait(law="people", retry=True)),
        Shot(motion=Gait(retry=True), world=World("moon", 1.62)),
    ]


def test_simulate_writes_the_take_and_prints_its_measures(simulation, tmp_path, capfd):
    out = tmp_path / "new" / "take.npz"
    assert main(["simulate", "--out", str(out), "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert list(report) == list(UNITS)
    assert report["sim_s_per_cpu_s"] > 0.0
    assert {**report, "sim_s_per_cpu_s": None} == measure(Take.load(out))


def test_only_the_object_is_on_standard_output(simulation, capfd):
    assert main(["simulate", "--json"]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("{") and out.endswith("}\n")
    assert "an engine that chatters" in err and "a compiled library that chatters" in err
    assert '{"event": "progress", "share": 0.5, "text": "walking"}\n' in err


def test_standard_output_works_again_afterwards(simulation, capfd):
    main(["simulate", "--json"])
    capfd.readouterr()
    print("after")
    os.write(1, b"wards\n")
    assert capfd.readouterr().out == "after\nwards\n"


def test_a_fall_is_exit_code_one_and_the_take_is_kept(simulation, tmp_path, capfd):
    simulation.take = make_take(Walk(seconds=4.0), stats={"time_fell_s": 3.2})
    assert main(["simulate", "--out", str(tmp_path / "fall.npz"), "--json"]) == 1
    out, err = capfd.readouterr()
    assert json.loads(out)["fell"] is True
    assert "fell after 3.20 s" in err
    assert Take.load(tmp_path / "fall.npz").fell


def test_a_fall_that_goes_on_is_told_as_one_and_is_no_failure(simulation, capfd):
    take = make_take(Walk(seconds=4.0), stats={"time_fell_s": 3.2})
    simulation.take = replace(take, shot=replace(take.shot, after_fall="limp"))
    assert main(["simulate"]) == 0
    assert capfd.readouterr().out.splitlines()[0].split() == ["fell", "yes"]
    lines = {line.name: line for line in physics_card(simulation.take).lines}
    assert lines["fall"].grade == "green" and not take_report(simulation.take)["fell"]


def test_people_get_a_table(simulation, capfd):
    assert main(["simulate"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) == len(UNITS)
    assert lines[0].split() == ["fell", "no"]
    assert ["mean_speed_m_s", "1.2", "m/s"] in [line.split() for line in lines]


def test_measure(tmp_path, capfd):
    path = tmp_path / "take.npz"
    take = make_take(Walk(seconds=4.0))
    take.save(path)
    assert main(["measure", str(path), "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert {name: report[name] for name in UNITS} == measure(take)
    assert list(report) == [*UNITS, *GAIT_UNITS, "not_measured", "card"]
    assert main(["measure", str(path)]) == 0
    assert "physics card: " in capfd.readouterr().out


def test_measuring_a_fall_is_no_failure(tmp_path, capfd):
    make_take(Walk(seconds=4.0), stats={"time_fell_s": 3.2}).save(tmp_path / "fall.npz")
    assert main(["measure", str(tmp_path / "fall.npz"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["fell"] is True


def test_plan(simulation, capfd):
    assert main(["plan", "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["stride_length_m"] == pytest.approx(1.5)
    assert report["footsteps"] == [{"time_s": 0.6, "side": "R", "place_m": [0.7, 0.1, 0.0]}]
    assert "com_m" not in report
    assert main(["plan", "--json", "--paths"]) == 0
    assert np.shape(json.loads(capfd.readouterr().out)["cart_m"]) == (3, 3)


@pytest.mark.parametrize("raised, code, words", [
    (EngineError("MuJoCo lost the simulation at 1.000 s."), 2, "lope: MuJoCo lost"),
    (KeyboardInterrupt(), 130, "stopped"),
    (ZeroDivisionError("deep inside"), 3, "fault in Lope"),
])
def test_exit_codes_of_what_goes_wrong(simulation, monkeypatch, capfd, raised, code, words):
    def fail(*_, **__):
        raise raised

    monkeypatch.setattr(simulation, "simulate", fail)
    assert main(["simulate", "--json"]) == code
    out, err = capfd.readouterr()
    assert out == "" and words in err
    assert ("Traceback" in err) == (code == 3)


@pytest.mark.parametrize("words, code, text", [
    (["--help"], 0, "exit codes:"), (["help"], 0, "exit codes:"), (["--version"], 0, VERSION),
    (["help", "plan"], 0, "--paths"), (["simulate", "--help"], 0, "--push T,DURATION,FX,FY,FZ"),
    (["plan", "--help"], 0, "--paths"), (["measure", "--help"], 0, "TAKE.npz"), (["inspect", "--help"], 0, "FILE.bvh"),
    (["bake", "--help"], 0, "--armature NAME"), (["render", "--help"], 0, "--frames"),
])
def test_help(capfd, words, code, text):
    assert main(words) == code
    assert text in capfd.readouterr().out


@pytest.mark.slow
def test_the_module_runs_as_a_program(tmp_path):
    run = subprocess.run([sys.executable, "-m", "lope", "measure", "nowhere.npz", "--json"], capture_output=True, text=True,
                         cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "lope: There is no take at nowhere.npz.\n"


def test_what_c_printed_does_not_come_out_later(tmp_path):
    """The C library keeps what is printed into a pipe until the end of the process."""
    script = ("import ctypes, json, sys\nfrom lope.addon import cli\nfrom lope.addon.commands import measure\n"
              "from lope.addon.commands.outcome import Outcome\n"
              "def run(args):\n    ctypes.CDLL(None).puts(b'late chatter')\n    return Outcome({'a': 1}, '')\n"
              "measure.run = run\nsys.exit(cli.main(['measure', 'x.npz', '--json']))\n")
    if sys.platform == "win32":
        pytest.skip("the C library of Windows goes by another name")
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert json.loads(run.stdout) == {"a": 1}
    assert "late chatter" in run.stderr


def test_the_result_is_one_line(simulation, capfd):
    assert main(["simulate", "--json"]) == 0
    assert capfd.readouterr().out.count("\n") == 1


def test_no_arguments_help(capfd):
    assert main([]) == 2
    out, err = capfd.readouterr()
    assert out == "" and all(re.search(rf"\n    {verb}\s", err) for verb in VERBS)
    assert err.count("  lope ") >= 3 and "blender --background --command lope" in err


@pytest.mark.parametrize(("words", "told"), [
    ("simulat", "Did you mean 'simulate'"), ("Render", "Did you mean 'render'"), ("xyzzy", "Known: bake"),
    ("simulate --wrold moon", "Did you mean --world?"), ("plan --sped=3", "Did you mean --speed?"),
    ("plan --see 3", "Did you mean --seed?"), ("measure a.npz b.npz", "does not know b.npz"),
    ("simulate --world mon", "Did you mean 'moon'"),
    ("simulate --engine mujoko", "Did you mean 'mujoco'"), ("plan --suit mark-ii", "Did you mean 'mark-iii'"),
    ("simulate --start stand", "Did you mean 'standing'"), ("simulate --speed fast", "lope simulate --help"),
    ("help simulat", "Did you mean 'simulate'"),
])
def test_a_typo_is_answered_with_the_nearest_name(simulation, words, told, capfd):
    assert main(words.split()) == 2
    out, err = capfd.readouterr()
    assert out == "" and told in err and err.startswith("lope: ") and err.count("\n") == 1
    assert not simulation.shots


def test_a_typo_in_a_gait_is_answered_with_the_nearest_name(capfd):
    assert main(["plan", "--gait", "wlak"]) == 2
    assert "Did you mean 'walk'" in capfd.readouterr().err


def test_only_the_verb_asked_for_is_loaded():
    script = ("import sys\nfrom lope.addon import cli\ncli.parse(['measure', 'x.npz'])\n"
              "print([n for n in sys.modules if n.startswith('lope.addon.commands.')], 'numpy' in sys.modules)")
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout == "['lope.addon.commands.outcome', 'lope.addon.commands.measure'] False\n", run.stderr


@pytest.mark.parametrize("words", [["--help"], ["--version"], []])
def test_help_loads_no_verb(words):
    script = (f"import sys\nfrom lope.addon import cli\ncli.main({words})\n"
              "own = [n for n in sys.modules if n.startswith('lope.')]\n"
              "print(sorted(own), 'numpy' in sys.modules, file=sys.stderr)")
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stderr.endswith("['lope.addon', 'lope.addon.children', 'lope.addon.children.protocol', 'lope.addon.cli', "
                               "'lope.addon.commands', 'lope.addon.commands.outcome', 'lope.addon.errors'] False\n")


@pytest.mark.slow
def test_an_absent_package_is_told_in_one_sentence():
    script = ("import sys\nsys.modules['numpy'] = None\nfrom lope.addon import cli\n"
              "print(cli.main(['plan']), cli.main([]))")
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout == "2 2\n" and "Traceback" not in run.stderr
    assert "cannot load a package that Lope needs" in run.stderr and VERBS["plan"][:40] in run.stderr


@pytest.mark.slow
def test_a_reader_that_stops_reading_is_no_fault():
    """As `lope plan --json --paths | head -c 1` does."""
    with subprocess.Popen([sys.executable, "-m", "lope", "plan", "--paths", "--json"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as run:
        run.stdout.close()
        err = run.stderr.read()
    assert (run.returncode, err) == (0, b"")


def test_frames_and_sizes():
    assert list(frames_from("1,10,3")) == [1, 4, 7, 10]
    assert list(frames_from("-2,0")) == [-2, -1, 0]
    assert size_from("960X540") == (960, 540)
    for text in ("", "1", "1,2,3,4", "5,1", "1,5,0", "1,5,-1", "a,b"):
        with pytest.raises(InputError, match="FIRST,LAST,STEP"):
            frames_from(text)
    for text in ("", "960", "960x", "0x10", "99999x10", "9.5x10"):
        with pytest.raises(InputError, match="WIDTHxHEIGHT"):
            size_from(text)


def test_tables_show_nested_values():
    records = [{"t": 0.123456, "ok": True}, {"t": 2.0, "deep": {"n": 1}}]
    values = {"a": None, "list": ["x", "y"], "records": records, "none": []}
    assert table(values).splitlines() == [
        "a        -", "list     x, y", "records  t 0.1235, ok yes", "         t 2, deep (n 1)", "none     -"]


@pytest.mark.slow
def test_the_program_limits_linear_algebra_to_one_thread_before_numpy_is_loaded():
    script = ("import os, sys\nfrom lope.addon import cli\nearly = 'numpy' in sys.modules\ncli.main(['--version'])\n"
              "print(early, os.environ['OPENBLAS_NUM_THREADS'], os.environ['OMP_NUM_THREADS'])")
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")} | {"OMP_NUM_THREADS": "3"}
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert run.stdout.splitlines()[-1] == "False 1 3", run.stderr
