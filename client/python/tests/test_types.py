"""The types of the clients in all three languages, and those of the document."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

CLIENT = Path(__file__).parents[2]
TABLE = CLIENT / "types.tsv"
HEADING = """\
# Types of the clients in Rust, TypeScript and Python: all have these names, with the document's members or words.
# type\tmembers or words
"""
OPEN_ENUM = re.compile(r"open_enum! \{\n(?: *(?:///|#)[^\n]*\n)* {4}(\w+) \{(.*?)\n {4}\}", re.DOTALL)
RUST_TYPE = re.compile(r"((?:^#\[[^\n]*\n)*)^pub (struct|enum) (\w+) \{\n(.*?)^\}", re.DOTALL | re.MULTILINE)

# Members or words of each type, in order of their names.
Types = dict[str, list[str]]


@cache
def documented() -> Types:
    document = yaml.load((CLIENT.parent / "openapi" / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)
    types = {}
    for name, schema in document["components"]["schemas"].items():
        words = [word for word in schema.get("enum", []) if word is not None]
        variants = schema.get("oneOf", [schema])
        found = words or [member for variant in variants for member in variant.get("properties", {})]
        if found and name != "NoValue":
            types[name] = sorted(set(found))
    return types


def rust() -> Types:
    folder = CLIENT / "rust" / "types" / "src" / "generated"
    enums = OPEN_ENUM.findall((folder / "enums.rs").read_text())
    types = {name: sorted(set(re.findall(r'\w+ = "((?:[^"\\]|\\.)*)"', body))) for name, body in enums}
    text = (folder / "types.rs").read_text()
    for attributes, kind, name, body in RUST_TYPE.findall(text):
        types[name] = sorted(set(_rust_members(attributes, kind, body)))
    return types


def _rust_members(attributes: str, kind: str, body: str) -> Iterator[str]:
    """Yields the names of members as they are sent. An enumeration has one more, which tells its variants apart."""
    yield from re.findall(r'(?:tag|content) = "(\w+)"', attributes)
    depth = 4 if kind == "struct" else 8
    renamed = ""
    for line in body.splitlines():
        if found := re.match(rf" {{{depth}}}#\[serde\(.*\brename = \"([^\"]+)\"", line):
            renamed = found[1]
        elif found := re.match(rf" {{{depth}}}(?:pub )?(?:r#)?(\w+): ", line):
            yield renamed or found[1]
            renamed = ""


def typescript() -> Types:
    text = (CLIENT / "typescript" / "src" / "generated" / "types.gen.ts").read_text()
    types = {}
    for name, body in re.findall(r"^export type (\w+) = (.*?);$(?=\n\n|\n?\Z)", text, re.DOTALL | re.MULTILINE):
        code = re.sub(r"/\*\*.*?\*/", "", body, flags=re.DOTALL)
        members = re.findall(r"^ {4}'?([\w-]+)'?\??: ", code, re.MULTILINE)
        words = [] if "{\n" in code else re.findall(r"'((?:[^'\\]|\\.)*)'", code)
        types[name] = sorted(set(members or words))
    return types


def python() -> Types:
    text = (CLIENT / "python" / "src" / "multirail" / "generated" / "models.py").read_text()
    types = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            types[node.name] = sorted(_sent_name(one) for one in node.body if isinstance(one, ast.AnnAssign))
    for name, body in re.findall(r"^ {4}(\w+) = Literal\[(.*?)\]", text, re.DOTALL | re.MULTILINE):
        types[name] = sorted(set(re.findall(r'"([^"]+)"', body)))
    return types


def _sent_name(member: ast.AnnAssign) -> str:
    """Returns the member's name in the document, which a field gives if Python can't have it."""
    settings = member.value.keywords if isinstance(member.value, ast.Call) else []
    names = [one.value.value for one in settings if one.arg == "name" and isinstance(one.value, ast.Constant)]
    return str([*names, ast.unparse(member.target)][0])


def _table(types: Types) -> str:
    return HEADING + "".join(f"{name}\t{' '.join(members)}\n" for name, members in sorted(types.items()))


def test_the_table_has_the_types_of_the_document() -> None:
    expected = _table(documented())
    if os.environ.get("MULTIRAIL_WRITE_TABLE"):
        TABLE.write_text(expected)
    assert TABLE.read_text() == expected, "write it anew: MULTIRAIL_WRITE_TABLE=1"
    assert len(documented()) > 400


@pytest.mark.parametrize("read", [rust, typescript, python])
def test_each_client_has_the_types_of_the_table(read: Any) -> None:
    found: Types = read()
    rows = [row.split("\t") for row in TABLE.read_text().splitlines() if not row.startswith("#")]
    listed = {name: members.split(" ") for name, members in rows}
    assert {name: (members, found.get(name)) for name, members in listed.items() if members != found.get(name)} == {}
