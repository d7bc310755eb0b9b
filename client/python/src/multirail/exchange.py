"""One try of a request through httpx, and what came of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Literal

import httpx
import msgspec

from .call import Request

# The most bytes of an error's body. The service's errors have a few hundred.
_LONGEST_ERROR = 65_536
# Failures that come before anything is sent.
_UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)


@dataclass(frozen=True, repr=False)
class Reply:
    """A received answer."""

    status: int
    content: bytes
    request_id: str | None
    retry_after: str | None
    is_replayed: bool

    @property
    def is_success(self) -> bool:
        """Returns whether the call succeeded."""
        return 200 <= self.status < 300

    @property
    def code(self) -> str:
        """Returns the code of an error of the service, or an empty text."""
        code = self.members().get("code")
        return code if isinstance(code, str) and not self.is_success else ""

    def members(self) -> dict[str, Any]:
        """Returns the object in the body, or an empty one."""
        try:
            return msgspec.json.decode(self.content, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            return {}


@dataclass(frozen=True)
class Loss:
    """A try without an answer."""

    lost: Literal["network", "timeout"]
    # The name of httpx's error. Its text is left out, because it can repeat the address.
    reason: str
    # True if nothing was sent.
    is_undone: bool


def exchange(http: httpx.Client, request: Request, timeout: float) -> Reply | Loss:
    """Sends a request once."""
    limit = _Limit(timeout)
    try:
        response = http.send(_sent(http, request, limit), stream=True, follow_redirects=False)
        try:
            body = _Body(response, limit)
            for piece in response.iter_bytes():
                if not body.takes(piece):
                    break
            return body.reply()
        finally:
            response.close()
    except httpx.RequestError as error:
        return _loss(error)


async def exchange_async(http: httpx.AsyncClient, request: Request, timeout: float) -> Reply | Loss:
    """Sends a request once, while other tasks run."""
    limit = _Limit(timeout)
    try:
        response = await http.send(_sent(http, request, limit), stream=True, follow_redirects=False)
        try:
            body = _Body(response, limit)
            async for piece in response.aiter_bytes():
                if not body.takes(piece):
                    break
            return body.reply()
        finally:
            await response.aclose()
    except httpx.RequestError as error:
        return _loss(error)


class _Limit(dict[str, float]):
    """The time limits of one try, as httpx keeps them. Each step of the try is given what is left of the whole limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.end = time.monotonic() + seconds

    def get(self, *_step: object) -> float:
        return max(self.end - time.monotonic(), 0.001)


class _Body:
    """The pieces of an answer."""

    def __init__(self, response: httpx.Response, limit: _Limit) -> None:
        self._response = response
        self._limit = limit
        self._content = bytearray()

    def takes(self, piece: bytes) -> bool:
        """Adds a piece. Returns whether the answer may have further ones."""
        if time.monotonic() > self._limit.end:
            raise httpx.ReadTimeout("the answer comes too slowly")
        self._content += piece
        if self._response.is_success or len(self._content) <= _LONGEST_ERROR:
            return True
        self._content.clear()
        return False

    def reply(self) -> Reply:
        headers = self._response.headers
        return Reply(
            status=self._response.status_code,
            content=bytes(self._content),
            request_id=headers.get("request-id"),
            retry_after=headers.get("retry-after"),
            is_replayed=headers.get("idempotent-replayed") == "true",
        )


class _QuietUrl(httpx.URL):
    """An address whose query, which can hold a client secret, is missing in httpx's log."""

    def __str__(self) -> str:
        return str(httpx.URL(self).copy_with(query=None))


def _sent(http: httpx.Client | httpx.AsyncClient, request: Request, limit: _Limit) -> httpx.Request:
    sent = http.build_request(request.method, request.url, headers=request.headers, content=request.content)
    sent.extensions = {**sent.extensions, "timeout": limit}
    sent.url = _QuietUrl(sent.url)
    return sent


def _loss(error: httpx.RequestError) -> Loss:
    lost: Literal["network", "timeout"] = "timeout" if isinstance(error, httpx.TimeoutException) else "network"
    return Loss(lost, type(error).__name__, isinstance(error, _UNSENT))
