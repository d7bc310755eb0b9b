"""The types of requests and answers."""

from .generated.models import *  # noqa: F403
