"""Knowledge distillation: trained models whose predictions a model learns beside true values.

A teacher that has only parsed text hands on its best trees. One that reads along in training also hands on how sure it
was, and what else it thought possible (Hinton et al. 2015). It reads every batch of its student, in the same
arrangements, and what it predicts is told in the student's values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from permutree.encoding.labels import COMPONENTS
from permutree.errors import ConfigError
from permutree.model.batching import Arrays, Ints
from permutree.model.folder import SPANS
from permutree.models import folder as folder_of
from permutree.networks.model import Model
from permutree.networks.reread import ENDS
from permutree.networks.tensors import as_tensors
from permutree.trees.batch import TreeBatch

__all__ = ["Teacher", "load_teachers"]


@dataclass(frozen=True, slots=True, eq=False)
class Teacher:
    """A trained model, and the sentences of a data set as it reads them."""

    model: Model
    arrays: Arrays
    #: for each value of a student's head the teacher's number of it, -1 for none
    columns: Mapping[str, Tensor]
    #: how many predecessors a student's attention chooses from at most, if it attends
    predecessors: int | None

    @classmethod
    def of(cls, name: str, model: Model, student: Model, arrays: Arrays) -> Teacher:
        """A model of some name or folder as the teacher of a student."""
        if model.config.task != student.config.task:
            what = {"parse": "parser", "tag": "tagger"}
            said = f"{name} is a {what[model.config.task]}; a {what[student.config.task]} cannot learn from it"
            raise ConfigError(said)
        # Otherwise they say of different words what they say, or of different permutations.
        if model.config.rereads != student.config.rereads or model.config.permutation != student.config.permutation:
            raise ConfigError(f"{name} has another labeller or encoding: its labels cannot be those of the student")
        known, wanted = _values(model), _values(student)
        columns = {}
        for head in known.keys() & wanted.keys():
            numbers = {value: number for number, value in enumerate(known[head])}
            columns[head] = torch.tensor([numbers.get(value, -1) for value in wanted[head]])
            if bool((columns[head] < 0).all()):
                raise ConfigError(f"{name} has none of the values of {head} that the training data have")
        return cls(model, arrays, columns, len(wanted["permutation"]) if student.config.attends else None)

    @torch.no_grad()
    def predict(self, sentences: Ints, order: Tensor | None, device: torch.device) -> dict[str, Tensor]:
        """The scores of all heads for some sentences, as the student has them; of ends, logarithms of probabilities.

        ``order`` is the arrangement in which the student reads them [B, T].
        """
        labeller = self.model.labeller
        if next(labeller.parameters()).device != device:
            labeller.to(device)
        found = labeller(as_tensors(self.arrays.batch(sentences)).to(device), order)
        told = {head: _told(scores, self.columns[head]) for head, scores in found.items() if head in self.columns}
        if self.predecessors is not None and "permutation" in told:
            told["permutation"] = told["permutation"][:, :, : min(self.predecessors, told["permutation"].shape[1])]
        if ENDS in found:
            told[ENDS] = found[ENDS].float().log()
        if SPANS in found:
            told[SPANS] = _told(found[SPANS], self.columns["shared"])
        return told


def load_teachers(names: Sequence[str], student: Model, forest: TreeBatch) -> tuple[Teacher, ...]:
    """The teachers of a student, by name or folder; those that read words in the same way share what they read."""
    teachers: list[Teacher] = []
    read: list[tuple[object, Arrays]] = []
    for name in names:
        model = Model.load(folder_of(name))
        features = model.features.to_json()
        arrays = next((arrays for known, arrays in read if known == features), None)
        if arrays is None:
            arrays = model.features.arrays(forest.words, forest.tags)
            read.append((features, arrays))
        teachers.append(Teacher.of(name, model, student, arrays))
    return tuple(teachers)


def _values(model: Model) -> dict[str, Sequence[str]]:
    """What the values of a model's heads stand for, in their order."""
    values: dict[str, Sequence[str]] = {"tags": list(model.tags)} if model.tags else {}
    if model.codec is not None:
        values |= {name: getattr(model.codec, name).values for name in COMPONENTS}
        values |= dict.fromkeys(("first", "last"), values["shared"])
    return values


def _told(scores: Tensor, columns: Tensor) -> Tensor:
    """Scores [..., values of the teacher] as those of the student's values; what the teacher lacks is impossible."""
    columns = columns.to(scores.device)
    # Attention leaves out values that no word of the batch can have.
    is_there = (columns >= 0) & (columns < scores.shape[-1])
    return scores.float()[..., columns * is_there].masked_fill(~is_there, -torch.inf)
