"""The tries of a call: when it is repeated, and how it ends. Nothing here waits or sends."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from .call import Call, Request, request_of
from .errors import (
    ApiConnectionError,
    ApiTimeoutError,
    MultirailError,
    NotSentError,
    Refusal,
    UnreadableAnswerError,
    api_error,
    is_busy,
    is_claimed,
    is_passing,
)
from .exchange import Loss, Reply
from .responses import ResponseInfo, keep_response
from .settings import Settings, is_count

T = TypeVar("T")

_BASE_WAIT = 0.2
_LONGEST_WAIT = 10.0

# The state of a failed try. `undone` had no effect, `in_doubt` may have had one, and `claimed` is still being worked on.
# `final` is not repeated.
Failure: TypeAlias = Literal["undone", "in_doubt", "claimed", "final"]


@dataclass(frozen=True)
class Try:
    """The next try of a call."""

    request: Request
    timeout: float
    # The seconds to wait before.
    pause: float


def tries(call: Call[T], settings: Settings) -> Generator[Try, Reply | Loss, T]:
    """Yields the tries of a call, takes the outcome of each, and returns the answer or raises the error."""
    machine = settings.machine
    operation = call.operation
    timeout = settings.timeout if call.timeout is None else call.timeout
    retries = settings.max_retries if call.max_retries is None else call.max_retries
    if not (is_count(timeout) and is_count(retries)):
        raise NotSentError(operation.id, "timeout and max_retries are numbers from 0 on")
    key = {"idempotency-key": machine.key()} if operation.takes_key else {}
    request = request_of(call, settings.base_url, {**settings.headers, **key})
    is_harmless = operation.reads or operation.takes_key
    began = machine.now()
    pause = 0.0
    # A try that may have taken effect. If later tries don't reach the service, the caller must learn of this one.
    doubt: MultirailError | None = None
    count = 0
    while True:
        count += 1
        outcome = yield Try(request, timeout, pause)
        if isinstance(outcome, Reply) and outcome.is_success:
            return _answer(call, outcome)
        failure = judge(outcome)
        error = _error(call, outcome, settings, timeout, doubt is not None)
        final = doubt if failure == "undone" and doubt else error
        is_waited_for = failure == "claimed" and retries > 0 and machine.now() - began < settings.claim_patience
        if failure == "final" or not is_harmless or not (count <= retries or is_waited_for):
            raise final
        asked_for = retry_after(outcome.retry_after, machine.now()) if isinstance(outcome, Reply) else None
        longer = wait(count, asked_for, machine.share())
        if longer is None:
            raise final
        pause = longer
        if failure != "undone":
            doubt = error


def judge(outcome: Reply | Loss) -> Failure:
    """Judges a try that failed."""
    if isinstance(outcome, Loss):
        return "undone" if outcome.is_undone else "in_doubt"
    if is_busy(outcome.status, outcome.code):
        return "undone"
    if is_claimed(outcome.status, outcome.code):
        return "claimed"
    if not is_passing(outcome.status):
        return "final"
    return "in_doubt" if outcome.status >= 500 else "undone"


def wait(count: int, asked_for: float | None, share: float) -> float | None:
    """Returns the seconds to wait after this many tries.

    That is a random part of a bound that doubles, so that callers who failed together don't return together. The
    service's `Retry-After` is added; if it is too long for a call, there is no retry.
    """
    least = asked_for or 0.0
    if least > _LONGEST_WAIT:
        return None
    return least + min(_BASE_WAIT * 2.0 ** min(count - 1, 16), _LONGEST_WAIT) * share


def retry_after(value: str | None, now: float) -> float | None:
    """Returns the seconds of a `Retry-After`, which is a number of seconds or a moment."""
    if value is None:
        return None
    if re.fullmatch(r"\s*[0-9]{1,9}\s*", value):
        return float(value)
    try:
        moment: float = parsedate_to_datetime(value).timestamp()
        return max(0.0, moment - now)
    except (TypeError, ValueError, OverflowError):
        return None


def _answer(call: Call[T], reply: Reply) -> T:
    kind: Any = call.operation.answer
    if kind is str:
        text: Any = reply.content.decode(errors="replace")
        return text  # type: ignore[no-any-return]
    try:
        answer: T = msgspec.json.decode(reply.content, type=kind)
        keep_response(answer, ResponseInfo(reply.status, reply.request_id, reply.is_replayed))
        return answer
    except (msgspec.DecodeError, RecursionError) as error:
        detail = str(error)
    raise _unreadable(call, reply, detail, not call.operation.reads)


def _error(call: Call[Any], outcome: Reply | Loss, settings: Settings, timeout: float, was_in_doubt: bool) -> MultirailError:
    operation = call.operation.id
    changes = not call.operation.reads
    if isinstance(outcome, Loss):
        is_outcome_unknown = changes and (was_in_doubt or not outcome.is_undone)
        if outcome.lost == "timeout":
            return ApiTimeoutError(operation, timeout, is_outcome_unknown)
        return ApiConnectionError(operation, outcome.reason, is_outcome_unknown)
    code, status = outcome.code, outcome.status
    # A server checks keys and roles before it looks for an earlier try.
    is_denied = status in (401, 403)
    is_outcome_unknown = changes and (status >= 500 or is_claimed(status, code) or (was_in_doubt and is_denied))
    members = outcome.members()
    message, error_type = members.get("message"), members.get("error_type")
    if not code or not isinstance(message, str) or not isinstance(error_type, str):
        return _unreadable(call, outcome, "it is no error of this API", changes)
    message = _masked(message, settings.secrets)
    return api_error(operation, Refusal(status, code, error_type, message, outcome.request_id, is_outcome_unknown))


def _unreadable(call: Call[Any], reply: Reply, detail: str, is_outcome_unknown: bool) -> UnreadableAnswerError:
    return UnreadableAnswerError(call.operation.id, reply.status, reply.request_id, detail, is_outcome_unknown)


def _masked(text: str, secrets: tuple[str, ...]) -> str:
    """Removes keys, and digits that could be a card's, from a text of a server."""
    for secret in secrets:
        text = text.replace(secret, "[key]")
    return re.sub(r"[0-9](?:[ -]?[0-9]){12,18}", "[number]", text)
