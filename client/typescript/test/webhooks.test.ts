import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { constructEvent, Multirail, WebhookError, type WebhookEvent, type WebhookHeaders, type WebhookOptions } from '../src/index.js';
import type { WebhookContentType } from '../src/index.js';
import { failure } from './support.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_b3RoZXIgc2VjcmV0';
const NOW = Date.parse('2026-01-05T10:11:12Z');
const BODY = JSON.stringify({
    merchant_id: 'demo',
    event_id: 'evt_1',
    event_type: 'payment_succeeded',
    content: { type: 'payment_details', object: { payment_id: 'pay_1', status: 'succeeded', description: 'Bücher' } },
    timestamp: '2026-01-05T10:11:12.000Z',
});

// Each word of the document has its object.
type Words = WebhookEvent['content']['type'];
const isComplete: [WebhookContentType] extends [Words] ? ([Words] extends [WebhookContentType] ? true : never) : never = true;

function signature(secret: string, body: string, seconds: number, id = 'evt_1'): string {
    const key = Buffer.from(secret.slice(6), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

function signed(body = BODY, secret = SECRET, seconds = NOW / 1000): Record<string, string> {
    return { 'webhook-id': 'evt_1', 'webhook-timestamp': `${seconds}`, 'webhook-signature': signature(secret, body, seconds) };
}

async function reason(body: string, headers: WebhookHeaders, options: WebhookOptions = {}, secret: string | string[] = SECRET) {
    const error = await failure(constructEvent(body, headers, secret, { now: NOW, ...options }));
    assert.ok(error instanceof WebhookError, inspect(error));
    assert.ok(!inspect(error).includes(SECRET));
    return error.reason;
}

test('a delivery is verified and read', async () => {
    assert.ok(isComplete);
    const event = await constructEvent(BODY, signed(), SECRET, { now: NOW });
    assert.equal(event.event_type, 'payment_succeeded');
    assert.ok(event.content.type === 'payment_details');
    assert.equal(event.content.object.status, 'succeeded');
    assert.equal(event.content.object.description, 'Bücher');
});

test('the test event of an endpoint is read as what it is', async () => {
    const object = { profile_id: 'pro_1', webhook_endpoint_id: 'whe_1' };
    const body = JSON.stringify({
        merchant_id: 'demo',
        event_id: 'evt_1',
        event_type: 'endpoint_test',
        content: { type: 'endpoint_test_details', object },
        timestamp: '2026-01-05T10:11:12.000Z',
    });
    const event = await constructEvent(body, signed(body), SECRET, { now: NOW });
    // No recorded event has these words, so the types don't have them.
    assert.equal(event.event_type as string, 'endpoint_test');
    assert.equal(event.content.type as string, 'endpoint_test_details');
    assert.deepEqual(event.content.object, object);
});

test('bodies may be bytes, and headers those of any framework', async () => {
    const headers = signed();
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const bytes = new TextEncoder().encode(BODY);
    for (const body of [BODY, bytes, bytes.buffer]) {
        for (const given of [headers, upper, new Headers(headers)]) {
            assert.equal((await constructEvent(body, given, SECRET, { now: NOW })).event_id, 'evt_1');
        }
    }
    const { webhooks } = new Multirail({ baseUrl: 'https://pay.example' });
    assert.equal((await webhooks.constructEvent(BODY, headers, SECRET, { now: NOW })).event_id, 'evt_1');
});

test('what is forged or altered is refused', async () => {
    const headers = signed();
    assert.equal(await reason(`${BODY} `, headers), 'wrong_signature');
    assert.equal(await reason(BODY, { ...headers, 'webhook-id': 'evt_2' }), 'wrong_signature');
    assert.equal(await reason(BODY, { ...headers, 'webhook-timestamp': `${NOW / 1000 + 1}` }), 'wrong_signature');
    assert.equal(await reason(BODY, signed(BODY, OTHER)), 'wrong_signature');
    for (const forged of ['v1,', 'v1,AAAA', 'v1,*', 'v2,AAAA', headers['webhook-signature']?.slice(3) ?? '']) {
        assert.equal(await reason(BODY, { ...headers, 'webhook-signature': forged }), 'wrong_signature', forged);
    }
});

test('each header is needed', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
        assert.equal(await reason(BODY, { ...signed(), [name]: undefined }), 'missing_header', name);
        assert.equal(await reason(BODY, { ...signed(), [name]: ['a', 'b'] }), 'missing_header', name);
    }
    for (const wrong of ['soon', '1.5', '-1', '9'.repeat(13)]) {
        assert.equal(await reason(BODY, { ...signed(), 'webhook-timestamp': wrong }), 'unreadable_timestamp', wrong);
    }
});

test('a delivery is valid for five minutes around its time', async () => {
    const at = (offset: number) => ({ now: NOW + offset * 1000 });
    for (const offset of [-300, 0, 300]) await constructEvent(BODY, signed(), SECRET, at(offset));
    assert.equal(await reason(BODY, signed(), at(301)), 'too_old');
    assert.equal(await reason(BODY, signed(), at(-301)), 'too_new');
    await constructEvent(BODY, signed(), SECRET, { ...at(900), tolerance: 900 });
    assert.equal(await reason(BODY, signed(), { ...at(1), tolerance: 0 }), 'too_old');
    assert.equal(await reason(BODY, signed(), { tolerance: NaN }), 'too_old');
});

test('while a secret changes, either signs', async () => {
    const seconds = NOW / 1000;
    const both = `v2,x ${signature(OTHER, BODY, seconds)} ${signature(SECRET, BODY, seconds)}`;
    const headers = { ...signed(), 'webhook-signature': both };
    await constructEvent(BODY, headers, SECRET, { now: NOW });
    await constructEvent(BODY, signed(BODY, OTHER), [SECRET, OTHER], { now: NOW });
});

test('a header with very many signatures is not read to its end', async () => {
    const padded = `${'v1,AAAA '.repeat(16)}${signed()['webhook-signature']}`;
    assert.equal(await reason(BODY, { ...signed(), 'webhook-signature': padded }), 'wrong_signature');
});

test('the second signature covers the body', async () => {
    const hashKey = 'a hash key';
    const hash = createHmac('sha512', hashKey).update(BODY).digest('hex');
    const headers = { ...signed(), 'x-webhook-signature-512': hash };
    await constructEvent(BODY, headers, SECRET, { now: NOW, hashKey });
    await constructEvent(BODY, { 'x-webhook-signature-512': hash }, [], { hashKey });
    assert.equal(await reason(BODY, headers, { hashKey: 'another' }), 'wrong_signature');
    assert.equal(await reason(BODY, { ...headers, 'x-webhook-signature-512': hash.toUpperCase() }, { hashKey }), 'wrong_signature');
    assert.equal(await reason(BODY, { 'x-webhook-signature-512': hash }, { hashKey }), 'missing_header');
    assert.equal(await reason(BODY, headers, { hashKey: '' }), 'unusable_secret');
});

test('secrets and bodies that can not be used are refused', async () => {
    for (const wrong of ['', 'whsec_', 'whsec_*', SECRET.slice(6)]) assert.equal(await reason(BODY, signed(), {}, wrong), 'unusable_secret', wrong);
    assert.equal(await reason(BODY, signed(), {}, []), 'unusable_secret');
    assert.equal(await reason(JSON.parse(BODY) as string, signed()), 'unreadable_body');
    for (const body of ['', '[]', 'null', '{"event_id": "evt_1"}']) assert.equal(await reason(body, signed(body)), 'unreadable_body', body);
});
