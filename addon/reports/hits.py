# SPDX-License-Identifier: GPL-3.0-or-later
"""What struck a body, how far the struck chain flew off, and when it was back. Defined in docs/measures.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..bodies.body import FREEDOM
from ..locomotion.tracking.yielding import AGAIN_S, OFF, Chain, chain_at, chains_of
from ..maths.rotations import quat_multiply
from ..sim.take import Take
from ..specs.disturbances import BALL

SOON_S = 0.1
"""What a ball strikes within so long of its time was in its way (first guess: at 6 m/s it flies a leg's length)."""
AFTER_S = 0.05
"""A take that ends sooner after a ball's time does not tell whether it missed (a ball touches within 5 ms of its time)."""


@dataclass(frozen=True)
class Missed:
    """A ball that did not touch the segment it was thrown at: its time, that segment, the ball's name, what it `struck` first,
    None where it touched nothing; `past` tells that it struck that only after it had flown by."""

    time_s: float
    segment: str
    by: str
    struck: str | None
    past: bool

    def sentence(self) -> str:
        if self.struck is None:
            return f"The ball at {self.time_s:g} s did not touch {self.segment}: it touched nothing."
        if self.past:
            return f"The ball at {self.time_s:g} s did not touch {self.segment}: it flew past and struck {self.struck}."
        return f"The ball at {self.time_s:g} s did not touch {self.segment}: {self.struck} was in its way."


def missed_of(take: Take) -> list[Missed]:
    """The balls of a take that missed, in their order; those thrown too near to its end, or never, left out."""
    shot, found = take.shot, []
    balls = [hit for hit in shot.hits if hit.kind == BALL]
    for hit, item in zip(balls, shot.loose[len(shot.objects):], strict=True):
        if float(take.time_s[-1]) < hit.time_s + AFTER_S:
            continue
        segment = take.body.pushed(hit.segment)[0]
        struck = [strike for strike in take.stats.get("strikes", ()) if strike["by"] == item.name]
        if segment not in (strike["segment"] for strike in struck):
            first = min(struck, key=lambda strike: strike["time_s"], default=None)
            found.append(Missed(hit.time_s, segment, item.name, None if first is None else first["segment"],
                                first is not None and first["time_s"] > hit.time_s + SOON_S))
    return found


HIT_UNITS: dict[str, str] = {"time_s": "s", "segment": "", "by": "", "impulse_ns": "N s", "peak_deg": "deg", "back_s": "s",
                             "last_s": "s"}
"""What is told of one hit, with its unit."""
BACK_DEG, STAYS_S = 5.0, 0.3
"""A chain that is off by less than this, and stays so for so long, is back (Lope's own acceptance). What a step that follows does
with it later is another matter: arms fly out."""


@dataclass(frozen=True)
class HitFound:
    """One hit: when, on which segment, by what, with which momentum; the largest angle off of its chain until it was back, how
    long after the hit, and when last beyond `BACK_DEG`; None where unknown, or not back when struck again."""

    time_s: float
    segment: str
    by: str
    impulse_ns: float
    peak_deg: float | None
    back_s: float | None
    last_s: float | None


def hits_of(take: Take, without: Take | None = None) -> list[HitFound]:
    """The hits of a take, in order, further ones over the same chain left out; angles off the wanted pose, or off `without`."""
    return list(_hits(take, without))


def _hits(take: Take, without: Take | None) -> Iterator[HitFound]:
    chains, time = chains_of(take.body), take.time_s
    strikes = _first_touches(take, chains)
    for i, (strike, chain, impulse) in enumerate(strikes):
        at = strike["time_s"]
        until = next((other["time_s"] for other, its, _ in strikes[i + 1:] if its == chain), np.inf)
        off = np.full(len(time), np.nan)
        if chain is not None and without is not None:
            off = off_deg(take, chains[chain], without)
        elif chain is not None and OFF in take.channels:
            off = take.channels[OFF].values[:, chain]
        rows = (time >= at - 1e-9) & (time < until) & np.isfinite(off)
        yield HitFound(at, strike["segment"], strike["by"], round(float(np.linalg.norm(impulse)), 3),
                       *_way_back(time[rows] - at, off[rows]))


def _way_back(since_s: np.ndarray, off: np.ndarray) -> tuple[float | None, float | None, float | None]:
    """Largest angle [degrees] of a chain's from when it was struck until it was back, when that was, and when it was last off."""
    if not len(off):
        return None, None, None
    over = since_s[off > BACK_DEG].tolist()
    ends = [one for one, then in zip(over, [*over[1:], np.inf], strict=False) if then - one > STAYS_S]
    ended = bool(over) and over[-1] == since_s[-1]
    back, last = (ends[0], over[-1]) if over else (0.0, 0.0)
    peak = off.max() if not over else off[since_s <= back].max()
    return (round(float(peak), 2), None if ended and back == last else round(back, 3), None if ended else round(last, 3))


def _first_touches(take: Take, chains: tuple[Chain, ...]) -> list[tuple[dict[str, Any], int | None, np.ndarray]]:
    """Strikes, with their chains and impulses; those of one thing on one chain shortly after one another summed up."""
    found: list[tuple[dict[str, Any], int | None, np.ndarray]] = []
    last: dict[tuple[str, int | None], tuple[int, float]] = {}
    for strike in take.stats.get("strikes", ()):
        chain = chain_at(chains, strike["segment"])
        row, last_s = last.get((strike["by"], chain), (-1, 0.0))
        if row < 0 or strike["time_s"] - last_s > AGAIN_S:
            row = len(found)
            found.append((strike, chain, np.zeros(3)))
        found[row][2][:] += strike["impulse_ns"]
        last[strike["by"], chain] = row, strike["time_s"]
    return found


def off_deg(take: Take, chain: Chain, without: Take) -> np.ndarray:
    """Root mean square (T,) [deg] over a chain's joints of how they are turned otherwise than in a take; NaN once that ended."""
    body, count = take.body, min(len(take.time_s), len(without.time_s))
    rows = [body.joint_segments.index(name) for name in chain.segments]
    one, other = (each.joint_quaternions[:count, rows] for each in (take, without))
    away = quat_multiply(other * np.array([1.0, -1.0, -1.0, -1.0]), one)
    angles = 2.0 * np.arctan2(np.linalg.norm(away[..., 1:], axis=-1), np.abs(away[..., 0]))
    freedom = sum(FREEDOM[body.segment(name).joint] for name in chain.segments)
    out = np.full(len(take.time_s), np.nan)
    out[:count] = np.degrees(np.sqrt((angles**2).sum(axis=1) / freedom))
    return out


def hit_rows(take: Take) -> dict[str, list[dict[str, Any]]]:
    """The hits of a take under "hits" and the balls that `missed`, plain; nothing of a shot where nobody reacts."""
    if not take.shot.reacts:
        return {}
    return {"hits": [asdict(hit) for hit in hits_of(take)], "missed": [asdict(one) for one in missed_of(take)]}


def hit_sentences(take: Take) -> list[str]:
    said = []
    for hit in hits_of(take):
        far = "" if hit.peak_deg is None else f", which flies {hit.peak_deg:.0f} degrees off"
        far += "" if not far else " and is not back" if hit.back_s is None else f" and is back after {hit.back_s:.2f} s"
        said.append(f"{hit.by[:1].upper()}{hit.by[1:]} at {hit.time_s:.2f} s: {hit.segment}, {hit.impulse_ns:.1f} N s{far}.")
    return said + [one.sentence() for one in missed_of(take)]
