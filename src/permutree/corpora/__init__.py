"""Many documents: one step for batches of Arrow records, files cut into shards, manifests, resuming."""

from __future__ import annotations

from permutree.corpora.documents import Columns
from permutree.corpora.local import LocalEngine
from permutree.corpora.run import Report, run, verify
from permutree.corpora.step import Step, parse_batch

__all__ = ["Columns", "LocalEngine", "Report", "Step", "parse_batch", "run", "verify"]
