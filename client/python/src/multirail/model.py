"""The parent of all types of requests and answers, which shows no secrets."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, TypeAlias

import msgspec

# A key, a card number or another text that a model's `repr` leaves out.
Secret: TypeAlias = str
# A secret of several forms.
SecretJson: TypeAlias = Any

_SECRET = re.compile(r"\bSecret(Json)?\b")


class _Hidden:
    """The place of a secret in a text."""

    def __repr__(self) -> str:
        return "***"


class Model(msgspec.Struct, kw_only=True, omit_defaults=True, dict=True):
    """An object of a request or an answer. Members that are None and not required are not sent."""

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        hidden = _secrets(type(self))
        members = [(name, getattr(self, name)) for name in self.__struct_fields__]
        return [(name, _Hidden() if name in hidden else value) for name, value in members if value is not None]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__rich_repr__())})"


@cache
def _secrets(kind: type[Model]) -> frozenset[str]:
    """Returns the members that are secret. Their types have a name for it, and annotations are texts in the generated files."""
    return frozenset(name for name, annotation in kind.__annotations__.items() if _SECRET.search(str(annotation)))
