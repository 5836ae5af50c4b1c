# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures on the command line and in shot lists: who goes, by what, what is said of it, what is refused."""

import json

import pytest

from lope.addon.batch.plan import plan_list
from lope.addon.batch.shot_list import read_list
from lope.addon.bodies.creature.template import find_creature
from lope.addon.bodies.makers import make_body
from lope.addon.commands.simulate import run as simulated
from lope.addon.errors import InputError
from lope.addon.locomotion.creature import stored
from lope.addon.locomotion.creature import stored as choice
from lope.addon.locomotion.creature.stored import proportions
from lope.addon.options.motion_options import how_it_goes
from lope.addon.options.shot_options import Parser, add_shot_options, shot_fields, shot_from
from lope.addon.specs.motions import CreatureGait, CreatureTrial, creature_gait_file
from lope.addon.specs.shot import BodySpec, Shot


@pytest.fixture(autouse=True)
def own_gaits(tmp_path, monkeypatch):
    """A folder of one's own, and nothing shipped: what ships changes with every search."""
    folder = tmp_path / "gaits"
    folder.mkdir()
    monkeypatch.setenv(stored.USER_FOLDER, str(folder))
    monkeypatch.setattr(stored, "shipped_gaits", lambda: ())
    return folder


def gait(folder, creature="ostrich", **more):
    """A gait of a creature, kept in the user's folder."""
    body = make_body(BodySpec(kind="creature", creature=find_creature(creature)))
    name = f"{creature}-mine"
    found = CreatureGait(name, creature, 1.0, leg_length_m=1.1, mass_kg=76.0, proportions=proportions(body),
                         trial=CreatureTrial(8, 8, 30.0), **more)
    (folder / f"{name}.json").write_text(json.dumps(creature_gait_file(found)), encoding="utf-8")
    return found


def args(*words):
    parser = Parser()
    add_shot_options(parser)
    return parser.parse_args(words)


def shot(*words) -> Shot:
    return shot_from(args(*words))


def test_a_creature_goes_by_the_quick_law_where_nothing_is_stored():
    made = shot("--creature", "ostrich", "--speed", "0.9")
    assert (made.controller, made.motion.gait, made.motion.speed_m_s, made.motion.retry) == ("creature", None, 0.9, False)
    assert made.body == BodySpec(kind="creature", creature=find_creature("ostrich"))
    assert Shot.from_dict(json.loads(json.dumps(made.to_dict()))) == made


@pytest.mark.slow
def test_what_it_goes_by_is_said(own_gaits):
    words = ("--creature", "ostrich")
    assert how_it_goes(args(*words), shot(*words)).split("\n")[0] == choice.NO_MUSCLES
    assert "untuned law" in how_it_goes(args(*words, "--quick"), shot(*words, "--quick"))
    gait(own_gaits)
    assert shot(*words).motion.gait.name == "ostrich-mine" and shot(*words).controller == "creature"
    assert how_it_goes(args(*words), shot(*words)) == choice.NO_MUSCLES
    assert how_it_goes(args(*words, "--quick"), shot(*words, "--quick")) == ""
    assert how_it_goes(args("--gait", "walk"), Shot()) == ""


def test_muscles_go_first_unless_it_is_to_be_quick(own_gaits):
    gait(own_gaits, muscles={"gain": {"SOL": 1.6}})
    words = ("--creature", "ostrich")
    assert shot(*words).controller == "creature_muscles"
    assert how_it_goes(args(*words), shot(*words)) == choice.WITH_MUSCLES.format("ostrich-mine")
    assert shot(*words, "--quick").controller == "creature"
    assert shot("--creature", "long_legs").controller == "creature", "another body's muscles are not its own"


def test_a_gait_that_is_named_is_taken_as_it_is(own_gaits, tmp_path):
    gait(own_gaits)
    file = own_gaits / "ostrich-mine.json"
    made = shot("--creature", "ostrich", "--creature-gait", str(file))
    assert made.motion.gait == stored.read_gait(file)
    assert how_it_goes(args("--creature", "ostrich", "--creature-gait", str(file)), made) == ""


def test_what_is_no_gait_in_the_users_folder_is_left_out(own_gaits):
    (own_gaits / "spoilt.json").write_text("{", encoding="utf-8")
    found = gait(own_gaits)
    assert stored.known_gaits() == (found,)


@pytest.mark.parametrize(("words", "said"), [
    (["--creature", "ostrch"], "Did you mean 'ostrich'"),
    (["--creature", "none.json"], "There is no file none.json"),
    (["--quick"], "Only a creature goes by --quick"),
    (["--quick", "--creature-gait", "x.json"], "by --quick and --creature-gait"),
    (["--creature", "ostrich", "--height", "2", "--planar"], "as it is drawn: leave --height and --planar out"),
    (["--creature", "ostrich", "--creature-gait", "none.json"], "There is no file none.json"),
    (["--creature", "ostrich", "--gait", "run"], "--gait: not allowed with argument --creature"),
    (["--creature", "ostrich", "--suit", "mark-iii"], "leave the suit out"),
    (["--creature", "ostrich", "--style", "bounce=0.5"], "leave the style out"),
    (["--creature", "ostrich", "--actuation", "muscles"], "leave the actuation"),
    (["--creature", "ostrich", "--condition", "waddle"], "the condition"),
    (["--creature", "ostrich", "--key", "2,run"], "leave the keys out"),
    (["--creature", "ostrich", "--stop", "standing"], "leave standing at its end out"),
    (["--creature", "ostrich", "--path", "2,0;4,0", "--until-end"], "leave the end of its path out"),
    (["--creature", "ostrich", "--gravity-ramp", "5,1.62"], "leave the gravity's ramp out"),
])
def test_what_cannot_be_is_said(words, said):
    with pytest.raises(InputError, match=said):
        shot(*words)


def test_a_list_says_the_same():
    made = shot_from(shot_fields().parse({"creature": "ostrich", "quick": True, "speed": 0.8, "world": "moon"}))
    assert (made.controller, made.motion.speed_m_s, made.world.name) == ("creature", 0.8, "moon")


def planned(tmp_path, text):
    (tmp_path / "list.toml").write_text(text, encoding="utf-8")
    return plan_list(read_list(tmp_path / "list.toml"))


def test_a_row_of_a_list_is_a_creature(tmp_path):
    (tmp_path / "mine.json").write_text(json.dumps(find_creature("dinosaur").to_dict()), encoding="utf-8")
    (tmp_path / "dino.blend").write_bytes(b"a rig")
    first, own, unbaked, made = planned(tmp_path, """
        [defaults]
        gait = "walk"
        [[shots]]
        name = "bird"
        creature = "ostrich"
        bake = false
        [[shots]]
        name = "dino"
        creature = "mine.json"
        rig = "dino.blend"
        [[shots]]
        name = "person"
        bake = false
        [[shots]]
        name = "nowhere"
        creature = "ostrich"
        """).shots
    assert first.whole.body.creature == find_creature("ostrich") and first.rig is None
    assert own.whole.body.creature.parts == find_creature("dinosaur").parts and own.own_rig.creature
    assert unbaked.whole.motion.name == "walk" and unbaked.whole.body.kind == "human"
    assert made.problem is None and made.own_rig.spec.name == "ostrich" and made.own_rig.spec.file is None


def test_a_list_tells_a_creature_that_there_is_not_with_its_line(tmp_path):
    with pytest.raises(InputError, match="line 4.*Did you mean 'ostrich'"):
        planned(tmp_path, '\n[[shots]]\nname = "a"\ncreature = "ostrch"\n')


@pytest.mark.acceptance
@pytest.mark.slow
def test_it_is_simulated_and_says_what_it_goes_by(capsys):
    asked = args("--creature", "ostrich", "--seconds", "1")
    asked.json, asked.out = True, None
    outcome = simulated(asked)
    assert choice.NO_MUSCLES in capsys.readouterr().err
    assert outcome.report["fell"] is False and outcome.report["body_mass_kg"] > 70.0


def test_a_pace_has_a_froude_number():
    made = shot("--creature", "ostrich", "--speed", "1.2")
    speed, froude, how = choice.pace_of(made)
    assert (speed, how) == (1.2, choice.WALK) and froude == pytest.approx(1.2**2 / (9.81 * 1.1), rel=1e-3)
    assert choice.pace_of(made.with_motion(speed_m_s=2.0))[2] == choice.FAST
