"""Has made-up requests be about something that there is, every other time; and leaves out by name what the HTTP library answers
before the server does (openapi/README.md, "Routes outside the document")."""

import json
import os
import random

import schemathesis
from schemathesis.core.parameters import ParameterLocation

ABOUT = json.loads(os.environ["HOSTILE_ABOUT"])
BY_PAYER = os.environ["HOSTILE_SCHEME"] == "publishable_key"
# Name and value of the header by which the caller shows who it is; null for nobody.
HEADER = json.loads(os.environ["HOSTILE_HEADER"])
OF_CALLER = ("api-key", "authorization")
# Methods of HTTP; any other is answered 405 by the library, in its own form.
KNOWN = {"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"}


@schemathesis.deserializer("text/event-stream")
def one_text(_context, response):
    """A stream is one text in OpenAPI 3.0; the tool would hold each of its events against that schema."""
    return [response.content.decode()]


def cannot_be_decoded(value):
    """A segment that the library refuses with 400, in its own form."""
    return value in (".", "..")


def can_be_sent(value):
    """Whether a value can be that of a header: of others some the client refuses, and the rest the server's library, in its own form."""
    text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
    return text == text.strip() and text.isprintable() and all(ord(letter) < 256 for letter in text)


@schemathesis.hook
def filter_case(context, case):
    segments = (case.path_parameters or {}).values()
    headers = (case.headers or {}).values()
    return (
        case.method.upper() in KNOWN
        and not any(cannot_be_decoded(str(value)) for value in segments)
        and all(can_be_sent(value) for value in headers)
    )


def is_right(case, location):
    """Whether that part of the request has the form of the document."""
    component = case.meta.components.get(location) if case.meta else None
    return component is None or component.mode.is_positive


@schemathesis.hook
def map_case(context, case):
    draw = random.Random(repr((case.path_parameters, case.body)))
    if case.path_parameters and is_right(case, ParameterLocation.PATH):
        for name in case.path_parameters:
            if name in ABOUT and draw.random() < 0.7:
                case.path_parameters[name] = ABOUT[name]
    if case.headers and is_right(case, ParameterLocation.HEADER):
        # Hardly anybody calls for others, and whoever may not is sent away before more is read.
        if draw.random() < 0.9:
            case.headers.pop("X-Connected-Merchant-Id", None)
        if "X-Profile-Id" in case.headers and draw.random() < 0.7:
            case.headers["X-Profile-Id"] = ABOUT["profile_id"]
    if BY_PAYER and draw.random() < 0.9:
        secret = ABOUT["client_secret"]
        if isinstance(case.body, dict) and is_right(case, ParameterLocation.BODY):
            case.body["client_secret"] = secret
        elif case.method.upper() == "GET" and is_right(case, ParameterLocation.QUERY):
            case.query = {**(case.query or {}), "client_secret": secret}
    return case


@schemathesis.hook
def before_call(context, case, kwargs):
    """The caller shows what is his: the tool makes up keys of the operation's other schemes beside it, and who has a wrong one is shut out
    before more of the request is read."""
    for name in [name for name in case.headers or {} if name.lower() in OF_CALLER]:
        if HEADER and name.lower() == HEADER[0].lower():
            case.headers[name] = HEADER[1]
        elif HEADER:
            del case.headers[name]
