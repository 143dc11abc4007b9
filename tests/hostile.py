"""What no server should be sent: broken JSON, wrong values, damaged treebanks, labels without a tree, odd text."""

import io
import json
import random
from typing import Any

from fuzzing import mutate, random_labels, random_tree
from permutree.encoding import ENCODINGS, encode
from permutree.errors import PermutreeError
from permutree.formats.registry import FORMATS, READABLE

PATHS = ("parse", "convert", "draw", "encode", "decode", "evaluate")
ODD = [
    "",
    " ",
    "\x00",
    "\u202e",
    "\u200d",
    "\ufeff",
    "\ufffe",
    "\u0301" * 50,
    "a\u0300" * 200,
    "👩‍👩‍👧‍👦",
    "مرحبا بالعالم.",
    "漢字。漢字！",
    "\U0010ffff",
    "\r\n\t\v\f\u2028\u2029\x85",
    "(" * 40,
    ")))(((",
    "<s>&amp;</s>",
    "-LRB- -RRB-",
    "\\",
    "#EOS 1",
    "%% #BOS",
    "../../etc/passwd",
    "/etc/passwd",
    "{}[]()",
    "0=a",
    "=",
    "'; DROP TABLE",
    "$(id)",
    "." * 300,
    "x" * 3000,
    "Mr. " * 60,
    '"' * 99,
    "1" * 400,
]
VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    1e308,
    10**30,
    "",
    [],
    {},
    [[]],
    [None],
    "en",
    "xx",
    [["a"], [""], [3]],
    {"a": {}},
]
FIELDS = [
    "text",
    "tokens",
    "tags",
    "lang",
    "model",
    "format",
    "confidence",
    "offsets",
    "labels",
    "id",
    "treebank",
    "from",
    "to",
    "skip_bad",
    "sentence",
    "functions",
    "transparent",
    "fragment",
    "width",
    "encodings",
    "levels",
    "tagset",
    "words",
    "encoding",
    "root",
    "gold",
    "predicted",
    "gold_format",
    "predicted_format",
    "param",
    "missing",
    "keep_functions",
    "differences",
]


def hostile(rng: random.Random) -> tuple[str, bytes]:
    """A path and a body to send there."""
    path = rng.choice(PATHS)
    if rng.random() < 0.1:
        return path, _broken(rng)
    if rng.random() < 0.15:
        fields = rng.sample(FIELDS, rng.randint(0, 5))
        return path, _dumped({name: rng.choice([*VALUES, _text(rng)]) for name in fields})
    content = globals()[f"_{path}"](rng)
    if rng.random() < 0.1:
        content[rng.choice(FIELDS)] = rng.choice(VALUES)
    body = _dumped(content)
    return path, _damaged_bytes(rng, body) if rng.random() < 0.05 else body


def _dumped(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _broken(rng: random.Random) -> bytes:
    return rng.choice(
        [
            rng.randbytes(rng.randint(0, 200)),
            b"[" * rng.randint(1, 50_000),
            b'{"text":' * rng.randint(1, 5000),
            b'{"text": "\\ud800"}',
            b'{"text": "a", "text": "b"}',
            b'{"text": NaN}',
            b"\xef\xbb\xbf{}",
            b"1" * 5000,
            b"null",
        ]
    )


def _text(rng: random.Random) -> str:
    parts = rng.choices(
        [*ODD, "The", "cat", "sleeps", ".", "?", "\n\n", " ", "What", "did", "you", "say"], k=rng.randint(1, 25)
    )
    return rng.choice(["", " ", "\n"]).join(parts)


def _damaged_bytes(rng: random.Random, body: bytes) -> bytes:
    content = bytearray(body)
    for _ in range(rng.randint(1, 5)):
        if content:
            content[rng.randrange(len(content))] = rng.randrange(256)
    return bytes(content)


def _damaged(rng: random.Random, text: str) -> str:
    for _ in range(rng.choice([0, 0, 1, 1, 2, 5])):
        if not text:
            break
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.randint(1, 30))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:start] + text[end:]
        elif kind == 1:
            text = text[:start] + rng.choice(ODD) + text[start:]
        elif kind == 2:
            text = text[:end] + text[start:end] + text[end:]
        else:
            text = text[:start]
    return text


def _treebank(rng: random.Random) -> tuple[str, str]:
    trees = [random_tree(rng, 12) for _ in range(rng.randint(1, 4))]
    name = rng.choice([name for name, entry in READABLE.items() if entry.write is not None and not entry.is_binary])
    write = FORMATS[name].write
    assert write is not None
    stream = io.StringIO()
    try:
        write(trees, stream)
    except PermutreeError:
        return "discbracket", "".join(f"{tree.discbracket()}\n" for tree in trees if "" not in tree.labels)
    return name, stream.getvalue()


def _trees(rng: random.Random) -> dict[str, Any]:
    name, text = _treebank(rng)
    content: dict[str, Any] = {"treebank": _damaged(rng, text)}
    if rng.random() < 0.6:
        content["from"] = name if rng.random() < 0.7 else rng.choice(list(FORMATS))
    return content


def _parse(rng: random.Random) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if rng.random() < 0.6:
        content["text"] = _text(rng)
    else:
        content["tokens"] = [[rng.choice(ODD) for _ in range(rng.randint(0, 6))] for _ in range(rng.randint(0, 4))]
        if rng.random() < 0.3:
            content["tags"] = [["A"] * len(words) for words in content["tokens"]]
    if rng.random() < 0.5:
        content["lang"] = rng.choice(["en", "nl", "de", "is", "xx", ""])
    if rng.random() < 0.3:
        content["format"] = rng.choice(["json", *FORMATS])
    if rng.random() < 0.3:
        content["labels"] = {"encodings": rng.sample([*ENCODINGS, "nothing"], 2)}
    return content


def _convert(rng: random.Random) -> dict[str, Any]:
    return _trees(rng) | {"to": rng.choice(["json", *FORMATS]), "skip_bad": rng.random() < 0.5}


def _draw(rng: random.Random) -> dict[str, Any]:
    kinds = ["svg", "latex", "text", "ascii", "html", "export"]
    content = _trees(rng) | {"to": rng.choice(kinds), "functions": rng.random() < 0.5}
    return content | rng.choice([{}, {"sentence": 1}, {"width": rng.randint(1, 200)}])


def _encode(rng: random.Random) -> dict[str, Any]:
    return _trees(rng) | rng.choice([{}, {"encodings": [rng.choice(ENCODINGS)], "levels": "mixed"}])


def _decode(rng: random.Random) -> dict[str, Any]:
    tree = random_tree(rng, 9)
    encoding = rng.choice(ENCODINGS)
    labels = mutate(rng, encode(tree, encoding)) if rng.random() < 0.5 else random_labels(rng, len(tree))
    content = {"words": list(tree.words), "tags": list(tree.tags), "labels": labels, "encoding": encoding}
    return content | rng.choice([{}, {"root": rng.choice([text for text in ODD if text])}, {"levels": "absolute"}])


def _evaluate(rng: random.Random) -> dict[str, Any]:
    _, gold = _treebank(rng)
    predicted = gold if rng.random() < 0.7 else _treebank(rng)[1]
    options = {"param": rng.choice(["proper", "none"]), "missing": rng.choice(["error", "count"]), "differences": True}
    return {"gold": _damaged(rng, gold), "predicted": _damaged(rng, predicted)} | options
