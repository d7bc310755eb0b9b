"""Lists, page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Generic, Literal, TypeVar, cast

import msgspec

from .call import Call
from .client import AsyncClient, Client
from .errors import UnreadableAnswerError

PageT = TypeVar("PageT")
ItemT = TypeVar("ItemT")

# The page size of an iteration, which every list allows.
_PAGE_SIZE = 50


@dataclass(frozen=True)
class Paging:
    """The way from one page of a list to the next."""

    # The part of the request that holds the page.
    place: Literal["query", "body"]
    # The member that counts the items to skip.
    offset: str | None = None
    # The member for the cursor of the next page.
    after: str | None = None
    # The member for the cursor of the page before.
    before: str | None = None
    # The member of an item that is its cursor.
    key: str | None = None
    # The member of a page that holds its items. Otherwise the page is a list.
    items: str | None = None


class Pages(Generic[PageT, ItemT]):
    """The place in a list that is read page by page. It sends nothing."""

    def __init__(self, call: Call[PageT], paging: Paging) -> None:
        given = call.query if paging.place == "query" else call.body
        self._call = call
        self._paging = paging
        self._request: dict[str, Any] = {
            name: value for name, value in (msgspec.to_builtins(given) or {}).items() if value is not None
        }
        self._limit = self._request.setdefault("limit", _PAGE_SIZE)
        self._is_backwards = paging.before is not None and paging.before in self._request
        self.is_at_end = False

    def next_call(self) -> Call[PageT]:
        """Returns the call of the next page."""
        request = dict(self._request)
        return replace(self._call, query=request) if self._paging.place == "query" else replace(self._call, body=request)

    def turn(self, page: PageT) -> None:
        """Goes behind a page. A page that isn't full is the last one."""
        items = self._items(page)
        self.is_at_end = len(items) < max(self._limit, 1)
        if self.is_at_end:
            return
        paging, request = self._paging, self._request
        if paging.offset:
            request[paging.offset] = request.get(paging.offset, 0) + len(items)
            return
        member = paging.before if self._is_backwards else paging.after
        cursor = getattr(items[0 if self._is_backwards else -1], paging.key or "", None)
        # The same page would be requested endlessly.
        if member is None or cursor is None or request.get(member) == cursor:
            raise UnreadableAnswerError(self._call.operation.id, 200, None, "the list repeats itself", False)
        request[member] = cursor

    def in_order(self, page: PageT) -> list[ItemT]:
        """Returns the items of a page, in the direction of the iteration."""
        items = self._items(page)
        return items[::-1] if self._is_backwards else items

    def _items(self, page: PageT) -> list[ItemT]:
        return cast("list[ItemT]", page if self._paging.items is None else getattr(page, self._paging.items))


class Paged(Generic[PageT, ItemT]):
    """A list. Iterate over all items, or ask for the page that the request asks for.

    Each further page is requested when its first item is. Items that are added meanwhile can shift a list by offset, so
    that an item occurs twice. With `ending_before` an iteration goes from that item towards newer ones.
    """

    def __init__(self, client: Client, call: Call[PageT], paging: Paging) -> None:
        self._client = client
        self._call = call
        self._paging = paging

    def page(self) -> PageT:
        """Requests one page."""
        return self._client.request(self._call)

    def pages(self) -> Iterator[PageT]:
        """Iterates over the pages. Without a `limit` a page has 50 items."""
        pages = self._pages()
        while not pages.is_at_end:
            page = self._client.request(pages.next_call())
            yield page
            pages.turn(page)

    def __iter__(self) -> Iterator[ItemT]:
        pages = self._pages()
        for page in self.pages():
            yield from pages.in_order(page)

    def to_list(self, most: int) -> list[ItemT]:
        """Returns the first items, at most this many."""
        return list(islice(self, max(most, 0)))

    def _pages(self) -> Pages[PageT, ItemT]:
        return Pages(self._call, self._paging)


class AsyncPaged(Generic[PageT, ItemT]):
    """A list. Iterate over all items with `async for`, or ask for the page that the request asks for.

    Each further page is requested when its first item is. Items that are added meanwhile can shift a list by offset, so
    that an item occurs twice. With `ending_before` an iteration goes from that item towards newer ones.
    """

    def __init__(self, client: AsyncClient, call: Call[PageT], paging: Paging) -> None:
        self._client = client
        self._call = call
        self._paging = paging

    async def page(self) -> PageT:
        """Requests one page."""
        return await self._client.request(self._call)

    async def pages(self) -> AsyncIterator[PageT]:
        """Iterates over the pages. Without a `limit` a page has 50 items."""
        pages = self._pages()
        while not pages.is_at_end:
            page = await self._client.request(pages.next_call())
            yield page
            pages.turn(page)

    async def __aiter__(self) -> AsyncIterator[ItemT]:
        pages = self._pages()
        async for page in self.pages():
            for item in pages.in_order(page):
                yield item

    async def to_list(self, most: int) -> list[ItemT]:
        """Returns the first items, at most this many."""
        items: list[ItemT] = []
        if most < 1:
            return items
        async for item in self:
            items.append(item)
            if len(items) >= most:
                break
        return items

    def _pages(self) -> Pages[PageT, ItemT]:
        return Pages(self._call, self._paging)
