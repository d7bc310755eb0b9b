import type { Clock } from './runtime.js';

/** The function that sends requests, such as the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A received answer. */
export interface Reply {
    readonly status: number;
    readonly text: string;
    /** The code of an error of the service, or an empty text. */
    readonly code: string;
    readonly requestId: string | undefined;
    readonly retryAfter: string | null;
    readonly isReplayed: boolean;
}

/** A try without an answer. */
export interface Loss {
    readonly lost: 'network' | 'timeout' | 'aborted';
    /** The runtime's word for the reason. */
    readonly reason?: string | undefined;
    /** True if nothing was sent. */
    readonly isUndone: boolean;
}

/** The most characters of an error's body. The service's errors have a few hundred. */
const LONGEST_ERROR = 65_536;
/** Reasons that come before anything is sent. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'ConnectionRefused'];

/** Sends a request once. The time limit and the signal also cover the body of the answer. */
export async function exchange(
    fetch: Fetch,
    clock: Clock,
    url: string,
    init: RequestInit,
    limits: { timeout: number; signal: AbortSignal | undefined },
): Promise<Reply | Loss> {
    const { timeout, signal } = limits;
    if (signal?.aborted) return { lost: 'aborted', isUndone: true };
    const ender = new AbortController();
    let tidy = (): void => {};
    // A fetch that ignores its signal must not hold the caller.
    const ended = new Promise<Loss>((resolve) => {
        const end = (lost: 'timeout' | 'aborted'): void => {
            resolve({ lost, isUndone: false });
            ender.abort();
        };
        const abort = (): void => end('aborted');
        const cancel = clock.after(timeout, () => end('timeout'));
        signal?.addEventListener('abort', abort);
        tidy = () => {
            cancel();
            signal?.removeEventListener('abort', abort);
        };
    });
    try {
        return await Promise.race([ended, ask(fetch, url, { ...init, signal: ender.signal })]);
    } finally {
        tidy();
    }
}

async function ask(fetch: Fetch, url: string, init: RequestInit): Promise<Reply | Loss> {
    try {
        const response = await fetch(url, init);
        const text = response.ok ? await response.text() : await shortText(response);
        const { headers, status } = response;
        return {
            status,
            text,
            code: response.ok ? '' : codeIn(text),
            requestId: headers.get('request-id') ?? undefined,
            retryAfter: headers.get('retry-after'),
            isReplayed: headers.get('idempotent-replayed') === 'true',
        };
    } catch (error) {
        const reason = reasonOf(error);
        return { lost: 'network', reason, isUndone: reason !== undefined && UNSENT.includes(reason) };
    }
}

/** Returns the runtime's word for a failure. Its text is left out, because some runtimes repeat the address there. */
function reasonOf(error: unknown): string | undefined {
    for (const one of [(error as { cause?: unknown }).cause, error]) {
        const code = (one as { code?: unknown } | undefined)?.code;
        if (typeof code === 'string' && /^\w{1,40}$/.test(code)) return code;
    }
    return undefined;
}

async function shortText(response: Response): Promise<string> {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    while (reader) {
        const { done, value } = await reader.read();
        text += decoder.decode(value, { stream: !done });
        if (done) break;
        if (text.length > LONGEST_ERROR) {
            await reader.cancel();
            return '';
        }
    }
    return text;
}

function codeIn(text: string): string {
    const { code } = parsed(text) as { code?: unknown };
    return typeof code === 'string' ? code : '';
}

/** Returns the object in a text, or an empty one. */
export function parsed(text: string): object {
    try {
        const value: unknown = JSON.parse(text);
        return typeof value === 'object' && value !== null ? value : {};
    } catch {
        return {};
    }
}
