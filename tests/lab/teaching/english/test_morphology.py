import pytest

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.morphology import article, base_of, gerund, participle, past, plural, present


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("stop", ("stops", "stopped", "stopped", "stopping")),
        ("write", ("writes", "wrote", "written", "writing")),
        ("carry", ("carries", "carried", "carried", "carrying")),
        ("upset", ("upsets", "upset", "upset", "upsetting")),
        ("visit", ("visits", "visited", "visited", "visiting")),
        ("agree", ("agrees", "agreed", "agreed", "agreeing")),
        ("fix", ("fixes", "fixed", "fixed", "fixing")),
        ("lie", ("lies", "lay", "lain", "lying")),
    ],
)
def test_forms_of_verbs_and_the_way_back(base: str, forms: tuple[str, ...]) -> None:
    assert (present(base), past(base), participle(base), gerund(base)) == forms
    for form, tag in zip(forms, ("VBZ", "VBD", "VBN", "VBG"), strict=True):
        if base != "lie" or tag != "VBD":
            assert base_of(form, tag) == base


def test_forms_of_be_have_one_base() -> None:
    forms = [("am", "VBP"), ("are", "VBP"), ("is", "VBZ"), ("was", "VBD"), ("were", "VBD"), ("been", "VBN")]
    assert {base_of(form, tag) for form, tag in forms} == {"be"}


def test_nouns_and_articles() -> None:
    assert [plural(noun) for noun in ("city", "box", "key", "wife", "photo")] == [
        "cities",
        "boxes",
        "keys",
        "wives",
        "photos",
    ]
    assert [article(noun) for noun in ("apple", "university", "honest", "European")] == ["an", "a", "an", "a"]


def test_the_lexicon_is_large_enough_and_says_nothing_twice() -> None:
    lists = [getattr(lexicon, name) for name in lexicon.__all__]
    entries = {entry for some in lists for entry in (some if not isinstance(some, dict) else [])}
    entries |= {noun for nouns in lexicon.NOUNS.values() for noun in nouns}
    entries |= {verb for verbs in lexicon.TRANSITIVES.values() for verb in verbs}
    assert len(entries) > 1200
    for nouns in (*lexicon.NOUNS.values(), *lexicon.TRANSITIVES.values()):
        assert len(nouns) == len({*nouns})
