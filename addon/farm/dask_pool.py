# SPDX-License-Identifier: GPL-3.0-or-later
"""The workers of a running Dask scheduler as an executor of the standard library (concurrent.futures). Dask gives the work of a
worker that died to another one. What is submitted names Lope in text instead of holding its functions, because a scheduler
unpickles what it is given: so only the workers need Lope."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from typing import Any

from ..errors import InputError, JobError
from . import parcel

CONNECT_S, WORKER_S = 10.0, 10.0
"""How long a scheduler may take to answer, and then its first worker to be there."""
ALONE_S = 60.0
"""How long work waits without any worker: a worker that was killed is started again within seconds by its nanny."""
LOOK_S = 1.0
"""How often it is looked for workers."""
CALL = "__import__('importlib').import_module(module).answer(asked_by, question)"
COMPARE = "__import__('importlib').import_module(module).differences(asked_by)"


class DaskPool(Executor):
    """Runs picklable functions on a scheduler's workers; leaving its `with` block withdraws what has not been done. Raises
    InputError where `distributed` is not installed, the address is none, nobody answers there, no worker is there, or one has
    another Lope; futures raise what the function raised, and JobError for work that was lost."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._client = _connect(address)
        self._names = {"module": parcel.__name__, "asked_by": parcel.made_by()}
        self._pending: dict[Future, Future | None] = {}
        """What is not answered yet, each with Dask's own future as soon as there is one."""
        self._lock, self._closed = threading.Lock(), threading.Event()
        try:
            self._check_workers()
            self._executor = self._client.get_executor(pure=False)
        except BaseException:
            self._client.close()
            raise
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def workers(self) -> int:
        return len(self._client.nthreads())

    def submit(self, function: Callable[..., Any], /, *args: Any, **named: Any) -> Future:
        """Have a function called with arguments on some worker. Raises JobError when the pool is closed."""
        if named:
            raise TypeError("A farm's work is packed with arguments by their place alone.")
        if self._closed.is_set():
            raise JobError(f"The connection to the Dask scheduler at {self.address} is closed.")
        outer: Future = Future()
        outer.set_running_or_notify_cancel()
        with self._lock:
            self._pending[outer] = None
        inner = self._executor.submit(eval, CALL, {**self._names, "question": parcel.pack(function, *args)})
        with self._lock:
            if outer in self._pending:
                self._pending[outer] = inner
        inner.add_done_callback(lambda done: self._settle(outer, done))
        return outer

    def withdraw(self, outer: Future) -> None:
        """Give up a call: what has not begun is not done, what has is not waited for."""
        with self._lock:
            inner = self._pending.pop(outer, None)
        if inner is not None:
            inner.cancel()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect. With `wait` everything submitted is finished first; else it is withdrawn."""
        while wait and not cancel_futures and self._pending and not self._closed.is_set():
            time.sleep(LOOK_S / 10.0)
        self._closed.set()
        self._fail(f"The connection to the Dask scheduler at {self.address} was closed.")
        self._client.close()

    def __exit__(self, *_: Any) -> None:
        self.shutdown(wait=False, cancel_futures=True)

    def _check_workers(self) -> None:
        """Raises InputError where no worker is there, or one cannot do this Lope's work."""
        try:
            self._client.wait_for_workers(1, timeout=WORKER_S)
        except TimeoutError:
            raise InputError(f"The Dask scheduler at {self.address} has no workers: start some with `dask worker "
                             f"{self.address} --nthreads 1` where Lope is installed.") from None
        told = self._client.run(eval, COMPARE, dict(self._names), on_error="return")
        for worker, found in told.items():
            if isinstance(found, BaseException):
                raise self._explained(found, worker) from found
            if found:
                raise parcel.refusal(worker, found)

    def _settle(self, outer: Future, inner: Future) -> None:
        with self._lock:
            if outer not in self._pending:
                return
            del self._pending[outer]
        try:
            result = inner.result()
        except Exception as error:
            outer.set_exception(self._explained(error))
        else:
            outer.set_result(result)

    def _explained(self, error: BaseException, worker: str = "") -> BaseException:
        from distributed import KilledWorker

        if isinstance(error, ImportError) and parcel.__name__.startswith(error.name or "?"):
            return InputError(f"The Dask worker {worker or 'that was asked'} has no Lope: install Lope in its Python, or "
                              "set its PYTHONPATH (docs/farm.md).")
        if isinstance(error, KilledWorker):
            return JobError(f"Work was given up after it had ended several Dask workers of {self.address}, one after the "
                            "other; look into their logs (a worker without memory is ended by its nanny).")
        if isinstance(error, CancelledError):
            return JobError(f"The Dask scheduler at {self.address} was lost. Start it again and take the work up again.")
        return error

    def _watch(self) -> None:
        """In a thread: give up all work when no worker has been there for long."""
        seen = time.monotonic()
        while not self._closed.wait(LOOK_S):
            with self._lock:
                idle = not self._pending
            if idle or self._has_workers():
                seen = time.monotonic()
            elif time.monotonic() - seen > ALONE_S:
                self._closed.set()
                self._fail(f"The Dask scheduler at {self.address} has had no worker for {ALONE_S:.0f} s. Start workers and "
                           "take the work up again.")

    def _has_workers(self) -> bool:
        try:
            return bool(self._client.nthreads())
        except Exception:  # Dask says a lost or closed connection in many ways
            return False

    def _fail(self, words: str) -> None:
        with self._lock:
            pending, self._pending = self._pending, {}
        for outer in pending:
            outer.set_exception(JobError(words))


def _connect(address: str) -> Any:
    """A client of the scheduler at an address. Raises InputError where there is none."""
    try:
        import distributed
    except ImportError:
        raise InputError("--dask needs the package distributed, which is not installed: pip install 'lope[dask]'.") from None
    if address.startswith("tls://") and distributed.Security().get_connection_args("client")["ssl_context"] is None:
        raise InputError(f"The Dask scheduler at {address} wants certificates, and none are set here: name them by the variables "
                         "DASK_DISTRIBUTED__COMM__TLS__CA_FILE, ...__CLIENT__CERT and ...__CLIENT__KEY (docs/farm.md).")
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its tracebacks come as a sentence instead
    try:
        return distributed.Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"There is no Dask scheduler at {address!r} ({error}). Expected an address such as "
                         "tcp://192.168.0.7:8786, which `dask scheduler` prints when it starts.") from error
