import { Multirail, type ClientOptions, type Clock } from '../src/index.js';

export const KEY = 'snd_a_secret_key';

/** A request as the fake server received it. */
export interface Received {
    method: string;
    url: URL;
    headers: Record<string, string>;
    body: unknown;
}

/** A scripted answer: a response, a failure of the network, or no answer at all. */
export type Answer = Response | Error | 'never' | ((request: Received) => Response);

/** Answers requests in the order of its script. */
export class Server {
    readonly received: Received[] = [];
    /** Called when a request gets no answer. */
    whenStuck: () => void = () => {};

    constructor(readonly script: Answer[]) {}

    readonly fetch = (url: string, init: RequestInit): Promise<Response> => {
        const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body;
        const request = { method: init.method ?? '', url: new URL(url), headers: init.headers as Record<string, string>, body };
        this.received.push(request);
        const answer = this.script.shift();
        if (answer === undefined) throw new Error(`the script has no answer to request ${this.received.length}`);
        if (answer === 'never') {
            queueMicrotask(this.whenStuck);
            return new Promise(() => {});
        }
        if (answer instanceof Error) return Promise.reject(answer);
        return Promise.resolve(typeof answer === 'function' ? answer(request) : answer);
    };

    /** Returns the idempotency keys of all requests. */
    keys(): (string | undefined)[] {
        return this.received.map((one) => one.headers['idempotency-key']);
    }
}

/** A clock that stands still. Waits end at once and are recorded; time limits end when a test says so. */
export class FakeClock implements Clock {
    time = Date.parse('2026-01-05T10:11:12Z');
    readonly waits: number[] = [];
    /** Called during a wait. */
    whenWaiting: () => void = () => {};
    readonly #limits = new Set<() => void>();

    constructor(readonly limit = 60_000) {}

    now(): number {
        return this.time;
    }

    after(milliseconds: number, run: () => void): () => void {
        if (milliseconds === this.limit) {
            this.#limits.add(run);
            return () => this.#limits.delete(run);
        }
        let isOn = true;
        this.waits.push(milliseconds);
        queueMicrotask(() => this.whenWaiting());
        queueMicrotask(() => {
            if (!isOn) return;
            this.time += milliseconds;
            run();
        });
        return () => (isOn = false);
    }

    /** Ends all time limits. */
    expire(): void {
        for (const run of [...this.#limits]) run();
    }

    /** The number of time limits that still run. */
    get open(): number {
        return this.#limits.size;
    }
}

/** Returns a client of a scripted server. Random waits are the longest, and keys count. */
export function clientOf(script: Answer[], options: Partial<ClientOptions> = {}) {
    const server = new Server(script);
    const clock = new FakeClock();
    let made = 0;
    const multirail = new Multirail({
        baseUrl: 'https://pay.example/',
        apiKey: KEY,
        fetch: server.fetch,
        clock,
        random: { key: () => `key-${++made}`, share: () => 1 },
        ...options,
    });
    return { multirail, server, clock };
}

export function json(body: unknown, headers: Record<string, string> = {}): Response {
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json', 'request-id': 'req_1', ...headers } });
}

export function refusal(status: number, code: string, headers: Record<string, string> = {}, message = 'No.'): Response {
    const body = { error_type: 'invalid_request', message, code };
    return new Response(JSON.stringify(body), { status, headers: { 'request-id': 'req_2', ...headers } });
}

/** Returns a failure as Node's fetch reports it. */
export function broken(code: string): Error {
    return new TypeError('fetch failed', { cause: Object.assign(new Error('at https://pay.example'), { code }) });
}

/** Returns the error of a promise that has to fail. */
export async function failure(promise: PromiseLike<unknown>): Promise<unknown> {
    try {
        await promise;
    } catch (error) {
        return error;
    }
    throw new Error('the call succeeded');
}
