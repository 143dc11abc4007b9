"""What the page works out by itself is what permutree works out: trees of lines, arrangements, levels of drawings."""

from itertools import pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from browsing import Site
from permutree.drawing.layout import lay_out
from permutree.trees.tree import Tree
from strategies import trees

SCRIPT = """async (lines) => {
  const { parseDiscbracket, writeDiscbracket } = await import("/js/discbracket.js");
  const { arrangement } = await import("/js/tree.js");
  const { viewOf } = await import("/js/view.js");
  const { geometryOf } = await import("/js/drawing.js");
  return lines.map((line) => {
    const tree = parseDiscbracket(line);
    const { x, widths, layout } = geometryOf(viewOf(tree, new Set()));
    const spans = x.map((middle, node) => [layout.level[node], middle - widths[node] / 2, middle + widths[node] / 2]);
    const written = writeDiscbracket({ ...tree, discbracket: undefined });
    return { written, order: arrangement(tree), level: layout.level, spans };
  });
}"""


@settings(max_examples=4, suppress_health_check=list(HealthCheck))
@given(found=st.lists(trees(max_words=15), min_size=12, max_size=12))
def test_the_page_reads_and_lays_out_as_permutree_does(site: Site, found: list[Tree]) -> None:
    page = site.pages[0] if site.pages else site.open()
    for tree, seen in zip(found, page.evaluate(SCRIPT, [tree.discbracket() for tree in found]), strict=True):
        assert seen["written"] == tree.discbracket()
        assert seen["order"] == list(tree.order)
        sizes = [(1.0, 1.0)] * (len(tree.words) + len(tree.labels))
        assert seen["level"] == lay_out(tree, sizes, 1).level
        for (level, _, end), (next_level, begin, _) in pairwise(sorted(seen["spans"])):
            assert level != next_level or end <= begin + 0.01, "no label stands on another"


def test_bad_lines_are_refused(site: Site) -> None:
    page = site.open()
    lines = ["", "(S", "(S (A 0=a)))", "(S (A a))", "(S (A 0=a) (B 0=b))", "(S (A 0=a) (B 2=b))", "(S ())", "(S)", "x"]
    lines += ["(S (A 0=a)) (S (A 0=a))", "(S (A 99999999999=a))", "(A 0=a)"]
    said = page.evaluate(
        """async (lines) => {
          const { parseDiscbracket } = await import("/js/discbracket.js");
          return lines.map((line) => {
            try {
              parseDiscbracket(line);
              return "";
            } catch (error) {
              return error.message;
            }
          });
        }""",
        lines,
    )
    assert all(said), dict(zip(lines, said, strict=True))
