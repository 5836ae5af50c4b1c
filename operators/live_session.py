# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure that is shown while it comes: poses on the armature, and what is felt under its feet."""

from __future__ import annotations

import time
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

from ..addon.children.protocol import Task
from ..addon.errors import InputError
from ..addon.jobs.job import DONE
from ..addon.jobs.pressure import ENDING
from ..addon.motions.pressure.synthesis import LEAST_S
from ..addon.motions.responses.response import reference_body
from ..addon.reports.pressure_on_ground import heard
from . import desk, show_pressure
from .figures import Placement, figure_of
from .pressure_outcome import SHOW, database_seen
from .pressure_settings import WRITTEN, path_of, pressure_of
from .watched import Watched

DRAW_S = 0.4
"""The panel's words are drawn no oftener than this."""


class Live(Watched):
    """One show. `step` moves it on; it ends by itself where its pressure does."""

    goes_along = False  # a mat lies where it lies

    def __init__(self, armature: bpy.types.Object, scene: bpy.types.Scene, area: bpy.types.Area | None, out: Path) -> None:
        """Begin to show the pressure that the settings ask for; `out` is the file of the take. Raises LopeError for an armature,
        or a database, with which that cannot be."""
        settings = armature.lope
        pressure, database = pressure_of(settings), path_of(settings.pressure_database)
        if pressure is None or database is None:
            raise InputError("Pressure is read with a database of motions: choose both under Pressure.")
        database_seen(database)
        super().__init__(armature, scene, area, out, reference_body())
        self._local = Matrix(Placement.local(figure_of(armature, scene)).tolist())
        self._frame, self._drawn_s = -1, 0.0
        source = {"pressure": str(pressure), "database": str(database), "written": settings.pressure_live == WRITTEN,
                  "recorded": str(out.with_name(f"{pressure.stem}-{out.stem}.npz"))}
        self._submit(Task(SHOW, {}, str(out), source), armature, scene, bake=False)

    def stop(self) -> None:
        """End it. What was shown can be kept, where it is long enough to be a motion."""
        if self.view.get("time_s", 0.0) < LEAST_S:
            self.give_up()
        else:
            self.order.job.finish()
            self.close()

    def tidy(self) -> None:
        """Of one that has no take nothing stays."""
        if self.order.job.state != DONE:
            Path(self.order.job.task.options["recorded"]).unlink(missing_ok=True)

    def close(self) -> None:
        """Put the armature back as it was, and what was drawn under it."""
        if not self.ended:
            show_pressure.draw_again(self.uid)
        super().close()

    def _show(self, armature: bpy.types.Object) -> None:
        """Bring the pose that came onto the armature, and what is felt under it."""
        if self.state == ENDING:
            self.close()
            return
        super()._show(armature)
        if time.perf_counter() - self._drawn_s > DRAW_S:
            self._drawn_s = time.perf_counter()
            desk.redraw()
        felt = self.view.get("mat")
        if felt is not None and felt["frame"] != self._frame:
            from ..addon.viewport import pressure_overlay

            self._frame = felt["frame"]
            pressure_overlay.show(self.uid, heard(felt), _level, self._now, self.name)

    def _now(self) -> tuple[Matrix, float] | None:
        """From the mat's places to the world, and the moment of what is drawn; None where the armature is not to be seen."""
        armature = desk.find(self.uid, self.name)
        if armature is None or armature.name not in bpy.context.scene.objects:
            return None
        return armature.matrix_world @ self._local, 0.0


def _level(x: np.ndarray, _y: np.ndarray) -> np.ndarray:
    """The ground's height under a mat."""
    return np.zeros_like(x)
