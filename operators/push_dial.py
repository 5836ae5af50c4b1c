# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: dial a push on the ground around somebody who stands; the response is seen at once.

One push dial: what is dialled, the response that is shown on the armature meanwhile, and the process that simulates it.

Armature and scene are as they were as soon as the dial ends, but for the push where it was taken.
"""

from __future__ import annotations

import json
import math
import time
from typing import TYPE_CHECKING, Any

import bpy
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d
from mathutils import Matrix

from ..addon.errors import InputError
from ..addon.jobs.job import RUNNING, Job
from ..addon.rigs.read.actions import frame_rate
from ..addon.specs.motions import Stand
from ..addon.specs.shot import EARTH_GRAVITY_M_S2
from ..addon.worlds.planets import label_of
from . import desk, driving
from .bake_settings import options_of
from .context import active_armature, allows, drawn, poll_unposed, poll_view, reports_errors, said, takes_folder, words
from .figures import Placement, figure_of
from .properties import changed, ignore, listen
from .shot_builder import make_shot
from .stand import stands

if TYPE_CHECKING:
    import numpy as np

    from ..addon.viewport.dial_overlay import Aim
    from ..addon.viewport.sketch import Playback

PUSH_S = 0.2
"""How long a dialled push lasts [s], as those of the map."""
PUSHED = "chest"
RESPONSE_S = 3.0
"""So much of a response is simulated on Earth [s]; elsewhere over the root of gravity."""


class PushDial:
    """One dial of an armature that stands. `step` moves it on; `state` is one of `dial_turns`."""

    def __init__(self, armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
        """Raises LopeError for a shot or an armature that a push cannot be dialled for."""
        from ..addon.bodies.of_shot import shot_body
        from ..addon.children.protocol import Task
        from ..addon.gaits.push_domain import find_domain
        from ..addon.rigs.bake.live import LivePose, kept_pose
        from ..addon.viewport import dial_overlay as turns
        from ..addon.viewport.dial_overlay import Dial
        from .push_dial_example import Examples

        shot, figure = make_shot(armature, scene), figure_of(armature, scene)
        self.uid, self.name, self.scene, self.frame = armature.session_uid, armature.name, scene, scene.frame_current
        at_s = (self.frame - scene.frame_start) / frame_rate(scene)
        if not 0.0 <= at_s <= shot.duration_s - PUSH_S:
            raise InputError(f"Frame {self.frame} is not in the shot, or too near to its end for a push: go to one from "
                             f"{scene.frame_start} to {scene.frame_start + int((shot.duration_s - PUSH_S) * frame_rate(scene))}.")
        self.placement, gravity = Placement.of(armature, figure), shot.world.gravity_m_s2
        self.world = shot.world.name
        self._body = shot_body(shot)
        assert isinstance(shot.motion, Stand)
        self.stand, self.lasts_s = shot.motion, RESPONSE_S * math.sqrt(EARTH_GRAVITY_M_S2 / gravity)
        self.dial = Dial((0.0, 0.0), 0.0, find_domain(gravity, self._body.leg_length_m), shot.motion.steps,
                         self._body.mass_kg, PUSH_S, self._body.leg_length_m)
        self._kept = json.dumps(kept_pose(armature, figure))
        self._pose = LivePose(armature, scene, figure, self._body, options_of(armature.lope, scene))
        self._pose.restore()  # nothing is shown before something is dialled
        self.posed = False
        self._examples = Examples(self._body, gravity, shot.motion)
        self.state, self.outcome = turns.AIMING, dict[str, Any]()
        self.aim: Aim | None = None
        self._playing: Playback | None = None
        self._began_s, self._told, self._tried, self._number, self._stands = 0.0, 0, 0, 0, dict[str, Any]()
        self.refused = ""
        self.released_s = self.began_s = self.arrived_s = 0.0
        self._viewed: dict[str, Any] | None = None
        self._seen: tuple[Playback | None, int] = None, 0
        out = str(takes_folder() / "rehearsal")  # nothing is written there
        self.job = Job(Task("rehearse", shot.to_dict(), out, {"at_s": at_s, "lasts_s": self.lasts_s}), armature.name)
        self.job.start()

    @property
    def ended(self) -> bool:
        """Whether it is over: the push was taken, or given up."""
        from ..addon.viewport import dial_overlay as turns

        return self.state in turns.ENDED

    @property
    def ready(self) -> bool:
        """Whether the process is there to try a push at once."""
        return bool(self._stands)

    @property
    def area(self) -> int | None:
        """In which area of the map the push lies."""
        return None if self.aim is None else self.dial.area(self.aim)

    def press(self, place_m: tuple[float, float] | None) -> None:
        """The mouse is pressed over a place of the ground."""
        from ..addon.viewport import dial_overlay as turns

        if place_m is not None:
            self._turn(turns.PRESS)
            self.outcome, self.refused = {}, ""
            self._playing, self._began_s = None, time.perf_counter()
            self.drag(place_m)

    def drag(self, place_m: tuple[float, float] | None) -> None:
        """The mouse is dragged there: the push is another one, and its response by example is shown at once."""
        from ..addon.viewport import dial_overlay as turns

        if self.state != turns.DRAGGING or place_m is None:
            return
        self.aim = self.dial.aim(place_m)
        if self.aim is None:
            self._playing = None
            self.show_nothing()
            return
        self._playing = self._examples.response(self.dial.direction_rad(self.aim), self.aim.speed_m_s, self._stands.get("stance"))
        if self._playing is None:  # no example takes it: it stands until that is simulated
            self.show_nothing()
        self._show()

    def release(self) -> None:
        """The mouse is let go: the push is simulated."""
        from ..addon.viewport import dial_overlay as turns

        if self.state != turns.DRAGGING:
            return
        self._turn(turns.DROP if self.aim is None else turns.RELEASE)
        if self.aim is not None:
            self.released_s, self._told = time.perf_counter(), self._told + 1
            self._tell()

    def accept(self) -> bool:
        """Take the push into the shot; False where there is none yet."""
        from ..addon.viewport import dial_overlay as turns

        self._turn(turns.ACCEPT)
        if self.state != turns.ACCEPTED:
            return False
        self.close()
        armature = desk.find(self.uid, self.name)
        if armature is None or self.aim is None:
            return False
        self._add(armature, self.aim)
        return True

    def give_up(self) -> None:
        """Leave everything as it was."""
        from ..addon.viewport import dial_overlay as turns

        self._turn(turns.LEAVE)
        self.close()

    def close(self) -> None:
        """Put the armature back as it stood, and end the process."""
        self.show_nothing()
        self.job.cancel()

    def step(self) -> None:
        """Take in what the process says, and go on playing."""
        from ..addon.viewport import dial_overlay as turns

        self.job.poll()
        if self.ended:
            return
        if desk.find(self.uid, self.name) is None:
            self._turn(turns.LEAVE)
            self.close()
            return
        if self.job.ended:
            self.refused = self.refused or self.job.error
        elif self.job.state == RUNNING:
            self._take_in(self.job.view)
        self._show()

    def show_nothing(self) -> None:
        """Let the armature stand as it stood before."""
        if self.posed:
            self._pose.restore()
            self.posed = False
            armature = desk.find(self.uid, self.name)
            if armature is not None:
                armature.lope.drive_kept = ""
                armature.update_tag(refresh={"DATA"})

    def to_world(self) -> Matrix | None:
        """From the shot's places to the world."""
        return None if self.ended else Matrix(self.placement.matrix.tolist())

    def _turn(self, what: str) -> None:
        from ..addon.viewport import dial_overlay as turns

        self.state = turns.after(self.state, what)

    def _tell(self) -> None:
        """Have the push tried, as soon as somebody is there to try it."""
        from ..addon.jobs.wheel import TRY

        if self.ready and self._tried < self._told and self.aim is not None:
            self._tried = self._told
            self._number = self.job.tell(TRY, {"duration_s": PUSH_S, "force_n": list(self.force_n(self.aim)), "segment": PUSHED})

    def _take_in(self, view: dict[str, Any]) -> None:
        """What the process shows."""
        import numpy as np

        from ..addon.jobs.wheel import REFUSED, REHEARSAL_READY, SHOWN
        from ..addon.viewport import dial_overlay as turns
        from ..addon.viewport.sketch import Playback

        if view.get("state") == REHEARSAL_READY and not self._stands:
            self._stands = view
            x, y, _ = view["root_m"][0]
            w, i, j, k = view["turns"][0][0]
            self.dial = self.dial.at((x, y), math.atan2(2.0 * (w * k + i * j), 1.0 - 2.0 * (j * j + k * k)))
        if self.state != turns.WAITING:
            return
        self._tell()
        if self._tried < self._told or view.get("tried") != self._number:
            return
        if view["state"] == REFUSED:
            self.refused = view["why"]
        elif view is not self._viewed:
            self._viewed, whole, now = view, view["state"] == SHOWN, time.perf_counter()
            if self.began_s < self.released_s:  # in the example's place, from its own beginning
                self.began_s = self._began_s = now
            self._playing = Playback(view["rate_hz"], np.array(view["root_m"]), np.array(view["turns"]), whole)
            if whole:
                self._turn(turns.ARRIVE)
                self.arrived_s, self.outcome = now, view

    def _show(self) -> None:
        """Bring the present pose of the response onto the armature."""
        from ..addon.viewport import dial_overlay as turns

        armature = desk.find(self.uid, self.name)
        if self._playing is None or armature is None or self.state not in (turns.DRAGGING, turns.WAITING, turns.SHOWN):
            return
        row = self._playing.row(time.perf_counter() - self._began_s)
        if self.posed and self._seen[0] is self._playing and self._seen[1] == row:
            return
        if not self.posed:
            armature.lope.drive_kept = self._kept  # whatever keeps this moment, as an automatic save, can be put right again
            self._pose.make_ready()
            self.posed = True
        self._pose.show(self._playing.root_m[row], self._playing.turns[row])
        self._seen = self._playing, row

    def force_n(self, aim: Aim) -> tuple[float, float, float]:
        """The force of a push in the shot's axes, to a newton."""
        force = round(aim.force_n)
        return round(force * aim.way[0], 3), round(force * aim.way[1], 3), 0.0

    def _add(self, armature: bpy.types.Object, aim: Aim) -> None:
        """Add the push to the shot."""
        settings = armature.lope
        push = settings.pushes.add()
        push.frame, push.duration_s, push.force_n, push.segment = self.frame, PUSH_S, round(aim.force_n), PUSHED
        push.direction = (*aim.way, 0.0)
        settings.push_index = len(settings.pushes) - 1
        if settings.dial_arrow:
            push.arrow = self._empty(armature, aim)

    def _empty(self, armature: bpy.types.Object, aim: Aim) -> bpy.types.Object:
        """An empty whose arrow goes along the push and ends at the chest."""
        import numpy as np

        scale = float(np.cbrt(np.linalg.det(self.placement.matrix[:3, :3])))
        way = self.placement.matrix[:3, :3] @ (*aim.way, 0.0) / scale
        up = self.placement.matrix[:3, 2] / scale
        empty = bpy.data.objects.new("Push", None)
        empty.empty_display_type, empty.empty_display_size = "SINGLE_ARROW", ARROW_M * scale
        turn = Matrix((np.cross(up, way).tolist(), up.tolist(), way.tolist())).transposed()
        place = self.placement.to_scene(self._chest()) - ARROW_M * scale * way
        empty.matrix_world = Matrix.LocRotScale(place.tolist(), turn, None)
        (armature.users_collection or (self.scene.collection,))[0].objects.link(empty)
        return empty

    def _chest(self) -> np.ndarray:
        """Where the push acts (3,) [m], of the body as it stands."""
        import numpy as np

        from ..addon.bodies.kinematics import segment_poses
        from ..addon.maths.rotations import quat_rotate

        segment, at = self._body.pushed(PUSHED)
        if not self._stands:
            return np.array([*self.dial.centre_m, 1.5 * self.dial.leg_length_m])
        root, pose = np.array(self._stands["root_m"]), np.array(self._stands["turns"])
        places, turned = segment_poses(self._body, root, pose[:, 0], pose[:, 1:])
        row = self._body.index[segment]
        return places[0, row] + quat_rotate(turned[0, row], at)


ARROW_M = 0.6
"""Length of an empty's arrow [m]."""


LOOK_S = 1.0 / 60.0
VIEWS_OWN = ("INBETWEEN_MOUSEMOVE", "MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "TRACKPADPAN", "TRACKPADZOOM", "NDOF_MOTION")
"""What a dial leaves to the view."""

dialled: PushDial | None = None
"""There is one at most."""


class LOPE_OT_push_dial(bpy.types.Operator):
    """Drag on the ground around the character: whither and how hard it is pushed at the present frame. The response is seen at \
once, and simulated when you let go; Enter adds the push to the shot, Esc leaves everything as it was"""

    bl_idname = "lope.push_dial"
    bl_label = "Push Dial"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return (poll_unposed(cls, context)
                and allows(cls, stands(active_armature(context).lope), words("The dial is for somebody who stands; choose Stand"))
                and allows(cls, driving.going is None and not desk.queue.busy,
                           words("Something is being simulated; wait for it, or cancel it"))
                and poll_view(cls, context, words("A push is dialled in a 3D viewport")))

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        return self.execute(context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        global dialled
        self._area, self._region = context.area, next(r for r in context.area.regions if r.type == "WINDOW")
        self._workspace = context.workspace
        self._dial = dialled = PushDial(active_armature(context), context.scene)
        self._timer = context.window_manager.event_timer_add(LOOK_S, window=context.window)
        context.window_manager.modal_handler_add(self)
        self._drawn: object = None
        self._said = ""
        self._draw()
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        from ..addon.viewport import dial_overlay as turns

        dial, left = self._dial, not (event.type in VIEWS_OWN or event.type.startswith("TIMER"))
        if not dial.ended:
            self._take(event)
        self._draw()
        if not dial.ended:
            return {"RUNNING_MODAL"} if left else {"PASS_THROUGH"}
        self._end(context)
        if dial.state == turns.ACCEPTED and dial.aim is not None:
            changed()
            self.report({"INFO"}, words("Push of {force:.0f} N at frame {frame}: it is in the shot, press Simulate",
                                        force=dial.aim.force_n, frame=dial.frame))
            return {"FINISHED"}
        return {"CANCELLED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator, as when another file is loaded."""
        self._dial.give_up()
        self._end(context)

    def _take(self, event: bpy.types.Event) -> None:
        """Let the mouse dial, and a key end it."""
        from ..addon.viewport import dial_overlay as turns

        dial = self._dial
        if event.type == "TIMER":
            dial.step()
        elif event.type == "MOUSEMOVE" and dial.state == turns.DRAGGING:
            dial.drag(self._ground(event))
        elif event.type == "LEFTMOUSE" and event.value in ("PRESS", "DOUBLE_CLICK") and self._in_view(event):
            dial.press(self._ground(event))
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            dial.release()
        elif event.type in ("RET", "NUMPAD_ENTER") and event.value == "PRESS":
            dial.accept()
        elif event.type in ("ESC", "RIGHTMOUSE") and event.value == "PRESS":
            dial.give_up()

    def _ground(self, event: bpy.types.Event) -> tuple[float, float] | None:
        """Place on the shot's level ground under the mouse [m]; None where the view does not meet it."""
        import numpy as np

        from ..addon.viewport.sketch import on_ground

        view, mouse = self._area.spaces.active.region_3d, (event.mouse_x - self._region.x, event.mouse_y - self._region.y)
        origin = region_2d_to_origin_3d(self._region, view, mouse)
        return on_ground(self._dial.placement.matrix, np.array(origin),
                         np.array(region_2d_to_vector_3d(self._region, view, mouse)))

    def _in_view(self, event: bpy.types.Event) -> bool:
        """Whether the mouse is over the view, and over nothing that lies on it."""
        return over(self._region, event) and not any(
            over(region, event) for region in self._area.regions if region.type != "WINDOW" and region.width > 1)

    def _draw(self) -> None:
        """Draw the dial as it is now, and say what the keys do."""
        from ..addon.viewport import dial_overlay

        dial = self._dial
        if dial.ended:
            return
        if self._drawn is not dial.dial:
            self._drawn = dial.dial
            dial_overlay.show(dial.dial, legend_of(dial), dial.to_world)
        label, keys, header = label_of_push(dial), keys_now(dial), header_now(dial)
        dial_overlay.point(dial.aim, label)
        told = "\n".join((*label, keys, header))
        if told != self._said:
            self._said = told
            self._workspace.status_text_set(keys)
            self._area.header_text_set(header)
            self._region.tag_redraw()

    def _end(self, context: bpy.types.Context) -> None:
        """Give view, header and status bar back."""
        from ..addon.viewport import dial_overlay

        global dialled
        dialled = None
        dial_overlay.hide()
        context.window_manager.event_timer_remove(self._timer)
        self._workspace.status_text_set(None)
        self._area.header_text_set(None)
        self._region.tag_redraw()
        leaving.append(self._dial)
        if not bpy.app.timers.is_registered(bury):
            bpy.app.timers.register(bury, first_interval=LOOK_S)


leaving: list[PushDial] = []
"""Dials that are over, whose processes are leaving."""


def bury() -> float | None:
    """The timer: see to it that no process stays behind."""
    for dial in leaving:
        dial.job.poll()
    leaving[:] = [dial for dial in leaving if not dial.job.ended]
    return 0.1 if leaving else None


def over(region: bpy.types.Region, event: bpy.types.Event) -> bool:
    """Whether the mouse is over a region."""
    return 0 <= event.mouse_x - region.x < region.width and 0 <= event.mouse_y - region.y < region.height


def keys_now(dial: PushDial) -> str:
    """What mouse and keys do now."""
    from ..addon.viewport import dial_overlay as turns

    told = [words("Drag on the ground: push"), words("Esc: leave all as it was")]
    if dial.state in (turns.WAITING, turns.SHOWN):
        told.insert(1, words("Enter: add the push to the shot"))
    return "   |   ".join(told)


def header_now(dial: PushDial) -> str:
    """What stands in the view's header: why something cannot be, or what mouse and keys do."""
    return said(dial.refused) if dial.refused else keys_now(dial)


def label_of_push(dial: PushDial) -> tuple[str, ...]:
    """What stands beside the arrow: force and speed, and what was simulated; until that is known, what the map has for likely."""
    from ..addon.viewport import dial_overlay as turns

    if dial.aim is None or dial.area is None:
        return ()
    first = words("{force:.0f} N   {speed:.2f} m/s", force=dial.aim.force_n, speed=dial.aim.speed_m_s)
    if dial.state == turns.SHOWN:
        outcome = dial.outcome
        if outcome["fell"] or outcome["lost"]:
            return first, words("Simulated: falls")
        if outcome["steps_taken"]:
            return first, words("Simulated: steps taken {steps}", steps=outcome["steps_taken"])
        return first, words("Simulated: stays in place")
    likely = words("Likely: {strategy}", strategy=name_of(dial.area, dial.dial.areas))
    if dial.state == turns.WAITING and not dial.refused:
        return first, likely, words("Simulating") if dial.ready else words("Getting ready")
    return first, likely


def name_of(area: int, areas: int) -> str:
    """What an area of so many is called."""
    from ..addon.gaits.push_domain import STRATEGIES

    return words("falls") if area == areas else said(STRATEGIES[area])


def legend_of(dial: PushDial) -> list[str]:
    """Where the map holds, and what its colours mean."""
    world = said(label_of(dial.world))
    head = words("Likely on {world}, {mass:.0f} kg, pushed for {seconds:g} s", world=world, mass=dial.dial.mass_kg,
                 seconds=PUSH_S)
    return [head, *(name_of(area, dial.dial.areas) for area in range(dial.dial.areas + 1))]


@bpy.app.handlers.persistent
def _before_save(*_arguments: Any) -> None:
    """The file that is written shall be as it is without the dial."""
    if dialled is not None:
        dialled.show_nothing()


@bpy.app.handlers.persistent
def _before_undo(*_arguments: Any) -> None:
    """Undo, and another file, put other objects in the place of those that are posed."""
    if dialled is not None:
        dialled.give_up()


_HANDLERS = {"save_pre": _before_save, "undo_pre": _before_undo, "redo_pre": _before_undo, "load_pre": _before_undo}


def close() -> None:
    """End the dial, and leave no process and no timer."""
    if dialled is not None:
        dialled.give_up()
        leaving.append(dialled)
    while leaving:
        leaving.pop().job.close()
    if bpy.app.timers.is_registered(bury):
        bpy.app.timers.unregister(bury)
    if (overlay := drawn("dial_overlay")) is not None:
        overlay.hide()


def register() -> None:
    """Listen for what must not find the armature posed."""
    listen(**_HANDLERS)


def unregister() -> None:
    """End the dial, and stop listening."""
    close()
    ignore(**_HANDLERS)
