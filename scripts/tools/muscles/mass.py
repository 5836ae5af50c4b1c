# SPDX-License-Identifier: GPL-3.0-or-later
"""MASS (lsw9021/MASS, Apache-2.0, (c) 2019 Seunghwan Lee): paths of trunk, arms and neck, left, in Lope's axes.

Its way points stand in the world of its rest pose, arms out to the sides, y up and z forward. Its forces of these muscles are
invented (1000 N) and its lengths relative, so only paths are taken.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from lope.addon.bodies.human.landmarks import neutral_alignments

BODIES = {"Pelvis": "pelvis", "Spine": "lower_spine", "Torso": "chest", "Neck": "neck", "Head": "head", "ShoulderL": "clavicle_L",
          "ArmL": "upper_arm_L", "ForeArmL": "forearm_L", "HandL": "hand_L", "FemurL": "thigh_L", "TibiaL": "shank_L",
          "TalusL": "foot_L"}
JOINTS = {"Spine": "lower_spine", "Torso": "chest", "Neck": "neck", "Head": "head", "Shoulder": "clavicle", "Arm": "shoulder",
          "ForeArm": "elbow", "Hand": "wrist", "Femur": "hip", "Tibia": "knee", "Talus": "ankle", "FootThumb": "toes"}
"""The model's bodies, and the landmark of the joint above each."""
HEAD_M, HAND_M, SOLE_BELOW_ANKLE_M = 0.19, 0.19, 0.0776
"""Height of the head over its joint, and length of a hand, as of a person 1.70 m high (Winter's table)."""
TURN = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""From its axes (left, up, forward) to Lope's."""
MASS_KG = 61.4


class Mass:
    """The skeleton's landmarks at rest, and its muscles' way points in the segments' frames of the neutral pose."""

    def __init__(self, folder: Path) -> None:
        self.landmarks = self._landmarks(folder / "human.xml")
        self._units = {unit.get("name"): unit for unit in ET.parse(folder / "muscle284.xml").getroot()}
        self._align = neutral_alignments(self.landmarks)

    def path(self, name: str) -> list[tuple[str, np.ndarray]]:
        """Points of a left muscle: segment and position (3,) [m] there, in the neutral pose of this skeleton."""
        points = []
        for way in self._units[name]:
            segment = BODIES[way.get("body")]
            world = TURN @ np.array([float(v) for v in way.get("p").split()])
            points.append((segment, self._align[segment] @ (world - self.landmarks[self._joint(segment)])))
        return points

    def on(self, point: tuple[str, np.ndarray], segment: str) -> tuple[str, np.ndarray]:
        """The same point at rest, but on another segment."""
        of, position = point
        world = self.landmarks[self._joint(of)] + self._align[of].T @ position
        return segment, self._align[segment] @ (world - self.landmarks[self._joint(segment)])

    def _joint(self, segment: str) -> str:
        kinds = {"upper_arm_L": "shoulder_L", "forearm_L": "elbow_L", "hand_L": "wrist_L", "thigh_L": "hip_L",
                 "shank_L": "knee_L", "foot_L": "ankle_L"}
        return kinds.get(segment, segment)

    def _landmarks(self, path: Path) -> dict[str, np.ndarray]:
        found = {}
        for node in ET.parse(path).getroot():
            name = node.get("name")
            place = TURN @ np.array([float(v) for v in node.find("Joint/Transformation").get("translation").split()])
            if name in JOINTS:
                found[JOINTS[name]] = place
            elif name[:-1] in JOINTS and name[-1] == "L":
                found[f"{JOINTS[name[:-1]]}_L"] = place
        found["pelvis"] = found["hip_L"] * [1.0, 0.0, 1.0]
        found["head_top"] = found["head"] + [0.0, 0.0, HEAD_M]
        found["hand_tip_L"] = found["wrist_L"] + [0.0, HAND_M, 0.0]
        found["heel_L"] = found["ankle_L"] - [0.06, 0.0, SOLE_BELOW_ANKLE_M]
        found["toe_tip_L"] = found["toes_L"] + [0.06, 0.0, -found["toes_L"][2]]
        for name in [n for n in found if n.endswith("_L")]:
            found[f"{name[:-2]}_R"] = found[name] * [1.0, -1.0, 1.0]
        return found
