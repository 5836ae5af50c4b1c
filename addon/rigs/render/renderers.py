# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's renderers by name, in every version that Lope runs in, and how a scene is set up for one of them."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache

import bpy

from ...errors import InputError, unknown_name

RENDERERS = ("cycles", "eevee")

_KEPT_RENDER = ("engine", "filepath", "resolution_x", "resolution_y", "resolution_percentage", "use_persistent_data",
                "use_file_extension", "use_multiview", "film_transparent", "use_stamp_note", "stamp_note_text")
_KEPT_CYCLES = ("samples", "use_adaptive_sampling", "use_denoising", "denoising_input_passes", "denoising_prefilter",
                "denoising_quality", "max_bounces", "diffuse_bounces", "glossy_bounces",
                "transparent_max_bounces", "device")
KEPT_IMAGE = ("media_type", "file_format", "color_mode", "color_depth", "compression", "exr_codec")
"""What makes a picture file, in the order in which it can be put back."""

_PROBE = ("import bpy; s = bpy.context.scene; s.render.engine = 'BLENDER_WORKBENCH'; s.render.resolution_x = "
          "s.render.resolution_y = 4; s.camera = bpy.data.objects.new('c', bpy.data.cameras.new('c')); bpy.ops.render.render()")
"""A picture that needs the graphics card as EEVEE does, but no minute of compiling shaders."""

_PROBE_LIMIT_S = 300.0


def engine_id(renderer: str) -> str:
    """Blender's name of a renderer in this version. Raises InputError for an unknown one."""
    if renderer not in RENDERERS:
        raise unknown_name("render engine", renderer, RENDERERS)
    if renderer == "cycles":
        return "CYCLES"
    return "BLENDER_EEVEE" if bpy.app.version >= (5, 0, 0) else "BLENDER_EEVEE_NEXT"


def check_renderer(renderer: str) -> None:
    """Raises InputError for an unknown renderer, and for one that this Blender cannot use here."""
    engine_id(renderer)
    if renderer == "cycles":
        _enable_cycles()
    elif bpy.app.background and not _graphics_work():
        raise InputError("EEVEE needs a graphics card, or Mesa's software driver, which this Blender without a window "
                         "cannot reach; render with Cycles (--renderer cycles), or on a machine that has one.")


def can_denoise(renderer: str) -> bool:
    """Whether a renderer's few samples come out clean: Cycles must have been built with Open Image Denoise."""
    if renderer != "cycles":
        return True
    _enable_cycles()
    import _cycles

    return bool(_cycles.with_openimagedenoise)


def set_engine(scene: bpy.types.Scene, renderer: str, samples: int, denoise: bool = True) -> None:
    """Make the scene render with that renderer at `samples` a pixel; Cycles with few bounces, which open stages allow."""
    if renderer == "cycles":
        _enable_cycles()
    scene.render.engine = engine_id(renderer)
    scene.render.use_persistent_data = True
    if renderer == "eevee":
        scene.eevee.taa_render_samples = samples
        return
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_adaptive_sampling = "CPU", samples, False
    cycles.use_denoising = denoise
    if denoise:
        cycles.denoising_input_passes, cycles.denoising_prefilter, cycles.denoising_quality = "RGB_ALBEDO", "NONE", "FAST"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 1, 2
    cycles.transparent_max_bounces = 32  # puffs of dust one behind the other: with fewer they turn black


@contextlib.contextmanager
def settings_kept(scene: bpy.types.Scene) -> Iterator[None]:
    """Puts the scene's frame, camera, render and picture settings back at the end."""
    groups = [(scene.render, _KEPT_RENDER), (scene.render.image_settings, KEPT_IMAGE), (scene.eevee, ("taa_render_samples",))]
    if hasattr(scene, "cycles"):
        groups.append((scene.cycles, _KEPT_CYCLES))
    frame, camera = scene.frame_current, scene.camera
    with contextlib.ExitStack() as stack:
        for group, names in groups:
            stack.enter_context(attributes_kept(group, names))
        try:
            yield
        finally:
            scene.frame_set(frame)
            scene.camera = camera


@contextlib.contextmanager
def attributes_kept(group: bpy.types.bpy_struct, names: Sequence[str]) -> Iterator[None]:
    """Puts those attributes back at the end, in this order; names that this Blender does not know are passed over."""
    kept = [(name, getattr(group, name)) for name in names if hasattr(group, name)]
    try:
        yield
    finally:
        for name, value in kept:
            setattr(group, name, value)


def set_picture(scene: bpy.types.Scene, kind: str) -> None:
    """Picture files: "png" of 8 bits through the scene's look, or "exr" of 16-bit floats, linear, packed without loss."""
    image = scene.render.image_settings
    if hasattr(image, "media_type"):
        image.media_type = "IMAGE"
    image.file_format = {"png": "PNG", "exr": "OPEN_EXR"}[kind]
    image.color_mode = "RGB"
    if kind == "png":
        image.color_depth, image.compression = "8", 25
    else:
        image.color_depth, image.exr_codec = "16", "ZIP"


def _enable_cycles() -> None:
    """Raises InputError in a Blender without Cycles."""
    if not hasattr(bpy.types.Scene, "cycles"):
        import addon_utils  # Blender's own, on the path once bpy is loaded

        addon_utils.enable("cycles", default_set=True)
    if not hasattr(bpy.types.Scene, "cycles"):
        raise InputError("This Blender has no Cycles; install one that has it, or render with --renderer eevee.")


@lru_cache(maxsize=1)
def _graphics_work() -> bool:
    """Whether a Blender without a window can draw here. Tried in a process of its own: where it cannot, Blender aborts."""
    if bpy.app.binary_path:
        command = [bpy.app.binary_path, "--background", "--factory-startup", "--python-exit-code", "1", "--python-expr", _PROBE]
    else:
        command = [sys.executable, "-c", _PROBE]
    try:
        run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             timeout=_PROBE_LIMIT_S)
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0
