"""The settings of a client, checked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from urllib.parse import urlsplit

from .call import is_header
from .machine import Machine, user_agent


@dataclass(frozen=True, repr=False)
class Settings:
    """The settings of a client. Errors repeat no value."""

    base_url: str
    api_key: str | None
    sdk_authorization: str | None
    user_token: str | None
    profile_id: str | None
    connected_merchant_id: str | None
    timeout: float
    max_retries: int
    claim_patience: float
    machine: Machine

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", _address(self.base_url))
        if len(self.secrets) > 1:
            raise ValueError("a client has one key: make another client for the other key")
        if not all(is_header(key) for key in self.secrets):
            raise ValueError("the key is empty or holds characters that a header has no room for, such as a line break")
        for name in ("timeout", "max_retries", "claim_patience"):
            if not is_count(getattr(self, name)):
                raise ValueError(f"{name} is a number from 0 on")

    @property
    def secrets(self) -> tuple[str, ...]:
        """Returns the texts that no error may repeat."""
        return tuple(key for key in (self.api_key, self.sdk_authorization, self.user_token) if key is not None)

    @property
    def headers(self) -> dict[str, str | None]:
        """Returns the headers of every call."""
        return {
            "api-key": self.api_key,
            "authorization": self.sdk_authorization if self.user_token is None else f"Bearer {self.user_token}",
            "x-profile-id": self.profile_id,
            "x-connected-merchant-id": self.connected_merchant_id,
            "user-agent": user_agent(),
        }


def is_count(value: object) -> bool:
    """Returns whether a setting is a number from 0 on."""
    return isinstance(value, (int, float)) and math.isfinite(value) and value >= 0


def _address(text: str) -> str:
    if not _is_address(text):
        raise ValueError("base_url is no URL such as https://payments.example.com")
    if "@" in urlsplit(text).netloc:
        raise ValueError("base_url holds a user name or a password; the key is a setting of its own")
    if "?" in text or "#" in text:
        raise ValueError("base_url ends with its path, without ? or #")
    return text.rstrip("/")


def _is_address(text: object) -> bool:
    try:
        url = urlsplit(text) if isinstance(text, str) else None
        # Reading the port checks it.
        return url is not None and url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        return False
