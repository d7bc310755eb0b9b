"""Reads the operations: their names, arguments, headers, answers and lists.

A part that the client can't express fails the generation, so that a new kind of operation is noticed.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, field
from typing import Any

from names import CURSORS, RESOURCES, UNPAGED

Json = dict[str, Any]

_METHODS = ("get", "post", "put", "patch", "delete")
# The headers that a call has an argument for. The others are settings of a client.
_ARGUMENTS = {"idempotency-key": "idempotency_key", "x-client-source": "client_source", "x-client-version": "client_version"}
_SETTINGS = ("x-profile-id", "x-connected-merchant-id")
_ITEMS_OF_PAGES = ("data", "events", "records")
_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def _is_streamed(given: Json) -> bool:
    """Returns whether the answer is a stream. A call reads the whole answer, so there is no method for it."""
    return "text/event-stream" in given["responses"]["200"].get("content", {})


@dataclass
class Parameter:
    """A parameter of the query."""

    name: str
    argument: str
    type: str
    is_required: bool


@dataclass
class Operation:
    """An operation, in the words of Python."""

    id: str
    resource: str
    verb: str
    method: str
    path: str
    ids: list[str]
    doc: str
    reads: bool
    headers: dict[str, str]
    body: str | None
    is_body_required: bool
    query: list[Parameter]
    answer: str
    paging: dict[str, str] | None = None
    item: str = ""

    @property
    def constant(self) -> str:
        """Returns the name of the operation in the generated table."""
        return self.id.upper()


@dataclass
class Reader:
    """Reads the operations of one document."""

    document: Json
    operations: list[Operation] = field(default_factory=list)

    def read(self) -> list[Operation]:
        """Returns all operations, in the order of the document."""
        for path, methods in self.document["paths"].items():
            for method in _METHODS:
                if method in methods and not _is_streamed(methods[method]):
                    self.operations.append(self._operation(path, method, methods[method], methods.get("parameters", [])))
        unused = set(RESOURCES) - {one.resource for one in self.operations}
        if unused:
            raise ValueError(f"no operation belongs to {sorted(unused)}")
        return self.operations

    def _operation(self, path: str, method: str, given: Json, shared: list[Json]) -> Operation:
        name = given["operationId"]
        fits = [one for one in RESOURCES if name.startswith(f"{one}_")]
        if not fits:
            raise ValueError(f"{name} belongs to no resource of names.json")
        resource = max(fits, key=len)
        parameters = [self._found(one) for one in [*shared, *given.get("parameters", [])]]
        headers = [one["name"].lower() for one in parameters if one["in"] == "header"]
        unknown = set(headers) - _ARGUMENTS.keys() - set(_SETTINGS)
        reads = not given["x-multirail-mutates"]
        if unknown or (method == "get" and not reads):
            raise ValueError(f"{name}: headers {sorted(unknown)}, or a GET that changes something")
        content = self._content(given.get("requestBody", {}))
        answer = self._content(given["responses"]["200"])
        one = Operation(
            id=name,
            resource=resource,
            verb=_identifier(name[len(resource) + 1 :]),
            method=method.upper(),
            path=re.sub(r"\{\w+\}", "{}", path),
            ids=re.findall(r"\{(\w+)\}", path),
            doc=_doc(given),
            reads=reads,
            headers={header: argument for header, argument in _ARGUMENTS.items() if header in headers},
            body=self._type(content) if content else None,
            is_body_required=self._found(given.get("requestBody", {})).get("required", False),
            query=[self._parameter(one) for one in parameters if one["in"] == "query"],
            answer=self._type(answer or {}),
        )
        self._page(one, content or {}, answer or {})
        return one

    def _parameter(self, given: Json) -> Parameter:
        name = given["name"]
        return Parameter(name, _identifier(name), self._type(given["schema"]), given.get("required", False))

    def _content(self, given: Json) -> Json | None:
        """Returns the schema of a body."""
        content = self._found(given).get("content")
        if not content:
            return None
        [(media, body)] = content.items()
        if media not in ("application/json", "application/octet-stream", "text/plain"):
            raise ValueError(f"a body of the type {media}")
        schema: Json = body["schema"]
        return schema

    def _type(self, schema: Json) -> str:
        """Returns the type of a parameter, a body or an answer."""
        if "$ref" in schema:
            return f"models.{schema['$ref'].rsplit('/', 1)[1]}"
        if schema.get("format") == "binary":
            return "bytes"
        if schema.get("format") == "date-time":
            return "datetime"
        if schema.get("type") == "array":
            # A class with a method `list` has no other `list`.
            return f"builtins.list[{self._type(schema['items'])}]"
        if "allOf" in schema:
            return self._type(schema["allOf"][0])
        return _TYPES[schema["type"]]

    def _page(self, one: Operation, body: Json, answer: Json) -> None:
        """Finds the way from one page of a list to the next."""
        in_query = [parameter.name for parameter in one.query]
        in_body = list(self._found(body).get("properties", {}))
        if one.id in UNPAGED or "limit" not in in_query + in_body:
            return
        place, members = ("query", in_query) if "limit" in in_query else ("body", in_body)
        offset = next((member for member in members if member in ("offset", "skip")), None)
        rule = {"offset": offset} if offset else CURSORS[one.id]
        if not one.reads or {rule.get("after"), rule.get("before")} - {None, *members}:
            raise ValueError(f"{one.id}: a list that changes something, or a cursor that is no parameter")
        page = self._found(answer)
        one.paging = {"place": place, **rule}
        if page.get("type") != "array":
            properties = page["properties"]
            one.paging["items"] = next(name for name in _ITEMS_OF_PAGES if name in properties)
            page = properties[one.paging["items"]]
        one.item = self._type(page["items"])

    def _found(self, given: Json) -> Json:
        """Returns what a reference refers to."""
        while "$ref" in given:
            found = self.document
            for part in given["$ref"].split("/")[1:]:
                found = found[part]
            given = found
        return given


def _identifier(name: str) -> str:
    text = name.replace(".", "_")
    return f"{text}_" if keyword.iskeyword(text) else text


def _doc(given: Json) -> str:
    deprecated = "\n\nDeprecated." if given.get("deprecated") else ""
    return f"{given['summary']}.\n\n{given['description'].strip()}{deprecated}"
