// A small server for the frame: it answers by operation, and remembers what it was asked.
import { vi } from 'vitest';
import type { Json, Payment, SavedMethod } from '../src/frame/api.ts';

export const SECRET = 'pay_1_secret_x';
export const PROFILE = 'pro_1';

/** A payment of 65.40 dollars that waits for its payer. */
export function payment(changes: Partial<Payment> = {}): Payment {
    return {
        payment_id: 'pay_1',
        status: 'requires_payment_method',
        amount: 6540,
        net_amount: 6540,
        currency: 'USD',
        profile_id: PROFILE,
        manual_retry_allowed: null,
        next_action: null,
        ...changes,
    };
}

const field = (path: string, type: string) => [path, { required_field: path, display_name: path, field_type: type, value: null }] as const;
const card = 'payment_method_data.card';
const sepa = 'payment_method_data.bank_debit.sepa_bank_debit';
const bacs = 'payment_method_data.bank_debit.bacs_bank_debit';
const redirect = [{ payment_experience_type: 'redirect_to_url', eligible_connectors: ['fauxpay'] }];

const TYPES: Readonly<Record<string, readonly [family: string, type: Json]>> = {
    credit: ['card', { payment_experience: redirect, required_fields: Object.fromEntries([field(`${card}.card_number`, 'user_card_number')]) }],
    ideal: ['bank_redirect', { payment_experience: redirect, bank_names: [{ bank_name: ['ing', 'rabobank'], eligible_connectors: ['fauxpay'] }], required_fields: {} }],
    paypal: ['wallet', { payment_experience: redirect, required_fields: {} }],
    klarna: ['pay_later', { payment_experience: redirect, required_fields: Object.fromEntries([field('payment_method_data.billing.email', 'user_email_address'), field('payment_method_data.billing.address.country', 'user_country')]) }],
    sepa: ['bank_debit', { payment_experience: [], required_fields: Object.fromEntries([field(`${sepa}.iban`, 'user_iban'), field(`${sepa}.bank_account_holder_name`, 'user_bank_account_holder_name')]) }],
    bacs: ['bank_debit', { payment_experience: [], required_fields: Object.fromEntries([field(`${bacs}.account_number`, 'user_bank_account_number'), field(`${bacs}.sort_code`, 'user_bank_sort_code'), field(`${bacs}.bank_account_holder_name`, 'user_bank_account_holder_name')]) }],
    pix: ['bank_transfer', { payment_experience: [{ payment_experience_type: 'display_qr_code' }], required_fields: {} }],
    boleto: ['voucher', { payment_experience: [], required_fields: Object.fromEntries([field('payment_method_data.voucher.boleto.social_security_number', 'user_social_security_number')]) }],
    sepa_bank_transfer: ['bank_transfer', { payment_experience: [], required_fields: Object.fromEntries([field('payment_method_data.bank_transfer.sepa_bank_transfer.country', 'user_country')]) }],
    upi_collect: ['upi', { payment_experience: [], required_fields: Object.fromEntries([field('payment_method_data.upi.upi_collect.vpa_id', 'user_vpa_id')]) }],
    apple_pay: ['wallet', { payment_experience: [], required_fields: {} }],
};

export function offers(...kinds: string[]): Json {
    const methods = kinds.map((kind) => {
        const [family, type] = TYPES[kind] ?? ['none', {}];
        return { payment_method: family, payment_method_types: [{ payment_method_type: kind, ...type }] };
    });
    return { merchant_name: 'The bookshop', payment_methods: methods };
}

export interface Call {
    method: string;
    path: string;
    query: URLSearchParams;
    headers: Headers;
    body: Json;
}

type Answer = { status?: number; body: unknown } | 'unreachable';

/** The answers of each operation, in order. The last one stays. */
export class Server {
    readonly calls: Call[] = [];
    offered: Json = offers('credit');
    saved: Partial<SavedMethod>[] = [];
    retrieved: Answer[] = [{ body: payment() }];
    confirmed: Answer[] = [{ body: payment({ status: 'succeeded', payment_method: 'card' }) }];
    completed: Answer[] = [];

    constructor() {
        vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => this.#answer(url, init));
    }

    of(method: string, end: string): Call[] {
        return this.calls.filter((call) => call.method === method && call.path.endsWith(end));
    }

    get confirms(): Call[] {
        return this.of('POST', '/confirm');
    }

    #answer(url: URL, init: RequestInit): Response {
        const method = init.method ?? 'GET';
        const body = init.body ? (JSON.parse(String(init.body)) as Json) : {};
        const call = { method, path: url.pathname, query: url.searchParams, headers: new Headers(init.headers), body };
        this.calls.push(call);
        const answer = this.#choose(method, url.pathname);
        if (answer === 'unreachable') throw new TypeError('no network');
        return new Response(JSON.stringify(answer.body), { status: answer.status ?? 200 });
    }

    #choose(method: string, path: string): Answer {
        if (path.endsWith('/account/payment_methods')) return { body: this.offered };
        if (path.endsWith('/customers/payment_methods')) return { body: { customer_payment_methods: this.saved, is_guest_customer: false } };
        const list = path.endsWith('/confirm') ? this.confirmed : path.endsWith('/complete_authorize') ? this.completed : method === 'GET' ? this.retrieved : [];
        const next = list.length > 1 ? list.shift() : list[0];
        if (!next) throw new Error(`the test has no answer for ${method} ${path}`);
        return next;
    }
}

export const refused = (status: number, code: string, message = 'refused'): Answer => ({ status, body: { error: { type: 'invalid_request', code, message } } });
