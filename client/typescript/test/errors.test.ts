import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as multirailModule from '../src/index.js';
import { ApiError, Client, ConnectionError, Multirail, MultirailError, NotSentError, UnreadableAnswerError } from '../src/index.js';
import { broken, clientOf, failure, KEY, refusal } from './support.js';

const CARD = { card_number: '4242424242424242', card_exp_month: '10', card_exp_year: '35', card_cvc: '987' };
const PAY = { amount: 1, currency: 'USD', payment_method: 'card', payment_method_data: { card: CARD } } as const;

test('the status decides the class of an error', async () => {
    const classes = {
        400: 'InvalidRequestError',
        401: 'AuthenticationError',
        403: 'PermissionError',
        404: 'NotFoundError',
        409: 'ConflictError',
        413: 'InvalidRequestError',
        422: 'InvalidRequestError',
        429: 'RateLimitError',
        500: 'ServerError',
        503: 'ServerError',
    } as const;
    for (const [status, name] of Object.entries(classes)) {
        const { multirail } = clientOf([refusal(Number(status), 'IR_06')], { maxRetries: 0 });
        const error = await failure(multirail.payments.create(PAY));
        assert.ok(error instanceof multirailModule[name] && error instanceof ApiError && error instanceof MultirailError, status);
        assert.equal(error.name, name);
    }
});

test('an error has the parts of the answer', async () => {
    const { multirail } = clientOf([refusal(404, 'HE_02', {}, 'Payment does not exist')]);
    const error = await failure(multirail.payments.retrieve('pay_1'));
    assert.ok(error instanceof ApiError);
    assert.equal(error.message, 'payments_retrieve: Payment does not exist (HE_02, HTTP 404)');
    const { operation, status, code, errorType, requestId } = error;
    assert.deepEqual([operation, status, code, errorType, requestId], ['payments_retrieve', 404, 'HE_02', 'invalid_request', 'req_2']);
});

test('an answer of somebody else is unreadable', async () => {
    const page = (status: number) => new Response('<html>a proxy</html>', { status });
    for (const status of [200, 302, 404, 502]) {
        const { multirail } = clientOf([page(status), page(status), page(status)]);
        const error = await failure(multirail.payments.create(PAY));
        assert.ok(error instanceof UnreadableAnswerError, `${status}`);
        assert.equal(error.message, `payments_create: the answer can't be read (HTTP ${status})`);
        assert.equal(error.isRetryable, status === 502);
        assert.ok(error.isOutcomeUnknown);
    }
});

test('a long body of an error is not read to its end', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
        pull(controller) {
            pulled += 1;
            controller.enqueue(new Uint8Array(16_384).fill(32));
        },
    });
    const { multirail } = clientOf([new Response(endless, { status: 400 })]);
    assert.ok((await failure(multirail.payments.create(PAY))) instanceof UnreadableAnswerError);
    assert.ok(pulled < 10, `${pulled} pieces were read`);
});

/** Returns everything that a log could show of a value. */
function shown(value: unknown): string {
    return `${inspect(value, { depth: 9, showHidden: true })} ${JSON.stringify(value)} ${String(value)}`;
}

function assertClean(value: unknown): void {
    const text = shown(value);
    for (const secret of [KEY, CARD.card_number, CARD.card_cvc, 'pay_1_secret_x']) {
        assert.ok(!text.includes(secret), `${secret} shows in ${text}`);
    }
}

test('errors show no keys, no card data and no client secrets', async () => {
    const leaky = `the key ${KEY} and the card 4242 4242 4242 4242, 4242424242424242`;
    const network = new TypeError(`error sending request for url (https://pay.example?client_secret=pay_1_secret_x)`);
    for (const answer of [refusal(400, 'IR_06', {}, leaky), network, broken('ECONNRESET'), new Response(leaky, { status: 502 })]) {
        const { multirail } = clientOf([answer], { maxRetries: 0 });
        const error = await failure(multirail.payments.confirm('pay_1', { ...PAY, client_secret: 'pay_1_secret_x' }));
        assert.ok(error instanceof MultirailError);
        assertClean(error);
    }
    const { multirail } = clientOf([network], { maxRetries: 0 });
    const lost = await failure(multirail.payments.retrieve('pay_1', { client_secret: 'pay_1_secret_x' }));
    assert.ok(lost instanceof ConnectionError);
    assertClean(lost);
    const unsent = await failure(multirail.payments.create({ ...PAY, amount: NaN }));
    assert.ok(unsent instanceof NotSentError);
    assertClean(unsent);
});

test('a masked message says that it was masked', async () => {
    const { multirail } = clientOf([refusal(401, 'IR_01', {}, `wrong key ${KEY} for 4242424242424242`)]);
    const error = await failure(multirail.payments.create(PAY));
    assert.match(String(error), /wrong key \[key\] for \[number\] \(IR_01, HTTP 401\)/);
});

test('clients, their resources and lists show no keys', () => {
    const { multirail } = clientOf([]);
    for (const one of [multirail, multirail.payments, multirail.payments.list({ customer_id: 'cus_1' })]) assertClean(one);
    assert.equal(inspect(multirail), "Multirail { baseUrl: 'https://pay.example' }");
    assert.equal(inspect(new Client({ baseUrl: 'https://pay.example', apiKey: KEY })), "Client { baseUrl: 'https://pay.example' }");
    assert.equal(JSON.stringify(multirail), '{"baseUrl":"https://pay.example"}');
});

test('settings that can not be used are refused without their value', () => {
    const good = { baseUrl: 'https://pay.example', apiKey: KEY };
    for (const wrong of [
        { apiKey: '' },
        { apiKey: `${KEY}\n` },
        { userToken: KEY },
        { baseUrl: 'pay.example' },
        { baseUrl: 'file:///pay' },
        { baseUrl: `https://user:${KEY}@pay.example` },
        { baseUrl: `https://pay.example/?key=${KEY}` },
        { timeout: NaN },
        { maxRetries: -1 },
    ]) {
        assert.throws(
            () => new Multirail({ ...good, ...wrong }),
            (error) => error instanceof TypeError && !error.message.includes(KEY),
            JSON.stringify(wrong),
        );
    }
});
