import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AbortedError, ApiError, ConnectionError, RateLimitError, ServerError, TimeoutError } from '../src/index.js';
import { retryAfter, wait } from '../src/retries.js';
import { broken, clientOf, failure, json, refusal } from './support.js';

const order = { amount: 6540, currency: 'USD' } as const;

test('all tries of a call carry the same key and body', async () => {
    const { multirail, server, clock } = clientOf([broken('ECONNRESET'), refusal(503, 'HE_00'), json({ payment_id: 'pay_1' })]);
    await multirail.payments.create(order);
    assert.deepEqual(server.keys(), ['key-1', 'key-1', 'key-1']);
    assert.deepEqual(server.received.map(({ body }) => body), [order, order, order]);
    assert.deepEqual(clock.waits, [200, 400]);
    assert.equal(clock.open, 0);
});

test('a key of the caller takes the place of a made one', async () => {
    const { multirail, server } = clientOf([refusal(429, 'MR_03'), json({})]);
    await multirail.payments.capture('pay_1', { amount_to_capture: 1 }, { idempotencyKey: 'order-2041' });
    assert.deepEqual(server.keys(), ['order-2041', 'order-2041']);
});

test('another call has another key', async () => {
    const { multirail, server } = clientOf([json({}), json({})]);
    await multirail.payments.create(order);
    await multirail.payments.create(order);
    assert.deepEqual(server.keys(), ['key-1', 'key-2']);
});

test('a change without an idempotency key is tried once', async () => {
    for (const answer of [broken('ECONNRESET'), broken('ECONNREFUSED'), refusal(503, 'HE_00'), refusal(429, 'MR_03')]) {
        const { multirail, server } = clientOf([answer]);
        await failure(multirail.apiKeys.create('demo', { name: 'shop', expiration: 'never' }));
        assert.equal(server.received.length, 1);
        assert.deepEqual(server.keys(), [undefined]);
    }
});

test('reads are repeated, also those by POST', async () => {
    const { multirail, server } = clientOf([broken('ECONNRESET'), json({}), broken('ECONNRESET'), json({ data: [] })]);
    await multirail.payments.retrieve('pay_1');
    await multirail.refunds.list({ limit: 1 });
    assert.equal(server.received.length, 4);
    assert.deepEqual(server.keys(), [undefined, undefined, undefined, undefined]);
});

test('refusals and failures of the server are not repeated', async () => {
    for (const [status, code] of [[400, 'IR_14'], [401, 'IR_01'], [409, 'IR_16'], [422, 'MR_01'], [500, 'HE_00']] as const) {
        const { multirail, server } = clientOf([refusal(status, code)]);
        const error = await failure(multirail.payments.create(order));
        assert.ok(error instanceof ApiError);
        assert.equal(server.received.length, 1, code);
        assert.equal(error.isOutcomeUnknown, status === 500, code);
        assert.equal(error.isRetryable, false, code);
    }
});

test('a busy object and a rate limit are waited for', async () => {
    const { multirail, clock } = clientOf([refusal(422, 'HE_00'), refusal(429, 'MR_03', { 'retry-after': '2' }), json({})]);
    await multirail.payments.confirm('pay_1');
    assert.deepEqual(clock.waits, [200, 2400]);
});

test('a wait that is too long for a call ends it', async () => {
    const { multirail, server } = clientOf([refusal(429, 'MR_03', { 'retry-after': '11' })]);
    const error = await failure(multirail.payments.create(order));
    assert.ok(error instanceof RateLimitError);
    assert.ok(error.isRetryable);
    assert.ok(!error.isOutcomeUnknown);
    assert.equal(server.received.length, 1);
});

test('the number of retries can be set for a client and for a call', async () => {
    const four = () => [1, 2, 3, 4].map(() => refusal(503, 'HE_00'));
    const { multirail, server } = clientOf(four(), { maxRetries: 3 });
    assert.ok((await failure(multirail.payments.create(order))) instanceof ServerError);
    assert.equal(server.received.length, 4);
    const other = clientOf(four());
    await failure(other.multirail.payments.create(order, { maxRetries: 0 }));
    assert.equal(other.server.received.length, 1);
});

test('a call is repeated while its first try is still being worked on', async () => {
    const claimed = () => refusal(409, 'MR_02', { 'retry-after': '9' });
    const { multirail, server, clock } = clientOf([broken('ECONNRESET'), ...Array.from({ length: 20 }, claimed)]);
    const began = clock.now();
    const error = await failure(multirail.payments.create(order));
    assert.ok(error instanceof ApiError && error.code === 'MR_02');
    assert.ok(error.isOutcomeUnknown && error.isRetryable);
    assert.ok(server.received.length > 3);
    const passed = clock.now() - began;
    assert.ok(passed >= 60_000 && passed < 80_000, `${passed}`);
    const impatient = clientOf([claimed()]);
    await failure(impatient.multirail.payments.create(order, { maxRetries: 0 }));
    assert.equal(impatient.server.received.length, 1);
});

test('a try in doubt is told of, even if later ones do not reach the server', async () => {
    const { multirail } = clientOf([broken('ECONNRESET'), broken('ECONNREFUSED'), broken('ECONNREFUSED')]);
    const error = await failure(multirail.payments.create(order));
    assert.ok(error instanceof ConnectionError);
    assert.equal(error.reason, 'ECONNRESET');
    assert.ok(error.isOutcomeUnknown);
});

test('a key that is revoked between two tries does not settle the first', async () => {
    const { multirail } = clientOf([broken('ECONNRESET'), refusal(401, 'IR_01')]);
    const error = await failure(multirail.payments.create(order));
    assert.ok(error instanceof ApiError && error.status === 401 && error.isOutcomeUnknown);
});

test('a server that is never reached did nothing', async () => {
    const { multirail } = clientOf([1, 2, 3].map(() => broken('ECONNREFUSED')));
    const error = await failure(multirail.payments.create(order));
    assert.ok(error instanceof ConnectionError);
    assert.ok(error.isRetryable && !error.isOutcomeUnknown);
});

test('each try has its time limit', async () => {
    const { multirail, server, clock } = clientOf(['never', 'never', json({ payment_id: 'pay_1' })]);
    server.whenStuck = () => clock.expire();
    assert.equal((await multirail.payments.create(order)).payment_id, 'pay_1');
    assert.deepEqual(server.keys(), ['key-1', 'key-1', 'key-1']);
});

test('a call without any answer ends with the limit and its doubt', async () => {
    const { multirail, server, clock } = clientOf(['never', 'never', 'never']);
    server.whenStuck = () => clock.expire();
    const error = await failure(multirail.payments.create(order));
    assert.ok(error instanceof TimeoutError);
    assert.equal(error.message, 'payments_create: no answer within 60000 ms');
    assert.ok(error.isOutcomeUnknown && error.isRetryable);
    assert.equal(clock.open, 0);
});

test('a read that got no answer leaves no doubt', async () => {
    const { multirail, server, clock } = clientOf(['never']);
    server.whenStuck = () => clock.expire();
    const error = await failure(multirail.payments.retrieve('pay_1', {}, { maxRetries: 0 }));
    assert.ok(error instanceof TimeoutError && !error.isOutcomeUnknown);
});

test('a signal ends a call before, during and between tries', async () => {
    const before = clientOf([]);
    const early = await failure(before.multirail.payments.create(order, { signal: AbortSignal.abort() }));
    assert.ok(early instanceof AbortedError && early.name === 'AbortError' && !early.isOutcomeUnknown);

    const during = clientOf(['never']);
    const ender = new AbortController();
    during.server.whenStuck = () => ender.abort();
    const ended = await failure(during.multirail.payments.create(order, { signal: ender.signal }));
    assert.ok(ended instanceof AbortedError && ended.isOutcomeUnknown);
    assert.equal(during.clock.open, 0);

    const between = new AbortController();
    const paused = clientOf([refusal(429, 'MR_03')]);
    paused.clock.whenWaiting = () => between.abort();
    const error = await failure(paused.multirail.payments.create(order, { signal: between.signal }));
    assert.ok(error instanceof AbortedError && !error.isOutcomeUnknown);
    assert.equal(paused.server.received.length, 1);
});

test('waits are drawn below a bound that doubles', () => {
    assert.deepEqual([1, 2, 3, 9].map((tries) => wait(tries, undefined, 1)), [200, 400, 800, 10_000]);
    assert.equal(wait(2, undefined, 0), 0);
    assert.equal(wait(2000, undefined, 1), 10_000);
    assert.equal(wait(1, 10_001, 0), undefined);
});

test('Retry-After is seconds or a moment', () => {
    const now = Date.parse('2026-01-05T10:11:12Z');
    assert.equal(retryAfter(' 3 ', now), 3000);
    assert.equal(retryAfter('Mon, 05 Jan 2026 10:11:17 GMT', now), 5000);
    assert.equal(retryAfter('Mon, 05 Jan 2026 10:11:07 GMT', now), 0);
    for (const wrong of [null, '', 'soon', '-1', '1.5']) assert.equal(retryAfter(wrong, now), undefined, String(wrong));
});
