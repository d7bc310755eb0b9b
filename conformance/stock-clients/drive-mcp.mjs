// Uses `multirail mcp` with the official SDK for Node.js, as drive-mcp.py does with the one for Python.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const { PROGRAM: command, URL: url, KEY: key } = process.env;

// Connects, and closes the connection after the work.
async function connected(options, work) {
    const env = { MULTIRAIL_URL: url, MULTIRAIL_API_KEY: key };
    const client = new Client({ name: 'stock-client', version: '0.0.0' });
    await client.connect(new StdioClientTransport({ command, args: ['mcp', ...options], env }));
    try {
        return await work(client);
    } finally {
        await client.close();
    }
}

async function tools(client) {
    const found = [];
    let cursor;
    do {
        const page = await client.listTools({ cursor });
        found.push(...page.tools);
        cursor = page.nextCursor;
    } while (cursor);
    return found;
}

const json = (answer) => JSON.parse(answer.content[0].text);

const reading = await connected([], async (client) => {
    assert.equal(client.getServerVersion()?.name, 'multirail');
    const found = await tools(client);
    const names = found.map((tool) => tool.name);
    assert.ok(names.includes('payments_list') && !names.includes('payments_create'), 'only what reads is offered');
    assert.ok(found.every((tool) => tool.inputSchema.type === 'object' && tool.annotations?.readOnlyHint), 'each tool says that it reads');
    assert.ok('data' in json(await client.callTool({ name: 'payments_list', arguments: { limit: 1 } })));
    const missing = await client.callTool({ name: 'payments_retrieve', arguments: { payment_id: 'nothing' } });
    assert.equal(missing.isError, true, 'a refusal is an error of the tool');
    const described = await client.callTool({ name: 'describe_operation', arguments: { operation: 'payments_list' } });
    assert.ok('limit' in json(described).input.properties);
    return found.length;
});

const status = await connected(['--write', '--tags', 'Payments'], async (client) => {
    const names = (await tools(client)).map((tool) => tool.name);
    assert.ok(names.includes('payments_create') && !names.includes('refunds_create'), 'the tags choose');
    const made = await client.callTool({ name: 'payments_create', arguments: { body: { amount: 6540, currency: 'USD' } } });
    assert.equal(json(made).client_secret, '', 'secrets are hidden');
    return json(made).status;
});
assert.equal(status, 'requires_payment_method');
console.log(`mcp: ${reading} tools that read; ${status}`);
