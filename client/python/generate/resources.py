"""Prints the table of operations, and the resources as classes with a method for each operation."""

from __future__ import annotations

from names import RESOURCES
from operations import Operation


def table(operations: list[Operation]) -> str:
    """Returns the file of all operations and of the ways through lists."""
    return f"""from __future__ import annotations

from ..call import Operation
from ..pages import Paging
from . import models

{"".join(_row(one) for one in operations)}"""


def _row(one: Operation) -> str:
    answer = one.answer.replace("builtins.", "")
    flags = f"{', takes_key=True' if 'idempotency-key' in one.headers else ''}{', reads=True' if one.reads else ''}"
    row = f'{one.constant} = Operation("{one.id}", "{one.method}", "{one.path}", {answer}{flags})\n'
    if one.paging:
        members = ", ".join(f'{name}="{value}"' for name, value in one.paging.items())
        row += f"{one.constant}_PAGING = Paging({members})\n"
    return row


def resources(operations: list[Operation], is_async: bool) -> str:
    """Returns the file of all resources and of the client that has them."""
    prefix = "Async" if is_async else ""
    classes = [_resource(name, [one for one in operations if one.resource == name], prefix) for name in RESOURCES]
    members = "\n".join(
        f'''    @cached_property
    def {name}(self) -> {_class(name, prefix)}:
        """The operations of `{name}`."""
        return {_class(name, prefix)}(self)
'''
        for name in RESOURCES
    )
    return f'''from __future__ import annotations

import builtins
from datetime import datetime
from functools import cached_property

from ..call import Call
from ..client import {prefix}Client
from ..pages import {prefix}Paged
from . import models
from . import operations as all_operations

{"".join(classes)}
class {prefix}Multirail({prefix}Client):
    """A client with a member for each resource: `{"await " if is_async else ""}multirail.payments.create(...)`."""

{members}'''


def _class(name: str, prefix: str) -> str:
    return f"{prefix}{''.join(part.capitalize() for part in name.split('_'))}Resource"


def _resource(name: str, operations: list[Operation], prefix: str) -> str:
    return f'''
class {_class(name, prefix)}:
    """The operations of `{name}`."""

    def __init__(self, client: {prefix}Client) -> None:
        self._client = client
{"".join(_method(one, prefix) for one in operations)}
'''


def _method(one: Operation, prefix: str) -> str:
    is_async = bool(prefix) and one.paging is None
    answer = f"{prefix}Paged[{one.answer}, {one.item}]" if one.paging else one.answer
    made = (
        f"{prefix}Paged(self._client, call, all_operations.{one.constant}_PAGING)"
        if one.paging
        else f"{'await ' if is_async else ''}self._client.request(call)"
    )
    return f"""
    {"async " if is_async else ""}def {one.verb}({", ".join(["self", *_parameters(one)])}) -> {answer}:
{_docstring(one.doc)}
        call = Call({", ".join(_arguments(one))})
        return {made}
"""


def _parameters(one: Operation) -> list[str]:
    required = [parameter for parameter in one.query if parameter.is_required]
    optional = [parameter for parameter in one.query if not parameter.is_required]
    parameters = [f"{name}: str" for name in one.ids]
    if one.body:
        parameters.append(f"body: {one.body}" if one.is_body_required else f"body: {one.body} | None = None")
    parameters.append("*")
    parameters += [f"{parameter.argument}: {parameter.type}" for parameter in required]
    parameters += [f"{parameter.argument}: {parameter.type} | None = None" for parameter in optional]
    parameters += [f"{argument}: str | None = None" for argument in one.headers.values()]
    return [*parameters, "timeout: float | None = None", "max_retries: int | None = None"]


def _arguments(one: Operation) -> list[str]:
    arguments = [f"all_operations.{one.constant}"]
    if one.ids:
        arguments.append(f"ids=({', '.join(one.ids)},)")
    if one.query:
        members = ", ".join(f'"{parameter.name}": {parameter.argument}' for parameter in one.query)
        arguments.append(f"query={{{members}}}")
    if one.body:
        arguments.append("body=body")
    if one.headers:
        members = ", ".join(f'"{header}": {argument}' for header, argument in one.headers.items())
        arguments.append(f"headers={{{members}}}")
    return [*arguments, "timeout=timeout", "max_retries=max_retries"]


def _docstring(text: str) -> str:
    if '"""' in text or text.endswith('"'):
        raise ValueError(f"a description that no docstring can hold: {text}")
    first, *others = text.splitlines()
    quotes = 'r"""' if "\\" in text else '"""'
    lines = [f"        {quotes}{first}", *(f"        {line}".rstrip() for line in others)]
    return "\n".join(lines) + ('"""' if not others else '\n        """')
