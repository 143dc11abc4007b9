"""The kinds of sentences that the Dutch grammar writes, and how often."""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.dutch import comparison, coordination, dependents, questions, reports, statements, verbs
from permutree_lab.teaching.lessons import Lesson, Production

__all__ = ["GRAMMAR", "SHARES"]

#: no sentence has fewer or more words than this, punctuation included
SHORTEST, LONGEST = 3, 36


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
    "copula": statements.copula,
    "fronted-object": statements.fronted_object,
    "fronted-adverbial": statements.fronted_adverbial,
    "fronted-adverb": statements.adverb_first,
    "fronted-flat": statements.fronted_flat,
    "fronted-verb": statements.fronted_verb,
    "fronted-verb-phrase": statements.fronted_verb_phrase,
    "passive": statements.passive,
    "passive-fronted": statements.passive_fronted,
    "impersonal-passive": statements.impersonal_passive,
    "er-subject": statements.er_subject,
    "er-numeral": statements.er_numeral,
    "particle-verb": statements.particle_verb,
    "pronominal-adverb": statements.pronominal_adverb,
    "coordination": coordination.coordination,
    "shared-subject": coordination.shared_subject,
    "gapping": coordination.gapping,
    "shared-verb": coordination.shared_verb,
    "listing": coordination.listing,
    "headline": statements.headline,
    "all-caps": statements.all_caps,
    "polar-question": questions.polar_question,
    "wh-question": questions.wh_question,
    "stranded-question": questions.stranded_question,
    "subject-question": questions.subject_question,
    "long-question": questions.long_question,
    "embedded-question": questions.embedded_question,
    "what-kind": questions.what_kind,
    "imperative": questions.imperative,
    "second-person": questions.second_person,
    "attached-relative": dependents.attached_relative,
    "extraposed-relative": dependents.extraposed_relative,
    "extraposed-subject-relative": dependents.extraposed_subject_relative,
    "extraposed-phrase": dependents.extraposed_phrase,
    "extraposed-clause": dependents.extraposed_clause,
    "extraposed-infinitive": dependents.extraposed_infinitive,
    "noun-clause": dependents.noun_clause,
    "complement-clause": dependents.complement_clause,
    "adverbial-clause": dependents.adverbial_clause,
    "verb-cluster": verbs.verb_cluster,
    "cross-serial": verbs.cross_serial,
    "infinitive-clause": verbs.infinitive_clause,
    "split-infinitive": verbs.split_infinitive,
    "raising": verbs.raising,
    "purpose": verbs.purpose,
    "het-clause": dependents.het_clause,
    "prepositional-clause": dependents.prepositional_clause,
    "comparative": comparison.comparative,
    "split-comparative": comparison.split_comparative,
    "result": comparison.result,
    "fronted-quotation": reports.fronted_quotation,
    "split-quotation": reports.split_quotation,
    "parenthetical": reports.parenthetical,
    "according-to": reports.according_to,
    "introduced-quotation": reports.introduced_quotation,
    "indirect-speech": reports.indirect_speech,
    "opener": reports.opener,
}

#: the productions by kind
GRAMMAR: dict[str, Production] = {kind: _fitting(production) for kind, production in _PRODUCTIONS.items()}

#: kinds that are written more than once a turn: the commonest in texts, and what today's models miss
SHARES: dict[str, int] = {
    "plain": 3,
    "fronted-object": 3,
    "fronted-adverbial": 3,
    "fronted-flat": 3,
    "passive-fronted": 3,
    "er-numeral": 2,
    "polar-question": 2,
    "wh-question": 3,
    "imperative": 4,
    "second-person": 2,
    "extraposed-relative": 3,
    "extraposed-infinitive": 2,
    "extraposed-clause": 2,
    "verb-cluster": 3,
    "cross-serial": 2,
    "complement-clause": 2,
    "purpose": 2,
    "gapping": 2,
    "fronted-quotation": 3,
    "split-quotation": 2,
    "parenthetical": 3,
    "headline": 2,
    "pronominal-adverb": 2,
}
