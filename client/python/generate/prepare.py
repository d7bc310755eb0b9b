"""Rewrites the schemas of the document, so that datamodel-code-generator writes short types with good names."""

from __future__ import annotations

from typing import Any

from names import SECRETS

Schema = dict[str, Any]

# A newer server may have other bounds, and the server judges requests.
_DROPPED = {"minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems", "maxProperties", "example"}
_NO_VALUE = {"$ref": "#/components/schemas/NoValue"}
_FREE = {"type": "object", "additionalProperties": True}


def prepare(document: Schema) -> Schema:
    """Returns a document that has only the prepared schemas."""
    schemas = {name: _schema(schema) for name, schema in document["components"]["schemas"].items() if name != "NoValue"}
    used: set[str] = set()
    for name, schema in schemas.items():
        for member, value in schema.get("properties", {}).items():
            names = SECRETS & {member, f"{name}.{member}"}
            used |= names
            if names:
                schema["properties"][member] = {**_secret(value), "description": value["description"]}
    if used != SECRETS:
        raise ValueError(f"the document has no members {sorted(SECRETS - used)}")
    # The generator is told to take these two from the module `model`.
    schemas.update(Secret={"type": "string"}, SecretJson={"type": "string"})
    return {"openapi": document["openapi"], "info": document["info"], "paths": {}, "components": {"schemas": schemas}}


def _schema(given: Schema) -> Schema:
    schema = {name: value for name, value in given.items() if name not in _DROPPED and not name.startswith("x-")}
    if "oneOf" in schema:
        schema = _merged(schema)
    if "allOf" in schema:
        [reference] = schema.pop("allOf")
        schema.update(reference)
    if "anyOf" in schema:
        [reference] = [one for one in schema.pop("anyOf") if one != _NO_VALUE]
        schema.update(reference, nullable=True)
    if schema.get("format") == "secret":
        schema.pop("format")
        schema = _secret(schema)
    if "items" in schema:
        schema["items"] = _schema(schema["items"])
    if isinstance(schema.get("additionalProperties"), dict):
        schema["additionalProperties"] = _schema(schema["additionalProperties"])
    if "properties" in schema:
        # Unknown members are skipped, and the generator would give some of these objects a second type.
        schema.pop("additionalProperties", None)
        members = {name: _schema(value) for name, value in schema["properties"].items()}
        for name in members.keys() - set(schema.get("required", ())):
            members[name]["nullable"] = True
        schema["properties"] = members
    return schema


def _merged(schema: Schema) -> Schema:
    """Returns one object for all variants. So a variant that only a newer server has can be read, too."""
    members: Schema = {}
    for variant in schema["oneOf"]:
        for name, value in variant["properties"].items():
            members.setdefault(name, []).append(value)
    required = set.intersection(*(set(variant["required"]) for variant in schema["oneOf"]))
    properties = {name: _one_of(values) for name, values in members.items()}
    return {"description": schema["description"], "type": "object", "required": sorted(required), "properties": properties}


def _one_of(values: list[Schema]) -> Schema:
    """Returns a member for the same member of several variants."""
    words = dict.fromkeys(word for value in values for word in value.get("enum", ()))
    if words:
        return {"description": f"Kind of the object: {', '.join(f'`{word}`' for word in words)}.", "type": "string"}
    first, *others = ({**value, "description": ""} for value in values)
    description = values[0]["description"]
    return {**(first if all(one == first for one in others) else _FREE), "description": description}


def _secret(value: Schema) -> Schema:
    """Returns the schema of a member that no `repr` shows."""
    rest = {name: content for name, content in value.items() if name in ("description", "nullable")}
    kind = value.get("type")
    if kind == "array":
        return {**rest, "type": kind, "items": _secret(value["items"])}
    if kind == "object":
        return {**rest, "type": kind, "additionalProperties": _secret({})}
    return {**rest, "$ref": f"#/components/schemas/{'Secret' if kind == 'string' else 'SecretJson'}"}
