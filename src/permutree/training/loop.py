"""The training loop, from settings to a model folder.

One step is a group of batches. Every process knows all groups, as they depend on the seed alone, and takes its share
of each; the loss is divided by the words of the whole group, so that it does not matter how many processes there are,
or whether a batch had to be cut to fit into memory.
"""

from __future__ import annotations

import contextlib
import copy
import json
import logging
import platform
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from accelerate.utils import DistributedDataParallelKwargs, broadcast_object_list, set_seed
from torch import nn

from permutree import __version__
from permutree.errors import ConfigError, DataError
from permutree.formats.sinks import whole_file
from permutree.model.batching import Ints, padding_waste, shuffled_batches
from permutree.networks.labeller import Labeller
from permutree.networks.model import Model
from permutree.networks.reread import RereadLabeller
from permutree.progress import progress_bar
from permutree.settings import as_dict
from permutree.training.building import prepare
from permutree.training.calibration import calibrate, calibrate_spans
from permutree.training.card import model_card, record
from permutree.training.checkpoints import Progress, check_settings, load_checkpoint, save_checkpoint
from permutree.training.config import Config
from permutree.training.curve import draw_curve
from permutree.training.data import Dataset
from permutree.training.determinism import deterministic
from permutree.training.fingerprint import check_data, fingerprint
from permutree.training.noise import disturbed
from permutree.training.objective import Objective
from permutree.training.optimisers import Average, make_optimiser, rate_factor
from permutree.training.starting import continued
from permutree.training.validation import Row, Validator

__all__ = ["Result", "Trainer", "multiplies_bf16", "start_accelerator", "train"]

_log = logging.getLogger("permutree")
#: steps between looks at the progress bar, each of which waits for a GPU
_SHOWN = 20
#: what a run that is killed while it writes may leave beside the files of a model
_TEMPORARY = re.compile(r"\.\w+\.(?:safetensors|jsonl?|svg|md)\.\w{8}|\.tmp[A-Za-z0-9]{6}").fullmatch


@dataclass(frozen=True, slots=True)
class Result:
    """What came of training: the folder, the best dev scores and what was measured after each epoch."""

    folder: Path
    best: Row
    history: list[Row]


def train(config: Config, *, on_epoch: Callable[[Row], None] | None = None) -> Result:
    """Train a labeller, or go on where an earlier call with the same settings stopped.

    The model folder has the weights with the best dev score, the log (``log.jsonl``), the learning curve and, until
    training is done, a checkpoint.
    """
    if not config.out:
        raise ConfigError("name the folder to write the model to: out")
    config = continued(config)
    if (result := _finished(config)) is not None:
        return result
    accelerator = start_accelerator(config)
    set_seed(config.training.seed)
    with deterministic(accelerator.device):
        return Trainer(config, accelerator, *prepare(config)).run(on_epoch)


def start_accelerator(config: Config) -> Accelerator:
    """What runs a training with these settings, on the processes and GPUs that there are."""
    # What an earlier training in this process chose must not bind this one.
    AcceleratorState._reset_state()
    # Buffers never change; a batch that is done twice for lack of memory must not exchange them twice.
    accelerator = Accelerator(
        mixed_precision="bf16" if config.training.precision == "bf16" and multiplies_bf16() else "no",
        kwargs_handlers=[DistributedDataParallelKwargs(broadcast_buffers=False)],
    )
    torch.set_float32_matmul_precision("high" if accelerator.device.type == "cuda" else "highest")
    return accelerator


def multiplies_bf16() -> bool:
    """Whether a GPU is there, or the CPU has instructions for bf16: without them, it would be slower than fp32."""
    if torch.cuda.is_available():
        return True
    # PyTorch before 2.12 does not say.
    capabilities: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def _finished(config: Config) -> Result | None:
    """What an earlier call with the same settings came to, if it came to an end."""
    folder = Path(config.out)
    done = folder / "done.json"
    if not done.exists() or (folder / "checkpoint.safetensors").exists():
        return None
    try:
        found = json.loads(done.read_text("utf-8"))
        settings, history, data = found["settings"], found["history"], found.get("data")
        result = Result(folder, _best(history), history)
    except (AttributeError, OSError, KeyError, TypeError, ValueError, RecursionError) as error:
        message = f"damaged: {error!r}; delete it, and the same command trains the model anew"
        raise DataError(message, source=str(done)) from None
    check_settings(done, settings, _settings(config))
    check_data(done, data, fingerprint(config))
    return result


def _settings(config: Config) -> dict[str, Any]:
    """What must stay the same when training goes on, as it is after it went through JSON."""
    settings: dict[str, Any] = json.loads(json.dumps(as_dict(config)))
    del settings["out"]
    for name in ("minutes", "checkpoint", "checkpoint_epochs"):
        del settings["training"][name]
    return settings


class Trainer:
    """Trains one model."""

    def __init__(
        self,
        config: Config,
        accelerator: Accelerator,
        model: Model,
        data: Dataset,
        validator: Validator,
        *,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.config, self.accelerator, self.model = config, accelerator, model
        self.data, self.validator = data, validator
        #: the share of the time that is gone, for trainings that end by a moment: their learning rate falls with it
        self.clock = clock or (lambda: 0.0)
        self.objective = Objective(config, data)
        self.folder = Path(config.out)
        self.settings, self.read = _settings(config), fingerprint(config)
        labeller = model.labeller.to(accelerator.device)
        self.average = None
        if config.training.average:
            self.average = Average(labeller, copy.deepcopy(labeller), config.training.average)
        self.optimiser = make_optimiser(labeller, config.optimiser)
        self.labeller = labeller
        self.wrapped = accelerator.prepare_model(labeller)
        self.progress = Progress()

    @property
    def checkpoint(self) -> Path:
        """Where the checkpoint is."""
        return self.folder / "checkpoint.safetensors"

    @property
    def scored(self) -> Labeller:
        """The labeller that is evaluated and kept: the average, if there is one."""
        return self.average.labeller if self.average else self.labeller

    def run(self, on_epoch: Callable[[Row], None] | None) -> Result:
        """Train until the end, or until nothing gets better."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.accelerator.is_main_process:
            for left in self.folder.glob(".*"):
                if _TEMPORARY(left.name):
                    left.unlink()
        if self.checkpoint.exists():
            average = self.average.labeller if self.average else None
            self.progress = load_checkpoint(
                self.checkpoint, self.settings, self.read, self.labeller, self.optimiser, average
            )
            _log.info("going on from epoch %d, step %d", self.progress.epoch + 1, self.progress.position)
        training = self.config.training
        stop_at = None if training.minutes is None else time.monotonic() + 60 * training.minutes
        is_over = False
        while self.progress.epoch < training.epochs and not self._is_stale() and not is_over:
            self._run_epoch()
            is_over = (stop_at is not None and time.monotonic() > stop_at) or self.clock() >= 1
            if self.accelerator.is_main_process:
                self._finish_epoch(on_epoch, is_last=is_over)
            self.progress.epoch += 1
            self.progress.position, self.progress.loss, self.progress.words, self.progress.seconds = 0, 0.0, 0, 0.0
            is_over = self._agree(is_over)
            if is_over or self.progress.epoch % training.checkpoint_epochs == 0:
                self._save_checkpoint()
        if is_over and training.minutes is not None:
            _log.info("stopped after %g minutes, as told", training.minutes)
        if self.accelerator.is_main_process:
            if self.config.model.has("calibration"):
                self._calibrate()
            with whole_file(self.folder / "done.json") as temporary:
                done = {"settings": self.settings, "data": self.read, "history": self.progress.history}
                temporary.write_text(json.dumps(done), "utf-8")
            self.checkpoint.unlink(missing_ok=True)
        self.accelerator.wait_for_everyone()
        return Result(self.folder, _best(self.progress.history), self.progress.history)

    def _is_stale(self) -> bool:
        # Between evaluations nobody knows.
        is_known = bool(self.progress.history) and "score" in self.progress.history[-1]
        return is_known and self.progress.epoch - self.progress.best_epoch >= self.config.training.patience > 0

    def _groups(self, epoch: int) -> list[list[Ints]]:
        """The batches of an epoch, by step."""
        training = self.config.training
        random = np.random.default_rng([training.seed, epoch])
        batches = shuffled_batches(self.data.arrays.lengths, training.batch, random)
        if training.batch_sentences is not None:
            most = training.batch_sentences
            batches = [batch[start : start + most] for batch in batches for start in range(0, len(batch), most)]
            batches = [batches[number] for number in random.permutation(len(batches)).tolist()]
        size = training.accumulate
        if self.accelerator.num_processes > 1 and size % self.accelerator.num_processes:
            size = self.accelerator.num_processes * max(1, round(size / self.accelerator.num_processes))
        return [batches[start : start + size] for start in range(0, len(batches), size)]

    def _run_epoch(self) -> None:
        """All steps of an epoch that are left."""
        progress, training = self.progress, self.config.training
        groups = self._groups(progress.epoch)
        steps = len(groups) * training.epochs
        if training.order_noise:
            # The seed alone decides on it, too.
            random = np.random.default_rng([training.seed, progress.epoch, 1])
            self.objective.data = disturbed(self.data, training.order_noise, random)
        self.wrapped.train()
        loss = torch.zeros((), device=self.accelerator.device)
        start = time.perf_counter()
        bar = progress_bar(
            groups[progress.position :],
            desc=f"epoch {progress.epoch + 1}/{training.epochs}",
            unit="step",
            leave=False,
            shown=self.accelerator.is_main_process,
        )
        for group in bar:
            if (share := self.clock()) >= 1:
                break
            done = max(progress.step, int(share * steps))
            factor = rate_factor(self.config.optimiser, done, steps, progress.epoch)
            for settings in self.optimiser.param_groups:
                settings["lr"] = settings["base_rate"] * factor
            loss += self._step(group)
            progress.step += 1
            progress.position += 1
            progress.words += sum(int(self.data.words[batch].sum()) for batch in group)
            if not bar.disable and progress.position % _SHOWN == 0:
                bar.set_postfix_str(self._status(float(loss) + progress.loss))
            if progress.position % training.checkpoint == 0 and progress.position < len(groups):
                progress.loss += float(self.accelerator.reduce(loss, "sum"))
                loss = torch.zeros_like(loss)
                progress.seconds += time.perf_counter() - start
                self._save_checkpoint()
                start = time.perf_counter()
        progress.loss += float(self.accelerator.reduce(loss, "sum"))
        progress.seconds += time.perf_counter() - start

    def _status(self, loss: float) -> str:
        """What the progress bar says: the loss of this epoch so far, and the last dev scores."""
        scores: Row = next((row for row in reversed(self.progress.history) if "score" in row), {})
        shown = {"loss": loss / self.progress.words}
        shown |= {
            name: scores[name] for name in ("f1", "discontinuous f1", "tag accuracy") if scores.get(name) is not None
        }
        shown |= {name: scores[name] for name in ("repairs/sentence", "sentences/s") if name in scores}
        return ", ".join(f"{name} {value:,.2f}" for name, value in shown.items())

    def _step(self, group: list[Ints]) -> torch.Tensor:
        """One step on a group of batches; its loss, summed over the words of this process."""
        rank, processes = self.accelerator.process_index, self.accelerator.num_processes
        words = sum(int(self.data.words[batch].sum()) for batch in group)
        if share := group[rank::processes]:
            loss = self._add_gradients(share, processes / words)
        else:
            # A process without a batch still takes part in the exchange of gradients, with a loss of nothing.
            loss = 0 * self._add_gradients([group[0][:1]], 0.0)
        if self.config.optimiser.clip:
            nn.utils.clip_grad_norm_(self.labeller.parameters(), self.config.optimiser.clip)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        if self.average is not None:
            self.average.update(self.progress.step)
        return loss

    def _add_gradients(self, batches: list[Ints], scale: float) -> torch.Tensor:
        """The gradients of batches; if one does not fit into memory, all over again with that one in halves."""
        # Reseeding makes a step the same whether or not training was interrupted before it.
        seed = np.random.SeedSequence(
            [self.config.training.seed, self.progress.step, self.accelerator.process_index]
        ).generate_state(1, np.uint64)
        torch.manual_seed(int(seed[0]))
        total = torch.zeros((), device=self.accelerator.device)
        for number, sentences in enumerate(batches):
            try:
                total += self._backward(sentences, scale, is_last=number == len(batches) - 1)
            except torch.OutOfMemoryError:
                if len(sentences) == 1:
                    raise
                break
        else:
            return total
        _log.warning("out of memory with %d sentences: the batch is split", len(sentences))
        # Some weights may have the gradients of the batch already, and others not.
        self.optimiser.zero_grad(set_to_none=True)
        torch.cuda.empty_cache()
        half = len(sentences) // 2
        halves = [sentences[:half], sentences[half:]]
        return self._add_gradients([*batches[:number], *halves, *batches[number + 1 :]], scale)

    def _backward(self, sentences: Ints, scale: float, *, is_last: bool) -> torch.Tensor:
        """Add the gradients of some sentences; processes exchange theirs with the last ones."""
        device = self.accelerator.device
        with contextlib.nullcontext() if is_last else self.accelerator.no_sync(self.wrapped):
            with self.accelerator.autocast():
                data = self.objective.data
                sentences = self.objective.sentences(sentences)
                inputs, gold = data.batch(sentences)
                order = data.order(sentences).to(device, non_blocking=True) if self.config.model.rereads else None
                loss = self.objective.loss(self.wrapped(inputs.to(device), order), gold, sentences)
            torch.autograd.backward(loss * scale)
        return loss.detach()

    def _finish_epoch(self, on_epoch: Callable[[Row], None] | None, *, is_last: bool) -> None:
        """Evaluate, keep the best model, write the log and the curve."""
        progress, training = self.progress, self.config.training
        epoch = progress.epoch + 1
        read = len(self.data) * progress.words / max(1, int(self.data.words.sum()))
        row: Row = {
            "epoch": epoch,
            "loss": progress.loss / max(1, progress.words),
            "train sentences/s": read / progress.seconds if progress.seconds else 0.0,
            "rate": self.optimiser.param_groups[0]["lr"],
        }
        if epoch % training.evaluate == 0 or epoch == training.epochs or is_last:
            row |= self.validator.score(self.scored, self.accelerator.device)
            if row["score"] > progress.best:
                progress.best, progress.best_epoch = row["score"], epoch
                self._save_model(row)
        progress.history.append(row)
        with whole_file(self.folder / "log.jsonl") as temporary:
            temporary.write_text("".join(f"{json.dumps(entry)}\n" for entry in progress.history), "utf-8")
        with whole_file(self.folder / "curve.svg") as temporary:
            temporary.write_text(draw_curve(progress.history), "utf-8")
        if training.tensorboard:
            _write_tensorboard(self.folder, row)
        if on_epoch is not None:
            on_epoch(row)

    def _calibrate(self) -> None:
        """Calibrate the best model, unless that was done before an interruption."""
        device = self.accelerator.device
        best = Model.load(self.folder, device)
        if "next" not in best.facts:
            shift, row = calibrate(best.labeller, lambda: self.validator.score(best.labeller, device))
            if isinstance(best.labeller, RereadLabeller) and best.labeller.spans is not None:
                threshold, row = calibrate_spans(
                    best.labeller.spans, lambda: self.validator.score(best.labeller, device)
                )
                best.config = replace(best.config, reread=replace(best.config.reread, threshold=threshold))
            best.facts |= {"next": shift, "dev": best.facts["dev"] | row}
            self._write_model(best)

    def _save_model(self, row: Row) -> None:
        self.model.facts = {
            "permutree": __version__,
            "dev": {name: value for name, value in row.items() if name not in ("loss", "rate", "train sentences/s")},
            "sentences": len(self.data),
            "padding": padding_waste(self.data.arrays.lengths, [batch for group in self._groups(0) for batch in group]),
            "torch": torch.__version__,
            "device": torch.cuda.get_device_name() if torch.cuda.is_available() else platform.machine(),
        }
        self.model.training = {**record(self.settings), "out": self.folder.name}
        self._write_model(self.model, self.scored)

    def _write_model(self, model: Model, labeller: Labeller | None = None) -> None:
        """Write a model, its weights perhaps those of another labeller, with its card."""
        model.save(self.folder, labeller)
        with whole_file(self.folder / "README.md") as temporary:
            temporary.write_text(model_card(model, self.folder.name), "utf-8")

    def _save_checkpoint(self) -> None:
        if self.accelerator.is_main_process:
            average = self.average.labeller if self.average else None
            save_checkpoint(
                self.checkpoint, self.settings, self.read, self.progress, self.labeller, self.optimiser, average
            )
        self.accelerator.wait_for_everyone()

    def _agree(self, is_over: bool) -> bool:
        """Tell all processes what the first one found and whether time is up, so that they stop together."""
        shared: list[Any] = [asdict(self.progress), is_over]
        broadcast_object_list(shared)
        self.progress = Progress(**shared[0])
        return bool(shared[1])


def _best(history: Sequence[Row]) -> Row:
    return max((row for row in history if "score" in row), key=lambda row: row["score"], default={})


def _write_tensorboard(folder: Path, row: Row) -> None:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise ConfigError("training.tensorboard needs the package tensorboard: pip install tensorboard") from None
    with contextlib.closing(SummaryWriter(str(folder / "tensorboard"))) as writer:
        for name, value in row.items():
            if isinstance(value, int | float) and name != "epoch":
                writer.add_scalar(name, value, row["epoch"])
