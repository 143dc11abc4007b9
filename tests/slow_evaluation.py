"""The same scores, computed the slow and plain way: sets of words, counters, one sentence after the other."""

from collections import Counter
from collections.abc import Iterable, Sequence

from permutree.evaluation.parameters import Parameters, escape_word
from permutree.trees.tree import Tree

Bracket = tuple[str, tuple[int, ...]]


def brackets(tree: Tree, kept: Sequence[int], parameters: Parameters) -> Counter[Bracket]:
    places = {word: place for place, word in enumerate(kept)}
    found: Counter[Bracket] = Counter()
    for label, words in tree:
        left = tuple(places[word] for word in words if word in places)
        if left and not parameters.is_deleted(label):
            found[parameters.canonical(label), left] += 1
    return found


def discontinuous(found: Counter[Bracket]) -> Counter[Bracket]:
    return Counter({key: times for key, times in found.items() if key[1][-1] - key[1][0] >= len(key[1])})


def kept_words(tree: Tree, parameters: Parameters) -> list[int]:
    kept = []
    for index, (word, tag, parent) in enumerate(zip(tree.words, tree.tags, tree.word_parents, strict=True)):
        is_deleted = parameters.is_deleted(tag) or escape_word(word) in parameters.delete_words
        if not is_deleted and not (parameters.delete_root_words and parent <= 0):
            kept.append(index)
    return kept


def figures(
    pairs: Iterable[tuple[Tree, Tree]], parameters: Parameters, *, disc_only: bool = False
) -> dict[str, int | float | None]:
    count: Counter[str] = Counter()
    longest = 0
    for gold, predicted in pairs:
        kept = kept_words(gold, parameters)
        left, right = brackets(gold, kept, parameters), brackets(predicted, kept, parameters)
        count["disc. gold"] += discontinuous(left).total()
        count["disc. cand."] += discontinuous(right).total()
        if disc_only:
            left, right = discontinuous(left), discontinuous(right)
        if left or right or not disc_only:
            count["sentences"] += 1
            count["exact"] += left == right
        count["gold"] += left.total()
        count["cand."] += right.total()
        count["right"] += (left & right).total()
        count["distinct gold"] += len(left)
        count["distinct cand."] += len(right)
        count["words"] += len(kept)
        plain = parameters.plain
        count["tags right"] += sum(plain(gold.tags[word]) == plain(predicted.tags[word]) for word in kept)
        lengths = [plain(tag) not in parameters.delete_labels_for_length for tag in gold.tags]
        longest = max(longest, sum(lengths))

    def share(part: int, whole: int) -> float | None:
        return 100 * part / whole if whole else None

    return {
        "number of sentences": count["sentences"],
        "longest sentence": longest,
        "gold brackets": count["distinct gold"],
        "cand. brackets": count["distinct cand."],
        "disc. gold brackets": count["disc. gold"],
        "disc. cand. brackets": count["disc. cand."],
        "labeled recall": share(count["right"], count["gold"]),
        "labeled precision": share(count["right"], count["cand."]),
        "labeled f-measure": share(2 * count["right"], count["gold"] + count["cand."]),
        "exact match": share(count["exact"], count["sentences"]),
        "pos accuracy": share(count["tags right"], count["words"]),
    }
