"""What a worker does: requests as they came in, answers as they go out, and never an exception in place of one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from permutree.errors import PermutreeError
from permutree.search.engine import SearchStopped
from permutree.search.messages import QueryError
from permutree.serving.answers import JSON, Answer, error_answer, place_of
from permutree.serving.messages import (
    ConvertRequest,
    DecodeRequest,
    DrawRequest,
    EncodeRequest,
    EvaluateRequest,
    ParseRequest,
    SearchRequest,
)
from permutree.serving.parsing import Parsers, Plan
from permutree.serving.searching import Searches
from permutree.serving.settings import Limits, Settings
from permutree.serving.treebanks import (
    TooMuch,
    convert,
    decode_labels,
    draw,
    encode_treebank,
    evaluate_treebanks,
)

__all__ = ["HANDLERS", "Work"]

_log = logging.getLogger("permutree")


Handler = Callable[[Any, Limits], tuple[str, Any]]

#: what is done with requests that need neither models nor corpora, by the name of the endpoint
HANDLERS: dict[str, tuple[type[BaseModel], Handler]] = {
    "convert": (ConvertRequest, convert),
    "draw": (DrawRequest, draw),
    "encode": (EncodeRequest, encode_treebank),
    "decode": (DecodeRequest, decode_labels),
    "evaluate": (EvaluateRequest, evaluate_treebanks),
}


class Work:
    """Answers requests; models are loaded when they are first used."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.parsers = Parsers(settings)
        self.searches = Searches(settings)

    def preload(self) -> None:
        """Load all models, and let each parse once."""
        for model in self.settings.models:
            parser = self.parsers.load(model)
            if not parser.needs_tags:
                parser.parse_tokens(["."])

    def answer(self, requests: Sequence[tuple[str, bytes]]) -> list[Answer]:
        """The answers to some requests: what each is for, and its body."""
        answers: list[Answer | None] = []
        plans: list[tuple[int, Plan]] = []
        for number, (kind, body) in enumerate(requests):
            if kind == "parse":
                planned = self._guarded(partial(self._plan, body))
                if isinstance(planned, Plan):
                    plans.append((number, planned))
                answers.append(None if isinstance(planned, Plan) else planned)
            else:
                answers.append(self._guarded(partial(self._handle, kind, body)))
        if plans:
            failed = self._guarded(partial(self.parsers.parse, [plan for _, plan in plans]))
            for number, plan in plans:
                answers[number] = failed or self._guarded(partial(self._finish, plan))
        assert all(answer is not None for answer in answers)
        return answers  # type: ignore[return-value]

    def _plan(self, body: bytes) -> Plan:
        return self.parsers.plan(ParseRequest.model_validate_json(body))

    def _handle(self, kind: str, body: bytes) -> Answer:
        if kind == "search":
            return _finished(JSON, self.searches.search(SearchRequest.model_validate_json(body)))
        model, handler = HANDLERS[kind]
        media_type, content = handler(model.model_validate_json(body), self.settings.limits)
        return _finished(media_type, content)

    def _finish(self, plan: Plan) -> Answer:
        return _finished(*plan.answer())._replace(sentences=len(plan.sentences))

    def _guarded(self, work: Callable[[], Any]) -> Any:
        """What a piece of work gives, or an answer that says why it cannot."""
        try:
            return work()
        except ValidationError as error:
            return error_answer(422, _invalid(error))
        except TooMuch as error:
            return error_answer(413, str(error))
        except SearchStopped as error:
            return error_answer(408, str(error))
        except QueryError as error:
            return error_answer(422, error.message, position=error.position, hint=error.hint)
        except PermutreeError as error:
            return error_answer(422, str(error))
        except MemoryError:
            return error_answer(413, "this takes more memory than the server may use; send less at once")
        except RecursionError:
            return error_answer(422, "this is nested too deeply")
        except Exception as error:
            # A fault of ours. Where it is goes to the log; the message might hold text of the user.
            _log.error("unexpected %s at %s", type(error).__name__, place_of(error))
            return error_answer(
                422, "the server has no answer to this; its log says where it failed", is_unexpected=True
            )


def _finished(media_type: str, content: Any) -> Answer:
    return Answer(200, media_type, content if isinstance(content, bytes) else to_json(content))


def _invalid(error: ValidationError) -> str:
    """What is wrong with a request, without what it held."""
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    said = [f"{'.'.join(map(str, fault['loc'])) or 'the body'}: {fault['msg']}" for fault in faults[:3]]
    more = f"; and {len(faults) - 3} more faults" if len(faults) > 3 else ""
    return "; ".join(said) + more
