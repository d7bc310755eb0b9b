"""The parts of a response beside its body."""

from __future__ import annotations

from dataclasses import dataclass

from .model import Model


@dataclass(frozen=True)
class ResponseInfo:
    """The parts of a response beside its body."""

    # The HTTP status.
    status: int
    # The id of the request in the server's log.
    request_id: str | None
    # True if this is the stored answer of an earlier request with the same idempotency key.
    is_replayed: bool


def keep_response(answer: object, info: ResponseInfo) -> None:
    """Stores the parts of a response beside its body."""
    if isinstance(answer, Model):
        vars(answer)["response"] = info


def response_of(answer: Model) -> ResponseInfo | None:
    """Returns the response from which an object or a page was read. Objects that a program made have none."""
    info = vars(answer).get("response")
    return info if isinstance(info, ResponseInfo) else None
