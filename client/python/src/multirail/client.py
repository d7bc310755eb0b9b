"""The address of a server, a key and a connection pool."""

from __future__ import annotations

from dataclasses import replace
from types import TracebackType
from typing import Any, Generic, TypeVar

import httpx

from .call import Call
from .exchange import exchange, exchange_async
from .machine import Machine
from .retries import tries
from .settings import Settings

T = TypeVar("T")
Http = TypeVar("Http", httpx.Client, httpx.AsyncClient)
Self = TypeVar("Self", bound="Connection[Any]")


class Connection(Generic[Http]):
    """The settings and the connection pool of a client.

    base_url: The address of the server, such as `https://payments.example.com`. It may contain a path.
    api_key: A secret, publishable, ephemeral or admin key.
    sdk_authorization: The `sdk_authorization` of one payment, in place of a key.
    user_token: The token of a user who has signed in, in place of a key.
    profile_id: The business profile to which all calls are limited.
    connected_merchant_id: The connected merchant account for which a platform's key makes all calls.
    timeout: The time limit of each try in seconds, including the answer.
    max_retries: The most retries of a call. Calls that got lost or were postponed are repeated if that is harmless: for
        reads, and for operations that take an idempotency key. All tries carry the same key.
    claim_patience: The seconds for which a call is repeated, beyond `max_retries`, while its first try is still being
        worked on.
    http_client: An httpx client with settings of your own, such as a proxy. Close it yourself.
    machine: The clock and the randomness of waits and keys.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        sdk_authorization: str | None = None,
        user_token: str | None = None,
        profile_id: str | None = None,
        connected_merchant_id: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        claim_patience: float = 60.0,
        http_client: Http | None = None,
        machine: Machine | None = None,
    ) -> None:
        self._settings = Settings(
            base_url=base_url,
            api_key=api_key,
            sdk_authorization=sdk_authorization,
            user_token=user_token,
            profile_id=profile_id,
            connected_merchant_id=connected_merchant_id,
            timeout=timeout,
            max_retries=max_retries,
            claim_patience=claim_patience,
            machine=machine or Machine(),
        )
        self._owns_http = http_client is None
        self._http: Http = self._open() if http_client is None else http_client

    @property
    def base_url(self) -> str:
        """The address of the server."""
        return self._settings.base_url

    def with_options(
        self: Self,
        *,
        profile_id: str | None = None,
        connected_merchant_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Self:
        """Returns a client with other settings. It shares the connection pool, and closing it closes nothing."""
        given: dict[str, Any] = {
            "profile_id": profile_id,
            "connected_merchant_id": connected_merchant_id,
            "timeout": timeout,
            "max_retries": max_retries,
        }
        other = object.__new__(type(self))
        other._settings = replace(self._settings, **{name: value for name, value in given.items() if value is not None})
        other._http = self._http
        other._owns_http = False
        return other

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"

    def _open(self) -> Http:
        raise NotImplementedError


class Client(Connection[httpx.Client]):
    """A client whose calls wait for their answer. Threads may share it."""

    def request(self, call: Call[T]) -> T:
        """Makes a call. The methods of resources use it, and so can calls that this version doesn't know."""
        steps = tries(call, self._settings)
        step = next(steps)
        while True:
            if step.pause:
                self._settings.machine.sleep(step.pause)
            outcome = exchange(self._http, step.request, step.timeout)
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                answer: T = end.value
                return answer

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._http.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _open(self) -> httpx.Client:
        return httpx.Client()


class AsyncClient(Connection[httpx.AsyncClient]):
    """A client for asyncio. A cancelled call ends at once, and may still take effect."""

    async def request(self, call: Call[T]) -> T:
        """Makes a call. The methods of resources use it, and so can calls that this version doesn't know."""
        steps = tries(call, self._settings)
        step = next(steps)
        while True:
            if step.pause:
                await self._settings.machine.sleep_async(step.pause)
            outcome = await exchange_async(self._http, step.request, step.timeout)
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                answer: T = end.value
                return answer

    async def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _open(self) -> httpx.AsyncClient:
        return httpx.AsyncClient()
