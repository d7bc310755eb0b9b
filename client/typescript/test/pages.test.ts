import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnreadableAnswerError } from '../src/index.js';
import { clientOf, failure, json, type Received } from './support.js';

/** Returns numbers as the items of a list. */
const items = (first: number, count: number, key = 'payment_id') =>
    Array.from({ length: count }, (_, index) => ({ [key]: `pay_${first + index}` }));
const query = ({ url }: Received) => decodeURIComponent(url.search);
const ids = (list: object[]) => list.map((one) => (one as { payment_id: string }).payment_id);

test('a list that is awaited is one page, as it was asked for', async () => {
    const { multirail, server } = clientOf([json({ size: 1, data: items(1, 1) })]);
    const list = multirail.payments.list({ customer_id: 'cus_1' });
    const page = await list;
    assert.deepEqual(ids(page.data), ['pay_1']);
    assert.equal(await list, page);
    assert.deepEqual(server.received.map(query), ['?customer_id=cus_1']);
});

test('a list that is not used sends nothing', () => {
    const { multirail, server } = clientOf([]);
    multirail.payments.list();
    assert.equal(server.received.length, 0);
});

test('a list by cursor goes from page to page', async () => {
    const { multirail, server } = clientOf([json({ data: items(1, 2) }), json({ data: items(3, 2) }), json({ data: items(5, 1) })]);
    const found: string[] = [];
    for await (const payment of multirail.payments.list({ limit: 2 })) found.push(payment.payment_id);
    assert.deepEqual(found, ['pay_1', 'pay_2', 'pay_3', 'pay_4', 'pay_5']);
    assert.deepEqual(server.received.map(query), ['?limit=2', '?limit=2&starting_after=pay_2', '?limit=2&starting_after=pay_4']);
});

test('a list by cursor can go backwards', async () => {
    const { multirail, server } = clientOf([json({ data: items(4, 2) }), json({ data: items(2, 2) }), json({ data: [] })]);
    const found = await multirail.payments.list({ limit: 2, ending_before: 'pay_6' }).toArray(99);
    assert.deepEqual(ids(found), ['pay_5', 'pay_4', 'pay_3', 'pay_2']);
    assert.deepEqual(server.received.map(query), [
        '?limit=2&ending_before=pay_6',
        '?limit=2&ending_before=pay_4',
        '?limit=2&ending_before=pay_2',
    ]);
});

test('the audit log goes by its numbers', async () => {
    const entries = (first: number, count: number) => Array.from({ length: count }, (_, index) => ({ sequence: first - index }));
    const { multirail, server } = clientOf([json(entries(9, 2)), json(entries(7, 1))]);
    const found = await multirail.audit.list({ limit: 2 }).toArray(99);
    assert.deepEqual(found.map((one) => one.sequence), [9, 8, 7]);
    assert.deepEqual(server.received.map(query), ['?limit=2', '?limit=2&before=8']);
});

test('lists by offset in the query count on from the given one', async () => {
    const { multirail, server } = clientOf([json(items(1, 50)), json(items(51, 3))]);
    const found = await multirail.customers.list({ offset: 7 }).toArray(99);
    assert.equal(found.length, 53);
    assert.deepEqual(server.received.map(query), ['?offset=7&limit=50', '?offset=57&limit=50']);
});

test('lists that skip, and pages with a member for the items, are lists too', async () => {
    const keys = clientOf([json(items(1, 2)), json([])]);
    assert.equal((await keys.multirail.apiKeys.list('demo', { limit: 2 }).toArray(9)).length, 2);
    assert.deepEqual(keys.server.received.map(query), ['?limit=2', '?limit=2&skip=2']);
    const routing = clientOf([json({ merchant_id: 'demo', active_id: null, records: items(1, 1) })]);
    assert.equal((await routing.multirail.routing.list({}).toArray(9)).length, 1);
});

test('lists by POST have the page in the body', async () => {
    const { multirail, server } = clientOf([json({ data: items(1, 2) }), json({ data: items(3, 1) })]);
    assert.equal((await multirail.refunds.list({ limit: 2, payment_id: 'pay_1' }).toArray(99)).length, 3);
    assert.deepEqual(
        server.received.map(({ body }) => body),
        [
            { limit: 2, payment_id: 'pay_1' },
            { limit: 2, payment_id: 'pay_1', offset: 2 },
        ],
    );
    const events = clientOf([json({ events: items(1, 50), total_count: 51 }), json({ events: items(51, 1), total_count: 51 })]);
    assert.equal((await events.multirail.events.list('demo').toArray(99)).length, 51);
    assert.deepEqual(events.server.received.map(({ body }) => body), [{ limit: 50 }, { limit: 50, offset: 50 }]);
});

test('a program that stops early requests no further page', async () => {
    const { multirail, server } = clientOf([json({ data: items(1, 2) }), json({ data: items(3, 2) })]);
    assert.deepEqual(ids(await multirail.payments.list({ limit: 2 }).toArray(3)), ['pay_1', 'pay_2', 'pay_3']);
    assert.equal(server.received.length, 2);
    assert.deepEqual(await multirail.payments.list({ limit: 2 }).toArray(0), []);
    assert.equal(server.received.length, 2);
});

test('pages can be read one by one', async () => {
    const { multirail } = clientOf([json({ size: 2, data: items(1, 2) }), json({ size: 0, data: [] })]);
    const sizes: number[] = [];
    for await (const page of multirail.payments.list({ limit: 2 }).pages()) sizes.push(page.size);
    assert.deepEqual(sizes, [2, 0]);
});

test('a limit of 0 and a list that repeats itself end', async () => {
    const { multirail } = clientOf([json({ data: [] }), json({ data: items(1, 1) }), json({ data: items(1, 1) })]);
    assert.deepEqual(await multirail.payments.list({ limit: 0 }).toArray(9), []);
    const error = await failure(multirail.payments.list({ limit: 1 }).toArray(9));
    assert.ok(error instanceof UnreadableAnswerError && error.operation === 'payments_list');
});

test('a page without items is no page', async () => {
    const { multirail } = clientOf([json({ data: null })]);
    assert.ok((await failure(multirail.payments.list().toArray(9))) instanceof UnreadableAnswerError);
});

test('a failure of a later page comes after the items before it', async () => {
    const { multirail } = clientOf([json({ data: items(1, 1) }), json({}), json({})]);
    const found: string[] = [];
    const read = async () => {
        for await (const payment of multirail.payments.list({ limit: 1 })) found.push(payment.payment_id);
    };
    assert.ok((await failure(read())) instanceof UnreadableAnswerError);
    assert.deepEqual(found, ['pay_1']);
});
