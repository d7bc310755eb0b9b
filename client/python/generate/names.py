"""The words that the document doesn't spell out."""

from __future__ import annotations

import json
from pathlib import Path

_SHARED = json.loads((Path(__file__).parents[2] / "names.json").read_text())

# The beginnings of operation ids. The longest that fits is the resource; the rest of the id is the method.
RESOURCES: list[str] = _SHARED["resources"]
# Lists by cursor: the parameter for the next page, for the page before it, and the member of an item that it takes.
CURSORS: dict[str, dict[str, str]] = _SHARED["cursors"]
# Operations with a limit whose answer is one page: the saved methods of one customer, and portions of the audit log.
UNPAGED: list[str] = _SHARED["unpaged"]

# Members that no `repr` shows, beside those that the document calls secret. A name without an object is meant everywhere.
SECRETS: frozenset[str] = frozenset(_SHARED["secrets"])
