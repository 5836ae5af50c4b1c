# SPDX-License-Identifier: GPL-3.0-or-later
"""What a take by muscles costs, and which muscles pay it (docs/measures.md); and when muscles of walking people are active, by
electromyography with wires in the muscle, in percent of the cycle from the foot's strike (Perry 1992, Gait Analysis: Normal and
Pathological Function, Slack)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..bodies.muscles.mechanics import basal_w
from ..bodies.of_shot import muscles_of, own_coordinates_of
from ..sim.take import Take
from .needs import METABOLIC, MUSCLES, NUMBERS, Group, cost_of_transport
from .strides import end_of_walking_s, sample_lengths_s, whole_strides

LUMPED = {"gluteals": "hip_extensors", "gluteus_maximus": "hip_extensors", "hip_flexors": "hip_flexors",
          "iliopsoas": "hip_flexors", "hamstrings": "hamstrings", "rectus_femoris": "knee_extensors", "vasti": "knee_extensors",
          "gastrocnemius": "plantar_flexors", "soleus": "plantar_flexors", "tibialis_anterior": "dorsiflexors"}
"""Of a walker whose units stand for several muscles each, which is of no set."""


def groups_of(take: Take) -> list[str]:
    """The group that each of a take's muscles is counted in, in their order; the name without its side where none is known."""
    known = {} if take.shot.actuation is None else {one.name: one.group for one in muscles_of(take.shot, take.body)}
    return [known.get(name, LUMPED.get(bare(name), bare(name))) for name in take.stats["muscles"]]


def bare(name: str) -> str:
    """A muscle's name without its side: "soleus" of "soleus_L"."""
    return name.removesuffix("_L").removesuffix("_R")


MET_W_KG = 3.5 / 60.0 * 20.1
"""One metabolic equivalent: 3.5 ml of oxygen a minute for each kilogram (Ainsworth et al. 2011, Med. Sci. Sports Exerc.
43:1575-1581), at 20.1 J to the millilitre (Brockway 1987, Hum. Nutr. Clin. Nutr. 41C:463-471)."""
STANDING_MET, WALKING_MET_S_M, RUNNING_MET_S_M = 1.0, 6.0 / 3.5, 12.0 / 3.5
"""What people spend on level ground: at rest, and for each m/s of walking and of running (ACSM's Guidelines for Exercise Testing
and Prescription: 3.5 + 0.1 v and 3.5 + 0.2 v ml of oxygen a minute and kilogram, v in m/min)."""
LEAST_M_S, RUNS_FROM_M_S = 0.5, 2.0
"""Slower is no way but swaying in place; from here on people run (Hreljac 1993, Med. Sci. Sports Exerc. 25:1158-1162)."""
ACTIVATION, FORCE, RATE = "activation", "muscle_force", "muscle_metabolic_rate"
"""Channels (T, M) of a take by muscles: activation; force [N]; metabolic rate of each [W]."""
EFFORT_UNITS: dict[str, str] = {
    "met": "MET", "met_over_people": "", "metabolic_rate_w_kg": "W/kg", "cost_of_transport_j_kg_m": "J/kg/m",
    "cost_of_transport_net_j_kg_m": "J/kg/m",
    "activation_mean": "", "activation_peak": "", "activation_peak_muscle": "", "muscle_force_peak_n": "N",
    "muscle_force_peak_muscle": "", "reserve_nm_rms": "N m", "reserve_nm_most": "N m", "beside_nm_rms": "N m",
    "reserve_over_torque": "",
}


def _cost(take: Take) -> dict[str, Any]:
    rows = effort_rows(take)
    rate = float(np.average(take.channels[METABOLIC].values[rows], weights=sample_lengths_s(take.time_s)[rows]))
    rest = basal_w(take.body.bare_mass_kg)
    gross = cost_of_transport(take, rows)
    met, speed = rate / take.body.bare_mass_kg / MET_W_KG, _speed_m_s(take, rows)
    return {"met": met, "met_over_people": None if speed < LEAST_M_S else met / people_met(speed),
            "metabolic_rate_w_kg": rate / take.body.bare_mass_kg,
            "cost_of_transport_j_kg_m": gross,
            "cost_of_transport_net_j_kg_m": None if gross is None else gross * (1.0 - rest / rate)}


def people_met(speed_m_s: float) -> float:
    """What people spend [MET] who walk, or run where people do, at that speed on Earth."""
    return STANDING_MET + speed_m_s * (RUNNING_MET_S_M if speed_m_s >= RUNS_FROM_M_S else WALKING_MET_S_M)


def _speed_m_s(take: Take, rows: np.ndarray) -> float:
    """Way over time of the centre of mass over samples (T,) bool."""
    way = np.linalg.norm(np.diff(take.com_m[:, :2], axis=0, prepend=take.com_m[:1, :2]), axis=1)
    return float(way[rows].sum() / sample_lengths_s(take.time_s)[rows].sum())


def _muscles(take: Take) -> dict[str, Any]:
    rows, names = effort_rows(take), take.stats["muscles"]
    activation, force = (take.channels[name].values[rows] for name in (ACTIVATION, FORCE))
    hardest, strongest = int(activation.max(axis=0).argmax()), int(force.max(axis=0).argmax())
    reserve, torque = float(take.stats["reserve_nm_rms"]), _torque_rms(take)
    return {"activation_mean": activation.mean(), "activation_peak": activation.max(), "activation_peak_muscle": names[hardest],
            "muscle_force_peak_n": force.max(), "muscle_force_peak_muscle": names[strongest],
            "reserve_nm_rms": reserve, "reserve_nm_most": take.stats["reserve_nm_most"],
            "beside_nm_rms": take.stats.get("beside_nm_rms", 0.0),
            "reserve_over_torque": reserve / torque if torque > 0.0 else None}


def _torque_rms(take: Take) -> float:
    """Root mean square [N m] up to a fall of the torques at the coordinates that are the muscles'."""
    torque = take.torque_nm[take.time_s <= end_of_walking_s(take)]
    if take.shot.actuation is not None:
        torque = torque[:, own_coordinates_of(take.shot, take.body)]
    return float(np.sqrt(np.mean(torque**2)))


def effort_rows(take: Take) -> np.ndarray:
    """Samples (T,) bool over which effort is measured: those of whole strides; of a take without any all of them up to a fall."""
    strides = whole_strides(take) if take.body.feet else None
    if strides is not None:
        return strides.rows(take.time_s)
    rows = take.time_s <= end_of_walking_s(take)
    rows[0] = False  # no interval ends there
    return rows & np.isfinite(take.channels[METABOLIC].values)  # who lets go at the sample of the fall has no muscles in it


def muscle_table(take: Take) -> str:
    """`muscle_rows` in words, the group that spends most first; "" of a take without muscles."""
    groups = muscle_rows(take).get("muscles", {})
    if not groups:
        return ""
    wide = max(map(len, ["muscles", *groups]))
    rows = [f"{name.replace('_', ' '):{wide}}  {one['share']:>15.0%}  {one['activation_peak']:>15.0%}"
            for name, one in sorted(groups.items(), key=lambda item: -item[1]["share"])]
    return "\n".join([f"{'muscles':{wide}}  {'share of effort':>15}  {'peak activation':>15}", *rows])


def muscle_rows(take: Take) -> dict[str, Any]:
    """`muscles`: by group, both sides together, share of energy, mean and largest activation, and most force [N] of a side."""
    return {"muscles": dict(_by_group(take))} if MUSCLES.met(take) else {}


def _by_group(take: Take) -> Iterator[tuple[str, dict[str, float]]]:
    rows, names = effort_rows(take), take.stats["muscles"]
    activation, force, spent = (take.channels[name].values[rows].astype(float) for name in (ACTIVATION, FORCE, RATE))
    lengths = sample_lengths_s(take.time_s)[rows]
    energy = lengths @ spent
    groups = groups_of(take)
    for group in dict.fromkeys(groups):
        own = np.array([one == group for one in groups])
        sides = {name[-2:] if name[-2:] in ("_L", "_R") else "" for name, here in zip(names, own, strict=True) if here}
        sums = [force[:, [i for i, name in enumerate(names) if own[i] and name.endswith(side)]].sum(axis=1) for side in sides]
        yield group, {"share": float(energy[own].sum() / energy.sum()), "activation_mean": float(activation[:, own].mean()),
                      "activation_peak": float(activation[:, own].max()), "force_peak_n": max(float(one.max()) for one in sums)}


STAYS = "it hardly moves on"
GROUPS = (
    Group(("met", "met_over_people", "metabolic_rate_w_kg", "cost_of_transport_j_kg_m",
           "cost_of_transport_net_j_kg_m"), _cost, (MUSCLES, NUMBERS),
          none={"met_over_people": STAYS, "cost_of_transport_j_kg_m": STAYS, "cost_of_transport_net_j_kg_m": STAYS}),
    Group(("activation_mean", "activation_peak", "activation_peak_muscle", "muscle_force_peak_n", "muscle_force_peak_muscle",
           "reserve_nm_rms", "reserve_nm_most", "beside_nm_rms", "reserve_over_torque"), _muscles, (MUSCLES, NUMBERS),
          none={"reserve_over_torque": "no joint has a torque"}),
)


SOURCE = "Perry 1992, Gait Analysis"
ON_SHARE = 0.25
"""Of what a muscle's activation reaches in the cycle above its least, from where on it counts as active (first guess)."""

_MEDIUS, _MAXIMUS, _VASTI = ((0, 29), (95, 100)), ((0, 10), (94, 100)), ((0, 16), (87, 100))
_HAMSTRINGS, _TRICEPS = ((0, 5), (81, 100)), ((3, 52),)
TIMES: dict[str, tuple[tuple[int, int], ...]] = {
    "gluteus_maximus_upper": ((0, 24), (94, 100)), "gluteus_maximus_superior": ((0, 24), (94, 100)), "gluteus_maximus": _MAXIMUS,
    "gluteals": _MAXIMUS, "gluteus_medius": _MEDIUS, "gluteus_minimus": _MEDIUS, "tensor_fasciae_latae": ((26, 39),),
    "biceps_femoris_long": ((0, 5), (79, 100)), "biceps_femoris_short": ((62, 81),), "semimembranosus": _HAMSTRINGS,
    "semitendinosus": ((0, 4), (87, 100)), "hamstrings": _HAMSTRINGS, "gracilis": ((64, 78),),
    "adductor_magnus": ((0, 6), (90, 100)), "adductor_longus": ((44, 77),), "iliacus": ((60, 72),), "iliopsoas": ((60, 72),),
    "hip_flexors": ((60, 72),),
    "sartorius": ((57, 70),), "rectus_femoris": ((55, 66),), "vastus_medialis": _VASTI, "vasti": _VASTI,
    "vastus_intermedius": ((0, 20), (93, 100)), "vastus_lateralis": ((0, 15), (88, 100)), "gastrocnemius": ((6, 48),),
    "soleus": _TRICEPS, "tibialis_posterior": ((0, 15), (27, 51)), "flexor_digitorum": ((10, 54),),
    "flexor_hallucis": ((47, 54),), "peroneus_brevis": ((16, 54),), "peroneus_longus": ((11, 49),),
    "fibularis_brevis": ((16, 54),), "fibularis_longus": ((11, 49),), "tibialis_anterior": ((0, 9), (54, 100)),
    "extensor_hallucis": ((0, 10), (57, 100)), "extensor_digitorum": ((0, 11), (55, 100)),
}
"""Bursts (from, to) by how muscles' names begin, the longest that fits."""


def bursts(name: str) -> tuple[tuple[int, int], ...] | None:
    """When a muscle is active in walking, in percent of its own leg's cycle; None where that is not published."""
    fitting = [stem for stem in TIMES if bare(name) == stem or bare(name).startswith(f"{stem}_")]
    return TIMES[max(fitting, key=len)] if fitting else None


def active(activation: np.ndarray) -> np.ndarray:
    """Where in the cycle a muscle counts as active: (N,) bool of its activation (N,)."""
    low, high = activation.min(), activation.max()
    return activation > low + ON_SHARE * (high - low)


def agreement(name: str, activation: np.ndarray) -> float | None:
    """Share of the cycle at which a muscle's activation (N,) is as people's, active or idle; None where none is published."""
    published = bursts(name)
    if published is None:
        return None
    percent = 100.0 * (np.arange(len(activation)) + 0.5) / len(activation)
    on = np.any([(percent >= start) & (percent < end) for start, end in published], axis=0)
    return float((active(activation) == on).mean())
