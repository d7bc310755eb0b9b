// A shop's first day with the client. Each chapter prints one line, and fails with a message if its end is another.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { ApiError, Client, constructEvent, Multirail, paymentsRetrieve, responseOf, WebhookError } from 'multirail';

function setting(name: string): string {
    const value = process.env[name];
    if (!value) throw new Error(`set ${name}`);
    return value;
}

const baseUrl = setting('MULTIRAIL_URL');
const apiKey = setting('MULTIRAIL_API_KEY');
const publishableKey = setting('MULTIRAIL_PUBLISHABLE_KEY');
const merchantId = setting('MULTIRAIL_MERCHANT');
const card = { card_number: '4242424242424242', card_exp_month: '10', card_exp_year: '2035', card_cvc: '123' };
const declined = { ...card, card_number: '4000000000000002' };

const multirail = new Multirail({ apiKey, baseUrl });

async function pay(): Promise<string> {
    const payment = await multirail.payments.create({
        amount: 6540,
        currency: 'USD',
        capture_method: 'manual',
    });
    const confirmed = await multirail.payments.confirm(payment.payment_id, {
        payment_method: 'card',
        payment_method_data: { card },
    });
    assert.equal(payment.status, 'requires_payment_method');
    assert.equal(confirmed.status, 'requires_capture');
    tell('pay', `${payment.payment_id} is ${confirmed.status}`);
    return payment.payment_id;
}

async function capture(paymentId: string): Promise<void> {
    const payment = await multirail.payments.capture(paymentId, { amount_to_capture: 4000 });
    assert.equal(payment.status, 'partially_captured');
    assert.equal(payment.amount_received, 4000);
    tell('capture', `${payment.amount_received} of ${payment.amount}`);
}

async function refund(paymentId: string): Promise<void> {
    const refund = await multirail.refunds.create({ payment_id: paymentId, amount: 1500 });
    assert.equal(refund.status, 'succeeded');
    const { data } = await multirail.refunds.list({ payment_id: paymentId });
    assert.deepEqual(data.map((one) => one.refund_id), [refund.refund_id]);
    tell('refund', `${refund.amount} is ${refund.status}`);
}

async function refusals(paymentId: string): Promise<void> {
    let advice = '';
    try {
        await multirail.refunds.create({ payment_id: paymentId, amount: 9999 });
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        switch (error.code) {
            case 'IR_13':
                advice = 'refund less than that';
                break;
            case 'HE_02':
                advice = 'there is no such payment';
                break;
            default:
                advice = error.isRetryable ? 'try again later' : `report ${error.requestId}`;
        }
    }
    assert.equal(advice, 'refund less than that');
    const wrong = new Multirail({ apiKey: 'snd_wrong', baseUrl });
    const error: unknown = await wrong.payments.retrieve(paymentId).catch((error: unknown) => error);
    assert.ok(error instanceof ApiError && error.status === 401 && error.code === 'IR_01', inspect(error));
    assert.ok(!inspect(error).includes('snd_wrong'));
    tell('refusals', `typed by code: ${advice}`);
}

async function browser(): Promise<void> {
    const { payment_id: paymentId, client_secret: clientSecret } = await multirail.payments.create({ amount: 100, currency: 'EUR' });
    assert.ok(clientSecret);
    const client = new Client({ baseUrl, apiKey: publishableKey });
    const payment = await paymentsRetrieve(client, paymentId, { client_secret: clientSecret });
    assert.equal(payment.amount, 100);
    tell('browser', `the payer sees ${payment.payment_id}`);
}

async function list(): Promise<void> {
    const { customer_id: customerId } = await multirail.customers.create({ name: 'Ada' });
    const made: string[] = [];
    for (let amount = 1; amount <= 7; amount++) {
        const { payment_id } = await multirail.payments.create({ amount, currency: 'USD', customer_id: customerId });
        made.unshift(payment_id);
    }
    let pages = 0;
    const counting = new Multirail({ apiKey, baseUrl, fetch: (url, init) => (pages++, fetch(url, init)) });
    const found = await counting.payments.list({ customer_id: customerId, limit: 3 }).toArray(100);
    assert.deepEqual(found.map((one) => one.payment_id), made);
    assert.equal(pages, 3);
    const newer = await multirail.payments.list({ customer_id: customerId, limit: 2, ending_before: made[6] }).toArray(100);
    assert.deepEqual(newer.map((one) => one.payment_id), made.slice(0, 6).reverse());
    const filtered = await multirail.payments.filter({ customer_id: customerId, limit: 2 }).toArray(100);
    assert.equal(filtered.length, 7);

    let total = 0;
    for await (const payment of multirail.payments.list({ customer_id: customerId })) {
        total += payment.amount;
    }
    assert.equal(total, 28);
    tell('list', `${found.length} payments in ${pages} pages`);
}

async function decline(): Promise<void> {
    const payment = await multirail.payments.create({
        amount: 6540,
        currency: 'USD',
        confirm: true,
        payment_method: 'card',
        payment_method_data: { card: declined },
    });
    assert.equal(payment.status, 'failed');
    assert.ok(payment.error_code && payment.error_message);
    tell('decline', `no exception: ${payment.status} with ${payment.error_code}`);
}

async function repeat(): Promise<void> {
    const { customer_id } = await multirail.customers.create({ name: 'Grace' });
    const order = { amount: 6540, currency: 'USD', customer_id } as const;
    const first = await multirail.payments.create(order, { idempotencyKey: 'order-2041' });
    const second = await multirail.payments.create(order, { idempotencyKey: 'order-2041' });
    assert.equal(second.payment_id, first.payment_id);
    assert.equal(responseOf(first)?.isReplayed, false);
    assert.equal(responseOf(second)?.isReplayed, true);

    // An answer that gets lost on its way is asked for again, with the same key.
    let tries = 0;
    const losing = async (url: string, init: RequestInit): Promise<Response> => {
        const response = await fetch(url, init);
        tries += 1;
        if (tries > 1) return response;
        await response.arrayBuffer();
        throw new TypeError('the answer got lost');
    };
    const third = await new Multirail({ apiKey, baseUrl, fetch: losing }).payments.create(order);
    assert.equal(tries, 2);
    assert.equal(responseOf(third)?.isReplayed, true);
    const all = await multirail.payments.list({ customer_id }).toArray(100);
    assert.deepEqual(all.map((one) => one.payment_id), [third.payment_id, first.payment_id]);
    tell('repeat', `four requests with two keys made ${all.length} payments`);
}

/** A delivery as the shop's server received it. */
interface Delivery {
    body: Buffer;
    headers: NodeJS.Dict<string | string[]>;
}

async function webhook(): Promise<void> {
    const server = createServer((request, response) => {
        const pieces: Buffer[] = [];
        request.on('data', (piece: Buffer) => pieces.push(piece));
        request.on('end', () => {
            response.end();
            server.emit('delivery', { body: Buffer.concat(pieces), headers: request.headers });
        });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
        const [profile] = await multirail.businessProfiles.list(merchantId);
        assert.ok(profile);
        const webhook_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const { webhook_secrets } = await multirail.businessProfiles.update(merchantId, profile.profile_id, { webhook_details: { webhook_url } });
        const secret = webhook_secrets?.[0]?.secret ?? '';

        const arrival = once(server, 'delivery', { signal: AbortSignal.timeout(20_000) });
        const order = { amount: 6540, currency: 'USD', confirm: true, payment_method: 'card', payment_method_data: { card } } as const;
        const payment = await multirail.payments.create(order);
        const [{ body, headers }] = (await arrival) as [Delivery];

        const event = await multirail.webhooks.constructEvent(body, headers, secret);
        if (event.content.type === 'payment_details') {
            assert.equal(event.content.object.payment_id, payment.payment_id);
        }
        assert.equal(event.event_type, 'payment_succeeded');
        assert.equal(event.content.type, 'payment_details');

        const forged = body.toString().replace('6540', '9999');
        assert.notEqual(forged, body.toString());
        for (const [given, now, reason] of [
            [forged, Date.now(), 'wrong_signature'],
            [body, Date.now() + 3_600_000, 'too_old'],
        ] as const) {
            const error: unknown = await constructEvent(given, headers, secret, { now }).catch((error: unknown) => error);
            assert.ok(error instanceof WebhookError && error.reason === reason, inspect(error));
        }
        tell('webhook', `${event.event_type} is genuine, its forgery is refused`);
    } finally {
        server.closeAllConnections();
        server.close();
    }
}

function tell(chapter: string, end: string): void {
    console.log(`${chapter.padEnd(9)} ${end}`);
}

const paymentId = await pay();
await capture(paymentId);
await refund(paymentId);
await refusals(paymentId);
await browser();
await list();
await decline();
await repeat();
await webhook();
