import type { Dispute, Mandate, Payment, Refund, Subscription, WebhookDelivery } from './generated/types.gen.js';

interface Content<Kind extends string, Content> {
    type: Kind;
    object: Content;
}

/** A verified delivery. The same event can come twice: remember its `event_id`, and do nothing the second time. */
export type WebhookEvent = Omit<WebhookDelivery, 'content'> & {
    /** The object as it was at the time of the event. */
    content:
        | Content<'payment_details', Payment>
        | Content<'refund_details', Refund>
        | Content<'dispute_details', Dispute>
        | Content<'mandate_details', Mandate>
        | Content<'subscription_details', Subscription>
        | Content<'payout_details', { [member: string]: unknown }>;
};

/** The headers of a delivery, as frameworks give them. */
export type WebhookHeaders = { get(name: string): string | null } | { readonly [name: string]: string | readonly string[] | undefined };

/** The settings of a verification. */
export interface WebhookOptions {
    /** The most seconds between `webhook-timestamp` and now, in both directions; 300 when absent. */
    tolerance?: number;
    /** The profile's `payment_response_hash_key`, if the second signature has to fit too. */
    hashKey?: string;
    /** The time in milliseconds since 1970; the machine's when absent. */
    now?: number;
}

/** The reason why a delivery is refused. */
export type WebhookReason =
    | 'missing_header'
    | 'unreadable_timestamp'
    | 'wrong_signature'
    | 'too_old'
    | 'too_new'
    | 'unreadable_body'
    | 'unusable_secret';

/** The delivery is refused. Answer 400, and use nothing of it. */
export class WebhookError extends Error {
    override name = 'WebhookError';
    readonly reason: WebhookReason;

    constructor(reason: WebhookReason, message: string) {
        super(message);
        this.reason = reason;
    }
}

/** More signatures than a server makes. A forger could keep this program busy with them. */
const MOST_SIGNATURES = 16;

/**
 * Verifies a delivery and reads it. The body is the received text or bytes: JSON that was parsed and written again has
 * another signature. While the profile's secret changes, give both secrets.
 */
export async function constructEvent(
    body: string | Uint8Array | ArrayBuffer,
    headers: WebhookHeaders,
    secret: string | readonly string[],
    options: WebhookOptions = {},
): Promise<WebhookEvent> {
    const bytes = received(body);
    const secrets = typeof secret === 'string' ? [secret] : secret;
    if (secrets.length === 0 && options.hashKey === undefined) throw new WebhookError('unusable_secret', 'there is no secret to verify with');
    if (secrets.length > 0) await checkStandard(bytes, headers, secrets, options);
    if (options.hashKey !== undefined) await checkBody(bytes, headers, options.hashKey);
    return read(bytes);
}

/** Checks the signature of Standard Webhooks, which also covers the id and the time. */
async function checkStandard(body: Uint8Array, headers: WebhookHeaders, secrets: readonly string[], options: WebhookOptions): Promise<void> {
    const id = header(headers, 'webhook-id');
    const timestamp = header(headers, 'webhook-timestamp');
    const given = header(headers, 'webhook-signature').split(' ', MOST_SIGNATURES);
    if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('unreadable_timestamp', 'webhook-timestamp is no number of seconds');
    const text = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
    // Signatures of other versions may stand beside ours.
    const signatures = given.filter((one) => one.startsWith('v1,')).map((one) => base64(one.slice(3)));
    const keys = secrets.map((one) => base64(one.startsWith('whsec_') ? one.slice(6) : ''));
    let fits = false;
    for (const key of keys) {
        if (!key?.length) throw new WebhookError('unusable_secret', 'a secret is whsec_ and base64');
        for (const signature of signatures) {
            if (signature && (await isSigned('SHA-256', key, signature, text))) fits = true;
        }
    }
    if (!fits) throw new WebhookError('wrong_signature', 'no signature in webhook-signature fits');
    const age = Math.floor((options.now ?? Date.now()) / 1000) - Number(timestamp);
    const tolerance = options.tolerance ?? 300;
    // Written so that a tolerance that is no number refuses.
    if (!(age <= tolerance)) throw new WebhookError('too_old', 'the delivery was signed too long ago');
    if (!(age >= -tolerance)) throw new WebhookError('too_new', 'the delivery was signed in the future');
}

/** Checks the signature that covers only the body. */
async function checkBody(body: Uint8Array<ArrayBuffer>, headers: WebhookHeaders, hashKey: string): Promise<void> {
    const given = header(headers, 'x-webhook-signature-512');
    if (hashKey === '') throw new WebhookError('unusable_secret', 'the hash key is empty');
    const signature = /^[0-9a-f]{128}$/.test(given) ? Uint8Array.from(given.match(/../g) ?? [], (pair) => parseInt(pair, 16)) : undefined;
    const fits = signature && (await isSigned('SHA-512', new TextEncoder().encode(hashKey), signature, body));
    if (!fits) throw new WebhookError('wrong_signature', 'the signature in x-webhook-signature-512 does not fit');
}

/** Returns whether a signature fits. Web Crypto compares in constant time. */
async function isSigned(hash: string, key: Bytes, signature: Bytes, text: Bytes): Promise<boolean> {
    const made = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['verify']);
    return crypto.subtle.verify('HMAC', made, signature, text);
}

type Bytes = Uint8Array<ArrayBuffer>;

function received(body: unknown): Bytes {
    if (typeof body === 'string') return new TextEncoder().encode(body);
    if (body instanceof Uint8Array) return body as Bytes;
    if (body instanceof ArrayBuffer) return new Uint8Array(body);
    throw new WebhookError('unreadable_body', 'the body has to be the received text or bytes, not parsed JSON');
}

function header(headers: WebhookHeaders, name: string): string {
    const value = isGetter(headers) ? headers.get(name) : Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1];
    if (typeof value !== 'string' || value === '') throw new WebhookError('missing_header', `the header ${name} is missing`);
    return value;
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
    return typeof (headers as { get?: unknown }).get === 'function';
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
    const both = new Uint8Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    return both;
}

function base64(text: string): Bytes | undefined {
    try {
        return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    } catch {
        return undefined;
    }
}

function read(body: Uint8Array): WebhookEvent {
    let event: Partial<WebhookDelivery> | null = null;
    try {
        event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Partial<WebhookDelivery> | null;
    } catch {
        // The error below is for every unreadable body.
    }
    const isEvent =
        typeof event?.event_id === 'string' &&
        typeof event.event_type === 'string' &&
        typeof event.content?.type === 'string' &&
        typeof event.content.object === 'object' &&
        event.content.object !== null;
    if (!isEvent) throw new WebhookError('unreadable_body', 'the body is genuine, but no event');
    return event as WebhookEvent;
}
