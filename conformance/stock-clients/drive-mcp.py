"""Uses `multirail mcp` with the official SDK, in its present protocol and in the handshake of older clients."""

import asyncio
import json
import os

from jsonschema import Draft202012Validator
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters


def server(*options: str) -> StdioServerParameters:
    keys = {"MULTIRAIL_URL": os.environ["URL"], "MULTIRAIL_API_KEY": os.environ["KEY"]}
    return StdioServerParameters(command=os.environ["PROGRAM"], args=["mcp", *options], env=keys)


async def tools(client: Client) -> dict:
    found, cursor = {}, None
    while True:
        page = await client.list_tools(cursor=cursor)
        found |= {tool.name: tool for tool in page.tools}
        cursor = page.next_cursor
        if cursor is None:
            return found


def check(what: str, holds: bool) -> None:
    if not holds:
        raise SystemExit(f"mcp: {what}")


async def read(mode: str) -> int:
    async with Client(server(), mode=mode) as client:
        found = await tools(client)
        for tool in found.values():
            Draft202012Validator.check_schema(tool.input_schema)
        check("payments can be listed", "payments_list" in found)
        check("nothing can be changed", "payments_create" not in found)
        listed = await client.call_tool("payments_list", {"limit": 1})
        check("the list is JSON", "data" in json.loads(listed.content[0].text))
        missing = await client.call_tool("payments_retrieve", {"payment_id": "nothing"})
        check("a refusal is an error of the tool", bool(missing.is_error))
        described = await client.call_tool("describe_operation", {"operation": "payments_list"})
        check("an operation is described", "limit" in json.loads(described.content[0].text)["input"]["properties"])
        return len(found)


async def write() -> str:
    async with Client(server("--write", "--tags", "Payments")) as client:
        body = {"amount": 6540, "currency": "USD"}
        made = await client.call_tool("payments_create", {"body": body})
        payment = json.loads(made.content[0].text)
        check("secrets are hidden", payment["client_secret"] == "")
        return payment["status"]


async def main() -> None:
    counts = [await read(mode) for mode in ("auto", "legacy")]
    check("both protocols have the same tools", counts[0] == counts[1])
    status = await write()
    check(f"the new payment is {status}", status == "requires_payment_method")
    print("mcp:", counts[0], "tools that read;", status)


asyncio.run(main())
