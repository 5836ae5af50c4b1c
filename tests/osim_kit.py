# SPDX-License-Identifier: GPL-3.0-or-later
"""An OpenSim model read for tests (its right leg, pelvis and torso): its own lengths and moment arms, and the same geometry as a
body and muscles of Lope's.

OpenSim's bodies have x forward, y up, z right; Lope's right side is (x, -z, y) of that.
"""

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

from lope.addon.bodies.body import Body, Segment
from lope.addon.bodies.muscle import Muscle, MuscleSet, PathPoint

CHAIN = {"torso": "pelvis", "femur_r": "pelvis", "tibia_r": "femur_r", "talus_r": "tibia_r", "calcn_r": "talus_r",
         "toes_r": "calcn_r"}
JOINTS = {"torso": "back", "femur_r": "hip_r", "tibia_r": "knee_r", "talus_r": "ankle_r", "calcn_r": "subtalar_r",
          "toes_r": "mtp_r"}
TURN = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""From OpenSim's axes to Lope's."""


@dataclass(frozen=True)
class Point:
    """A point of a path: its place in a body (3,), or as functions of the knee's angle; `between` is where it counts."""

    body: str
    place: tuple
    coordinate: str = ""
    between: tuple[float, float] | None = None

    def at(self, coordinates: dict[str, float]) -> np.ndarray | None:
        """The place (3,), None where it does not count."""
        if self.between is not None and not self.between[0] <= coordinates.get(self.coordinate, 0.0) <= self.between[1]:
            return None
        angle = coordinates.get(self.coordinate, 0.0)
        return np.array([part(angle) if callable(part) else part for part in self.place], dtype=float)


class Osim:
    """Joints, and muscles by name as lists of points. Coordinates are the file's, in radians; those not given are zero."""

    def __init__(self, path: Path) -> None:
        root = ET.fromstring(path.read_text(encoding="utf-8").replace("::", "_"))
        self._joints = {joint.get("name"): joint for joint in root.iter("CustomJoint")}
        self.offsets, self.axes = {}, {}
        for body, name in JOINTS.items():
            joint = self._joints[name]
            frame = joint.find("./frames/PhysicalOffsetFrame/translation")
            self.offsets[body] = _vector(frame.text)
            self.axes[body] = [(axis.find("coordinates").text, _vector(axis.find("axis").text), axis.get("name"), _function(axis))
                               for axis in joint.iter("TransformAxis")]
        self.muscles = {muscle.get("name"): [_point(p) for p in muscle.find(".//PathPointSet/objects")]
                        for muscle in root.iter("Thelen2003Muscle")}
        self.muscles = {name: points for name, points in self.muscles.items()
                        if all(p.body == "pelvis" or p.body in CHAIN for p in points)}

    def frames(self, coordinates: dict[str, float]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Each body's place (3,) and turn (3, 3) in the pelvis's frame, OpenSim's axes."""
        frames = {"pelvis": (np.zeros(3), np.eye(3))}
        for body, parent in CHAIN.items():
            origin, turn = frames[parent]
            shift, own = np.zeros(3), np.eye(3)
            for coordinate, axis, name, function in self.axes[body]:
                value = float(function(coordinates.get((coordinate or "").strip(), 0.0)))
                if name.startswith("translation"):
                    shift += value * axis
                else:
                    own = own @ rotation(axis, value)
            frames[body] = (origin + turn @ (self.offsets[body] + shift), turn @ own)
        return frames

    def lengths(self, coordinates: dict[str, float]) -> dict[str, float]:
        """Lengths [m] of the paths."""
        frames, found = self.frames(coordinates), {}
        for name, points in self.muscles.items():
            line = [frames[p.body][0] + frames[p.body][1] @ place for p in points if (place := p.at(coordinates)) is not None]
            found[name] = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
        return found

    def arms(self, coordinate: str, coordinates: dict[str, float], step: float = 1e-5) -> dict[str, float]:
        """Moment arms -dL/dq [m] by finite differences; a conditional point counts or not as it does in the pose."""
        at = coordinates.get(coordinate, 0.0)
        ahead, behind = (self.lengths({**coordinates, coordinate: at + sign * step}) for sign in (1.0, -1.0))
        return {name: -(ahead[name] - behind[name]) / (2.0 * step) for name in ahead}


def _vector(text: str) -> np.ndarray:
    return np.array([float(v) for v in text.split()])


def _function(axis: ET.Element):
    spline = axis.find("SimmSpline")
    if spline is None and axis.find("MultiplierFunction/function/SimmSpline") is not None:
        spline = axis.find("MultiplierFunction/function/SimmSpline")
    if spline is not None:
        return CubicSpline(_vector(spline.find("x").text), _vector(spline.find("y").text), bc_type="natural")
    constant = axis.find("Constant")
    if constant is not None:
        value = float(constant.find("value").text)
        return lambda q: value
    gain, start = _vector(axis.find("LinearFunction/coefficients").text)
    return lambda q: gain * q + start


def _point(element: ET.Element) -> Point:
    body = element.find("socket_parent_frame").text.split("/")[-1]
    if element.tag == "MovingPathPoint":
        parts = []
        for letter in "xyz":
            spline = element.find(f"{letter}_location//SimmSpline")
            x, y = _vector(spline.find("x").text), _vector(spline.find("y").text)
            parts.append(CubicSpline(x, y, bc_type="natural"))
        return Point(body, tuple(parts), element.find("socket_x_coordinate").text.split("/")[-1])
    place = tuple(_vector(element.find("location").text))
    if element.tag == "ConditionalPathPoint":
        low, high = _vector(element.find("range").text)
        return Point(body, place, element.find("socket_coordinate").text.split("/")[-1], (low, high))
    return Point(body, place)


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation (3, 3) about an axis (3,)."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def as_body(model: Osim, coordinates: dict[str, float]) -> Body:
    """The model's right leg, pelvis and torso as a body of Lope's, whose neutral pose is the model's at zero. Its knee is a hinge
    about the point about which the model's turns in that pose; each moving point rides on a hinge of its own, which turns as the
    knee does, beside it."""
    segments = [Segment("pelvis", None, "free", np.zeros(3), np.array([0.0, 0.0, 0.1]), 10.0, np.zeros(3), np.eye(3))]
    for body, parent in CHAIN.items():
        offset = model.offsets[body]
        if body == "tibia_r":
            offset = turning_centre(model, coordinates, "tibia_r")
        if body == "talus_r":
            offset = offset - shank_shift(model, coordinates)
        axes = [axis for coordinate, axis, name, _ in model.axes[body]
                if name.startswith("rotation") and (coordinate or "").strip()]
        segments.append(_segment(body, parent, offset, axes[0] if len(axes) == 1 else None))
    for name in moving(model):
        centre = turning_centre(model, coordinates, name)
        segments.append(_segment(f"patella_{name}", "femur_r", centre, np.array([0.0, 0.0, 1.0])))
    return Body(segments, kind="human")


def as_muscles(model: Osim, coordinates: dict[str, float]) -> MuscleSet:
    """The paths as they are at these coordinates, with the conditional points that count there."""
    shift, muscles = shank_shift(model, coordinates), []
    for name, points in model.muscles.items():
        path = []
        for p in points:
            place = p.at(coordinates)
            if place is None:
                continue
            body = p.body
            if body == "tibia_r":
                place = place - shift
            if name in moving(model) and any(map(callable, p.place)):
                body, place = f"patella_{name}", _on_femur(model, coordinates, name) - turning_centre(model, coordinates, name)
            path.append(PathPoint(body, tuple(TURN @ place)))
        muscles.append(Muscle(name, "R", (), 1000.0, 0.1, 0.1, path=tuple(path)))
    return MuscleSet(tuple(muscles))


def moving(model: Osim) -> list[str]:
    """Muscles with a point that moves in its body."""
    return [name for name, points in model.muscles.items() if any(callable(part) for p in points for part in p.place)]


def turning_centre(model: Osim, coordinates: dict[str, float], of: str) -> np.ndarray:
    """The point of the femur (3,) about which the tibia, or a muscle's moving point, turns at the knee's own rate there."""
    at, step = coordinates.get("knee_angle_r", 0.0), 1e-5
    ahead, here, behind = (_on_femur(model, {"knee_angle_r": at + shift}, of) for shift in (step, 0.0, -step))
    return here - np.cross((ahead - behind) / (2.0 * step), [0.0, 0.0, 1.0])


def shank_shift(model: Osim, coordinates: dict[str, float]) -> np.ndarray:
    """From the tibia's origin to where the knee's hinge is, in the tibia's frame (3,): the hinge's segment begins there."""
    turn = rotation(np.array([0.0, 0.0, 1.0]), coordinates.get("knee_angle_r", 0.0))
    return turn.T @ (turning_centre(model, coordinates, "tibia_r") - _on_femur(model, coordinates, "tibia_r"))


def _on_femur(model: Osim, coordinates: dict[str, float], of: str) -> np.ndarray:
    """The tibia's origin, or a muscle's moving point, in the femur's frame (3,)."""
    knee = {"knee_angle_r": coordinates.get("knee_angle_r", 0.0)}
    frames = model.frames(knee)
    (femur, _), (tibia, turn) = frames["femur_r"], frames["tibia_r"]
    if of == "tibia_r":
        return tibia - femur
    point = next(p for p in model.muscles[of] if any(map(callable, p.place)))
    return tibia - femur + turn @ point.at(knee)


def _segment(name: str, parent: str, offset: np.ndarray, axis: np.ndarray | None) -> Segment:
    hinge = {} if axis is None else {"axis": TURN @ axis / np.linalg.norm(axis)}
    return Segment(name, parent, "hinge" if hinge else "ball", TURN @ offset, np.array([0.0, 0.0, -0.1]), 1.0, np.zeros(3),
                   0.1 * np.eye(3), limits_rad=(-2.5, 2.5) if hinge else (0.0, 3.0), **hinge)
