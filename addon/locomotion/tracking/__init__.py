# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits by planet: a pendulum's plan, tracked by a quadratic program (Kim 2017).

- what a shot asks for: `shot_gait.py`, `shot_planner.py`, `keyed_gait.py`, `key_times.py`
- at work: `controller.py`, the planners' targets handed to the program (`tracker.py`, `weights.py`, `gains.py`), and what is laid
  on them (`breath.py`, `start_noise.py`)
- before it: `plan.py`, `rehearsal.py`, `path_end.py`
- from one motion to another: `passage.py`, `changes.py`, `speed_ramp.py`
"""
