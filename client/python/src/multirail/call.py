"""One call of an operation, and the request that it becomes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from .errors import NotSentError

T = TypeVar("T")

# The content of a file.
_BYTES = (bytes, bytearray, memoryview)


@dataclass(frozen=True)
class Operation(Generic[T]):
    """An operation of the document."""

    # The operation's id in the document, which errors repeat.
    id: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    # The path, with `{}` in the place of each id.
    path: str
    # The type of the answer. An answer that is `str` is plain text, and every other one is JSON.
    answer: type[T]
    # True if the operation takes an idempotency key.
    takes_key: bool = False
    # True if the operation changes nothing, so that a repetition is harmless.
    reads: bool = False


@dataclass(frozen=True, repr=False)
class Call(Generic[T]):
    """One call of an operation. Its body and query are not shown, because they can hold secrets."""

    operation: Operation[T]
    ids: tuple[str, ...] = ()
    query: Mapping[str, object] | None = None
    body: object = None
    headers: Mapping[str, str | None] | None = None
    # The time limit of each try in seconds; the client's when None.
    timeout: float | None = None
    # The most retries after the first try; the client's when None.
    max_retries: int | None = None

    def __repr__(self) -> str:
        return f"Call({self.operation.id})"


@dataclass(frozen=True, repr=False)
class Request:
    """A request as it is sent, the same in every try."""

    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None


def request_of(call: Call[Any], base_url: str, headers: Mapping[str, str | None]) -> Request:
    """Returns the request of a call. The given headers are the client's, and the call's replace them."""
    operation = call.operation.id
    accepted = "text/plain" if call.operation.answer is str else "application/json"
    given: dict[str, str | None] = {"accept": accepted, **headers}
    content = _content(call)
    if content is not None:
        given["content-type"] = "application/octet-stream" if isinstance(call.body, _BYTES) else "application/json"
    given.update({name: value for name, value in (call.headers or {}).items() if value is not None})
    sent = {name: value for name, value in given.items() if value is not None}
    for name, value in sent.items():
        if not is_header(value):
            raise NotSentError(operation, f"{name} is empty or holds characters that a header has no room for")
    return Request(call.operation.method, base_url + _target(call), sent, content)


def is_header(text: object) -> bool:
    """Returns whether a header can carry a text."""
    return isinstance(text, str) and re.fullmatch(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?", text) is not None


def _target(call: Call[Any]) -> str:
    for one in call.ids:
        # An empty id, or one of dots, would lead to another operation.
        if not isinstance(one, str) or one in ("", ".", ".."):
            raise NotSentError(call.operation.id, "an id of the path is missing")
    path = call.operation.path.format(*(quote(one, safe="") for one in call.ids))
    query = {name: _word(value) for name, value in (call.query or {}).items() if value is not None}
    return f"{path}?{urlencode(query)}" if query else path


def _word(value: object) -> str:
    plain = msgspec.to_builtins(value)
    return json.dumps(plain) if isinstance(plain, bool) else str(plain)


def _content(call: Call[Any]) -> bytes | None:
    if call.body is None:
        return None
    if isinstance(call.body, _BYTES):
        return bytes(call.body)
    try:
        # msgspec would write NaN as null, and a capture without an amount captures everything.
        text = json.dumps(msgspec.to_builtins(call.body), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode()
    except (TypeError, ValueError, RecursionError):
        # The reason is left out, because it can repeat a value.
        pass
    raise NotSentError(call.operation.id, "its body holds a value that JSON has no form for")
