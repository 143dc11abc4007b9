r"""How words, labels, ids, file names and facts of models are made harmless: one function for each sink.

Files that programs read keep every character as it is. Here is what people read, and what other programs run: a
terminal obeys escape sequences, LaTeX backslashes, a browser tags, a spreadsheet formulas, and an archive paths.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

__all__ = ["csv_cell", "file_name", "json_text", "latex", "markdown", "markup", "visible"]

#: turn the direction of the text after them, so that it reads as another: embeddings, overrides, isolates
_TURNS = "\u202a-\u202e\u2066-\u2069"
#: no shape of their own, and effects on what stands beside them
_HIDDEN = re.compile(f"[\0-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\ufffe\uffff\ud800-\udfff{_TURNS}]")


def visible(text: str) -> str:
    r"""The text for a terminal, and for all that people read: with signs for what would steer the terminal.

    Control characters, escape sequences, changes of direction and broken code units have a sign each.

    >>> visible("a\tb"), visible(""), visible("\x1b[2J"), visible("\u202efdp.exe")
    ('a␉b', '␀', '␛[2J', '�fdp.exe')
    """
    if text.isprintable() and text:
        return text
    return "".join(map(_visible_character, text)) or "␀"


def _visible_character(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    # The last two code points of every plane are no characters.
    return "\ufffd" if _HIDDEN.match(character) or code & 0xFFFE == 0xFFFE else character


def markup(text: str) -> str:
    """The text for HTML and SVG: between tags, or in an attribute with quotes around it.

    >>> markup("<b>&'")
    '&lt;b&gt;&amp;&#x27;'
    """
    from html import escape

    return escape(visible(text))


_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}
_LATEX_EXACT = {
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    # Without something between them, two of these could melt into one sign.
    "<": r"\textless\kern0pt ",
    ">": r"\textgreater\kern0pt ",
    "-": r"-\kern0pt ",
    ",": r",\kern0pt ",
    "!": r"!\kern0pt ",
    "?": r"?\kern0pt ",
    " ": "~",
    "\u200b": "",
    "\ufeff": "",
}


def latex(text: str, *, exact: bool = False) -> str:
    r"""The text for LaTeX, where it is typeset and never obeyed; what is ``exact`` keeps quotes, dashes and blanks.

    >>> latex("50 % of \\input{x}"), latex("``a--b", exact=True)
    ('50 \\% of \\textbackslash{}input\\{x\\}', '\\textasciigrave{}\\textasciigrave{}a-\\kern0pt -\\kern0pt b')
    """
    signs = _LATEX | _LATEX_EXACT if exact else _LATEX
    return "".join(signs.get(character, character) for character in visible(text)) if text else ""


def markdown(text: str) -> str:
    r"""The text for Markdown, also in a cell of a table: no links, no HTML, no code.

    >>> markdown("a|b [x](http://y) <img>")
    'a\\|b \\[x\\](http://y) \\<img>'
    """
    return re.sub(r"([\\`*\[\]<&|])", r"\\\1", visible(text)) if text else ""


#: -LRB- and -NONE- are tags of treebanks
_FORMULA = re.compile(r"[=+@\t\r\n]|-(?![A-Z]+-$)")


def csv_cell(text: str) -> str:
    """The text for a table that a spreadsheet may open: what would be a formula has an apostrophe before it.

    >>> csv_cell("=1+1"), csv_cell("-LRB-"), csv_cell("NP")
    ("'=1+1", '-LRB-', 'NP')
    """
    return f"'{visible(text)}" if _FORMULA.match(text) else text and visible(text)


_STEERING = re.compile(f"[\x7f-\x9f\u2028\u2029\ud800-\udfff{_TURNS}]")


def json_text(data: Any, indent: int | None = 2, *, only_ascii: bool = False) -> str:
    r"""The data as JSON that a terminal can show; the values are the same, with ``\u`` where a sign would steer it.

    >>> print(json_text(["\u202e", "é"], indent=None))
    ["\u202e", "é"]
    """
    text = json.dumps(data, indent=indent, ensure_ascii=only_ascii)
    return _STEERING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


#: what file systems give a meaning of its own, or do not take; readers of ours pass over hidden files
_UNSAFE = re.compile(
    f'[\0-\x1f\x7f-\x9f"*:<>?\\\\|%\u2028\u2029\ud800-\udfff{_TURNS}]|^[.]|^_(?=_MACOSX)|[. ]$|'
    r"^[a-z](?=(?:(?<=c)on|(?<=p)rn|(?<=a)ux|(?<=n)ul|(?<=c)om[0-9¹²³]|(?<=l)pt[0-9¹²³])(?:\.|$))",
    re.IGNORECASE,
)
#: bytes that the name of a file may have, with room for what is put before and after it
_LONGEST = 200


def file_name(text: str) -> str:
    """A relative path made from a sentence id; it stays inside its folder, and different ids have different ones.

    Folders in an id stay. What could lead elsewhere, or cannot be in a name, is written as in a URL; a folder without
    a name is called ``%``.

    >>> file_name("cdb/1.xml"), file_name("../../etc/x.xml"), file_name("/etc/x"), file_name("aux.xml")
    ('cdb/1.xml', '%2E%2E/%2E%2E/etc/x.xml', '%/etc/x', '%61ux.xml')
    """
    return "/".join(map(_part, text.split("/")))


def _part(name: str) -> str:
    safe = _UNSAFE.sub(_percent, name) or "%"
    if len(safe.encode()) <= _LONGEST:
        return safe
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:16]
    start, _, suffix = safe.rpartition(".")
    suffix = f".{suffix}" if start and len(suffix.encode()) < 20 else ""
    return safe.encode()[:_LONGEST].decode(errors="ignore") + f"%{digest}{suffix}"


def _percent(sign: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in sign[0].encode(errors="surrogatepass"))
