"""A scripted server, a machine whose clock stands still, and the examples of the document."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import yaml

from multirail import AsyncMultirail, Machine, Multirail

KEY = "snd_a_secret_key"
ROOT = Path(__file__).parents[1]
NOW = 1767607872.0  # 2026-01-05T10:11:12Z

Answer = httpx.Response | httpx.RequestError | Callable[[httpx.Request], httpx.Response]


class Server:
    """Answers requests in the order of its script."""

    def __init__(self, *script: Answer) -> None:
        self.script = list(script)
        self.received: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.received.append(request)
        answer = self.script.pop(0)
        if isinstance(answer, httpx.RequestError):
            raise answer
        return answer if isinstance(answer, httpx.Response) else answer(request)

    @property
    def keys(self) -> list[str | None]:
        """Returns the idempotency keys of all requests."""
        return [request.headers.get("idempotency-key") for request in self.received]

    @property
    def queries(self) -> list[str]:
        """Returns the queries of all requests."""
        return [request.url.query.decode() for request in self.received]

    @property
    def bodies(self) -> list[Any]:
        """Returns the bodies of all requests."""
        return [json.loads(request.content) if request.content else None for request in self.received]


class FakeMachine(Machine):
    """A machine whose waits end at once and are recorded. Random waits are the longest, and keys count."""

    def __init__(self) -> None:
        self.time = NOW
        self.waits: list[float] = []
        self.keys = 0
        self.when_waiting: Callable[[], object] = lambda: None

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds
        self.when_waiting()

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)
        await asyncio.sleep(0)

    def share(self) -> float:
        return 1.0

    def key(self) -> str:
        self.keys += 1
        return f"key-{self.keys}"


@dataclass
class Shop:
    """A client, with the server and the machine behind it."""

    server: Server
    machine: FakeMachine
    multirail: Multirail


def shop(*script: Answer, **options: Any) -> Shop:
    """Returns a client of a scripted server."""
    server, machine = Server(*script), FakeMachine()
    http = httpx.Client(transport=httpx.MockTransport(server))
    given = {"base_url": "https://pay.example/", "api_key": KEY, "http_client": http, "machine": machine, **options}
    return Shop(server, machine, Multirail(**given))


def async_shop(*script: Answer) -> tuple[AsyncMultirail, Server, FakeMachine]:
    """Returns a client for asyncio, and the server and machine behind it."""
    server, machine = Server(*script), FakeMachine()
    http = httpx.AsyncClient(transport=httpx.MockTransport(server))
    multirail = AsyncMultirail("https://pay.example", api_key=KEY, http_client=http, machine=machine)
    return multirail, server, machine


def ok(body: object, **headers: str) -> httpx.Response:
    """Returns a successful answer."""
    sent = {"request-id": "req_1", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return httpx.Response(200, json=body, headers=sent)


def refusal(status: int, code: str, message: str = "No.", **headers: str) -> httpx.Response:
    """Returns an error of the service."""
    body = {"error_type": "invalid_request", "message": message, "code": code}
    sent = {"request-id": "req_2", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return httpx.Response(status, json=body, headers=sent)


@cache
def document() -> dict[str, Any]:
    """Returns the published document."""
    text = (ROOT.parents[1] / "openapi/openapi.yaml").read_text()
    # Times stay texts, as they are in JSON.
    loader = type("Loader", (yaml.CSafeLoader,), {"yaml_implicit_resolvers": _resolvers()})
    read: dict[str, Any] = yaml.load(text, Loader=loader)
    return read


def _resolvers() -> dict[str, list[tuple[str, object]]]:
    return {
        letter: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
        for letter, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }


def found(part: dict[str, Any]) -> dict[str, Any]:
    """Returns what a reference of the document refers to."""
    while "$ref" in part:
        target: Any = document()
        for name in part["$ref"].split("/")[1:]:
            target = target[name]
        part = target
    return part


@dataclass
class Documented:
    """An operation as the document has it."""

    id: str
    method: str
    path: str
    given: dict[str, Any]
    parameters: list[dict[str, Any]]

    @property
    def takes_key(self) -> bool:
        return any(one["name"].lower() == "idempotency-key" for one in self.parameters)

    def requests(self) -> list[Any]:
        """Returns the examples of the body."""
        return _examples(found(self.given.get("requestBody", {})))

    def answers(self) -> list[Any]:
        """Returns the examples of the answer."""
        return _examples(found(self.given["responses"]["200"]))


@cache
def operations() -> dict[str, Documented]:
    """Returns all operations of the document but those with a stream for an answer, for which there is no method."""
    return {
        given["operationId"]: Documented(
            given["operationId"],
            method.upper(),
            path,
            given,
            [found(one) for one in [*methods.get("parameters", []), *given.get("parameters", [])]],
        )
        for path, methods in document()["paths"].items()
        for method, given in methods.items()
        if method in ("get", "post", "put", "patch", "delete")
        if "text/event-stream" not in given["responses"]["200"].get("content", {})
    }


def _examples(body: dict[str, Any]) -> list[Any]:
    return [found(one)["value"] for content in body.get("content", {}).values() for one in content["examples"].values()]


def payment(**members: object) -> dict[str, Any]:
    """Returns a payment as a server answers it."""
    return {**operations()["payments_retrieve"].answers()[0], **members}
