"""Knowledge distillation: trained models whose predictions a model learns beside true values.

A teacher that has only parsed text hands on its best trees. One that reads along in training also hands on how sure it
was, and what else it thought possible (Hinton et al. 2015). It reads every batch of its student, in the same
arrangements, and what it predicts is told in the student's values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from permutree.errors import ConfigError
from permutree.model.batching import Arrays, Ints
from permutree.model.folder import SPANS
from permutree.models import folder as folder_of
from permutree.networks.model import Model
from permutree.networks.reread import ENDS
from permutree.networks.tensors import as_tensors
from permutree.networks.translation import Translation
from permutree.trees.batch import TreeBatch

__all__ = ["Teacher", "load_teachers"]


@dataclass(frozen=True, slots=True, eq=False)
class Teacher:
    """A trained model, and the sentences of a data set as it reads them."""

    model: Model
    arrays: Arrays
    #: what it predicts in the values of its student
    translation: Translation
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
        translation = Translation.between(model, student)
        if (head := translation.mute) is not None:
            raise ConfigError(f"{name} has none of the values of {head} that the training data have")
        predecessors = len(translation.columns["permutation"]) if student.config.attends else None
        return cls(model, arrays, translation, predecessors)

    @torch.no_grad()
    def predict(self, sentences: Ints, order: Tensor | None, device: torch.device) -> dict[str, Tensor]:
        """The scores of all heads for some sentences, as the student has them; of ends, logarithms of probabilities.

        ``order`` is the arrangement in which the student reads them [B, T].
        """
        labeller = self.model.labeller
        if next(labeller.parameters()).device != device:
            labeller.to(device)
        found = labeller(as_tensors(self.arrays.batch(sentences)).to(device), order)
        # What a teacher lacks is impossible.
        told = {
            head: self.translation.told(head, scores, -torch.inf)
            for head, scores in found.items()
            if head in self.translation.columns or head == SPANS
        }
        if self.predecessors is not None and "permutation" in told:
            told["permutation"] = told["permutation"][:, :, : min(self.predecessors, told["permutation"].shape[1])]
        if ENDS in found:
            told[ENDS] = found[ENDS].float().log()
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
