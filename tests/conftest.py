"""Fixtures shared by all tests."""

import compileall
import contextlib
import gc
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

# How long an example takes depends on what else the machine does. Ten times as many: --hypothesis-profile=thorough
settings.register_profile("permutree", deadline=None, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile("permutree")

# Worker processes share the cores: threads of one would wait for those of the other, and burn time while they do.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Servers that tests start are on this machine, and not behind a proxy.
for _name in ("NO_PROXY", "no_proxy"):
    os.environ[_name] = ",".join(filter(None, (os.environ.get(_name), "127.0.0.1", "localhost")))

CHECKOUT = Path(__file__).resolve().parents[1]
SHARED = CHECKOUT.parent / "shared"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Tests that share what takes long to make run in one worker process."""
    from sharing import Sharing

    return Sharing(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """Compile the package once: where Python may write no bytecode, each of hundreds of processes would do it again."""
    if not hasattr(config, "workerinput"):
        for folder in ("src", "lab/permutree_lab"):
            compileall.compile_dir(CHECKOUT / folder, quiet=2)
    # What is imported while tests are collected stays to the end, and is no garbage.
    gc.disable()


def pytest_collection_finish() -> None:
    """From now on there is garbage; what is here need not be looked at again and again."""
    gc.enable()
    gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the open treebanks and golden files beside the checkout; tests that want it skip without it."""
    if not (SHARED / "treebanks").is_dir():
        pytest.skip("the folder with the open treebanks is not here")
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def no_wait_for_the_disk() -> Iterator[None]:
    """Files need not outlive a power cut here, and waiting for the disk is a third of the time of small trainings.

    A file that is not open is still an error, and processes that tests start do wait.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", os.fstat)
        if hasattr(os, "sync"):
            patch.setattr(os, "sync", lambda: None)
        yield


def script(path: str) -> ModuleType:
    """A script of the laboratory as a module; the laboratory need not be installed."""
    spec = spec_from_file_location(Path(path).stem, CHECKOUT / "lab" / path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def signals() -> Iterator[None]:
    """The process and those that it starts are ended by signals.

    In the background of a script, tests run with interrupts ignored, and under nohup with SIGHUP ignored; what they
    start would inherit that.
    """
    wanted: dict[signal.Signals, Any] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
        signal.SIGHUP: signal.SIG_DFL,
    }
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def graph() -> ModuleType:
    """The script that finds who imports whom."""
    return script("import_graph.py")


@pytest.fixture(scope="session")
def reference_pages() -> ModuleType:
    """The script that writes pages of the documentation from the code."""
    return script("reference_pages.py")


@pytest.fixture(scope="session")
def fonts() -> None:
    """Fonts to write PNG pictures with; tests that want them skip without any."""
    from permutree.drawing.png import as_png
    from permutree.errors import ConfigError

    try:
        as_png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    except ConfigError as error:
        if "font" not in str(error):
            raise
        pytest.skip(str(error))


TREES = """\
(S (NP (DT 0=the) (NN 1=dog)) (VP (VBZ 2=sleeps)) (. 3=.))
(S (NP (DT 0=the) (NN 1=cat)) (VP (VBZ 2=sleeps)) (. 3=.))
(S (NP (DT 0=a) (NN 1=dog)) (VP (VBZ 2=sees) (NP (DT 3=the) (NN 4=cat))) (. 5=.))
(S (NP (DT 0=a) (NN 1=cat)) (VP (VBZ 2=sees) (NP (DT 3=a) (NN 4=dog))) (. 5=.))
(S (NP (PRP 0=it)) (VP (VBZ 1=works)) (. 2=.))
(S (NP (PRP 0=she)) (VP (VBZ 1=sees) (NP (PRP 2=it))) (. 3=.))
(SQ (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it)) (. 4=?))
(SQ (VP (WRB 0=How) (VB 4=sleep)) (VBZ 1=does) (NP (DT 2=the) (NN 3=dog)) (. 5=?))
(SQ (VP (WRB 0=Where) (VB 4=sleep)) (VBZ 1=does) (NP (DT 2=a) (NN 3=cat)) (. 5=?))
(SQ (VP (WP 0=What) (VB 3=see)) (VBZ 1=does) (NP (PRP 2=she)) (. 4=?))
(SQ (VP (WP 0=What) (VB 4=see)) (VBZ 1=does) (NP (DT 2=the) (NN 3=cat)) (. 5=?))
(SQ (VP (WRB 0=Where) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=she)) (. 4=?))
(S (NP (NP (DT 0=a) (NN 1=man)) (PP (IN 3=with) (NP (DT 4=a) (NN 5=dog)))) (VP (VBZ 2=sleeps)) (. 6=.))
(S (NP (NP (DT 0=a) (NN 1=man)) (PP (IN 3=with) (NP (PRP 4=it)))) (VP (VBZ 2=works)) (. 5=.))
(S (NP (DT 0=the) (NN 1=man)) (VP (VBZ 2=sleeps) (PP (IN 3=with) (NP (DT 4=the) (NN 5=cat)))) (. 6=.))
(NP (DT 0=the) (NN 1=dog))
(NP (DT 0=the) (NN 1=man) (PP (IN 2=with) (NP (DT 3=the) (NN 4=dog))))
(S (NP (PRP 0=it)) (VP (VBZ 1=sleeps)) (. 2=!))
(NN 0=dog)
(FRAG (UH 0=yes))
"""

#: a model that learns a few trees by heart in a few seconds
TINY: dict[str, Any] = {
    "encoder": "bilstm",
    "model": {
        "encoder": {"hidden": 32, "layers": 1, "dropout": 0.0},
        "embeddings": {"word": 16, "character": 16, "character_embedding": 8, "tag": 8, "min_count": 1, "dropout": 0.0},
    },
    "optimiser": {"rate": 0.02},
    "training": {"average": 0.0, "batch": 30, "epochs": 30, "patience": 0, "evaluate": 30, "checkpoint_epochs": 30},
}


#: a folder by its name, and what writes it if it is not there
Lasting = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Lasting:
    """What makes folders that all worker processes read and none changes: the first that wants one writes it."""
    from filelock import FileLock

    base = tmp_path_factory.getbasetemp()
    root = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "lasting"
    root.mkdir(exist_ok=True)

    def find(name: str, make: Callable[[Path], object]) -> Path:
        done = root / f"{name}.done"
        with FileLock(root / f"{name}.lock"):
            if not done.exists():
                # What a worker process left that did not come to the end of it.
                shutil.rmtree(root / name, ignore_errors=True)
                make(root / name)
                done.touch()
        return root / name

    return find


@pytest.fixture(scope="session")
def tiny_treebank(lasting: Lasting) -> Path:
    """A file of twenty trees, some of them discontinuous."""

    def write(folder: Path) -> None:
        folder.mkdir()
        (folder / "tiny.discbracket").write_text(TREES, "utf-8")

    return lasting("treebank", write) / "tiny.discbracket"


@pytest.fixture(scope="session")
def tiny_model(lasting: Lasting, tiny_treebank: Path) -> Path:
    """The folder of a parser that knows these trees by heart and reads gold tags."""
    return lasting("gold", partial(_train_tiny, "fast", tiny_treebank, tags="gold"))


@pytest.fixture(scope="session")
def tiny_tagger(lasting: Lasting, tiny_treebank: Path) -> Path:
    """The folder of a tagger that knows these trees by heart."""
    return lasting("tagger", partial(_train_tiny, "tagger", tiny_treebank))


@pytest.fixture(scope="session")
def tiny_joint_tags(lasting: Lasting, tiny_treebank: Path) -> Path:
    """The folder of a parser that predicts tags jointly."""
    return lasting("joint", partial(_train_tiny, "fast", tiny_treebank, tags="joint"))


@pytest.fixture(scope="session")
def operators_once() -> None:
    """PyTorch reads the source of its five hundred operators anew for every graph that it writes; here, once.

    That is a matter of time alone, so that versions in which the function is elsewhere are just slower.
    """
    with contextlib.suppress(ImportError, AttributeError):
        from onnxscript._framework_apis import torch_2_5

        torch_2_5.get_torchlib_ops = cache(torch_2_5.get_torchlib_ops)


@pytest.fixture(scope="session")
def tiny_onnx(lasting: Lasting, tiny_joint_tags: Path, operators_once: None) -> Path:
    """The folder of that parser as graphs: processes that run it need not load torch, which takes them seconds."""
    from click.testing import CliRunner

    from permutree.cli import permutree

    def write(folder: Path) -> None:
        arguments = ["export", str(tiny_joint_tags), "--onnx", "-o", str(folder)]
        CliRunner().invoke(permutree, arguments, catch_exceptions=False)

    return lasting("onnx", write)


@pytest.fixture(scope="session")
def tiny_no_tags(lasting: Lasting, tiny_treebank: Path) -> Path:
    """The folder of a parser that reads no tags and predicts none."""
    settings: dict[str, Any] = {"tags": "none", "encoding": "relative", "model.labeller": "paper"}
    return lasting("none", partial(_train_tiny, "fast", tiny_treebank, **settings))


def _train_tiny(name: str, treebank: Path, folder: Path, **settings: Any) -> None:
    import torch

    import permutree

    torch.set_num_threads(1)
    permutree.train(name, train=treebank, dev=treebank, out=folder, **TINY, **settings)


@pytest.fixture(scope="session")
def encoders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of small random Hugging Face encoders, by family."""
    from tiny_encoders import FAMILIES, write_encoder

    root = tmp_path_factory.mktemp("encoders")
    for family in FAMILIES:
        write_encoder(root / family, family)
    return {family: root / family for family in FAMILIES}
