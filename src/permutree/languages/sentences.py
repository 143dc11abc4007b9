"""From pieces to sentences: which full stops belong to abbreviations, and what ends a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from permutree.languages.language import Language
from permutree.languages.lists import items
from permutree.languages.registry import language_named
from permutree.languages.scanner import is_smiley, pieces, written

__all__ = ["MOST_WORDS", "TextSentence", "paragraphs", "split", "split_stream", "tokenise"]

#: words after which a sentence without an end is cut
MOST_WORDS = 5000
#: characters that a stream waits for before it looks for sentences, and the most that it waits for
BUFFER = 1 << 16
LIMIT = 1 << 20

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*|\u2029\s*")
_ENDS = frozenset(".?!…。！？｡")
_CLOSERS = frozenset("\"'”’“‘»«›‹)]}") | {"''"}
_OPENERS = frozenset("\"'“„‘‚«»‹›([{`¿¡-–—") | {"``", "--"}
_QUOTES = frozenset("\"'“”„‘’‚«»‹›") | {"''", "``"}
#: what goes on with a sentence after a full stop
_CONTINUATIONS = frozenset(",;:)]}.?!%/&=+…")
_INITIALS = re.compile(r"[^\W\d_](?:\.-?[^\W\d_])+").fullmatch
_ROMAN = re.compile(r"[IVXLC]+").fullmatch

#: where a piece begins and ends, and whether it is a word
Piece = tuple[int, int, bool]


class TextSentence(NamedTuple):
    """The words of a sentence, and for each the half-open interval of the text that it stands for."""

    words: list[str]
    offsets: list[tuple[int, int]]


def split(text: str, language: str) -> list[TextSentence]:
    """The sentences of a text. A blank line ends a sentence, and an item of a list begins one.

    A line break anywhere else is white space. Every character that is not white space is in the interval of exactly one
    word.

    >>> [sentence.words for sentence in split("I don't know Mr. Smith. Do you?", "en")]
    [['I', 'do', "n't", 'know', 'Mr.', 'Smith', '.'], ['Do', 'you', '?']]
    """
    return list(_split(text, language_named(language)))


def tokenise(sentence: str, language: str) -> TextSentence:
    """The words of a text that is one sentence, whatever is in it.

    >>> tokenise("Zij zag foto's.", "nl")
    TextSentence(words=['Zij', 'zag', "foto's", '.'], offsets=[(0, 3), (4, 7), (8, 14), (14, 15)])
    """
    known = language_named(language)
    return _words(sentence, chain.from_iterable(_parts(sentence, known, 0, len(sentence))), known)


def split_stream(chunks: Iterable[str], language: str) -> Iterator[TextSentence]:
    """The sentences of a text that comes in parts, cut anywhere, with offsets into the whole.

    Memory is bounded: where a megabyte has no sentence end, it is cut between two words, or within one if there is but
    one. What comes before a blank line is given out as soon as a part ends with that.
    """
    known = language_named(language)
    for offset, part in paragraphs(chunks, language):
        sentences = _split(part, known) if isinstance(part, str) else part
        yield from (_shifted(sentence, offset) for sentence in sentences)


def paragraphs(chunks: Iterable[str], language: str) -> Iterator[tuple[int, str | list[TextSentence]]]:
    """The paragraphs of a text, one or several at once, and where they begin.

    Whoever has time can :func:`split` them, which takes much longer than to find them. Where a paragraph is so long
    that it is cut within, it had to be split already.
    """
    known = language_named(language)
    parts: list[str] = []
    size = offset = 0
    wanted = BUFFER
    for chunk in _slices(chunks):
        parts.append(chunk)
        size += len(chunk)
        if size < wanted and not chunk.isspace():
            continue
        text = "".join(parts)
        end, part = _settled(text, known)
        if part:
            yield offset, part
        offset += end
        size = len(text) - end
        parts = [text[end:]]
        # If no end is in sight, look again when there is twice as much.
        wanted = max(BUFFER, min(2 * size, LIMIT))
    if text := "".join(parts):
        yield offset, text


def _slices(chunks: Iterable[str]) -> Iterator[str]:
    for chunk in chunks:
        for start in range(0, len(chunk), BUFFER):
            yield chunk[start : start + BUFFER]


def _settled(text: str, language: Language) -> tuple[int, str | list[TextSentence]]:
    """What stays as it is whatever comes after a text, and where that ends: its paragraphs, or else its sentences."""
    blank = max(_BLANK_LINE.finditer(text), key=re.Match.start, default=None)
    if blank is not None:
        return blank.end(), text[: blank.start()]
    if len(text) < BUFFER:
        return 0, []
    sentences = list(_split(text, language))
    # Whether a sentence ends is decided by the next words, and these are whole unless they are the last.
    if len(sentences) > 2:
        return sentences[-2].offsets[0][0], sentences[:-2]
    if len(text) < LIMIT:
        return 0, []
    *others, last = sentences or [TextSentence([], [])]
    if len(last.words) < 2:
        return len(text), sentences
    return last.offsets[-1][0], [*others, TextSentence(last.words[:-1], last.offsets[:-1])]


def _shifted(sentence: TextSentence, by: int) -> TextSentence:
    return TextSentence(sentence.words, [(start + by, end + by) for start, end in sentence.offsets])


def _split(text: str, language: Language) -> Iterator[TextSentence]:
    start = 0
    while start < len(text):
        blank = _BLANK_LINE.search(text, start)
        end = blank.start() if blank else len(text)
        blocks = pairwise([start, *items(text, start, end), end])
        for part in chain.from_iterable(_parts(text, language, *block) for block in blocks):
            words, offsets = _words(text, part, language)
            for first in range(0, len(words), MOST_WORDS):
                yield TextSentence(words[first : first + MOST_WORDS], offsets[first : first + MOST_WORDS])
        start = blank.end() if blank else end


def _words(text: str, part: Iterable[tuple[int, int]], language: Language) -> TextSentence:
    """Pieces as words, cut where the language cuts them."""
    words: list[str] = []
    offsets: list[tuple[int, int]] = []
    for start, end in part:
        for word, left, right in _cut(text[start:end], language):
            words.append(word)
            offsets.append((start + left, start + right))
    return TextSentence(words, offsets)


@lru_cache(maxsize=1 << 14)
def _cut(piece: str, language: Language) -> tuple[tuple[str, int, int], ...]:
    """The words that a piece is cut into, and where in it they are. Most pieces of a text are frequent words."""
    cuts = language.cut(piece) if language.cut is not None else []
    bounds = pairwise([0, *cuts, len(piece)])
    return tuple((written(piece[left:right], language), left, right) for left, right in bounds)


def _parts(text: str, language: Language, start: int, end: int) -> Iterator[list[tuple[int, int]]]:
    """The pieces of each sentence of a paragraph, full stops with the abbreviations that they belong to."""
    found = pieces(text, language, start, end)
    part: list[tuple[int, int]] = []
    quotes = brackets = 0
    number = 0
    while number < len(found):
        start, end, is_word = found[number]
        number += 1
        part.append((start, end))
        if is_word:
            continue
        sign = text[start:end]
        quotes += sign == '"'
        brackets += (sign in "([") - (sign in ")]")
        if sign[0] not in _ENDS and sign not in language.breaks:
            continue
        closed = _after_closers(text, found, number, quotes)
        coming = Coming.after(text, found, closed, language)
        belongs = False
        if sign == "." and number > 1 and found[number - 2][1] == start and found[number - 2][2]:
            word = text[slice(*part[-2])] if len(part) > 1 else ""
            is_tight = closed == number and not coming.has_gap
            is_first = len(part) < 5 and all(text[left:right] in _OPENERS for left, right in part[:-2])
            belongs, is_end = _full_stop(word, coming, is_first, is_tight, language)
        elif sign in language.breaks:
            is_end = coming.has_gap and brackets <= 0
            if is_end and sign == ":":
                is_end = not _is_direct_speech(text, part[-3:-1], found[number : number + 100], language)
        elif sign == ".":
            is_end = coming.has_gap and coming.kind != "sign"
        else:
            is_end = coming.kind in ("capital", "number") and coming.has_gap
        if belongs:
            part[-2:] = [(part[-2][0], end)]
        if is_end or coming.kind == "nothing" or sign[0] in "。！？｡":
            part += [(start, end) for start, end, _ in found[number:closed]]
            yield part
            part, quotes, brackets, number = [], 0, 0, closed
    if part:
        yield part


def _after_closers(text: str, found: Sequence[Piece], number: int, quotes: int) -> int:
    """The number of the first piece after quotation marks, brackets and smileys that close what came before."""
    while number < len(found) and not found[number][2]:
        start, end, _ = found[number]
        sign = text[start:end]
        if is_smiley(sign):
            number += 1
            continue
        if sign not in _CLOSERS:
            break
        is_apart = found[number - 1][1] != start
        if is_apart and not (sign == '"' and quotes % 2 and text[end : end + 1].strip() == ""):
            break
        quotes += sign == '"'
        number += 1
    return number


def _is_direct_speech(text: str, before: Sequence[tuple[int, int]], found: Sequence[Piece], language: Language) -> bool:
    """Whether a verb of saying is among the last words before a colon, and a quotation of one sentence follows."""
    if not any(text[start:end].lower() in language.speech for start, end in before):
        return False
    if not found or text[found[0][0] : found[0][1]] not in _QUOTES:
        return False
    word = ""
    for number, (start, end, is_word) in enumerate(found[1:], 2):
        piece = text[start:end]
        if piece in _QUOTES:
            return True
        is_abbreviated = len(word) == 1 or word in language.leading or word in language.abbreviations
        if not is_word and piece[0] in _ENDS and not (piece == "." and is_abbreviated):
            coming = Coming.after(text, found, number, language)
            if coming.kind == "capital" and coming.has_gap:
                return False
        word = piece
    return False


class Coming(NamedTuple):
    """What comes after a sign that may end a sentence."""

    #: capital, small, number, sign (that goes on with the sentence) or nothing
    kind: str
    word: str
    #: whether there is white space before it
    has_gap: bool

    @classmethod
    def after(cls, text: str, found: Sequence[Piece], number: int, language: Language) -> Coming:
        """What the piece with this number begins with, seen through quotation marks and brackets."""
        if number >= len(found):
            return cls("nothing", "", True)
        has_gap = number == 0 or found[number - 1][1] != found[number][0]
        for start, end, is_word in found[number : number + 4]:
            piece = text[start:end]
            if is_word:
                if piece[0] in "'’":
                    return cls("capital", piece, has_gap)
                if len(piece) == 1 and text[end : end + 1] == ".":
                    # An initial, not the word that it looks like.
                    piece += "."
                kind = "number" if piece[0].isdigit() else "small" if piece[0].islower() else "capital"
                return cls(kind, piece, has_gap)
            if piece in _CONTINUATIONS:
                return cls("sign", piece, has_gap)
            if piece not in _OPENERS:
                break
        return cls("capital", "", has_gap)


def _full_stop(word: str, coming: Coming, is_first: bool, is_tight: bool, language: Language) -> tuple[bool, bool]:
    """Whether a full stop belongs to the word before it, and whether it ends the sentence."""
    kind, following = coming.kind, coming.word
    if is_first and kind != "nothing" and len(word) > 1 and word[0].isupper():
        # An abbreviation that has its capital from the sentence: Bijv., Sbr.
        small = word[0].lower() + word[1:]
        word = small if small in language.leading or small in language.abbreviations else word
    is_known = word in language.abbreviations or word in language.leading or _INITIALS(word) is not None
    starts = following.lower() in language.function_words
    if kind == "nothing":
        return is_known, True
    if is_tight:
        # No blank after it: a comma or a bracket goes on with the sentence, a capital begins another.
        if kind == "capital":
            return is_known, not is_known
        return is_known or len(word) < 4, False
    if word in language.before_numbers:
        return (True, False) if any(map(str.isdigit, following)) else (False, kind != "sign")
    if word in language.leading:
        return True, False
    if is_known:
        return True, kind == "capital" and starts
    if word.lower() in language.function_words and not word.isupper():
        return False, kind != "sign"
    if len(word) == 1 and word.isalpha():
        is_start = kind == "capital" and (starts or word.islower()) and following.lower() not in language.particles
        return not is_start, is_start
    if word.isdigit() and len(word) < 4 and is_first:
        return True, False
    if language.months is not None and ((word.isdigit() and len(word) < 4) or _ROMAN(word)):
        is_ordinal = is_first or kind in ("small", "number") or following in language.months
        is_ordinal = is_ordinal or (language.capitalises_nouns and kind == "capital" and not starts)
        return is_ordinal, not is_ordinal
    if kind == "small":
        is_unknown = len(word) < 4 and not word[-1].isdigit()
        return is_unknown, not is_unknown
    return False, kind != "sign"
