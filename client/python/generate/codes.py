"""Prints the codes of errors that the document names."""

from __future__ import annotations

import re
from collections.abc import Iterator


def codes(document: object) -> str:
    """Returns the file of all codes."""
    found = {code for text in _descriptions(document) for code in re.findall(r"`([A-Z]{2}_\d\d)`", text)}
    if len(found) < 30:
        raise ValueError(f"the descriptions name only {len(found)} codes")
    words = "".join(f'    "{code}",\n' for code in sorted(found))
    return f"""from __future__ import annotations

from typing import Literal, TypeAlias

# The code of an error that the document names.
KnownErrorCode: TypeAlias = Literal[
{words}]
"""


def _descriptions(part: object) -> Iterator[str]:
    """Yields all texts of descriptions in a part of the document."""
    if isinstance(part, list):
        for one in part:
            yield from _descriptions(one)
    if isinstance(part, dict):
        for name, value in part.items():
            if name == "description" and isinstance(value, str):
                yield value
            else:
                yield from _descriptions(value)
