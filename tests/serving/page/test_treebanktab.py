"""Treebank files in the browser."""

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

from browsing import Site, expect
from permutree import Tree
from permutree.formats import write

if TYPE_CHECKING:
    from playwright.sync_api import Page

LINES = [
    "(S (NP (PRP 0=They)) (VP (VBP 1=sleep)))",
    "(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))",
    "(S (NP (PRP 0=We)) (VP (VBP 1=-LRB-) (VB 2=dream)))",
    "(X (A (a 0=z) (b 2=y)) (B (c 1=x) (d 3=w)))",
]
TREES = [Tree.parse(line) for line in LINES]


def expect_numbers(page: "Page", *numbers: str) -> None:
    expect(page.locator(".sentences .number")).to_have_text(list(numbers))


def expect_words(page: "Page", tree: Tree) -> None:
    expect(page.locator(".cards.single svg.tree .word")).to_have_text(list(tree.words))


def test_discontinuous_trees_come_first(site: Site, tmp_path: Path) -> None:
    page = site.open("#tab=treebank")
    for name in ("trees.discbracket", "trees.export", "trees.tigerxml", "trees.discbracket.gz"):
        write(TREES, tmp_path / name)
        page.set_input_files("#treebank-file", tmp_path / name)
        page.wait_for_selector(f".treebank .status >> text={name}: 4 sentences, 2 with a gap.")
        expect_numbers(page, "2", "4", "1", "3")
        expect_words(page, TREES[1])


def test_walk_find_and_choose(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "trees.discbracket"
    path.write_text("\n".join([*LINES, "(S (NP"]), "utf-8")
    page = site.open("#tab=treebank")
    page.set_input_files("#treebank-file", path)
    expect_words(page, TREES[1])
    expect(page.locator(".treebank .status")).to_contain_text("1 could not be read, the first: sentence 5")
    page.locator(".sentences").focus()
    for tree in (TREES[3], TREES[0], TREES[2]):
        page.keyboard.press("ArrowDown")
        expect_words(page, tree)
    assert TREES[2].words[1] == "(", "brackets are brackets again"
    page.get_by_label("Show").select_option("only")
    expect_numbers(page, "2", "4")
    page.get_by_label("Show").select_option("all")
    page.get_by_label("Find").fill("dream")
    expect_numbers(page, "3")
    page.get_by_label("Find").fill("nowhere")
    expect(page.locator(".sentences")).to_contain_text("No sentence like that")


def test_a_tree_of_the_file_is_compared_with_the_parser_s(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "trees.discbracket"
    path.write_text(LINES[1], "utf-8")
    page = site.open("#tab=treebank")
    page.set_input_files("#treebank-file", path)
    page.get_by_role("link", name="Compare with the parser").click()
    page.wait_for_selector(".score")
    expect(page.locator(".half")).to_have_count(2)


def test_files_that_cannot_be_opened(site: Site, tmp_path: Path) -> None:
    page = site.open("#tab=treebank")
    for name, content, message in (
        ("big.discbracket", b"(" * 60_000_001, "this page reads 60 MB"),
        ("big.export", b"#BOS 1\n" * 1_200_000, "this page reads 7.5 MB of its format"),
        ("packed.xz", b"xz", "Browsers unpack .gz only"),
        ("damaged.gz", gzip.compress(b"(S (A 0=a))")[:20], "damaged.gz"),
        ("picture.png", b"\x89PNG\0\0", "picture.png"),
    ):
        (tmp_path / name).write_bytes(content)
        page.set_input_files("#treebank-file", tmp_path / name)
        page.wait_for_selector(f".treebank .status.bad >> text={message}")
        expect(page.locator(".browser")).to_be_hidden()
    site.forgive("422")
