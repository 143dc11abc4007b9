from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

from permutree import Tree, read, write
from permutree.drawing import draw_html, draw_svg
from permutree.drawing.png import as_png
from permutree.drawing.tooltips import tooltip
from permutree.sanitising import markup

TREE = Tree.parse("(ROOT (smain (ppart (vnw 0=Wat) (ww 3=gezien)) (ww 1=heb) (vnw 2=ik)))")
SVG = "{http://www.w3.org/2000/svg}"


def titles(svg: str) -> dict[str, str]:
    texts = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return {(found.tail or ""): found.text or "" for one in texts if (found := one.find(f"{SVG}title")) is not None}


def test_labels_and_tags_are_explained_where_the_language_is_given() -> None:
    found = titles(draw_svg(TREE, language="nl"))
    assert found["ppart"] == "ppart: past participle phrase"
    assert found["ww"] == "ww: verb"
    assert set(found) == {"ROOT", "smain", "ppart", "vnw", "ww"}


def test_nothing_else_changes() -> None:
    plain, explained = draw_svg(TREE), draw_svg(TREE, language="nl")
    assert not titles(plain)
    for label, text in titles(explained).items():
        explained = explained.replace(f"<title>{text}</title>{label}", label)
    assert explained == plain


def test_renderers_do_not_draw_them() -> None:
    assert as_png(draw_svg(TREE), zoom=1) == as_png(draw_svg(TREE, language="nl"), zoom=1)


def test_functions() -> None:
    tree = TREE.annotated(functions=(None, None, "su", None, None, None, "vc"))
    assert titles(draw_svg(tree, language="nl", functions=True))["su"].startswith("su: subject")


def test_labels_that_no_glossary_has() -> None:
    assert not titles(draw_svg(Tree.parse("(QQQ (QQ 0=x))"), language="nl"))
    assert not titles(draw_svg(TREE, language="sv"))
    assert tooltip("smain", "constituent", None) == tooltip("smain", "function", "nl") == ""


def test_tags_of_the_parts_of_a_word() -> None:
    assert tooltip("VBPI", "constituent", "is") == tooltip("VBPI", "tag", "is") != ""
    assert tooltip("part", "constituent", "nl").startswith("<title>part: part of a constituent")


def test_what_a_label_means_elsewhere_is_not_said() -> None:
    assert "np" not in titles(draw_svg(TREE, language="de"))
    assert "ppart" not in titles(draw_svg(TREE, language="de"))


def test_pages_and_files(tmp_path: Path) -> None:
    assert "<title>smain: main clause" in draw_html([TREE], language="nl")
    assert "<title>smain" not in draw_html([TREE])
    for name in ("tree.svg", "tree.html"):
        write([TREE], tmp_path / name, language="nl")
        assert "<title>smain: main clause" in (tmp_path / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("language", "name"), [("en", "masc"), ("nl", "alpino"), ("de", "squoia_de"), ("is", "icepahc")]
)
def test_pages_of_treebanks_explain_all_labels_and_stay_small(language: str, name: str, shared: Path) -> None:
    trees = list(islice(read(shared / "treebanks" / name / "dev.discbracket.xz"), 50))
    page = draw_html(trees, language=language)
    for tree in trees:
        assert all(f"<title>{markup(label)}: " in page for label in (*tree.labels, *tree.tags))
    assert len(page) < 1.6 * len(draw_html(trees))
