# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the presets of the muscles from the models of MyoLeg and MASS.

    scripts/tools/fit_muscles.py MODELS [--out FOLDER] [--compare]

MODELS is the folder with `myoleg/myolegs_nomesh.xml` and `mass/human.xml`, `mass/muscle284.xml`.
"""

import lope.scripts.tools.common  # noqa: F401

# isort: split
import argparse
import json
import sys
from pathlib import Path

import numpy as np

from lope.addon.bodies.muscle import MuscleSet
from lope.addon.bodies.muscles.sets import FOLDER, FORMAT, Placing, reference_set
from lope.addon.files import write_whole
from lope.scripts.tools.muscles import tables
from lope.scripts.tools.muscles.build import MASS_KG, bodies, leg_entries, mass_entries, table, under_the_toes
from lope.scripts.tools.muscles.knee import fit_give, fit_knee, grouped, lengths_by_rule, slack_as_in_the_source
from lope.scripts.tools.muscles.sources import Mass, MyoLeg

SOURCE = (
    "Legs: MyoLeg (github.com/MyoHub/myo_sim, Apache-2.0, Vikash Kumar, Vittorio Caggiano, Huawei Wang; after Rajagopal et al. "
    "2016), paths over the knee fitted to a hinge, forces halved (30 in place of 60 N/cm^2); trunk{more}: paths of MASS "
    "(github.com/lsw9021/MASS, Apache-2.0, (c) 2019 Seunghwan Lee). Pennation and some fibres: Ward et al. 2009; fibre types: "
    "Johnson et al. 1973; strength of the trunk: "
    "Anderson and Pandy 1999, Christophy et al. 2012, first guesses{arms}. Made by scripts/tools/fit_muscles.py.")
STRESS_PA = 0.3e6
"""Of these forces over the sections they are from. By it both legs' muscles have 15.7 kg; people of that size have 15.8
(Handsfield et al. 2014)."""


def main() -> int:
    """Fit, tell, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=Path, help="folder of the models, with myoleg and mass in it")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="FOLDER", help="where the files go (default: presets)")
    parser.add_argument("--compare", action="store_true", help="write nothing; a table of the shipped legs' arms beside MyoLeg's")
    options = parser.parse_args()
    leg, source = MyoLeg(options.models / "myoleg" / "myolegs_nomesh.xml"), Mass(options.models / "mass")
    body, theirs, landmarks, align = bodies(leg, source)
    ankle, knee = leg.landmarks()["ankle"], leg.landmarks()["knee"]
    lean_rad = float(np.arctan2(knee[0] - ankle[0], knee[2] - ankle[2]))
    if options.compare:
        shipped = reference_set("legs").muscles
        left = MuscleSet(tuple(m for m in shipped if m.side == "L" and m.name[:-2] in tables.LEG.values()))
        print("\n".join(table(leg, body, left, lean_rad)))
        return 0
    legs = leg_entries(leg, align)
    fit_knee(legs, leg, body, lean_rad)
    slack_as_in_the_source(legs, leg, body, lean_rad)
    short = len(legs)
    under_the_toes(legs, body)
    lengths_by_rule(legs[short:], body)
    fit_give(legs, body, lean_rad)
    placing = Placing(theirs, body)
    trunk, rest = (mass_entries(source, placing, table) for table in (tables.TRUNK, {**tables.ARMS, **tables.NECK}))
    for entries in (trunk, rest):
        lengths_by_rule(entries, body)
    for name, label, entries, more, arms in (
            ("legs", "Legs and trunk", [*legs, *trunk], "", ""),
            ("full", "Full body", [*legs, *trunk, *rest], ", arms and neck",
             ", of arms: Holzbaur et al. 2005, of the neck: Vasavada et al. 1998")):
        grouped(entries, body)
        text = json.dumps({"format": FORMAT, "name": name, "label": label, "source": SOURCE.format(more=more, arms=arms),
                           "mass_kg": MASS_KG, "stress_pa": STRESS_PA, "landmarks": landmarks, "muscles": entries},
                          indent=1, default=rounded)
        write_whole(options.out / f"{name}.json", flat(text) + "\n", "muscle set")
        print(f"{options.out / name}.json: {2 * len(entries)} muscles")
    return 0


def rounded(values: np.ndarray) -> list[float]:
    """Numbers to a hundredth of a millimetre."""
    return [round(float(v), 5) + 0.0 for v in values]


def flat(text: str) -> str:
    """JSON with each part of a path, and each list of numbers, on one line."""
    out, depth = [], 0
    for line in text.split("\n"):
        stripped = line.strip()
        inside = depth >= 4
        depth += stripped.count("{") + stripped.count("[") - stripped.count("}") - stripped.count("]")
        if inside:
            out[-1] += ("" if out[-1].endswith(("[", "{")) or stripped.startswith(("]", "}")) else " ") + stripped
        else:
            out.append(line)
    return "\n".join(out)


if __name__ == "__main__":
    sys.exit(main())
