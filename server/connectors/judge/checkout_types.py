"""Prints the requests that Checkout.com's Python client declares, as TypeScript. Its client for Node.js declares none."""

import enum
import importlib
import inspect
import typing
from datetime import date, datetime

from checkout_sdk.json_serializer import JsonSerializer

# The classes of requests, and the modules that have their parts.
REQUESTS = {
    "checkout_sdk.payments.payments": ["PaymentRequest", "CaptureRequest", "RefundRequest", "VoidRequest", "ReversePaymentRequest", "PaymentsQueryFilter", "Product"],
    "checkout_sdk.disputes.disputes": ["DisputeEvidenceRequest"],
}
NAMES = JsonSerializer._KEYS_TRANSFORMATIONS
# The items of lists, which only comments name.
LISTS = {("PaymentRequest", "items"): "Product[]", ("CaptureRequest", "items"): "Product[]", ("RefundRequest", "items"): "Product[]"}
SIMPLE = {str: "string", int: "number", float: "number", bool: "boolean", datetime: "Date", date: "Date", dict: "{ [name: string]: unknown }", list: "unknown[]"}

written = {}


def type_of(hint):
    if hint in SIMPLE:
        return SIMPLE[hint]
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return " | ".join(f'"{word.value}"' for word in hint)
    if isinstance(hint, type) and hint.__module__.startswith("checkout_sdk"):
        # A class that can't be made alone stands for its kinds, whose constructors name their type.
        kinds = [hint] if is_made_alone(hint) else [kind for kind in all_below(hint) if is_made_alone(kind)]
        return " | ".join(interface(kind) for kind in kinds)
    raise TypeError(f"no type for {hint}")


def is_made_alone(kind):
    return not inspect.signature(kind).parameters


def all_below(kind):
    return [found for below in kind.__subclasses__() for found in [below, *all_below(below)]]


def interface(kind):
    if kind.__name__ not in written:
        written[kind.__name__] = None
        members = typing.get_type_hints(kind)
        set_by_kind = vars(kind())
        lines = []
        for name, hint in members.items():
            word = set_by_kind.get(name)
            kinds = f'"{word.value}"' if isinstance(word, enum.Enum) else LISTS.get((kind.__name__, name)) or type_of(hint)
            lines.append(f'  "{NAMES.get(name, name)}"?: {kinds};')
        written[kind.__name__] = "export interface %s {\n%s\n}" % (kind.__name__, "\n".join(lines))
    return kind.__name__


for module, names in REQUESTS.items():
    for name in names:
        interface(getattr(importlib.import_module(module), name))
print("\n".join(written.values()))
