"""The clock and the randomness of the machine."""

from __future__ import annotations

import asyncio
import platform
import random
import secrets
import time

from .version import VERSION


class Machine:
    """The clock and the randomness of the machine. Tests hand in another one."""

    def now(self) -> float:
        """Returns the seconds since 1970."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Waits between two tries."""
        time.sleep(seconds)

    async def sleep_async(self, seconds: float) -> None:
        """Waits between two tries, while other tasks run."""
        await asyncio.sleep(seconds)

    def share(self) -> float:
        """Returns a number from 0 up to 1, for the length of a wait."""
        return random.random()

    def key(self) -> str:
        """Returns an idempotency key that was never used."""
        return secrets.token_hex(16)


def user_agent() -> str:
    """Returns the name of this client and of its runtime."""
    return f"multirail-python/{VERSION} python/{platform.python_version()}"
