import { NotSentError } from './errors.js';

/** The settings of one call. */
export interface CallOptions {
    /** The time limit of each try in milliseconds, including the answer. */
    timeout?: number;
    /** The most retries after the first try. */
    maxRetries?: number;
    /** A signal that ends the call. A request that was sent by then may still take effect. */
    signal?: AbortSignal;
}

/** The business profile of a call. */
export interface ProfileOption {
    /** The business profile to which the call is limited. */
    profileId?: string;
}

/** The merchant account of a platform's call. */
export interface ConnectedMerchantOption {
    /** The connected merchant account for which a platform's key makes the call. */
    connectedMerchantId?: string;
}

/** The idempotency key of a call. */
export interface KeyOption {
    /** A key of your own, such as the order's number. The same call with the same key takes effect once. */
    idempotencyKey?: string;
}

/** The program that sends a payment. */
export interface ProgramOption {
    /** The name of the program, stored with the attempt. */
    clientSource?: string;
    /** The version of the program, stored with the attempt. */
    clientVersion?: string;
}

/** All options that a call can have. */
export type AnyOptions = CallOptions & ProfileOption & ConnectedMerchantOption & KeyOption & ProgramOption;

/** The content of a file. */
export type Bytes = Uint8Array | ArrayBuffer | Blob;

/** One call of an operation. */
export interface Call {
    /** The operation's id in the document, which errors repeat. */
    operation: string;
    method: string;
    /** The path, with `{}` in the place of each id. */
    path: string;
    ids?: readonly string[];
    query?: object | undefined;
    body?: unknown;
    /** True if the operation takes an idempotency key. */
    takesKey?: boolean;
    /** True if the operation changes nothing. GET implies it. */
    reads?: boolean;
    answer?: 'json' | 'text';
}

/** Returns whether a call changes nothing, so that a repetition is harmless. */
export function isRead(call: Call): boolean {
    return call.method === 'GET' || call.reads === true;
}

/** Returns the path and query of a call. */
export function target(call: Call): string {
    const ids = [...(call.ids ?? [])];
    const path = call.path.replace(/\{\}/g, () => segment(call, ids.shift()));
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {})) {
        if (value !== undefined && value !== null) query.append(name, String(value));
    }
    const text = query.toString();
    return text ? `${path}?${text}` : path;
}

/** Returns an id as a segment of the path. An empty one, or one of dots, would lead to another operation. */
function segment(call: Call, id: string | undefined): string {
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) {
        throw new NotSentError(call.operation, 'an id of the path is missing');
    }
    return encodeURIComponent(id);
}

/** A body as it is sent, the same in every try. */
export interface Content {
    type: string;
    bytes: string | Bytes;
}

/** Returns the body of a call. */
export function content(call: Call): Content | undefined {
    const { body } = call;
    if (body === undefined || body === null) return undefined;
    if (body instanceof Uint8Array || body instanceof ArrayBuffer || body instanceof Blob) {
        return { type: 'application/octet-stream', bytes: body };
    }
    let bytes: string | undefined;
    try {
        bytes = JSON.stringify(body, finite);
    } catch {
        // The reason is left out, because it can repeat a value.
    }
    if (bytes === undefined) throw new NotSentError(call.operation, 'its body holds a value that JSON has no form for');
    return { type: 'application/json', bytes };
}

/** Refuses NaN and infinities. JSON would make them null, and a capture without an amount captures everything. */
function finite(_name: string, value: unknown): unknown {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('no finite number');
    return value;
}

/** Returns the headers of a call that its options ask for. */
export function optionHeaders(call: Call, options: AnyOptions): [string, string | undefined][] {
    if (options.idempotencyKey !== undefined && !call.takesKey) {
        throw new NotSentError(call.operation, 'the operation takes no idempotency key');
    }
    return [
        ['x-profile-id', options.profileId],
        ['x-connected-merchant-id', options.connectedMerchantId],
        ['idempotency-key', options.idempotencyKey],
        ['x-client-source', options.clientSource],
        ['x-client-version', options.clientVersion],
    ];
}
