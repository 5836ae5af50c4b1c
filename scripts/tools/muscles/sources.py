# SPDX-License-Identifier: GPL-3.0-or-later
"""What the muscles' paths are read from: MyoLeg's legs, MASS's trunk and arms."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from lope.addon.bodies.human.landmarks import neutral_alignments

BODIES = {"pelvis": "pelvis", "femur_r": "thigh", "tibia_r": "shank", "talus_r": "foot", "calcn_r": "foot", "toes_r": "toes"}
PATELLA = "patella_r"
MIRRORED = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
"""From the model's axes, right side, to Lope's, left side: forward, right to left, up."""
SOLE_BELOW_ANKLE_M = 0.062
"""Of its foot's collision shapes, 2 cm around the heel bone's own height."""


@dataclass
class SourceMuscle:
    """A muscle as the model has it: parts of its path as (segment or PATELLA, position, wrap); wrap = (kind, radius, axis,
    beside) or None; all in the segments' frames, Lope's axes, left."""

    name: str
    force_n: float
    fibre_m: float
    slack_m: float
    parts: list[tuple]


class MyoLeg:
    """The model, and what it says of lengths and moment arms."""

    def __init__(self, path: Path) -> None:
        self.model = model = mujoco.MjModel.from_xml_path(str(path))
        self.data = mujoco.MjData(model)
        self.names = [model.tendon(i).name.removesuffix("_r_tendon") for i in range(model.ntendon)
                      if model.tendon(i).name.endswith("_r_tendon")]
        self._tendon = {name: model.tendon(f"{name}_r_tendon").id for name in self.names}
        self._couplings = [(model.jnt_qposadr[model.eq_obj1id[i]], model.jnt_qposadr[model.eq_obj2id[i]], model.eq_data[i, :5])
                           for i in range(model.neq)]

    def pose(self, **angles: float) -> None:
        """Joints at these angles [rad], all else at zero, coupled ones where their couplings say."""
        self.data.qpos[:] = self.model.qpos0
        for name, angle in angles.items():
            self.data.qpos[self.model.joint(name).qposadr[0]] = angle
        for one, other, poly in self._couplings:
            self.data.qpos[one] = np.polyval(poly[::-1], self.data.qpos[other])
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_tendon(self.model, self.data)

    def lengths(self, **angles: float) -> dict[str, float]:
        """Paths' lengths [m] in a pose."""
        self.pose(**angles)
        return {name: float(self.data.ten_length[i]) for name, i in self._tendon.items()}

    def arms(self, joint: str, step_rad: float = 1e-4, **angles: float) -> dict[str, float]:
        """Moment arms -dL/dq [m] about a joint of the model, coupled joints following."""
        at = angles.get(joint, 0.0)
        ahead, behind = (self.lengths(**{**angles, joint: at + sign * step_rad}) for sign in (1.0, -1.0))
        return {name: -(ahead[name] - behind[name]) / (2.0 * step_rad) for name in ahead}

    def landmarks(self) -> dict[str, np.ndarray]:
        """Centres of the left leg's joints [m] from midway between the hips, Lope's axes, joints at zero."""
        hip = self._offset("femur_r")
        knee = hip + self._offset("tibia_r")
        ankle = knee + self._offset("talus_r")
        heel = ankle + self._offset("calcn_r")
        ball = heel + self._offset("toes_r")
        middle = np.array([hip[0], 0.0, hip[2]])
        return {name: point - middle for name, point in
                {"hip": hip, "knee": knee, "ankle": ankle, "calcaneus": heel, "toes": ball}.items()}

    def muscles(self) -> list[SourceMuscle]:
        """The forty muscles of a leg. Greatest forces are the mean of both legs', which differ by less than 4 %; fibres and
        slack lengths are the model's: the muscle's range over its length range, and the tendon's length at rest."""
        model, found = self.model, []
        for name in self.names:
            t = self._tendon[name]
            force = np.mean([model.actuator(f"{name}_{side}").gainprm[2] for side in "rl"])
            actuator = model.actuator(f"{name}_r")
            low, high = actuator.gainprm[:2]
            fibre = float(np.ptp(actuator.lengthrange) / (high - low))
            parts = [self._part(w) for w in range(model.tendon_adr[t], model.tendon_adr[t] + model.tendon_num[t])]
            found.append(SourceMuscle(name, float(force), fibre, float(model.tendon_lengthspring[t, 0]), parts))
        return found

    def _offset(self, body: str) -> np.ndarray:
        return MIRRORED @ self.model.body(body).pos

    def _at(self, body: int, position: np.ndarray) -> tuple[str, np.ndarray]:
        """The segment of a body, and the position in that segment's frame; of the heel bone, from the ankle."""
        name = self.model.body(body).name
        place = MIRRORED @ position
        if name == "pelvis":
            hip = self._offset("femur_r")
            place = place - [hip[0], 0.0, hip[2]]
        if name == "calcn_r":
            place = place + self._offset("calcn_r")
        return (PATELLA if name == PATELLA else BODIES[name]), place

    def _part(self, w: int) -> tuple:
        model = self.model
        kind, of = model.wrap_type[w], model.wrap_objid[w]
        if kind == mujoco.mjtWrap.mjWRAP_SITE:
            return (*self._at(model.site_bodyid[of], model.site_pos[of]), None)
        turn = np.zeros(9)
        mujoco.mju_quat2Mat(turn, model.geom_quat[of])
        side = int(model.wrap_prm[w])
        beside = None if side < 0 else self._at(model.site_bodyid[side], model.site_pos[side])[1]
        shape = "sphere" if kind == mujoco.mjtWrap.mjWRAP_SPHERE else "cylinder"
        return (*self._at(model.geom_bodyid[of], model.geom_pos[of]),
                (shape, float(model.geom_size[of, 0]), MIRRORED @ turn.reshape(3, 3)[:, 2], beside))


NODES = {"Pelvis": "pelvis", "Spine": "lower_spine", "Torso": "chest", "Neck": "neck", "Head": "head", "ShoulderL": "clavicle_L",
          "ArmL": "upper_arm_L", "ForeArmL": "forearm_L", "HandL": "hand_L", "FemurL": "thigh_L", "TibiaL": "shank_L",
          "TalusL": "foot_L"}
JOINTS = {"Spine": "lower_spine", "Torso": "chest", "Neck": "neck", "Head": "head", "Shoulder": "clavicle", "Arm": "shoulder",
          "ForeArm": "elbow", "Hand": "wrist", "Femur": "hip", "Tibia": "knee", "Talus": "ankle", "FootThumb": "toes"}
"""The model's bodies, and the landmark of the joint above each."""
HEAD_M, HAND_M, MASS_SOLE_M = 0.19, 0.19, 0.0776
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
            segment = NODES[way.get("body")]
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
        found["heel_L"] = found["ankle_L"] - [0.06, 0.0, MASS_SOLE_M]
        found["toe_tip_L"] = found["toes_L"] + [0.06, 0.0, -found["toes_L"][2]]
        for name in [n for n in found if n.endswith("_L")]:
            found[f"{name[:-2]}_R"] = found[name] * [1.0, -1.0, 1.0]
        return found
