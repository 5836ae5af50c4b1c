# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks planned from the measured state, and what walks share with gaits with flight (`running`).

- what is planned for: `planner.py`, `targets.py`, `gait_tables.py`, `factory.py`
- the walk, `walk.py`: the path and its pace (`course.py`, `pace.py`, `paced.py`, `steering.py`), the clock (`rhythm.py`), the
  pendulum (`pendulum.py`, `cart.py`, `capture.py`, `orbit.py`, `cmp_orbit.py`), footsteps and locked ones (`footsteps.py`,
  `prints.py`, `prints_reach.py`), feet (`feet.py`, `foot_*.py`, `terrain.py`), the body (`body_plan.py`, `height.py`, `pose.py`)
- ends that stand: `standing*.py`, `end_*.py`, `last_steps.py`
- going on from a body as it is: `resume.py`, `swing_start.py`, `handover.py`
- the plan before the simulation: `preview.py`, `com_way.py`, `rollout.py`
"""
