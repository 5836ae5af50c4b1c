# SPDX-License-Identifier: GPL-3.0-or-later
"""The search: it finds the least, the same whatever the number of processes, and goes on where it was stopped."""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
from concurrent.futures import Executor, Future

import numpy as np
import pytest

from lope.addon.errors import InputError, JobError
from lope.addon.search.search import Plan
from tuning_kit import Bowl, Fatal, Stopped, searched

pytest.importorskip("cma", reason="tuning needs the package cma")

pytestmark = pytest.mark.slow

BOWL = Bowl()
START = BOWL.evaluate(np.zeros(3))
SHORT = Plan(generations=6, population=6, seed=4)


def test_finds_the_least_and_stops_when_nothing_comes_any_more():
    found = searched(BOWL, START, Plan(generations=300, population=8, seed=1))
    np.testing.assert_allclose(found.x, BOWL.place, atol=0.05)
    assert found.ended == "converged" and len(found.log) < 100
    assert found.best.detail["x"] == pytest.approx(found.x.tolist())
    history = [row["so_far"] for row in found.log]
    assert history == sorted(history, reverse=True)


def test_ends_with_the_generation_that_is_good_enough():
    whole = searched(BOWL, START, Plan(generations=300, population=8, seed=1))
    history = [START.cost, *(row["so_far"] for row in whole.log)]
    enough = history[10]
    found = searched(BOWL, START, Plan(generations=300, population=8, seed=1, until=enough))
    first = next(i for i, cost in enumerate(history) if cost <= enough)
    assert found.ended == "reached" and found.best.cost == history[first]
    assert found.log == whole.log[:first]


def test_never_worse_than_what_there_is():
    place = Bowl(place=(0.0, 0.0, 0.0))
    found = searched(place, place.evaluate(np.zeros(3)), SHORT)
    assert found.best.cost == 1.0 and not found.x.any()


def test_the_same_with_two_processes_and_with_another_generator_at_work():
    one = searched(BOWL, START, SHORT)
    np.random.seed(77)
    two = searched(BOWL, START, Plan(**{**vars(SHORT), "workers": 2}))
    assert one.log == two.log
    np.testing.assert_array_equal(one.x, two.x)
    other = searched(BOWL, START, Plan(**{**vars(SHORT), "seed": 5}))
    assert one.log != other.log


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_process_that_is_killed_ends_the_search_with_a_sentence():
    with pytest.raises(JobError, match="ended from outside"):
        searched(Fatal(), START, Plan(**{**vars(SHORT), "workers": 2}))
    assert not multiprocessing.active_children()


def test_processes_end_with_a_search_that_is_stopped():
    def stop(share: float, words: str) -> None:
        raise KeyboardInterrupt

    assert searched(BOWL, START, Plan(**{**vars(SHORT), "workers": 2}), callback=stop).ended == "stopped"
    assert not multiprocessing.active_children()


class Deaf(Executor):
    """Answers the first question only."""

    def submit(self, function, /, *args):
        answer = Future()
        if not hasattr(self, "asked"):
            self.asked = answer
            answer.set_result(function(*args))
        return answer


def test_a_farm_that_hangs_ends_the_search_with_a_sentence():
    begun = time.monotonic()
    with pytest.raises(JobError, match="No trial of the search was answered for 0.02 min.*--patience"):
        searched(BOWL, START, Plan(**{**vars(SHORT), "patience_s": 1.2}), executor=Deaf())
    assert time.monotonic() - begun < 10.0


def test_within_its_bound():
    far = Bowl(place=(9.0, 9.0, 9.0), bound=1.0)
    found = searched(far, far.evaluate(np.zeros(3)), Plan(generations=30, population=6))
    assert np.abs(found.x).max() <= 1.0 and found.x.min() > 0.9


def test_goes_on_from_a_checkpoint_as_if_never_stopped(tmp_path):
    checkpoint = tmp_path / "c.json"
    whole = searched(BOWL, START, SHORT)
    searched(BOWL, START, Plan(**{**vars(SHORT), "generations": 3}), checkpoint=checkpoint)
    noted = json.loads(checkpoint.read_text(encoding="utf-8"))
    assert len(noted["log"]) == 3
    rest = searched(BOWL, START, SHORT, checkpoint=checkpoint, resume=True)
    assert rest.log == whole.log and rest.evaluations == whole.evaluations == 36
    np.testing.assert_array_equal(rest.x, whole.x)


def test_a_stop_keeps_the_best_so_far(tmp_path):
    checkpoint = tmp_path / "c.json"
    Stopped.calls = 0
    found = searched(Stopped(), START, SHORT, checkpoint=checkpoint)
    assert found.ended == "stopped" and len(found.log) == 1 and found.best.cost < START.cost
    again = searched(BOWL, START, SHORT)
    assert found.log == again.log[:1]
    assert json.loads(checkpoint.read_text(encoding="utf-8"))["best"]["cost"] == found.best.cost


def test_progress_tells_best_cost_and_time_left():
    told = []
    searched(BOWL, START, Plan(generations=2, population=6), callback=lambda share, words: told.append((share, words)))
    assert [share for share, _ in told] == pytest.approx(np.arange(1, 13) / 12)
    assert all(f"untuned {START.cost:.3f}" in words and "min left" in words for _, words in told)


@pytest.mark.parametrize(("change", "words"), [({"seed": 9}, "another search"), ({"population": 7}, "another search"),
                                               ({"sigma": 0.4}, "another search")])
def test_a_checkpoint_of_another_search_is_refused(tmp_path, change, words):
    checkpoint = tmp_path / "c.json"
    searched(BOWL, START, Plan(**{**vars(SHORT), "generations": 1}), checkpoint=checkpoint)
    with pytest.raises(InputError, match=words):
        searched(BOWL, START, Plan(**{**vars(SHORT), **change}), checkpoint=checkpoint, resume=True)
    with pytest.raises(InputError, match=words):
        searched(Bowl(place=(0.1, 0.1, 0.1)), START, SHORT, checkpoint=checkpoint, resume=True)


def test_a_damaged_checkpoint_is_told(tmp_path):
    checkpoint = tmp_path / "c.json"
    searched(BOWL, START, Plan(**{**vars(SHORT), "generations": 1}), checkpoint=checkpoint)
    good = json.loads(checkpoint.read_text(encoding="utf-8"))
    for text in ("{", *(json.dumps(good | spoilt) for spoilt in (
            {"log": 1}, {"log": [{}]}, {"log": [{"costs": [1.0, 2.0]}]}, {"log": [{"costs": [float("nan")] * 6}]}, {"best": None},
            {"cpu_s": "long"}, {"checks": [{"x": [[0.0]]}]}))):
        checkpoint.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="cannot be read as a checkpoint.*Delete it to start anew"):
            searched(BOWL, START, SHORT, checkpoint=checkpoint, resume=True)


@pytest.mark.parametrize("schema", ["lope-tuning-checkpoint", "lope-creature-search", "lope-reflex-search"])
def test_a_checkpoint_of_an_earlier_lope_is_refused(tmp_path, schema):
    checkpoint = tmp_path / "c.json"
    checkpoint.write_text(json.dumps({"schema": schema, "format": 1, "generations": []}), encoding="utf-8")
    with pytest.raises(InputError, match="a checkpoint of an earlier Lope"):
        searched(BOWL, START, SHORT, checkpoint=checkpoint, resume=True)
