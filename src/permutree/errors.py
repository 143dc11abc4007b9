"""All errors that permutree raises on purpose: one hierarchy, so that ``except PermutreeError`` catches everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = [
    "INSTALL_TRAIN",
    "ConfigError",
    "DataError",
    "FileError",
    "OnError",
    "PermutreeError",
    "TreeError",
    "model_packages",
    "raise_error",
]


class PermutreeError(ValueError):
    """Something that was given cannot be used; the message says what, where, and what to do."""


class TreeError(PermutreeError):
    """What was given is not a tree."""


class ConfigError(PermutreeError):
    """A setting or an option that does not exist, or cannot have this value."""


class DataError(PermutreeError):
    """Bad data in a file: where it is, what is wrong with it and what is lost if reading goes on."""

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        sentence: str | int | None = None,
        skipped: int | None = 1,
    ) -> None:
        self.message = message
        self.source = source
        self.line = line
        #: the sentences that are left out for it; 0 if none is, None for a part of a file of unknown content
        self.skipped = skipped
        self.sentence = None if sentence is None else str(sentence)
        super().__init__(str(self))

    def __str__(self) -> str:
        place = self.source or ""
        if self.line is not None:
            place += f":{self.line}" if place else f"line {self.line}"
        if self.sentence is not None:
            place += f" (sentence {self.sentence})" if place else f"sentence {self.sentence}"
        return f"{place}: {self.message}" if place else self.message

    def __reduce__(self) -> tuple[Callable[..., DataError], tuple[object, ...]]:
        return _data_error, (self.message, self.source, self.line, self.sentence, self.skipped)


def _data_error(
    message: str, source: str | None, line: int | None, sentence: str | None, skipped: int | None
) -> DataError:
    """A DataError from its parts, as it arrives from another process."""
    return DataError(message, source=source, line=line, sentence=sentence, skipped=skipped)


class FileError(PermutreeError, OSError):
    """A file that cannot be written: which one, and what the system says. It is an OSError, too."""

    def __init__(self, message: str, filename: str | None, number: int | None = None) -> None:
        super().__init__(number, message, filename)
        self.errno, self.strerror, self.filename = number, message, filename

    @classmethod
    def of(cls, error: OSError, filename: object) -> FileError:
        """The error of the system with the name of the file, which it may not know."""
        return cls(error.strerror or str(error), str(filename), error.errno)

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"

    def __reduce__(self) -> tuple[Callable[..., FileError], tuple[object, ...]]:
        return FileError, (self.strerror, self.filename, self.errno)


#: What a reader does with a bad sentence: raise, or take note and return to go on with the next one.
OnError = Callable[[DataError], None]


def raise_error(error: DataError) -> None:
    """The default: stop at the first bad sentence."""
    raise error


#: how to install what trains and exports models; on Linux, pip takes the PyTorch for GPUs unless it is told otherwise
INSTALL_TRAIN = (
    "pip install 'permutree[train]' (on Linux without a GPU, add --extra-index-url "
    "https://download.pytorch.org/whl/cpu: otherwise gigabytes of CUDA libraries come with it)"
)
#: packages that training and PyTorch models need, and parsing on a CPU does not
_MODEL_PACKAGES = ("accelerate", "onnx", "onnxscript", "safetensors", "tokenizers", "torch", "transformers")


@contextmanager
def model_packages() -> Iterator[None]:
    """Turn the failed import of a package that comes with ``permutree[train]`` into a ConfigError that says so."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in _MODEL_PACKAGES:
            raise
        raise ConfigError(f"models need the package {error.name}, which is not here: {INSTALL_TRAIN}") from None
