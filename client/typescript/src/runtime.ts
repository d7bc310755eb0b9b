import { VERSION } from './version.js';

/** The global names by which runtimes differ. */
export interface Globals {
    readonly document?: unknown;
    readonly importScripts?: unknown;
    readonly Deno?: { readonly version?: { readonly deno?: string } };
    readonly Bun?: { readonly version?: string };
    readonly process?: { readonly versions?: { readonly node?: string } };
}

/** Returns whether a web page or its worker runs the program. */
export function isBrowser(globals: Globals = globalThis as Globals): boolean {
    return globals.document !== undefined || typeof globals.importScripts === 'function';
}

/** Returns the user agent. Browsers send their own, and don't let a program choose another. */
export function userAgent(globals: Globals = globalThis as Globals): string | undefined {
    if (isBrowser(globals)) return undefined;
    const { Deno, Bun, process } = globals;
    const named: [string, string | undefined][] = [
        ['deno', Deno?.version?.deno],
        ['bun', Bun?.version],
        ['node', process?.versions?.node],
    ];
    const runtime = named.find(([, version]) => version);
    const client = `multirail-typescript/${VERSION}`;
    return runtime ? `${client} ${runtime.join('/')}` : client;
}

/** The time, for waits and time limits. */
export interface Clock {
    /** Returns the milliseconds since 1970. */
    now(): number;
    /** Runs a function after some milliseconds. The returned function cancels that. */
    after(milliseconds: number, run: () => void): () => void;
}

/** The longest timer of a runtime. A longer one would run at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
    now: () => Date.now(),
    after(milliseconds, run) {
        const timer = setTimeout(run, Math.min(milliseconds, LONGEST_TIMER));
        return () => clearTimeout(timer);
    },
};

/** The source of idempotency keys and of random waits. */
export interface Random {
    /** Returns an idempotency key that was never used. */
    key(): string;
    /** Returns a number from 0 up to 1. */
    share(): number;
}

/** The randomness of the machine. `crypto.randomUUID` would be missing on pages without TLS. */
export const systemRandom: Random = {
    key() {
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    share: () => Math.random(),
};
