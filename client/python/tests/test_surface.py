"""The operations of the document, and those of the client."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import msgspec
import pytest
from support import Server, operations

from multirail import AsyncMultirail, AsyncPaged, Call, Multirail, Operation, Paged
from multirail.generated import operations as table

OPTIONS = {"timeout", "max_retries", "idempotency_key", "client_source", "client_version"}


def _methods(client: object) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yields the methods of all resources."""
    kind = type(client)
    for name in vars(kind):
        if not name.startswith("_"):
            resource = getattr(client, name)
            for verb in vars(type(resource)):
                if not verb.startswith("_"):
                    yield f"{name}_{verb}".rstrip("_"), getattr(resource, verb)


def _arguments(name: str, method: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
    """Returns arguments for a method: ids that show their name, the body of an example, and each parameter of the query."""
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for parameter in inspect.signature(method).parameters.values():
        if parameter.name == "body":
            example = operations()[name].requests()[0]
            is_bytes = "bytes" in str(parameter.annotation)
            positional.append(b"\x01\x02" if is_bytes else example)
        elif parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
            positional.append(f"{{{parameter.name}}}")
        elif parameter.name not in OPTIONS:
            named[parameter.name] = f"a {parameter.name}"
    return positional, named


def _sent(server: Server) -> tuple[str, str, bool, set[str]]:
    request = server.received[-1]
    names = set(request.url.params.keys())
    return request.method, unquote(request.url.raw_path.decode().split("?")[0]), "idempotency-key" in request.headers, names


def _answer(name: str) -> httpx.Response:
    one = operations()[name]
    answer = one.answers()[0]
    return httpx.Response(200, text=answer) if "text/plain" in one.given["responses"]["200"]["content"] else _json(answer)


def _json(answer: object) -> httpx.Response:
    return httpx.Response(200, json=answer)


def _documented() -> dict[str, tuple[str, str, bool, set[str]]]:
    return {
        one.id: (one.method, one.path, one.takes_key, {each["name"] for each in one.parameters if each["in"] == "query"})
        for one in operations().values()
    }


def test_each_operation_has_a_method_that_sends_it() -> None:
    server = Server()
    multirail = Multirail("https://pay.example", http_client=httpx.Client(transport=httpx.MockTransport(server)))
    sent = {}
    for name, method in _methods(multirail):
        server.script.append(_answer(name))
        positional, named = _arguments(name, method)
        made = method(*positional, **named)
        if isinstance(made, Paged):
            made.page()
        sent[name] = _sent(server)
        if operations()[name].requests() and server.received[-1].headers["content-type"] == "application/json":
            assert json.loads(server.received[-1].content) == operations()[name].requests()[0]
    assert len(sent) > 150
    assert sent == _documented()


def test_each_operation_has_a_method_for_asyncio() -> None:
    server = Server()

    async def call_all() -> dict[str, tuple[str, str, bool, set[str]]]:
        http = httpx.AsyncClient(transport=httpx.MockTransport(server))
        sent = {}
        for name, method in _methods(AsyncMultirail("https://pay.example", http_client=http)):
            server.script.append(_answer(name))
            positional, named = _arguments(name, method)
            made = method(*positional, **named)
            await (made.page() if isinstance(made, AsyncPaged) else made)
            sent[name] = _sent(server)
        return sent

    assert asyncio.run(call_all()) == _documented()


def test_both_clients_have_the_same_arguments() -> None:
    sync = {name: inspect.signature(method).parameters for name, method in _methods(Multirail("https://pay.example"))}
    both = {name: inspect.signature(method).parameters for name, method in _methods(AsyncMultirail("https://pay.example"))}
    assert sync == both


@pytest.mark.parametrize("name", operations())
def test_examples_of_answers_can_be_read(name: str) -> None:
    operation: Operation[Any] = getattr(table, name.upper())
    for example in operations()[name].answers():
        read = msgspec.convert(example, operation.answer)
        assert repr(read)
        # What was read is complete, apart from members that were null or that vary with the variant.
        assert msgspec.convert(msgspec.to_builtins(read), operation.answer) == read


def test_no_generated_name_has_a_number() -> None:
    text = "\n".join(path.read_text() for path in Path(table.__file__).parent.glob("*.py"))
    names = re.findall(r"^ *(?:class|def|async def|if TYPE_CHECKING:\n) *(\w+)", text, re.MULTILINE)
    # Unions and operations are constants.
    names += re.findall(r"^(\w+)(?:: [^=\n]+)? = ", text, re.MULTILINE)
    assert len(names) > 1000
    # A payment method of this name.
    numbered = [name for name in names if re.search(r"\d", name)]
    assert sorted(numbered) == ["Przelewy24Request"]


def test_operations_that_this_version_does_not_know_can_be_called() -> None:
    server = Server(_json({"answer": 42}))
    multirail = Multirail("https://pay.example", http_client=httpx.Client(transport=httpx.MockTransport(server)))
    operation = Operation("answers_retrieve", "GET", "/answers/{}", dict[str, int], reads=True)
    assert multirail.request(Call(operation, ids=("a/b",))) == {"answer": 42}
    assert server.received[0].url.raw_path == b"/answers/a%2Fb"
