# SPDX-License-Identifier: GPL-3.0-or-later
"""The handbook keeps its word: links, pictures, commands, names, buttons and quoted sentences are what the code has."""

import argparse
import ast
import importlib
import json
import re
import shlex
import subprocess
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from lope.addon.batch.shot_list import read_list
from lope.addon.bodies.human.suit import load_suit, suit_names
from lope.addon.bodies.muscles.sets import reference_set, set_names
from lope.addon.cli import make_parser
from lope.addon.commands import VERBS
from lope.addon.errors import LopeError
from lope.addon.gaits.froude import FREQUENCY_EXPONENT, GROUND_EXPONENT, LENGTH_EXPONENT
from lope.addon.locomotion.gait.running.contact_schedule import RunningSettings
from lope.addon.locomotion.gait.running.standing_ends import MOST_STOPPING_G, RunEndSettings
from lope.addon.locomotion.gait.walk.footsteps import PREVIEW_STEPS, StepSettings, WalkSettings
from lope.addon.locomotion.gait.walk.path import NEIGHBOURS
from lope.addon.locomotion.tracking.tracker import CONTROL_STEP_S, QUICK_STEP_S, TRACKED_STEP_S
from lope.addon.locomotion.tracking.weights import RUNNING, TrackerSettings
from lope.addon.motions.library import gait_names, load_gait
from lope.addon.motions.moves.library import load_move, move_names
from lope.addon.options.motion_options import OPTIONS as SLIDERS
from lope.addon.options.shot_options import shot_from
from lope.addon.search.gait_cost import CostWeights
from lope.addon.sim.simulation import preview
from lope.addon.specs.motions import Creature, Jump, KeyPoses, Reflex, Stand
from lope.scripts.suites.check import SUITES
from lope.scripts.tools.docs import DOCS, FENCE, PAGES, ROOT, commands

TEXTS = [ROOT / "README.md", *PAGES, *sorted((DOCS / "notes").glob("*.md"))]
GUIDES = [DOCS / f"{name}.md" for name in ("panel", "first-walk", "your-rig", "your-gait", "planets", "troubleshooting")]
"""Pages on which bold words are words on Blender's screen."""
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
MATH = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.S)
EATEN = re.compile(r"\\[,;!{}]|\*")
"""What Markdown takes away inside of a formula: backslashes before punctuation, and stars."""
WRITTEN_BY_SCRIPTS = {"docs/tuning.md"}
"""Pages that are there once a long run has been made: this one by scripts/tools/tune_all.py."""
ROOM = re.compile(r"(?:scripts|addon|operators|panels|presets|tests|docs)/[\w./-]+")
NEEDS_FILES = (".json", "--motion", "--follow", "--after", "--blend", "--body", "--path way.txt", "--heightfield",
               "--gains-file")


def wrong_on(pages: list[Path], look) -> dict[str, list[str]]:
    """What `look` finds wrong on each page; pages where it finds nothing left out."""
    found = {str(page.relative_to(ROOT)): look(page) for page in pages}
    return {name: wrong for name, wrong in found.items() if wrong}


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """What a page's headings are called in links, as GitHub makes it."""
    titles = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.M)
    plain = [re.sub(r"[`*]|\[|\]\([^)]*\)", "", title) for title in titles]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in plain}


@cache
def the_parser() -> argparse.ArgumentParser:
    """The command line's own parser."""
    return make_parser()


@cache
def helps() -> dict[str, str]:
    """The help of every verb."""
    (verbs,) = (action for action in the_parser()._actions if isinstance(action, argparse._SubParsersAction))
    return {verb: verbs.choices[verb].format_help() for verb in VERBS}


def broken_links(page: Path) -> list[str]:
    """Links and pictures of a page that lead nowhere."""
    broken = []
    for target in LINK.findall(prose(page)):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, anchor = unquote(target).partition("#")
        path = page if not name else (page.parent / name)
        if not path.exists() or (anchor and anchor not in anchors(path)):
            broken.append(target)
    return broken


def test_every_link_and_picture_resolves():
    assert wrong_on(TEXTS, broken_links) == {}


def test_every_page_is_in_the_index():
    index = prose(DOCS / "README.md")
    linked = {unquote(target).partition("#")[0] for target in LINK.findall(index)}
    named_only = {path.removeprefix("docs/") for path in WRITTEN_BY_SCRIPTS if f"`{path}`" in index}
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} - {"README.md"}
    assert sorted(pages - linked - named_only) == []


def test_pages_lead_from_one_to_the_next():
    order = re.findall(r"^\d+\. \[[^\]]+\]\(([^)]+)\)", (DOCS / "README.md").read_text(encoding="utf-8"), re.M)
    assert len(order) == 10
    for page, following in zip(order[:-1], order[1:], strict=True):
        last = (DOCS / page).read_text(encoding="utf-8").rstrip().splitlines()[-1]
        assert "Next: " in last and f"({following})" in last, page


def test_every_verb_stands_in_the_table_of_the_command_line():
    rows = re.findall(r"^\| `(\w+)` \|", (DOCS / "command-line.md").read_text(encoding="utf-8"), re.M)
    assert rows == list(VERBS)


def test_every_picture_is_shown():
    shown = {(page.parent / unquote(target)).resolve() for page in TEXTS for target in LINK.findall(prose(page))}
    assert sorted(str(p.relative_to(DOCS)) for p in (DOCS / "pictures").glob("*.*g") if p.resolve() not in shown) == []


@pytest.mark.slow
def test_every_drawn_picture_is_there():
    pytest.importorskip("matplotlib", reason="the pictures are drawn with matplotlib")
    run = subprocess.run([ROOT / "scripts" / "docs", "pictures", "--list"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    missing = [name for name in run.stdout.split() if not list((DOCS / "pictures").glob(f"{name}.[pj][np]g"))]
    assert run.stdout and missing == []


def parses(line: str) -> bool:
    """Whether the command line takes a command."""
    words = shlex.split(line)
    try:
        return the_parser().parse_args(words).verb == words[0]
    except (LopeError, SystemExit):
        return False


def test_every_command_parses():
    assert wrong_on(TEXTS, lambda page: [line for line in commands(page) if not parses(line)]) == {}


def test_commands_are_found_at_all():
    assert len(commands(DOCS / "planets.md")) >= 6 and len(commands(ROOT / "README.md")) >= 6


def shots_without_files(page: Path) -> list[str]:
    """Commands of a page whose shots need no file."""
    return [line for line in commands(page) if line.startswith(("simulate", "plan")) and not any(o in line for o in NEEDS_FILES)]


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in TEXTS if shots_without_files(page)], ids=lambda p: str(p.relative_to(ROOT)))
def test_every_shot_of_a_command_is_accepted(page):
    for line in shots_without_files(page):
        shot = shot_from(the_parser().parse_args(shlex.split(line)))
        plan = preview(shot)
        planless = isinstance(shot.motion, (KeyPoses, Stand, Jump, Reflex, Creature))
        assert plan is None if planless else plan.speed_m_s > 0.0


def test_the_example_list_has_the_ten_shots_the_page_says(tmp_path):
    blocks = FENCE.findall((DOCS / "batch.md").read_text(encoding="utf-8"))
    (text,) = [text for language, text in blocks if language == "toml"]
    (tmp_path / "night.toml").write_text(text, encoding="utf-8")
    assert len(read_list(tmp_path / "night.toml").shots) == 10


def unknown_options(page: Path) -> list[str]:
    """Where a page's prose names a verb or an option that the command line does not have."""
    unknown = []
    for span in CODE.findall(prose(page)):
        words = span.split()
        if words[0] == "lope" and len(words) > 1 and words[1].islower() and words[1].isalpha():
            options = re.findall(r"--[a-z][a-z-]*", span)
            if words[1] not in VERBS or any(option not in helps()[words[1]] for option in options):
                unknown.append(span)
    return unknown


def test_verbs_and_options_in_the_prose_exist():
    assert wrong_on(TEXTS, unknown_options) == {}


def script_text(words: str) -> str:
    """The text of what a script's words lead to: the script's own, that of the module that it runs, and that of a suite."""
    path, *rest = words.split()
    text = (ROOT / path).read_text(encoding="utf-8")
    modules = re.findall(r'tools/run" ([\w.]+)', text)
    if path == "scripts/check" and rest and rest[0] in SUITES:
        modules += ["suites.runner", f"suites.{SUITES[rest[0]]}"]
    files = [ROOT / "scripts" / f"{module.replace('.', '/')}.py" for module in modules]
    return text + "".join(file.read_text(encoding="utf-8") for file in files if file.is_file())


def lost_files(page: Path) -> list[str]:
    """Files, and options of scripts, that a page names and that are not there."""
    lost, build = [], (ROOT / "scripts" / "tools" / "build_extension.py").read_text(encoding="utf-8")
    for span in CODE.findall(page.read_text(encoding="utf-8")):
        path = span.split()[0]
        if not ROOM.fullmatch(path) or re.search("[A-Z]{3,}", path):  # GAIT.json and the like stand for names
            continue
        if not (ROOT / path).exists() and path not in WRITTEN_BY_SCRIPTS:
            lost.append(path)
        elif path.startswith("scripts/") and (ROOT / path).is_file():
            text = script_text(span) + build
            lost += [f"{path} {option}" for option in re.findall(r"--[a-z][a-z-]*", span) if option not in text]
    return lost


def test_files_and_options_of_scripts_that_are_named_exist():
    assert wrong_on(TEXTS, lost_files) == {}


@pytest.mark.parametrize("page", ["planets", "your-gait"])
def test_gaits_in_tables_exist(page):
    names = {path.stem for path in (ROOT / "presets" / "gaits").glob("*.json")}
    rows = set(re.findall(r"^\| `(\w[\w-]*)` \|", (DOCS / f"{page}.md").read_text(encoding="utf-8"), re.M))
    assert rows & names and rows <= names | set(SLIDERS)


def test_every_style_slider_is_described():
    text = (DOCS / "your-gait.md").read_text(encoding="utf-8")
    assert [slider for slider in SLIDERS if f"| `{slider}` |" not in text] == []


def test_worlds_and_suits_are_those_of_the_presets():
    text = (DOCS / "presets.md").read_text(encoding="utf-8")
    for kind in ("worlds", "suits"):
        table = text.split(f"(`presets/{kind}`)")[1].split("\n## ")[0]
        rows = dict(re.findall(r"^\| `([\w-]+)` \| ([\d.]+)", table, re.M))
        files = {p.stem: json.loads(p.read_text(encoding="utf-8")) for p in (ROOT / "presets" / kind).glob("*.json")}
        assert set(rows) == set(files)
        if kind == "worlds":
            assert {n: f"{files[n]['gravity_m_s2']:.2f}" for n in rows} == {n: f"{float(v):.2f}" for n, v in rows.items()}
        assert re.findall(r"^\| `([\w-]+)`", table, re.M) == list(rows), "every row has its figure"


def test_masses_of_suits_are_those_of_the_presets():
    text = (DOCS / "presets.md").read_text(encoding="utf-8").split("(`presets/suits`)")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([\w-]+)` \| ([\d.]+) \| ([\d.]+)", text, re.M)
    assert {name for name, *_ in rows} == set(suit_names())
    for name, worn, pack in rows:
        suit = load_suit(name)
        carried = suit.pack.mass_kg if suit.pack else 0.0
        assert (float(worn), float(pack)) == pytest.approx((suit.mass_kg - carried, carried)), name


def test_sets_of_muscles_are_those_of_the_presets():
    text = (DOCS / "presets.md").read_text(encoding="utf-8").split("(`presets/muscles`)")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", text, re.M)
    assert {name: int(count) for name, count in rows} == {name: len(reference_set(name).muscles) for name in set_names()}


def test_moves_are_those_of_the_presets():
    text = (DOCS / "presets.md").read_text(encoding="utf-8").split("(`presets/moves`)")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(move_names())
    notes = (DOCS / "notes" / "moves.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `(\w+)` \| [\w ]+ \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", notes, re.M)
    assert {name for name, *_ in told} == set(move_names())
    for name, *figures in told:
        fit = load_move(name).fit
        assert [float(x) for x in figures] == pytest.approx([fit["joints_deg"], fit["root_cm"], fit["feet_cm"]], abs=0.051), name


def test_figures_of_gaits_are_those_of_the_presets():
    text = (DOCS / "presets.md").read_text(encoding="utf-8").split("(`presets/gaits`)")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+)", text, re.M)
    assert {name for name, *_ in rows} == set(gait_names())
    for name, froude, strides in rows:
        cycle = load_gait(name)
        assert (float(froude), float(strides)) == (round(cycle.froude, 2), round(cycle.stride_frequency_hz, 2)), name


def eaten_formulas(page: Path) -> list[str]:
    """Formulas of a page that Markdown takes something from, or whose braces or brackets do not close."""
    return [formula for formula in MATH.findall(CODE.sub("", prose(page))) if EATEN.search(formula)
            or formula.count("{") != formula.count("}") or formula.count(r"\left") != formula.count(r"\right")]


def test_formulas_hold_nothing_that_markdown_eats():
    assert wrong_on(TEXTS, eaten_formulas) == {}


def test_constants_in_the_equations_are_those_of_the_code():
    steps, walk, running, tracker = StepSettings(), WalkSettings(), RunningSettings(), TrackerSettings()
    said = (DOCS / "how-it-works.md").read_text(encoding="utf-8")
    expected = (
        rf"\frac{{\text{{placement error}}}}{{{steps.placement_error_scale:g}}}", rf"\frac{{\ln h}}{{{steps.timing_scale:g}}}",
        rf"\frac{{\text{{deviation}}}}{{{steps.deviation_scale:g}}}", f"by {steps.cop_gain:g} times the capture point's error",
        rf"\kappa = {running.velocity_kept:g}$", f"| {1e3 * walk.interval_s:.0f} ms | planner",
        f"| {1e3 * CONTROL_STEP_S:.0f} ms, with flights {1e3 * QUICK_STEP_S:.0f} | tracker",
        f"| {1e3 * TRACKED_STEP_S:.0f} ms | engine",
        f"(v/v_0)^{{{LENGTH_EXPONENT:g}}}", f"(v/v_0)^{{{FREQUENCY_EXPONENT:g}}}", f"(v/v_0)^{{{GROUND_EXPONENT:g}}}",
        f"g^{{-{steps.swing_exponent:g}}}", f"limits within {1e3 * tracker.limit_horizon_s:.0f} ms",
        f"({1e3 * RUNNING.limit_horizon_s:.0f} in running gaits)", f"E = {CostWeights().fall:g} ", "coming four steps",
    )
    assert [text for text in expected if text not in said] == []
    planets = (DOCS / "planets.md").read_text(encoding="utf-8")
    assert f"they stop up to {MOST_STOPPING_G:g} g" in planets
    assert (RunEndSettings().walked, NEIGHBOURS) == (3, 3)
    assert (tracker.friction_fraction, PREVIEW_STEPS, walk.height_acceleration, CostWeights().slip) == (0.75, 4, 0.3, 0.25)


def constants(*folders: str) -> str:
    """All text constants of the code in some folders."""
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return "\n".join(node.value for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                     if isinstance(node, ast.Constant) and isinstance(node.value, str))


@pytest.mark.slow
def test_sentences_quoted_in_troubleshooting_are_said_by_the_code():
    said = constants("addon", "operators", "panels")
    rows = re.findall(r"^\| (?!you see|--)([^|]+)\|", (DOCS / "troubleshooting.md").read_text(encoding="utf-8"), re.M)
    quoted = [fragment for cell in rows for fragment in CODE.findall(cell)]
    assert len(quoted) > 40
    assert [fragment for fragment in quoted if fragment not in said and not fragment.startswith("--")] == []


def test_pages_of_the_help_buttons_exist():
    pytest.importorskip("bpy", reason="the buttons are Blender's")
    from lope.operators.status_bar import DOCS as SHIPPED
    from lope.operators.status_bar import PAGES as OFFERED

    assert SHIPPED == DOCS
    offered = {name for name, *_ in OFFERED}
    assert [name for name in offered if not (DOCS / f"{name}.md").is_file()] == []
    panels = [importlib.import_module(f"lope.panels.{path.stem}") for path in (ROOT / "panels").glob("[a-z]*.py")]
    used = {cls.page for module in panels for cls in vars(module).values() if isinstance(cls, type) and hasattr(cls, "page")}
    used |= set(importlib.import_module("lope.panels.pages").HELP.values())  # the page of the verb's help
    assert len(used) > 9 and used - {None} <= offered


def test_every_operator_of_the_panel_page_is_one():
    pytest.importorskip("bpy", reason="the buttons are Blender's")
    from lope.operators import _classes

    named_there = (DOCS / "panel.md").read_text(encoding="utf-8").split("## From Python")[1]
    names = {name.removeprefix("bpy.ops.lope.") for name in CODE.findall(named_there)} - {"blender -b"}
    known = {cls.bl_idname.removeprefix("lope.") for cls in _classes() if hasattr(cls, "bl_idname")}
    assert names and names <= known


@pytest.mark.slow
def test_bold_words_of_the_guides_are_on_the_screen():
    pytest.importorskip("bpy", reason="the labels are Blender's")
    import lope
    from ui_strings import all_texts

    lope.register()
    try:
        shown = {text for _, text in all_texts()} | {"Lope"}
    finally:
        lope.unregister()
    for page in GUIDES:
        bold = [word for word in re.findall(r"\*\*([^*]+)\*\*", prose(page)) if not re.match(r"\d\. ", word)]
        assert [word for word in bold if word not in shown] == [], page.name
