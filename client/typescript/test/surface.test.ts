import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Multirail, Paged } from '../src/index.js';
import * as operations from '../src/generated/operations.js';
import { json, Server } from './support.js';

const document = readFileSync(new URL('../../../../openapi/openapi.yaml', import.meta.url), 'utf8');

interface Operation {
    id: string;
    call: string;
    takesKey: boolean;
    isStream: boolean;
}

/** Reads the operations without the generator: the paths stand in the document in one form. */
function documented(): Operation[] {
    const paths = document.slice(document.indexOf('\npaths:\n'), document.indexOf('\nx-webhooks:\n'));
    const found: Operation[] = [];
    let path = '';
    for (const part of paths.split(/\n(?= {2}\/| {4}(?:get|post|put|patch|delete):)/)) {
        path = /^ {2}(\/\S*):/.exec(part)?.[1] ?? path;
        const method = /^ {4}(\w+):/.exec(part)?.[1];
        const id = /\n {6}operationId: (\w+)/.exec(part)?.[1];
        const isStream = part.includes('text/event-stream:');
        const takesKey = part.includes('/IdempotencyKeyHeader');
        if (method && id) found.push({ id, call: `${method.toUpperCase()} ${path}`, takesKey, isStream });
    }
    return found;
}

/** Calls a method or function, and returns the request that it sent. */
async function request(server: Server, call: () => unknown): Promise<[string, boolean]> {
    server.script.push(json({}));
    const made = call();
    await (made instanceof Paged ? made.then() : made);
    const sent = server.received.at(-1);
    const path = sent?.url.pathname.replace(/%7B/g, '{').replace(/%7D/g, '}');
    return [`${sent?.method} ${path}`, 'idempotency-key' in (sent?.headers ?? {})];
}

test('each operation of the document has a method and a function, which take its idempotency key', async () => {
    // A call reads the whole answer, so a stream has no method.
    const expected = documented().filter((one) => !one.isStream);
    assert.ok(expected.length > 150, `${expected.length} operations were found`);
    const server = new Server([]);
    const multirail = new Multirail({ baseUrl: 'https://pay.example', apiKey: 'a_key', fetch: server.fetch });
    const methods = new Map<string, () => unknown>();
    const { webhooks, ...resources } = multirail;
    for (const resource of Object.values(resources) as object[]) {
        const prototype = Object.getPrototypeOf(resource) as object;
        for (const verb of Object.getOwnPropertyNames(prototype)) {
            if (verb === 'constructor') continue;
            const method = (resource as Record<string, (...args: unknown[]) => unknown>)[verb];
            const name = Object.entries(resources).find(([, one]) => (one as object) === resource)?.[0];
            methods.set(`${name}.${verb}`, () => method?.call(resource, ...idsOf(method, 0)));
        }
    }
    const sent = new Map<string, boolean>();
    for (const [name, call] of methods) {
        const [made, hasKey] = await request(server, call);
        assert.ok(!sent.has(made), `${name} sends ${made}, as another method does`);
        sent.set(made, hasKey);
    }
    const wanted = expected.map(({ call, takesKey }): [string, boolean] => [call, takesKey]);
    assert.deepEqual([...sent].sort(), wanted.sort());

    for (const { id, call, takesKey } of expected) {
        const name = id.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
        const made = (operations as unknown as Record<string, (...args: unknown[]) => unknown>)[name];
        assert.ok(made, `${id} has no function`);
        assert.deepEqual(await request(server, () => made(multirail, ...idsOf(made, 1))), [call, takesKey], id);
    }
    assert.ok(webhooks);
});

test('the README of each client says which operations have no method, and how to read them', () => {
    const streams = documented().filter((one) => one.isStream);
    assert.ok(streams.length > 0, 'no stream was found');
    for (const client of ['typescript', 'python', 'rust']) {
        const readme = readFileSync(new URL(`../../../${client}/README.md`, import.meta.url), 'utf8');
        const text = readme.replace(/\s+/g, ' ');
        for (const { id, call } of streams) {
            assert.ok(text.includes(`\`${id}\``), `the README of ${client} doesn't name ${id}`);
            assert.ok(text.includes(`read \`${call}\` as server-sent events`), `the README of ${client} doesn't say how to read ${id}`);
        }
    }
});

/** Returns the names of a function's ids, in the form of the document's paths. */
function idsOf(method: (...args: unknown[]) => unknown, before: number): string[] {
    const parameters = /\(([^)]*)\)/.exec(String(method))?.[1]?.split(',').map((one) => one.trim()) ?? [];
    const others = ['body', 'query', 'options'];
    return parameters
        .slice(before)
        .filter((one) => !others.includes(one))
        .map((one) => `{${one.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}}`);
}
