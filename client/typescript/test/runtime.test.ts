import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VERSION } from '../src/index.js';
import { settings } from '../src/options.js';
import { systemRandom, userAgent } from '../src/runtime.js';

const page = { document: {}, process: { versions: { node: '20.0.0' } } };

test('the version is that of the package', () => {
    const file = new URL('../../package.json', import.meta.url);
    assert.equal(VERSION, (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version);
});

test('the user agent names client and runtime', () => {
    const client = `multirail-typescript/${VERSION}`;
    assert.equal(userAgent({ process: { versions: { node: '20.20.2' } } }), `${client} node/20.20.2`);
    assert.equal(userAgent({ Deno: { version: { deno: '2.5.0' } }, process: { versions: { node: '22.0.0' } } }), `${client} deno/2.5.0`);
    assert.equal(userAgent({ Bun: { version: '1.3.0' }, process: { versions: { node: '22.0.0' } } }), `${client} bun/1.3.0`);
    assert.equal(userAgent({}), client);
});

test('browsers and their workers send their own user agent', () => {
    assert.equal(userAgent(page), undefined);
    assert.equal(userAgent({ importScripts: () => {} }), undefined);
    const { headers } = settings({ baseUrl: 'https://pay.example', apiKey: 'pk_1' }, page);
    assert.deepEqual(headers.find(([name]) => name === 'user-agent'), ['user-agent', undefined]);
});

test('a web page takes only keys of payers, unless it is told otherwise', () => {
    const baseUrl = 'https://pay.example';
    for (const apiKey of ['pk_snd_1', 'epk_1']) settings({ baseUrl, apiKey }, page);
    assert.throws(() => settings({ baseUrl, apiKey: 'snd_secret' }, page), /not for web pages/);
    settings({ baseUrl, apiKey: 'snd_secret', dangerouslyAllowBrowser: true }, page);
    settings({ baseUrl, userToken: 'a.b.c' }, page);
    settings({ baseUrl, apiKey: 'snd_secret' }, {});
});

test('idempotency keys differ', () => {
    const keys = new Set(Array.from({ length: 100 }, () => systemRandom.key()));
    assert.equal(keys.size, 100);
    for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/);
});
