from pathlib import Path

import pytest

from permutree.errors import ConfigError, DataError
from permutree.formats import read
from permutree.training.config import Config
from permutree.training.jackknife import jackknife
from permutree.training.loop import Result, train
from permutree.trees.tree import Tree
from tiny_models import tiny_config


def test_every_fold_is_tagged_by_a_tagger_that_has_not_seen_it(
    tmp_path: Path, trees: list[Tree], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tiny_config(tmp_path, tags="none", **{"model.task": "tag", "training.epochs": 30})
    tagged = jackknife(trees, config, 3, tmp_path)
    assert [tree.words for tree in tagged] == [tree.words for tree in trees]
    assert [tree.with_tags(gold.tags) for tree, gold in zip(tagged, trees, strict=True)] == trees
    pairs = [pair for tree, gold in zip(tagged, trees, strict=True) for pair in zip(tree.tags, gold.tags, strict=True)]
    assert 0.8 < sum(tag == gold for tag, gold in pairs) / len(pairs) < 1
    for fold in range(3):
        folder = tmp_path / f"fold-{fold + 1}-of-3"
        learned, dev = (list(read(folder / f"{name}.discbracket.gz")) for name in ("train", "dev"))
        assert (len(learned), len(dev)) == (18, 2)
        assert not {tree.words for tree in (*learned, *dev)} & {tree.words for tree in trees[fold::3]}
        assert not {tree.words for tree in learned} & {tree.words for tree in dev}

    def fail(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("permutree.training.building.build_model", fail)
    assert jackknife(trees, config, 3, tmp_path) == tagged
    with pytest.raises(DataError, match=r"train\.discbracket\.gz: has other trees"):
        jackknife([*trees[1:], trees[0]], config, 3, tmp_path)


def test_a_tagger_is_trained_only_where_there_is_none(
    tmp_path: Path, trees: list[Tree], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tiny_config(tmp_path, tags="none", **{"model.task": "tag", "training.epochs": 2})
    calls: list[Config] = []

    def stop_at_second(config: Config) -> Result:
        calls.append(config)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return train(config)

    monkeypatch.setattr("permutree.training.jackknife.train", stop_at_second)
    with pytest.raises(KeyboardInterrupt):
        jackknife(trees, config, 2, tmp_path / "parts")
    assert jackknife(trees, config, 2, tmp_path / "parts") == jackknife(trees, config, 2, tmp_path / "whole")


def test_jackknifing_refuses_what_cannot_work(tmp_path: Path, trees: list[Tree]) -> None:
    tagger = tiny_config(tmp_path, tags="none", **{"model.task": "tag"})
    with pytest.raises(ConfigError, match="settings of a tagger"):
        jackknife(trees, tiny_config(tmp_path), 5, tmp_path)
    with pytest.raises(ConfigError, match="at least 2 folds"):
        jackknife(trees, tagger, 1, tmp_path)
    with pytest.raises(ConfigError, match="3 trees are too few for 5 folds"):
        jackknife(trees[:3], tagger, 5, tmp_path)
