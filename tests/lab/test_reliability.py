"""The page about reliability has a place for the figures of each script, and is filled from them."""

import json

from conftest import script


def test_every_part_has_its_place_in_the_page() -> None:
    run = script("reliability/run.py")
    page = run.PAGE.read_text("utf-8")
    filled = run.filled(page, dict.fromkeys(run.PARTS, "a table"))
    assert filled.count("a table") == len(run.PARTS)
    assert "To be filled" not in filled
    assert run.filled(filled, dict.fromkeys(run.PARTS, "a table")) == filled


def test_the_page_has_the_figures_that_are_kept() -> None:
    run = script("reliability/run.py")
    page = run.PAGE.read_text("utf-8")
    for name, part in run.PARTS.items():
        if part.figures.exists():
            table = "\n".join(part.table(json.loads(part.figures.read_text("utf-8"))))
            assert table in page, f"{name}: run `python lab/reliability/run.py --fill`"


def test_tables() -> None:
    run = script("reliability/run.py")
    record = {"rows": [{"command": "parse", "kills": 1000}], "machine": "here"}
    assert list(run.plain(record)) == ["| command | kills |", "|---|---|", "| parse | 1,000 |", "", "here."]
