"""Makes Markdown of our docstrings for the documentation site: examples become code, references become names.

mkdocs.yml names this file as an extension of Griffe, which reads the docstrings.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Any

from griffe import Extension, Object

_ROLE = re.compile(r":(?:class|func|meth|data|mod|attr):`~?([^`]+)`")


def to_markdown(docstring: str) -> str:
    """A docstring with its examples fenced, and with roles of Sphinx as code."""
    paragraphs = re.split(r"\n[ \t]*\n", _ROLE.sub(r"`\1`", docstring))
    return "\n\n".join(
        f"```pycon\n{dedent(paragraph).strip()}\n```" if paragraph.lstrip().startswith(">>> ") else paragraph
        for paragraph in paragraphs
    )


class Docstrings(Extension):
    """Changes all docstrings before they are read for their sections."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Change the docstring of an object, if it has one."""
        if obj.docstring is not None:
            obj.docstring.value = to_markdown(obj.docstring.value)
