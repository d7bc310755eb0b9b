import { vi } from 'vitest';

/** A request that the console sent. */
export interface Sent {
    method: string;
    path: string;
    headers: Headers;
    body: unknown;
}

type Answer = { status?: number; body: unknown } | Error;
type Route = (sent: Sent) => Answer | Promise<Answer> | undefined;

/** A server of a test: it answers by its routes, the first that fits, and remembers what was sent. */
export class Server {
    readonly sent: Sent[] = [];
    readonly #routes: Route[] = [];
    #clock: (() => number) | undefined;

    constructor() {
        this.on('GET', '/', () => ({ body: { name: 'multirail', sandbox: true, documentation: '/docs' } }));
        vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => this.#answer(url, init));
    }

    /** Answers requests with this method and path, before the routes that were there already. */
    on(method: string, path: string, answer: (sent: Sent) => Answer | Promise<Answer>): this {
        this.#routes.unshift((sent) => (sent.method === method && sent.path.split('?')[0] === path ? answer(sent) : undefined));
        return this;
    }

    /** Sends the time of a clock with each answer. */
    timedBy(clock: () => number): this {
        this.#clock = clock;
        return this;
    }

    /** Returns the requests with this method and path. */
    to(method: string, path: string): Sent[] {
        return this.sent.filter((one) => one.method === method && one.path.split('?')[0] === path);
    }

    async #answer(url: string, init: RequestInit): Promise<Response> {
        const { pathname, search } = new URL(url, window.location.origin);
        const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body;
        const sent = { method: init.method ?? 'GET', path: pathname.replace(/^\/console\/api/, '') + search, headers: new Headers(init.headers), body };
        this.sent.push(sent);
        for (const route of this.#routes) {
            const answer = await route(sent);
            if (answer instanceof Error) throw answer;
            if (answer) return new Response(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body), { status: answer.status ?? 200, headers: this.#headers() });
        }
        return new Response(JSON.stringify({ error_type: 'invalid_request', message: 'No such address', code: 'IR_02' }), { status: 404 });
    }

    #headers(): Record<string, string> {
        return { 'request-id': '0190-req', ...(this.#clock ? { date: new Date(this.#clock()).toUTCString() } : {}) };
    }
}

export const refused = (status: number, code: string, message: string): Answer => ({ status, body: { error_type: 'invalid_request', message, code } });
export const ENDED = refused(401, 'IR_17', 'Nobody is signed in at the console, or the session has ended.');

export const USER = {
    user_id: 'user_1',
    email: 'ada@books.example',
    name: 'Ada',
    role_id: 'merchant_operator',
    merchant_id: 'demo',
    org_id: 'org_1',
    profile_id: 'pro_1',
    entity_type: 'merchant',
    is_two_factor_auth_setup: false,
    recovery_codes_left: 0,
    is_oidc_linked: false,
    is_two_factor_auth_required: false,
};

export const PAYMENT = {
    payment_id: 'pay_1',
    merchant_id: 'demo',
    profile_id: 'pro_1',
    amount: 6540,
    net_amount: 6540,
    amount_received: 6540,
    amount_capturable: 0,
    currency: 'EUR',
    status: 'succeeded',
    attempt_count: 1,
    created: '2026-02-01T10:00:00.000Z',
    modified_at: '2026-02-01T10:00:01.000Z',
    capture_method: 'automatic',
    connector: 'fauxpay',
    customer_id: 'cus_1',
    customer: { name: '<img src=x onerror=alert(1)>\u202egnp.exe', email: 'ada@example.com' },
    description: '<script>alert(1)</script>',
    payment_method: 'card',
    payment_method_type: 'credit',
    payment_method_data: { card: { last4: '4242', card_network: 'Visa', card_exp_month: '10', card_exp_year: '2035' } },
    metadata: null,
    state_metadata: null,
};

export const REFUND = { refund_id: 'ref_1', payment_id: 'pay_1', amount: 6540, currency: 'EUR', status: 'succeeded', connector: 'fauxpay', reason: null, error_code: null, error_message: null, created_at: '2026-02-02T10:00:00.000Z' };

export const ACCOUNT = {
    connector_type: 'payment_processor',
    connector_name: 'fauxpay',
    connector_label: 'fauxpay_default',
    merchant_connector_id: 'mca_1',
    profile_id: 'pro_1',
    payment_methods_enabled: null,
    test_mode: true,
    disabled: false,
    frm_configs: null,
    business_country: null,
    business_label: null,
    business_sub_label: null,
    applepay_verified_domains: null,
    pm_auth_config: null,
    status: 'active',
};

const ALL = ['automatic', 'manual', 'manual_multiple', 'scheduled', 'sequential_automatic'];
const CARD = { payment_method: 'card', payment_method_types: ['credit', 'debit'].map((type) => ({ payment_method_type: type, capture_methods: ALL, recurring_enabled: true })) };
const DESCRIBED = { connector_types: ['payment_processor'], capture_methods: ALL, features: ['refunds', 'three_ds'] };

/** The connectors of a sandbox, as far as tests need them. */
export const CONNECTORS = [
    {
        ...DESCRIBED,
        connector_name: 'adyen',
        is_simulator: false,
        credentials: {
            auth_type: 'BodyKey',
            members: [
                { name: 'api_key', label: 'API key', required: true },
                { name: 'key1', label: 'Merchant account', required: true },
            ],
        },
        settings: [
            { name: 'endpoint_prefix', kind: 'text', needed: 'outside_test_mode', form: 'the prefix of your live endpoint' },
            { name: 'several', kind: 'boolean', needed: 'never', form: 'true or false' },
        ],
        webhook_members: [
            { name: 'merchant_secret', label: 'HMAC key', required: true },
            { name: 'additional_secret', label: 'The other HMAC key', required: false },
        ],
        payment_methods: [CARD],
    },
    {
        ...DESCRIBED,
        connector_name: 'fauxpay',
        is_simulator: true,
        credentials: { auth_type: 'HeaderKey', members: [{ name: 'api_key', label: 'API key (any text)', required: true }] },
        settings: [],
        webhook_members: [{ name: 'merchant_secret', label: 'Signing key (any text)', required: false }],
        payment_methods: [CARD, { payment_method: 'bank_redirect', payment_method_types: [{ payment_method_type: 'ideal', currencies: ['EUR'], capture_methods: ['automatic'], recurring_enabled: false }] }],
    },
];

/** A server where somebody is signed in who may refund, with one payment. */
export function signedIn(user: Partial<typeof USER> = {}): Server {
    return new Server()
        .on('GET', '/user', () => ({ body: { ...USER, ...user } }))
        .on('GET', '/user/merchants', () => ({ body: [] }))
        .on('GET', '/user/saved_views', () => ({ body: [] }))
        .on('POST', '/payments/list', () => ({ body: { count: 1, total_count: 1, data: [PAYMENT] } }))
        .on('GET', '/user/payments/pay_1', () => ({ body: PAYMENT }))
        .on('POST', '/refunds/list', () => ({ body: { count: 0, total_count: 0, data: [] } }))
        .on('GET', '/disputes/list', () => ({ body: [] }))
        .on('GET', '/request_log', () => ({ body: [] }))
        .on('POST', '/events/demo', () => ({ body: { total_count: 0, events: [] } }))
        .on('GET', '/connectors', () => ({ body: CONNECTORS }))
        .on('GET', '/account/demo/connectors', () => ({ body: [] }));
}
