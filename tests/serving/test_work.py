import random

import pytest

from hostile import hostile
from permutree.serving.settings import Limits, Settings, models_to_serve
from permutree.serving.work import Work


@pytest.fixture(scope="module")
def work() -> Work:
    return Work(Settings(models_to_serve(["en", "nl"]), limits=Limits(words=100)))


@pytest.mark.parametrize("seed", range(4))
def test_any_input_has_an_answer(work: Work, seed: int) -> None:
    rng = random.Random(seed)
    requests = [hostile(rng) for _ in range(150)]
    answers = work.answer(requests)
    for request, answer in zip(requests, answers, strict=True):
        assert answer.status in (200, 413, 422), request
        assert not answer.is_unexpected, request
    assert {200, 422} <= {answer.status for answer in answers}


def test_requests_of_several_models_go_together(work: Work) -> None:
    bodies = [b'{"text": "It rains.", "lang": "en"}', b'{"text": "Het regent.", "lang": "nl"}'] * 2
    answers = work.answer([("parse", body) for body in bodies])
    assert [answer.content for answer in answers] == [work.answer([("parse", body)])[0].content for body in bodies]
    assert b'"model":"nl"' in answers[1].content
