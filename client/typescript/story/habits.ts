// The calls in the guide for people who come from other clients (server/docs/guides/coming-from-elsewhere.md), run at a sandbox.
// A test finds each call of the guide here.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { ApiError, constructEvent, type CustomerCreateRequest, type Customer, Multirail, responseOf } from 'multirail';

const { MULTIRAIL_URL: baseUrl = '', MULTIRAIL_API_KEY: apiKey = '' } = process.env;

const multirail = new Multirail({ apiKey, baseUrl });

// 1 to 4: customers, types, promises.
const customer = await multirail.customers.create({ email: 'ada@example.com' });
assert.equal(customer.email, 'ada@example.com');
const params: CustomerCreateRequest = { description: 'A reader' };
const typed: Customer = await multirail.customers.create(params);
assert.equal(typed.description, 'A reader');
await multirail.customers.create(params).then((made) => assert.ok(made.customer_id));

// 5: the response beside the object.
assert.match(responseOf(customer)?.requestId ?? '', /^[0-9a-f-]{36}$/);

// 6 and 7: settings of a client and of a call.
const patient = new Multirail({ apiKey, baseUrl, maxRetries: 1, timeout: 10_000 });
const order = { amount: 2000, currency: 'USD', capture_method: 'manual', customer_id: customer.customer_id } as const;
const payment = await patient.payments.create(order, { timeout: 5_000, maxRetries: 2, idempotencyKey: 'order-7' });
const again = await patient.payments.create(order, { idempotencyKey: 'order-7' });
assert.equal(again.payment_id, payment.payment_id);

// 8: a platform's connected account. This key is no platform's.
const platform = multirail.payments.list({ limit: 1 }, { connectedMerchantId: 'bookshop' });
const refused: unknown = await platform.catch((error: unknown) => error);
assert.ok(refused instanceof ApiError && refused.status === 401 && refused.code === 'IR_44', String(refused));

// 9: the requests that are sent.
const seen: string[] = [];
const watched = new Multirail({ apiKey, baseUrl, fetch: (url, init) => (seen.push(`${init.method} ${url}`), fetch(url, init)) });
await watched.payments.retrieve(payment.payment_id);
assert.deepEqual(seen, [`GET ${baseUrl}/payments/${payment.payment_id}`]);

// 10: a webhook, signed here as a test header.
const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const body = JSON.stringify({
    merchant_id: 'demo',
    event_id: 'evt_1',
    event_type: 'payment_succeeded',
    content: { type: 'payment_details', object: payment },
    timestamp: new Date().toISOString(),
});
const now = Math.floor(Date.now() / 1000);
const signed = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(`msg_1.${now}.${body}`).digest('base64');
const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(now), 'webhook-signature': `v1,${signed}` };
const event = await multirail.webhooks.constructEvent(body, headers, secret);
assert.equal(event.event_type, 'payment_succeeded');
assert.equal((await constructEvent(body, headers, secret)).event_id, event.event_id);

// Beyond the first ten: payments, lists and errors.
const card = { card_number: '4242424242424242', card_exp_month: '10', card_exp_year: '2035', card_cvc: '123' };
const paymentId = payment.payment_id;
await multirail.payments.confirm(paymentId, { payment_method: 'card', payment_method_data: { card } });
await multirail.payments.capture(paymentId, { amount_to_capture: 1500 });
await multirail.refunds.create({ payment_id: paymentId, amount: 500 });
assert.equal((await multirail.payments.retrieve(paymentId)).amount_received, 1500);

let count = 0;
for await (const one of multirail.payments.list({ customer_id: customer.customer_id })) count += one.amount === 2000 ? 1 : 0;
assert.equal(count, 1);
assert.equal((await multirail.payments.list().toArray(100)).length > 0, true);

const missing: unknown = await multirail.payments.retrieve('pay_none').catch((error: unknown) => error);
assert.ok(missing instanceof ApiError && missing.code === 'HE_02');

const cancelled = await multirail.payments.create({ amount: 100, currency: 'USD' });
await multirail.payments.cancel(cancelled.payment_id, { cancellation_reason: 'requested_by_customer' });

// The API reference of Hyperswitch: one page of payments, a customer's saved methods and mandates.
const page = await multirail.payments.list({ limit: 10 });
assert.equal(page.data.length, page.size);
await multirail.payments.create({
    amount: 700,
    currency: 'USD',
    confirm: true,
    customer_id: customer.customer_id,
    payment_method: 'card',
    payment_method_data: { card },
    setup_future_usage: 'off_session',
    customer_acceptance: { acceptance_type: 'offline' },
});
const saved = await multirail.customerPaymentMethods.list(customer.customer_id);
assert.equal(saved.customer_payment_methods.length, 1);
assert.ok(Array.isArray(await multirail.customerMandates.list(customer.customer_id)));
console.log('habits    of other clients work, or the guide says what differs');
