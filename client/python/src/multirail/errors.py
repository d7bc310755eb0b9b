"""The errors of calls. Their texts and members hold no keys and no card data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from .generated.codes import KnownErrorCode

# The code of the service's error. A newer server, or another one with this interface, may have further codes.
ErrorCode: TypeAlias = KnownErrorCode | str


class MultirailError(Exception):
    """The parent of all errors of calls."""

    # The id of the operation in the document, such as `payments_confirm`.
    operation: str
    # True if the same call may succeed later. The client has already retried harmless calls.
    is_retryable: bool = False
    # True if the call may have taken effect although it failed. Retrieve the object, or repeat the call with the same
    # idempotency key. Without a key of your own, a repetition has a new key and may take effect twice.
    is_outcome_unknown: bool = False

    def __init__(self, operation: str, *parts: object) -> None:
        super().__init__(operation, *parts)
        self.operation = operation

    def __str__(self) -> str:
        return f"{self.operation}: {self._reason()}"

    def _reason(self) -> str:
        raise NotImplementedError


@dataclass(frozen=True)
class Refusal:
    """The parts of an error answer."""

    status: int
    code: ErrorCode
    error_type: str
    message: str
    request_id: str | None
    is_outcome_unknown: bool


class ApiError(MultirailError):
    """The service refused the call, or failed. A declined card is no error: it is a payment that is `failed`."""

    # The HTTP status. One code can come with several.
    status: int
    # The error for programs.
    code: ErrorCode
    # The party that has to act: `invalid_request`, `api`, `connector`, `blocked`. Words may be added.
    error_type: str
    # The id of the request in the server's log.
    request_id: str | None

    def __init__(self, operation: str, refusal: Refusal) -> None:
        super().__init__(operation, refusal)
        self.message = refusal.message
        self.status = refusal.status
        self.code = refusal.code
        self.error_type = refusal.error_type
        self.request_id = refusal.request_id
        self.is_retryable = is_passing(self.status) or is_busy(self.status, self.code) or is_claimed(self.status, self.code)
        self.is_outcome_unknown = refusal.is_outcome_unknown

    def _reason(self) -> str:
        return f"{self.message} ({self.code}, HTTP {self.status})"


class InvalidRequestError(ApiError):
    """The request has to change (400, 405, 413, 415, 422), or its object is busy (422 `HE_00`)."""


class AuthenticationError(ApiError):
    """The key or token is missing, wrong or lapsed (401)."""


class PermissionDeniedError(ApiError):
    """The user's role doesn't allow the call (403)."""


class NotFoundError(ApiError):
    """The object or address doesn't exist (404)."""


class ConflictError(ApiError):
    """Another request is still being worked on (409)."""


class RateLimitError(ApiError):
    """The calls come too fast (429)."""


class ServerError(ApiError):
    """The server failed, or could not work (500 and above)."""


class ApiConnectionError(MultirailError):
    """The server could not be reached, or its answer broke off. The address is left out: it can hold a client secret."""

    is_retryable = True

    def __init__(self, operation: str, reason: str, is_outcome_unknown: bool) -> None:
        super().__init__(operation, reason, is_outcome_unknown)
        # The name of httpx's error, such as `ConnectError`.
        self.reason = reason
        self.is_outcome_unknown = is_outcome_unknown

    def _reason(self) -> str:
        return f"the server could not be reached, or its answer broke off ({self.reason})"


class ApiTimeoutError(MultirailError):
    """No try was answered within its time limit."""

    is_retryable = True

    def __init__(self, operation: str, seconds: float, is_outcome_unknown: bool) -> None:
        super().__init__(operation, seconds, is_outcome_unknown)
        self.seconds = seconds
        self.is_outcome_unknown = is_outcome_unknown

    def _reason(self) -> str:
        return f"no answer within {self.seconds:g} s"


class UnreadableAnswerError(MultirailError):
    """The answer isn't one of this API. It came from a proxy, or from another server."""

    def __init__(self, operation: str, status: int, request_id: str | None, detail: str, is_outcome_unknown: bool) -> None:
        super().__init__(operation, status, request_id, detail, is_outcome_unknown)
        self.status = status
        self.request_id = request_id
        # The place that has another form, without its value.
        self.detail = detail
        self.is_retryable = is_passing(status)
        self.is_outcome_unknown = is_outcome_unknown

    def _reason(self) -> str:
        return f"the answer can't be read (HTTP {self.status}): {self.detail}"


class NotSentError(MultirailError):
    """The call was not sent, because something in it is missing or can't be sent."""

    def __init__(self, operation: str, reason: str) -> None:
        super().__init__(operation, reason)
        self.reason = reason

    def _reason(self) -> str:
        return f"not sent, because {self.reason}"


_BY_STATUS: dict[int, type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def api_error(operation: str, refusal: Refusal) -> ApiError:
    """Returns the error of a status."""
    other = ServerError if refusal.status >= 500 else InvalidRequestError
    return _BY_STATUS.get(refusal.status, other)(operation, refusal)


def is_passing(status: int) -> bool:
    """Returns whether a status ends by itself."""
    return status in (408, 429, 502, 503, 504)


def is_busy(status: int, code: str) -> bool:
    """Returns whether another call holds the object. With status 500 the same code means that the server failed."""
    return status == 422 and code == "HE_00"


def is_claimed(status: int, code: str) -> bool:
    """Returns whether the first request with this idempotency key is still being worked on."""
    return status == 409 and code == "MR_02"
