# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on a Dask farm of processes on loopback: the same results as here, whoever dies, and sentences for what cannot be."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from farm_kit import Farm, MortalBowl, hang_once
from lope.addon.batch.plan import plan_list
from lope.addon.batch.runner import Runner
from lope.addon.batch.shot_list import read_list
from lope.addon.batch.state import held
from lope.addon.batch.verdict import judge
from lope.addon.children.protocol import Task
from lope.addon.cli import main
from lope.addon.errors import InputError, JobError
from lope.addon.farm import dask_pool, dask_station, parcel
from lope.addon.farm.dask_pool import DaskPool
from lope.addon.farm.dask_station import simulated, stations
from lope.addon.search import maps
from lope.addon.search.gait_cost import CostWeights
from lope.addon.search.maps import tune_map
from lope.addon.search.search import Plan, Result, Run
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Shot, World
from tuning_kit import Bowl, searched

pytestmark = pytest.mark.slow

SHORT = Plan(generations=4, population=6, seed=4)
TUNE = ["tune", "--world", "earth"]


@pytest.fixture(scope="module")
def standing(tmp_path_factory):
    pytest.importorskip("distributed", reason="a Dask farm needs the package distributed")
    with Farm(tmp_path_factory.mktemp("farm"), 2) as farm:
        yield farm


@pytest.fixture
def farm(standing):
    standing.ensure()
    return standing


@pytest.fixture
def lonely(tmp_path):
    pytest.importorskip("distributed", reason="a Dask farm needs the package distributed")
    with Farm(tmp_path, 0) as farm:
        yield farm


def test_a_worker_killed_in_the_middle_of_a_search_loses_nothing(farm, tmp_path):
    pytest.importorskip("cma", reason="tuning needs the package cma")
    bowl = MortalBowl()
    start = bowl.evaluate(np.zeros(3))
    here = searched(bowl, start, SHORT, checkpoint=tmp_path / "here.json")
    with DaskPool(farm.address) as pool:
        there = searched(bowl, start, SHORT, checkpoint=tmp_path / "there.json", executor=pool)
    assert farm.death.exists() and [w.poll() for w in farm.workers].count(None) == 1, "one worker died"
    assert there.evaluations == here.evaluations == 24
    np.testing.assert_array_equal(there.x, here.x)
    assert (tmp_path / "there.json").read_bytes() == (tmp_path / "here.json").read_bytes()


def test_a_stop_by_the_user_keeps_the_best_so_far(farm):
    pytest.importorskip("cma", reason="tuning needs the package cma")
    bowl, told = Bowl(), []

    def stop(share: float, words: str) -> None:
        told.append(share)
        if len(told) == 8:
            raise KeyboardInterrupt

    with DaskPool(farm.address) as pool:
        found = searched(bowl, bowl.evaluate(np.zeros(3)), SHORT, callback=stop, executor=pool)
        assert pool.submit(abs, -3).result() == 3, "the pool goes on"
    assert found.ended == "stopped" and len(found.log) == 1
    assert found.log == searched(bowl, bowl.evaluate(np.zeros(3)), SHORT).log[:1]


@pytest.mark.acceptance
def test_tuning_real_walks_writes_the_same_map(farm, tmp_path):
    pytest.importorskip("cma", reason="tuning needs the package cma")
    shot, small = Shot(world=World("jupiter", 24.79)), Plan(generations=1, population=3)

    def tuned(out: Path, executor: DaskPool | None) -> bytes:
        tune_map(shot, Run(small, out, tmp_path / "checkpoint.json", executor=executor), strides=2, weights=CostWeights())
        return out.read_bytes()

    with DaskPool(farm.address) as pool:
        assert tuned(tmp_path / "there.json", pool) == tuned(tmp_path / "here.json", None)


def test_the_command_line_tunes_on_the_farm(farm, tmp_path, capfd, monkeypatch):
    seen = []
    monkeypatch.setattr(maps, "tune_map", lambda _, run, **__: seen.append(run.executor) or Result({}, False))
    assert main([*TUNE, "--out", str(tmp_path / "there.json"), "--dask", farm.address]) == 0
    assert f"Dask at {farm.address}: 2 workers." in capfd.readouterr().err and isinstance(seen[0], DaskPool)
    assert main([*TUNE, "--out", str(tmp_path / "here.json")]) == 0 and seen[1] is None


def test_a_take_from_the_farm_is_the_same_file(farm, tmp_path):
    shot = Shot(duration_s=0.5)
    with DaskPool(farm.address) as pool:
        pool.submit(simulate, shot).result().save(tmp_path / "there.npz")
    simulate(shot).save(tmp_path / "here.npz")
    assert (tmp_path / "there.npz").read_bytes() == (tmp_path / "here.npz").read_bytes()


LIST = """[defaults]
seconds = 0.5
bake = false
[[grids]]
name = "g"
world = ["earth", "moon"]
seed = [0, 1]
[[shots]]
name = "far"
speed = 90
"""


def results(folder: Path) -> dict[str, bytes]:
    """Every file that a batch left for its shots."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("[!.]*"))
            if file.is_file() and ".lope" not in file.parts}


@pytest.mark.acceptance
def test_a_shot_list_on_the_farm_leaves_the_same_files_though_a_worker_is_killed(farm, tmp_path):
    paths = {where: tmp_path / where / "night.toml" for where in ("here", "there")}
    for path in paths.values():
        path.parent.mkdir()
        path.write_text(LIST, encoding="utf-8")
    assert main(["batch", str(paths["here"])]) == 2
    plan, begun = plan_list(read_list(paths["there"])), []

    def tell(event: dict) -> None:
        begun.append(event["shot"])
        if len(begun) == 4:  # two are at work, two on their way
            farm.workers[0].kill()

    with DaskPool(farm.address) as pool, held(plan.list.path, plan.list.out) as state:
        assert pool.workers == 2
        Runner(plan, state, 1, tell, partial(stations, pool)).run()
        words = {verdict.name: verdict.word for verdict in judge(plan, state.latest())}
    assert {name: word for name, word in words.items() if word != "passed"} == {"far": "failed"} and len(words) == 5
    here, there = results(tmp_path / "here/night-out"), results(tmp_path / "there/night-out")
    assert len(here) == 12 and here == there


@pytest.mark.acceptance
def test_a_simulation_that_hangs_on_a_worker_is_withdrawn(farm, tmp_path, monkeypatch):
    monkeypatch.setattr(dask_station, "simulated", hang_once)
    path = tmp_path / "night.toml"
    path.write_text("".join(f'[[shots]]\nname = "{name}"\nseconds = 0.5\nbake = false\n' for name in "abcd"), encoding="utf-8")
    plan = plan_list(read_list(path))
    with DaskPool(farm.address) as pool, held(plan.list.path, plan.list.out) as state:
        Runner(plan, state, 1, lambda event: None, partial(stations, pool), patience_s=12.0).run()
        verdicts = judge(plan, state.latest())
        farm.death.with_name("hung").unlink()
        assert not pool._pending
    said = [verdict.sentence for verdict in verdicts if verdict.word == "failed"]
    assert said and len(said) < 4 and "withdrawn from the Dask scheduler" in said[0]


def test_a_shot_list_by_the_command_line_uses_the_farm(farm, tmp_path, capfd):
    path = tmp_path / "night.toml"
    path.write_text('[[shots]]\nname = "a"\nseconds = 0.5\nbake = false\n', encoding="utf-8")
    assert main(["batch", str(path), "--dask", farm.address]) == 0
    assert "2 workers" in capfd.readouterr().err and (tmp_path / "night-out/a/take.npz").is_file()


@pytest.mark.acceptance
def test_a_worker_with_other_gaits_is_refused(farm):
    task = Task("simulate", Shot(duration_s=0.5).to_dict(), "take.npz")
    with DaskPool(farm.address) as pool, pytest.raises(InputError, match="other tuned maps of the gait walk"):
        pool.submit(simulated, task, "another key").result()


def test_what_a_function_raises_comes_back(farm):
    with DaskPool(farm.address) as pool:
        assert list(pool.map(abs, [-2, 3])) == [2, 3]
        with pytest.raises(InputError, match="wlak"):
            pool.submit(simulate, Shot(motion=Gait("wlak"))).result()


def test_a_worker_with_another_lope_is_refused(farm, monkeypatch):
    other = {**parcel.made_by(), "Lope": "9.9.9"}
    monkeypatch.setattr(parcel, "made_by", lambda: other)
    with pytest.raises(InputError, match=r"tcp://127.0.0.1:\d+ is refused: it has Lope [\d.]+ instead of 9.9.9"):
        DaskPool(farm.address)
    monkeypatch.setattr(DaskPool, "_check_workers", lambda self: None)
    with DaskPool(farm.address) as pool, pytest.raises(InputError, match="instead of 9.9.9"):
        pool.submit(abs, -1).result()  # as a worker that comes later does


def test_a_worker_without_lope_is_told(lonely):
    bare = [path for path in sys.path if path and not Path(path, "lope").exists()]
    worker = lonely.worker("-S", PYTHONPATH=os.pathsep.join(bare))
    try:
        with pytest.raises(InputError, match="has no Lope: install Lope in its Python"):
            DaskPool(lonely.address)
    finally:
        worker.kill()
        worker.wait()


def test_a_scheduler_without_workers_is_told(lonely, monkeypatch):
    monkeypatch.setattr(dask_pool, "WORKER_S", 0.5)
    with pytest.raises(InputError, match="has no workers: start some with `dask worker tcp://"):
        DaskPool(lonely.address)


@pytest.mark.parametrize("lost", ["workers", "scheduler"])
def test_work_is_given_up_when_the_farm_is_lost(lonely, monkeypatch, lost):
    import time

    monkeypatch.setattr(dask_pool, "ALONE_S", 0.0)
    worker = lonely.worker()
    with DaskPool(lonely.address) as pool:
        answer = pool.submit(time.sleep, 600.0)
        worker.kill()
        if lost == "scheduler":
            lonely.scheduler.kill()
        with pytest.raises(JobError, match="has had no worker|was lost"):
            answer.result(60.0)
    worker.wait()
    with pytest.raises(JobError, match="closed"):
        pool.submit(abs, 1)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "here and there", ""])
def test_an_address_without_a_scheduler_is_told(address, monkeypatch, capfd, tmp_path):
    pytest.importorskip("distributed", reason="a Dask farm needs the package distributed")
    monkeypatch.setattr(dask_pool, "CONNECT_S", 0.5)
    assert main([*TUNE, "--out", str(tmp_path / "map.json"), "--dask", address]) == 2
    assert "Expected an address such as tcp://" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_address_that_wants_certificates_without_any_is_told(capfd, tmp_path):
    pytest.importorskip("distributed", reason="a Dask farm needs the package distributed")
    assert main([*TUNE, "--out", str(tmp_path / "map.json"), "--dask", "tls://127.0.0.1:1"]) == 2
    assert "wants certificates" in capfd.readouterr().err


def test_without_the_package_the_extra_is_named(monkeypatch, capfd, tmp_path):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main([*TUNE, "--out", str(tmp_path / "map.json"), "--dask", "127.0.0.1:8786"]) == 2
    assert "pip install 'lope[dask]'" in capfd.readouterr().err
