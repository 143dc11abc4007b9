"""A graph of a model folder as a session of ONNX Runtime, with errors that name the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from permutree.errors import DataError
from permutree.model.checksums import Checksums

__all__ = ["MISFIT", "Feeds", "Graph"]

#: how a message says that two files are not of one model
MISFIT = "does not go with"

#: what goes into a graph, by name
Feeds = dict[str, np.ndarray]


class Graph:
    """A graph as a session of ONNX Runtime."""

    def __init__(self, path: Path, checksums: Checksums) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # Batches are of many shapes: memory that is kept for each shape, or for the largest, is no faster, only more.
        options.enable_mem_pattern = options.enable_cpu_mem_arena = False
        # All that makes these graphs faster; the rest is about images, and takes time to look for.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        # What goes wrong is raised, and need not be printed as well.
        options.log_severity_level = 4
        self.path = path
        if not path.exists():
            raise DataError("the weights are missing: copy the whole folder again", source=self.source)
        # Given as bytes, a graph cannot point to other files.
        content = checksums.contents(path.name)
        try:
            self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
            self.inputs = {one.name: one.shape for one in self._session.get_inputs()}
            self.outputs = {one.name: one.shape for one in self._session.get_outputs()}
            # It would keep the file in memory beside its own copy of the weights, to begin again on another device.
            self._session._model_bytes = None
        except Exception as error:  # the library has many kinds, and none that is documented
            raise DataError(f"damaged weights: {error}", source=self.source) from None

    @property
    def source(self) -> str:
        """Where it is, for messages."""
        return str(self.path)

    def width(self, output: str) -> int | None:
        """The last dimension of an output, if the graph tells it."""
        if output not in self.outputs:
            raise DataError(f"has no {output!r}: it is no such graph; export the model again", source=self.source)
        shape = self.outputs[output]
        return shape[-1] if shape and isinstance(shape[-1], int) else None

    def check(self, shapes: Mapping[str, Sequence[Any]], name: str, size: int | None, other: str) -> None:
        """An error if an input or output is not of the size that another file wants."""
        if name not in shapes:
            raise DataError(f"has no {name!r}: it is no such graph; export the model again", source=self.source)
        found = shapes[name][-1] if shapes[name] else None
        if size is not None and isinstance(found, int) and found != size:
            message = f"{MISFIT} {other}: {name!r} is of size {found}, not {size}. It is part of another model"
            raise DataError(f"{message}; export the model again", source=self.source)

    def run(self, names: Sequence[str], feeds: Feeds) -> dict[str, np.ndarray]:
        """Some of the outputs, by name."""
        try:
            return dict(zip(names, self._session.run(names, feeds), strict=True))
        except Exception as error:  # here, too
            if "alloc" in str(error):
                raise MemoryError(f"ONNX Runtime: {error}") from None
            message = f"cannot be run: {error}. It is damaged, or part of another model; export the model again"
            raise DataError(message, source=self.source) from None
