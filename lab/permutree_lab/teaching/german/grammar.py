"""The kinds of sentences that the German grammar writes, and how often."""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.german import dependents, questions, reports, statements
from permutree_lab.teaching.lessons import Lesson, Production

__all__ = ["GRAMMAR", "SHARES"]

#: no sentence has fewer or more words than this, punctuation included
SHORTEST, LONGEST = 2, 38


def _fitting(production: Production) -> Production:
    """The production, tried again until its sentence is neither too short nor too long."""

    def produce(random: Random) -> Lesson:
        while True:
            made = production(random)
            if SHORTEST <= len(made.tree.words) <= LONGEST:
                return made

    return produce


_PRODUCTIONS: dict[str, Production] = {
    "plain": statements.plain,
    "fronted-complement": statements.fronted_complement,
    "object-first": statements.object_first,
    "fronted-flat": statements.fronted_flat,
    "fronted-adverb": statements.fronted_adverb,
    "fronted-verb": statements.fronted_verb,
    "fronted-verb-phrase": statements.fronted_verb_phrase,
    "particle-verb": statements.particle_verb,
    "passive": statements.passive,
    "impersonal-passive": statements.impersonal_passive,
    "double-infinitive": statements.double_infinitive,
    "copula": statements.copula,
    "coordination": statements.coordination,
    "shared-verbs": statements.shared_verbs,
    "gapping": statements.gapping,
    "gapped-place": statements.gapped_place,
    "floating": statements.floating,
    "split-noun-phrase": statements.split_noun_phrase,
    "headline": statements.headline,
    "all-caps": statements.all_caps,
    "fragment": statements.fragment,
    "aside": statements.aside,
    "listing": statements.listing,
    "both-and": statements.both_and,
    "polar-question": questions.polar_question,
    "wh-question": questions.wh_question,
    "subject-question": questions.subject_question,
    "long-question": questions.long_question,
    "long-question-second": questions.long_question_second,
    "infinitive-question": questions.infinitive_question,
    "what-kind": questions.what_kind,
    "embedded-question": questions.embedded_question,
    "imperative": questions.imperative,
    "second-person": questions.second_person,
    "attached-relative": dependents.attached_relative,
    "extraposed-relative": dependents.extraposed_relative,
    "extraposed-phrase": dependents.extraposed_phrase,
    "extraposed-subject-relative": dependents.extraposed_subject_relative,
    "extraposed-subject-phrase": dependents.extraposed_subject_phrase,
    "extraposed-subject-clause": dependents.extraposed_subject_clause,
    "noun-clause": dependents.noun_clause,
    "extraposed-clause": dependents.extraposed_clause,
    "complement-clause": dependents.complement_clause,
    "es-clause": dependents.es_clause,
    "correlate": dependents.correlate,
    "control": dependents.control,
    "split-infinitive": dependents.split_infinitive,
    "raised": dependents.raised,
    "purpose": dependents.purpose,
    "comparative": dependents.comparative,
    "so-that": dependents.so_that,
    "the-more": dependents.the_more,
    "adverbial-clause": dependents.adverbial_clause,
    "fronted-quotation": reports.fronted_quotation,
    "split-quotation": reports.split_quotation,
    "parenthetical": reports.parenthetical,
    "according-to": reports.according_to,
    "introduced-quotation": reports.introduced_quotation,
    "indirect-speech": reports.indirect_speech,
    "reported-aside": reports.reported_aside,
}

#: the productions by kind
GRAMMAR: dict[str, Production] = {kind: _fitting(production) for kind, production in _PRODUCTIONS.items()}

#: kinds that are written more than once a turn: the commonest in texts
SHARES: dict[str, int] = {
    "plain": 5,
    "fronted-complement": 4,
    "object-first": 3,
    "fronted-flat": 4,
    "fronted-adverb": 4,
    "passive": 3,
    "particle-verb": 3,
    "copula": 3,
    "coordination": 3,
    "polar-question": 3,
    "wh-question": 4,
    "imperative": 3,
    "second-person": 2,
    "extraposed-relative": 2,
    "headline": 2,
    "es-clause": 2,
    "attached-relative": 2,
    "extraposed-clause": 2,
    "complement-clause": 2,
    "adverbial-clause": 2,
    "fronted-quotation": 2,
    "split-quotation": 2,
    "parenthetical": 2,
    "correlate": 2,
    "comparative": 2,
}
