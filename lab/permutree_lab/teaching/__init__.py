"""Text that teaches: trees of constructions that treebanks hold too few of, made by program.

Rewritings turn trees of a treebank into trees of a rare construction; a grammar writes sentences of its own. Both are
deterministic by seed. Modules import one way: parts, lessons, the languages, the registry, making.
"""
