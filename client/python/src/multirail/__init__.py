"""The client of multirail, a self-hosted payment orchestration service. The types of requests are in `multirail.models`."""

from .call import Call, Operation
from .client import AsyncClient, Client
from .errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AuthenticationError,
    ConflictError,
    ErrorCode,
    InvalidRequestError,
    MultirailError,
    NotFoundError,
    NotSentError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    UnreadableAnswerError,
)
from .generated.async_resources import AsyncMultirail
from .generated.codes import KnownErrorCode
from .generated.resources import Multirail
from .machine import Machine
from .model import Model
from .pages import AsyncPaged, Paged
from .responses import ResponseInfo, response_of
from .version import VERSION
from .webhooks import WebhookContent, WebhookError, WebhookEvent, WebhookHeaders, WebhookReason, construct_event

__all__ = [
    "VERSION",
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncClient",
    "AsyncMultirail",
    "AsyncPaged",
    "AuthenticationError",
    "Call",
    "Client",
    "ConflictError",
    "ErrorCode",
    "InvalidRequestError",
    "KnownErrorCode",
    "Machine",
    "Model",
    "Multirail",
    "MultirailError",
    "NotFoundError",
    "NotSentError",
    "Operation",
    "Paged",
    "PermissionDeniedError",
    "RateLimitError",
    "ResponseInfo",
    "ServerError",
    "UnreadableAnswerError",
    "WebhookContent",
    "WebhookError",
    "WebhookEvent",
    "WebhookHeaders",
    "WebhookReason",
    "construct_event",
    "response_of",
]
