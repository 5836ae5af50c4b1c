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
from lope.addon.search.search import SearchSettings, search
from tuning_kit import Bowl, Fatal, Stopped

pytest.importorskip("cma", reason="tuning needs the package cma")

pytestmark = pytest.mark.slow

BOWL = Bowl()
START = BOWL.evaluate(np.zeros(3))
SHORT = SearchSettings(iterations=6, population=6, seed=4)


def test_finds_the_least_and_stops_when_nothing_comes_any_more():
    found = search(BOWL, START, SearchSettings(iterations=300, population=8, seed=1))
    np.testing.assert_allclose(found.x, BOWL.place, atol=0.05)
    assert found.ended == "converged" and len(found.generations) < 100
    assert found.best.detail["x"] == pytest.approx(found.x.tolist())
    assert all(after <= before for before, after in zip(found.history, found.history[1:], strict=False))


def test_ends_with_the_generation_that_is_good_enough():
    whole = search(BOWL, START, SearchSettings(iterations=300, population=8, seed=1))
    enough = whole.history[10]
    found = search(BOWL, START, SearchSettings(iterations=300, population=8, seed=1, until=enough))
    first = next(i for i, cost in enumerate(whole.history) if cost <= enough)
    assert found.ended == "reached" and found.best.cost == whole.history[first]
    assert found.generations == whole.generations[:first]


def test_never_worse_than_what_there_is():
    place = Bowl(place=(0.0, 0.0, 0.0))
    found = search(place, place.evaluate(np.zeros(3)), SHORT)
    assert found.best.cost == 1.0 and not found.x.any()


def test_the_same_with_two_processes_and_with_another_generator_at_work():
    one = search(BOWL, START, SHORT)
    np.random.seed(77)
    two = search(BOWL, START, SearchSettings(**{**vars(SHORT), "workers": 2}))
    assert one.generations == two.generations
    np.testing.assert_array_equal(one.x, two.x)
    other = search(BOWL, START, SearchSettings(**{**vars(SHORT), "seed": 5}))
    assert one.generations != other.generations


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_process_that_is_killed_ends_the_search_with_a_sentence():
    with pytest.raises(JobError, match="ended from outside"):
        search(Fatal(), START, SearchSettings(**{**vars(SHORT), "workers": 2}))
    assert not multiprocessing.active_children()


def test_processes_end_with_a_search_that_is_stopped():
    def stop(share: float, words: str) -> None:
        raise KeyboardInterrupt

    assert search(BOWL, START, SearchSettings(**{**vars(SHORT), "workers": 2}), callback=stop).ended == "stopped"
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
        search(BOWL, START, SearchSettings(**{**vars(SHORT), "patience_s": 1.2}), executor=Deaf())
    assert time.monotonic() - begun < 10.0


def test_within_its_bound():
    far = Bowl(place=(9.0, 9.0, 9.0), bound=1.0)
    found = search(far, far.evaluate(np.zeros(3)), SearchSettings(iterations=30, population=6))
    assert np.abs(found.x).max() <= 1.0 and found.x.min() > 0.9


def test_goes_on_from_a_checkpoint_as_if_never_stopped(tmp_path):
    checkpoint = tmp_path / "c.json"
    whole = search(BOWL, START, SHORT)
    search(BOWL, START, SearchSettings(**{**vars(SHORT), "iterations": 3}), checkpoint=checkpoint)
    noted = json.loads(checkpoint.read_text(encoding="utf-8"))
    assert len(noted["generations"]) == 3
    rest = search(BOWL, START, SHORT, checkpoint=checkpoint, resume=True)
    assert rest.generations == whole.generations and rest.evaluations == whole.evaluations == 36
    np.testing.assert_array_equal(rest.x, whole.x)


def test_a_stop_keeps_the_best_so_far(tmp_path):
    checkpoint = tmp_path / "c.json"
    Stopped.calls = 0
    found = search(Stopped(), START, SHORT, checkpoint=checkpoint)
    assert found.ended == "stopped" and len(found.generations) == 1 and found.best.cost < START.cost
    again = search(BOWL, START, SHORT)
    assert found.generations == again.generations[:1]
    assert json.loads(checkpoint.read_text(encoding="utf-8"))["best"]["cost"] == found.best.cost


def test_progress_tells_best_cost_and_time_left():
    told = []
    search(BOWL, START, SearchSettings(iterations=2, population=6), callback=lambda share, words: told.append((share, words)))
    assert [share for share, _ in told] == pytest.approx(np.arange(1, 13) / 12)
    assert all(f"untuned {START.cost:.3f}" in words and "min left" in words for _, words in told)


@pytest.mark.parametrize(("change", "words"), [({"seed": 9}, "another search"), ({"population": 7}, "another search"),
                                               ({"sigma": 0.4}, "another search")])
def test_a_checkpoint_of_another_search_is_refused(tmp_path, change, words):
    checkpoint = tmp_path / "c.json"
    search(BOWL, START, SearchSettings(**{**vars(SHORT), "iterations": 1}), checkpoint=checkpoint)
    with pytest.raises(InputError, match=words):
        search(BOWL, START, SearchSettings(**{**vars(SHORT), **change}), checkpoint=checkpoint, resume=True)
    with pytest.raises(InputError, match=words):
        search(Bowl(place=(0.1, 0.1, 0.1)), START, SHORT, checkpoint=checkpoint, resume=True)


def test_a_damaged_checkpoint_is_told(tmp_path):
    checkpoint = tmp_path / "c.json"
    checkpoint.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        search(BOWL, START, SHORT, checkpoint=checkpoint, resume=True)
