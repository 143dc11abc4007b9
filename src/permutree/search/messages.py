"""Errors in queries: what is wrong, the query with a mark under the character, and a hint."""

from __future__ import annotations

from permutree.errors import ConfigError

__all__ = ["QueryError", "search_packages"]


class QueryError(ConfigError):
    """A query that cannot be understood; it knows the place.

    >>> print(QueryError("a ] is missing", '[cat="NP"', 9, "close the node"))
    a ] is missing
      [cat="NP"
               ^
    hint: close the node
    """

    def __init__(self, message: str, query: str = "", position: int | None = None, hint: str | None = None) -> None:
        self.message = message
        self.query = query
        #: the character, from 0
        self.position = position
        self.hint = hint
        super().__init__(str(self))

    def __str__(self) -> str:
        lines = [self.message]
        if self.position is not None:
            position = min(self.position, len(self.query))
            start = self.query.rfind("\n", 0, position) + 1
            line = self.query[start:].partition("\n")[0]
            # Tabs stay, so that the mark stands below its character.
            blank = "".join("\t" if letter == "\t" else " " for letter in line[: position - start])
            lines += [f"  {line}", f"  {blank}^"]
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[type[QueryError], tuple[object, ...]]:
        return QueryError, (self.message, self.query, self.position, self.hint)


def search_packages(error: ModuleNotFoundError) -> ConfigError:
    """What to say if the package that reads queries is not here."""
    return ConfigError(f"queries need the package {error.name}, which is not here: pip install 'permutree[search]'")
