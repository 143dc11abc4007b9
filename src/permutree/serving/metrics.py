"""Figures for Prometheus, and log lines that hold nothing of what users send."""

from __future__ import annotations

import logging
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from permutree.serving.pool import Pool

__all__ = ["Metrics"]

_log = logging.getLogger("permutree")
_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)


class Metrics:
    """Counts requests, and shows what the workers do."""

    def __init__(self, pool: Pool) -> None:
        self.registry = CollectorRegistry()
        requests = Counter(
            "permutree_requests", "Requests by path and status", ["path", "method", "status"], registry=self.registry
        )
        seconds = Histogram(
            "permutree_request_seconds", "Time to answer", ["path"], buckets=_SECONDS, registry=self.registry
        )
        self._requests = cache(requests.labels)
        self._seconds = cache(seconds.labels)
        batches = Histogram(
            "permutree_batch_size",
            "Requests that a worker answers at once",
            buckets=(1, 2, 4, 8, 16, 32, 64),
            registry=self.registry,
        )
        pool.figures.on_batch = batches.observe
        figures = pool.figures
        for name, text, value in (
            ("permutree_queue_length", "Requests that wait for a worker", lambda: pool.queued),
            ("permutree_workers_ready", "Workers that take requests", lambda: pool.ready),
            ("permutree_worker_restarts", "Workers that were replaced", lambda: figures.restarts),
            ("permutree_retries", "Requests that a dead worker held", lambda: figures.retries),
            ("permutree_sentences", "Sentences parsed", lambda: figures.sentences),
            ("permutree_unexpected_errors", "Faults of the server itself", lambda: figures.unexpected),
        ):
            Gauge(name, text, registry=self.registry).set_function(value)

    def count(self, path: str, method: str, status: int, seconds: float) -> None:
        """Count an answer; the path is that of the endpoint, not what was asked for."""
        method = method if method in ("GET", "POST", "HEAD", "OPTIONS") else "other"
        self._requests(path, method, str(status)).inc()
        self._seconds(path).observe(seconds)

    def log(self, path: str, method: str, status: int, seconds: float) -> None:
        """Log an answer."""
        _log.info("%s %s %d %.1f ms", method, path, status, 1000 * seconds)

    def text(self) -> bytes:
        """All figures as Prometheus reads them."""
        return generate_latest(self.registry)
