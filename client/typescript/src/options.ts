import type { Fetch } from './exchange.js';
import { type Clock, type Globals, isBrowser, type Random, systemClock, systemRandom, userAgent } from './runtime.js';

/** The settings of a client. */
export interface ClientOptions {
    /** The address of the server, such as `https://payments.example.com`. It may contain a path. */
    baseUrl: string;
    /** A secret, publishable, ephemeral or admin key. */
    apiKey?: string;
    /** The `sdk_authorization` of one payment, in place of a key. */
    sdkAuthorization?: string;
    /** The token of a user who has signed in, in place of a key. */
    userToken?: string;
    /** The business profile to which all calls are limited. */
    profileId?: string;
    /** The connected merchant account for which a platform's key makes all calls. */
    connectedMerchantId?: string;
    /** The time limit of each try in milliseconds, including the answer; 60,000 when absent. */
    timeout?: number;
    /**
     * The most retries of a call; 2 when absent. Calls that got lost or were postponed are repeated if that is harmless:
     * for reads, and for operations that take an idempotency key. All tries carry the same key.
     */
    maxRetries?: number;
    /**
     * The milliseconds for which a call is repeated, beyond `maxRetries`, while its first try is still being worked on;
     * 60,000 when absent.
     */
    claimPatience?: number;
    /** Allows keys that are not for payers in a web page, such as an operator's own console. */
    dangerouslyAllowBrowser?: boolean;
    /** The function that sends requests; the global `fetch` when absent. */
    fetch?: Fetch;
    /** The clock of waits and time limits; the machine's when absent. */
    clock?: Clock;
    /** The source of idempotency keys and random waits; the machine's when absent. */
    random?: Random;
}

/** Checked settings. */
export interface Settings {
    /** The address without a final slash. */
    readonly baseUrl: string;
    /** The headers of every call. */
    readonly headers: readonly (readonly [string, string | undefined])[];
    /** The texts that no error may repeat. */
    readonly secrets: readonly string[];
    readonly timeout: number;
    readonly maxRetries: number;
    readonly claimPatience: number;
    readonly fetch: Fetch;
    readonly clock: Clock;
    readonly random: Random;
}

/** Checks the settings of a client. The errors repeat no value. */
export function settings(options: ClientOptions, globals: Globals = globalThis as Globals): Settings {
    const { apiKey, sdkAuthorization, userToken } = options;
    const keys = [apiKey, sdkAuthorization, userToken].filter((key) => key !== undefined);
    if (keys.length > 1) throw new TypeError('a client has one key: make another client for the other key');
    for (const key of keys) {
        if (!isHeader(key)) throw new TypeError('the key is empty or holds characters that a header has no room for, such as a line break');
    }
    if (apiKey && isBrowser(globals) && !/^e?pk_/.test(apiKey) && !options.dangerouslyAllowBrowser) {
        throw new TypeError('this key is not for web pages: anybody could read it there. Use the publishable key');
    }
    return {
        baseUrl: address(options.baseUrl),
        headers: [
            ['api-key', apiKey],
            ['authorization', userToken === undefined ? sdkAuthorization : `Bearer ${userToken}`],
            ['x-profile-id', options.profileId],
            ['x-connected-merchant-id', options.connectedMerchantId],
            ['user-agent', userAgent(globals)],
        ],
        secrets: keys,
        timeout: count('timeout', options.timeout ?? 60_000),
        maxRetries: count('maxRetries', options.maxRetries ?? 2),
        claimPatience: count('claimPatience', options.claimPatience ?? 60_000),
        fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
        clock: options.clock ?? systemClock,
        random: options.random ?? systemRandom,
    };
}

/** Returns whether a header can carry a text. A runtime would repeat the text in its own error. */
export function isHeader(text: unknown): text is string {
    return typeof text === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

/** Returns whether a setting is a number from 0 on. */
export function isCount(value: unknown): boolean {
    return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function count(name: string, value: number): number {
    if (isCount(value)) return value;
    throw new TypeError(`${name} is a number from 0 on`);
}

function address(text: string): string {
    let url;
    try {
        url = new URL(text);
    } catch {
        throw new TypeError('baseUrl is no URL such as https://payments.example.com');
    }
    if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl begins with http:// or https://');
    if (url.username || url.password) throw new TypeError('baseUrl holds a user name or a password; the key is a setting of its own');
    if (url.search || url.hash) throw new TypeError('baseUrl ends with its path, without ? or #');
    return url.href.replace(/\/+$/, '');
}
