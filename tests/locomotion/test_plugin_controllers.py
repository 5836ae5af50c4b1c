# SPDX-License-Identifier: GPL-3.0-or-later
"""Controllers of other installed packages: simulated, listed and refused like Lope's own."""

import json
import sys

import pytest

from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.locomotion import registry
from lope.addon.sim.take import Take

TOY = '''
from dataclasses import dataclass

import numpy as np

from lope.addon.engines.engine import Torques
from lope.addon.locomotion.controller import Controller, Reading
from lope.addon.specs.settings import Checked, setting


@dataclass(frozen=True)
class ToySettings(Checked):
    WHOSE, FIELD = "The toy's", "setting of the toy"
    damping_n_m_s: float = setting(2.0, 0.0, 50.0, "N m s", "Resistance of every joint", source="first guess")


class Toy(Controller):
    """Stands, and lets its damped joints give way."""

    name, subject, who, control_step_s = "toy", "toy", "A toy", 0.005
    takes_over = after_fall = True

    def __init__(self, setup):
        super().__init__(setup)
        self.settings = self.changed(setup.shot.gains)["toy"]

    @classmethod
    def groups(cls):
        return {"toy": ToySettings()}

    def start(self, state=None):
        if state is not None:
            return state
        qpos = self.state.model.qpos0.copy()
        qpos[2] += self.body.pelvis_height_m
        return qpos, np.zeros(self.state.model.nv)

    def sense(self, sensed):
        self.time_s = sensed.time_s

    def act(self):
        size = self.state.model.nv - 6
        return Torques(np.zeros(size), np.full(size, self.settings.damping_n_m_s))

    def fallen(self):
        return False

    def channels(self):
        return {"toy_damping": Reading("N m s", self.settings.damping_n_m_s)}
'''
POINTS = """[lope.controllers]
toy = toy_of_somebody:Toy
broken = toy_of_somebody_else:Toy
other = toy_of_somebody:ToySettings
"""
PACKAGE = """Metadata-Version: 2.1
Name: somebodys-toy
Version: 1.0
Summary: Toys that give way
"""


@pytest.fixture
def lope(tmp_path, monkeypatch, capsys):
    """The command line where a package with three controllers is installed, of which one is sound; gives a run's exit code and
    what it says."""
    info = tmp_path / "somebodys_toy-1.0.dist-info"
    info.mkdir()
    (tmp_path / "toy_of_somebody.py").write_text(TOY, encoding="utf-8")
    (info / "METADATA").write_text(PACKAGE, encoding="utf-8")
    (info / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    registry.plugins.cache_clear()

    def run(*words):
        code = main(list(words))
        said = capsys.readouterr()
        return code, said.out + said.err

    yield run
    registry.plugins.cache_clear()
    sys.modules.pop("toy_of_somebody", None)


def test_a_package_adds_a_controller(lope):
    code, said = lope("simulate", "--controller", "toy", "--setting", "toy.damping_n_m_s=50", "--seconds", "0.5",
                      "--out", "toy.npz")
    assert code == 0, said
    take = Take.load("toy.npz")
    assert take.shot.controller == "toy" and (take.channels["toy_damping"].values == 50.0).all()


def test_it_is_listed_with_its_settings(lope):
    code, listed = lope("presets", "controller")
    assert code == 0
    lines = {line.split()[0]: line for line in listed.splitlines()}
    assert "Toys that give way" in lines["toy"] and {"tracking", "limp"} <= set(lines)
    assert "cannot be loaded" in lines["broken"], "one that cannot be used hides no other"
    shown = json.loads(lope("presets", "controller", "toy", "--json")[1])
    assert shown["settings"]["toy.damping_n_m_s"]["unit"] == "N m s" and shown["takes_over_after_a_fall"]


@pytest.mark.parametrize(("words", "sentence"), [
    (("--controller", "broken"), "The controller broken of the package somebodys-toy cannot be loaded (ModuleNotFoundError"),
    (("--controller", "other"), "The controller other of the package somebodys-toy is no class of that name"),
    (("--controller", "toys"), "Did you mean 'toy'"),
    (("--controller", "toy", "--no-retry", "--steer", "0.1,speed=1"), "The controller toy cannot be steered"),
    (("--after-fall", "other"), "The controller other of the package somebodys-toy")])
def test_what_cannot_be_used_is_said_in_a_sentence(lope, words, sentence):
    code, said = lope("simulate", *words, "--seconds", "0.5", "--out", "never.npz")
    assert code == 2 and sentence in said


def test_a_name_of_lopes_own_is_not_given_to_another(lope, tmp_path):
    points = tmp_path / "somebodys_toy-1.0.dist-info" / "entry_points.txt"
    points.write_text(POINTS.replace("toy =", "limp ="), encoding="utf-8")
    registry.plugins.cache_clear()
    with pytest.raises(InputError, match="somebodys-toy names a controller limp, which is one of Lope's own"):
        registry.find_controller("limp")
    assert registry.controller_names().count("limp") == 1
