import subprocess
import sys
from pathlib import Path

import pytest

from permutree.errors import ConfigError
from permutree.languages import all_languages, language_named
from permutree.models import name_for, names

#: all that a newcomer writes
SWEDISH = """
from permutree.languages.glossary import Glossary
from permutree.languages.language import Language
from permutree.languages.tables import table

LANGUAGE = Language(
    code="sv",
    name="Swedish",
    joiners=".&-",
    abbreviations=table("bl.a t.ex"),
    function_words=table("och att det som en är jag inte"),
    spellings=table("å sj tion$"),
    glossary=Glossary("constituent\\tAVP\\tadverb phrase"),
)
"""

USE = """
import sys
import permutree.languages
permutree.languages.__path__.append(sys.argv.pop(1))
from permutree.cli import main
from permutree.languages import all_languages, explain, guess_language, split
if len(sys.argv) > 1:
    main()
else:
    print("sv" in all_languages())
    print(guess_language("Jag är inte en hund"), guess_language("I am no dog"))
    print([" ".join(words) for words, _ in split("Jag ser t.ex. en å-fisk. Det är inte en hund.", "sv")])
    print([(entry.language, entry.text) for entry in explain("AVP")])
"""


def test_languages_in_order() -> None:
    known = all_languages()
    first, *others = (language.name for language in known.values())
    assert first == "English"
    assert others == sorted(others)
    assert {"Dutch", "German", "Icelandic"} <= set(others)
    assert all(language.code == code for code, language in known.items())
    assert language_named("nl") is known["nl"]


def test_bundled_models() -> None:
    assert sorted(name_for(code) for code, language in all_languages().items() if language.model) == names()
    with pytest.raises(ConfigError, match="no language 'fr'"):
        name_for("fr")


def use(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", USE, str(folder), *arguments], capture_output=True, text=True)


def test_a_language_is_one_module(tmp_path: Path) -> None:
    (tmp_path / "swedish.py").write_text(SWEDISH, "utf-8")
    assert use(tmp_path).stdout.splitlines() == [
        "True",
        "sv en",
        "['Jag ser t.ex. en å-fisk .', 'Det är inte en hund .']",
        "[('de', 'adverb phrase'), ('sv', 'adverb phrase')]",
    ]
    assert use(tmp_path, "explain", "AVP", "--lang", "sv").stdout == "AVP  Swedish  constituent  adverb phrase\n"


def test_a_language_without_a_model(tmp_path: Path) -> None:
    (tmp_path / "swedish.py").write_text(SWEDISH, "utf-8")
    run = use(tmp_path, "parse", "--lang", "sv", "Jag ser en fisk")
    assert run.returncode == 2
    assert "there is no model for Swedish, only for en, nl, de, is; use one of your own with --model" in run.stderr
