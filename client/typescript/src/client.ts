import { type AnyOptions, type Call, content, isRead, optionHeaders, target } from './call.js';
import { AbortedError, apiError, ConnectionError, MultirailError, NotSentError, TimeoutError, UnreadableAnswerError } from './errors.js';
import { exchange, type Loss, parsed, type Reply } from './exchange.js';
import { type ClientOptions, isCount, isHeader, type Settings, settings } from './options.js';
import { keepResponse } from './responses.js';
import { judge, retryAfter, wait } from './retries.js';

/** The address of a server and a key. The functions of the operations take it as their first argument. */
export class Client {
    readonly #settings: Settings;

    constructor(options: ClientOptions) {
        this.#settings = settings(options);
    }

    /** The address of the server. */
    get baseUrl(): string {
        return this.#settings.baseUrl;
    }

    /** Makes a call. The functions and methods of the operations use it, and so can calls that this version doesn't know. */
    async request<T>(call: Call, options: AnyOptions = {}): Promise<T> {
        const { clock, fetch, random } = this.#settings;
        const url = this.baseUrl + target(call);
        const init = this.#init(call, options);
        const limits = { timeout: options.timeout ?? this.#settings.timeout, signal: options.signal };
        const retries = options.maxRetries ?? this.#settings.maxRetries;
        if (!isCount(limits.timeout) || !isCount(retries)) throw new NotSentError(call.operation, 'timeout and maxRetries are numbers from 0 on');
        const isHarmless = isRead(call) || call.takesKey === true;
        const began = clock.now();
        // A try that may have taken effect. If later tries don't reach the service, the caller must learn of this one.
        let inDoubt: MultirailError | undefined;
        for (let tries = 1; ; tries++) {
            const outcome = await exchange(fetch, clock, url, init, limits);
            if (!('lost' in outcome) && outcome.status >= 200 && outcome.status < 300) return this.#answer(call, outcome);
            const failure = judge(outcome);
            const error = this.#error(call, outcome, limits.timeout, inDoubt !== undefined);
            const told = failure === 'undone' ? (inDoubt ?? error) : error;
            const isWaitedFor = failure === 'claimed' && retries > 0 && clock.now() - began < this.#settings.claimPatience;
            if (failure === 'final' || !isHarmless || !(tries <= retries || isWaitedFor)) throw told;
            const askedFor = 'lost' in outcome ? undefined : retryAfter(outcome.retryAfter, clock.now());
            const pause = wait(tries, askedFor, random.share());
            if (pause === undefined) throw told;
            if (failure !== 'undone') inDoubt = error;
            await this.#pause(call, pause, limits.signal, inDoubt !== undefined);
        }
    }

    /** Returns the client as logs may show it. */
    toJSON(): { baseUrl: string } {
        return { baseUrl: this.baseUrl };
    }

    [Symbol.for('nodejs.util.inspect.custom')](): string {
        return `${this.constructor.name} { baseUrl: '${this.baseUrl}' }`;
    }

    #init(call: Call, options: AnyOptions): RequestInit {
        const given: [string, string | undefined][] = [['accept', call.answer === 'text' ? 'text/plain' : 'application/json']];
        const body = content(call);
        if (body) given.push(['content-type', body.type]);
        given.push(...this.#settings.headers.map(([name, value]): [string, string | undefined] => [name, value]));
        if (call.takesKey && options.idempotencyKey === undefined) given.push(['idempotency-key', this.#settings.random.key()]);
        given.push(...optionHeaders(call, options));
        const headers: Record<string, string> = {};
        for (const [name, value] of given) {
            if (value === undefined) continue;
            if (!isHeader(value)) throw new NotSentError(call.operation, `${name} is empty or holds characters that a header has no room for`);
            headers[name] = value;
        }
        // The API never redirects, and a followed redirect would send the key to another host.
        const init: RequestInit = { method: call.method, headers, redirect: 'manual' };
        if (body) init.body = body.bytes as BodyInit;
        return init;
    }

    #answer<T>(call: Call, reply: Reply): T {
        const { status, requestId, isReplayed, text } = reply;
        if (call.answer === 'text') return text as T;
        try {
            const answer: unknown = JSON.parse(text);
            keepResponse(answer, { status, requestId, isReplayed });
            return answer as T;
        } catch {
            throw new UnreadableAnswerError(call.operation, { status, requestId, isOutcomeUnknown: !isRead(call) });
        }
    }

    #error(call: Call, outcome: Reply | Loss, timeout: number, wasInDoubt: boolean): MultirailError {
        const changes = !isRead(call);
        if ('lost' in outcome) {
            const isOutcomeUnknown = changes && (wasInDoubt || !outcome.isUndone);
            if (outcome.lost === 'timeout') return new TimeoutError(call.operation, timeout, isOutcomeUnknown);
            if (outcome.lost === 'aborted') return new AbortedError(call.operation, isOutcomeUnknown);
            return new ConnectionError(call.operation, outcome.reason, isOutcomeUnknown);
        }
        const { status, code, requestId } = outcome;
        // A server checks keys and roles before it looks for an earlier try.
        const isDenied = status === 401 || status === 403;
        const isOutcomeUnknown = changes && (status >= 500 || judge(outcome) === 'claimed' || (wasInDoubt && isDenied));
        const { message, error_type } = parsed(outcome.text) as { message?: unknown; error_type?: unknown };
        if (!code || typeof message !== 'string' || typeof error_type !== 'string') {
            return new UnreadableAnswerError(call.operation, { status, requestId, isOutcomeUnknown: changes });
        }
        return apiError(call.operation, { status, code, errorType: error_type, message: this.#masked(message), requestId, isOutcomeUnknown });
    }

    /** Removes keys, and digits that could be a card's, from a text of a server. */
    #masked(text: string): string {
        const withoutKeys = this.#settings.secrets.reduce((masked, secret) => masked.replaceAll(secret, '[key]'), text);
        return withoutKeys.replace(/\d(?:[ -]?\d){12,18}/g, '[number]');
    }

    async #pause(call: Call, milliseconds: number, signal: AbortSignal | undefined, isInDoubt: boolean): Promise<void> {
        const { clock } = this.#settings;
        await new Promise<void>((resolve, reject) => {
            const end = (): void => {
                cancel();
                reject(new AbortedError(call.operation, isInDoubt && !isRead(call)));
            };
            const cancel = clock.after(milliseconds, () => {
                signal?.removeEventListener('abort', end);
                resolve();
            });
            if (signal?.aborted) end();
            signal?.addEventListener('abort', end, { once: true });
        });
    }
}
