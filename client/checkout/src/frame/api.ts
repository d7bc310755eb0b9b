// The calls of a payer's client, at the origin of this frame. The answers are read with care: a newer server may send more.
import type { CheckoutError, ErrorType, Payment as PublicPayment } from '../types.ts';
import { clock } from './clock.ts';

export type Json = Record<string, unknown>;

/** A payment, with the members that the frame reads. */
export interface Payment extends PublicPayment {
    net_amount?: number | null;
    setup_future_usage?: string | null;
    surcharge_details?: { surcharge_amount: number; tax_amount?: number | null } | null;
    billing?: Json | null;
    next_action?: NextAction | null;
}

export interface NextAction {
    type: string;
    redirect_to_url?: string | null;
    image_data_url?: string;
    qr_code_url?: string;
    display_text?: string;
    display_to_timestamp?: number;
    voucher_details?: { reference: string; expires_at?: number; instructions_url?: string };
    bank_transfer_steps_and_charges_details?: TransferSteps;
}

export interface TransferSteps {
    sepa_bank_instructions?: { account_holder_name?: string; iban: string; bic?: string; reference: string };
    multibanco?: { entity: string; reference: string };
    receiver?: { amount_received: number; amount_remaining?: number };
    expires_at?: number;
    instructions_url?: string;
}

export interface OfferedType {
    payment_method_type: string;
    payment_experience?: { payment_experience_type: string }[] | null;
    bank_names?: { bank_name: string[] }[];
    required_fields?: Record<string, { field_type: string }> | null;
}

export interface Offers {
    merchant_name?: string | null;
    payment_methods: { payment_method: string; payment_method_types: OfferedType[] }[];
}

export interface SavedMethod {
    payment_token: string;
    payment_method: string;
    payment_method_type?: string | null;
    requires_cvv: boolean;
    default_payment_method_set?: boolean;
    card?: { last4_digits?: string | null; expiry_month?: string | null; expiry_year?: string | null; card_network?: string | null } | null;
    bank?: { mask: string } | null;
}

/** A refusal of the server, or a server that can't be reached. */
export class Refusal extends Error {
    constructor(
        readonly status: number,
        readonly code: string,
        message: string,
    ) {
        super(message);
    }
}

/** The most tries of a call that the server is too busy for, or that doesn't reach it. */
const TRIES = 5;

/** Returns whether the same call may succeed a moment later. */
const passes = (status: number, code: string): boolean => [0, 409, 429, 502, 503, 504].includes(status) || (status === 422 && code === 'HE_00');

export class Api {
    /** `root` is the address of the server, below which its operations are. */
    constructor(
        readonly key: string,
        readonly root: string = new URL('../../', window.location.href).href,
    ) {}

    retrieve(secret: string, asksProcessor = false): Promise<Payment> {
        return this.#call('GET', `payments/${paymentId(secret)}`, { client_secret: secret, ...(asksProcessor && { force_sync: 'true' }) });
    }

    offers(secret: string): Promise<Offers> {
        return this.#call('GET', 'account/payment_methods', { client_secret: secret });
    }

    async saved(secret: string): Promise<SavedMethod[]> {
        const list = await this.#call<{ customer_payment_methods?: SavedMethod[] }>('GET', 'customers/payment_methods', { client_secret: secret });
        return list.customer_payment_methods ?? [];
    }

    /** Confirms. The same `idempotencyKey` charges once, however often the call is repeated. */
    confirm(secret: string, body: Json, idempotencyKey: string): Promise<Payment> {
        return this.#call('POST', `payments/${paymentId(secret)}/confirm`, {}, { ...body, client_secret: secret }, idempotencyKey);
    }

    /** Goes on without data of the payer's device, since the policy of the frame allows no page to collect them in. */
    complete(secret: string): Promise<Payment> {
        const body = { client_secret: secret, threeds_method_comp_ind: 'U' };
        return this.#call('POST', `payments/${paymentId(secret)}/complete_authorize`, {}, body);
    }

    async #call<Answer>(method: string, path: string, query: Record<string, string>, body?: Json, idempotencyKey?: string): Promise<Answer> {
        for (let tried = 1; ; tried += 1) {
            const answer = await this.#once(method, path, query, body, idempotencyKey);
            if ('told' in answer) return answer.told as Answer;
            if (tried >= TRIES || !passes(answer.refusal.status, answer.refusal.code)) throw answer.refusal;
            await clock.pause(answer.wait ?? 500 * 2 ** tried);
        }
    }

    async #once(method: string, path: string, query: Record<string, string>, body?: Json, idempotencyKey?: string) {
        const url = new URL(path, this.root);
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
        const headers: Record<string, string> = { 'api-key': this.key };
        if (body) headers['content-type'] = 'application/json';
        if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
        try {
            const answer = await fetch(url, {
                method,
                headers,
                cache: 'no-store',
                credentials: 'omit',
                ...(body && { body: JSON.stringify(body) }),
            });
            const told = (await answer.json().catch(() => ({}))) as Json;
            if (answer.ok) return { told };
            const refusal = (typeof told['error'] === 'object' && told['error'] !== null ? told['error'] : told) as Json;
            const after = Number(answer.headers.get('retry-after'));
            return {
                refusal: new Refusal(answer.status, String(refusal['code'] ?? ''), String(refusal['message'] ?? '')),
                ...(after > 0 && { wait: Math.min(after, 10) * 1000 }),
            };
        } catch {
            return { refusal: new Refusal(0, '', '') };
        }
    }
}

/** Returns the id of the payment, which its client secret begins with. */
function paymentId(secret: string): string {
    const [id = ''] = secret.split('_secret_');
    return encodeURIComponent(id);
}

const SHOWN = [
    'payment_id', 'status', 'amount', 'currency', 'profile_id', 'customer_id', 'payment_method', 'payment_method_type',
    'return_url', 'error_code', 'error_message', 'manual_retry_allowed',
] as const satisfies readonly (keyof PublicPayment)[];

/** Returns the part of a payment that the shop's page may see: no secret, no address of the payer. */
export function shown(payment: Payment): PublicPayment {
    const members = SHOWN.filter((name) => payment[name] !== undefined).map((name) => [name, payment[name]]);
    const { next_action: next } = payment;
    const action = next && { type: next.type, ...(next.redirect_to_url && { redirect_to_url: next.redirect_to_url }) };
    return { ...(Object.fromEntries(members) as unknown as PublicPayment), next_action: action ?? null };
}

/** A request that fails with an error for the shop's page. */
export class Failed extends Error {
    readonly error: CheckoutError;

    constructor(type: ErrorType, code: string, message: string, more: Partial<CheckoutError> = {}) {
        super(message);
        this.error = { type, code, message, ...more };
    }
}
