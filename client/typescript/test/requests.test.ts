import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, NotSentError, paymentsRetrieve, responseOf, VERSION } from '../src/index.js';
import { clientOf, failure, json, KEY } from './support.js';

test('a call has the path, headers and body of its operation', async () => {
    const { multirail, server } = clientOf([json({ payment_id: 'pay_1' })]);
    const answer = await multirail.payments.create({ amount: 6540, currency: 'USD' }, { profileId: 'pro_1', connectedMerchantId: 'shop' });
    assert.equal(answer.payment_id, 'pay_1');
    const [request] = server.received;
    assert.equal(`${request?.method} ${request?.url}`, 'POST https://pay.example/payments');
    assert.deepEqual(request?.headers, {
        accept: 'application/json',
        'content-type': 'application/json',
        'api-key': KEY,
        'user-agent': `multirail-typescript/${VERSION} node/${process.versions.node}`,
        'idempotency-key': 'key-1',
        'x-profile-id': 'pro_1',
        'x-connected-merchant-id': 'shop',
    });
    assert.deepEqual(request?.body, { amount: 6540, currency: 'USD' });
});

test('the settings of a client go with each of its calls, and a call can have others', async () => {
    const { multirail, server } = clientOf([json([]), json([])], { profileId: 'pro_1', connectedMerchantId: 'shop' });
    await multirail.customers.list();
    await multirail.customers.list({}, { profileId: 'pro_2' });
    assert.deepEqual(
        server.received.map(({ headers }) => [headers['x-profile-id'], headers['x-connected-merchant-id']]),
        [
            ['pro_1', 'shop'],
            ['pro_2', 'shop'],
        ],
    );
});

test('tokens go into their own header', async () => {
    for (const [options, expected] of [
        [{ userToken: 'a.b.c' }, 'Bearer a.b.c'],
        [{ sdkAuthorization: 'payer' }, 'payer'],
    ] as const) {
        const { multirail, server } = clientOf([json({})], { apiKey: undefined as never, ...options });
        await multirail.refunds.retrieve('ref_1');
        assert.equal(server.received[0]?.headers['authorization'], expected);
        assert.equal(server.received[0]?.headers['api-key'], undefined);
    }
});

test('a query leaves out members without a value', async () => {
    const { multirail, server } = clientOf([json({ data: [] })]);
    const query = { limit: 3, 'created.gte': '2026-01-05T10:11:12Z', customer_id: undefined as never };
    await multirail.payments.list(query);
    assert.equal(server.received[0]?.url.search, '?limit=3&created.gte=2026-01-05T10%3A11%3A12Z');
});

test('ids are encoded, and those that lead elsewhere are not sent', async () => {
    const { multirail, server } = clientOf([json({})]);
    await multirail.payments.retrieve('a/b?c');
    assert.equal(server.received[0]?.url.pathname, '/payments/a%2Fb%3Fc');
    for (const id of ['', '.', '..', undefined as never]) {
        assert.ok((await failure(multirail.payments.retrieve(id))) instanceof NotSentError, id);
    }
    assert.equal(server.received.length, 1);
});

test('a body without a form in JSON is not sent', async () => {
    const { multirail, server } = clientOf([]);
    for (const amount of [NaN, Infinity, 1n as never]) {
        const error = await failure(multirail.payments.capture('pay_1', { amount_to_capture: amount }));
        assert.ok(error instanceof NotSentError);
        assert.equal(error.message, 'payments_capture: not sent, because its body holds a value that JSON has no form for');
        assert.equal(error.isOutcomeUnknown, false);
    }
    assert.equal(server.received.length, 0);
});

test('a header that can not be sent is named without its value', async () => {
    const { multirail } = clientOf([]);
    const error = await failure(multirail.payments.create({ amount: 1, currency: 'USD' }, { idempotencyKey: 'ord\ner' }));
    assert.ok(error instanceof NotSentError);
    assert.match(error.message, /idempotency-key is empty or holds/);
    assert.doesNotMatch(error.message, /ord/);
});

test('an idempotency key is refused where it would have no effect', async () => {
    const { multirail } = clientOf([]);
    // @ts-expect-error The compiler refuses it first.
    const error = await failure(multirail.customers.delete('cus_1', { idempotencyKey: 'order-1' }));
    assert.match(String(error), /customers_delete: not sent, because the operation takes no idempotency key/);
});

test('files are sent as they are, and texts come back as they are', async () => {
    const { multirail, server } = clientOf([json({ file_id: 'f' }), new Response('health is good')]);
    const file = new Uint8Array([1, 2, 3]);
    await multirail.disputes.attach(file, { dispute_id: 'dp_1', evidence_type: 'receipt' });
    assert.equal(server.received[0]?.headers['content-type'], 'application/octet-stream');
    assert.equal(server.received[0]?.body, file);
    assert.equal(server.received[0]?.headers['idempotency-key'], undefined);
    assert.equal(await multirail.health.check(), 'health is good');
});

test('the response of an answer can be asked for', async () => {
    const { multirail } = clientOf([json({}, { 'idempotent-replayed': 'true' })]);
    const payment = await multirail.payments.create({ amount: 1, currency: 'USD' });
    assert.deepEqual(responseOf(payment), { status: 200, requestId: 'req_1', isReplayed: true });
    assert.deepEqual(Object.keys(payment), []);
    assert.equal(responseOf({ ...payment }), undefined);
});

test('functions do the same as methods', async () => {
    const { server } = clientOf([json({ status: 'succeeded' })]);
    const client = new Client({ baseUrl: 'https://pay.example/base/', apiKey: 'pk_1', fetch: server.fetch });
    const payment = await paymentsRetrieve(client, 'pay_1', { client_secret: 'pay_1_secret' });
    assert.equal(payment.status, 'succeeded');
    assert.equal(String(server.received[0]?.url), 'https://pay.example/base/payments/pay_1?client_secret=pay_1_secret');
});
