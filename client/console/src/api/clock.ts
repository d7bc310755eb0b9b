/** A smaller difference, in milliseconds, is no fault of a clock: `Date` has whole seconds, and an answer is under way. */
const NOISE = 2_000;
/** The server records the use of a session at most this often, in milliseconds. */
const USE_RECORDED_EVERY = 60_000;

/**
 * The server's clock, from which all relative times count. The browser's clock can be wrong, and the clock of a sandbox
 * can be ahead of real time.
 */
export class ServerClock {
    readonly #browser: () => number;
    readonly #listeners = new Set<() => void>();
    /** The server's real time less the browser's. */
    #real = 0;
    /** The server's own time less its real time: above 0 only in a sandbox whose clock was moved. */
    #ahead = 0;

    constructor(browser: () => number = () => Date.now()) {
        this.#browser = browser;
    }

    /** Returns the server's time. */
    now(): number {
        return this.#browser() + this.difference();
    }

    /** Returns the server's time less the browser's. */
    readonly difference = (): number => this.#real + this.#ahead;

    /** Calls a function when the difference changes. The returned function cancels that. */
    readonly subscribe = (listener: () => void): (() => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    };

    /** Takes the real time from the `Date` header of an answer that has just arrived. */
    takeDate(header: string | null): void {
        const real = Date.parse(header ?? '') + 500 - this.#browser();
        if (Math.abs(real - this.#real) > NOISE) this.#change(real, this.#ahead);
    }

    /** Takes the last use of the session that has just made a call: the server's own time, up to a minute ago. */
    takeUse(at: string): void {
        const ahead = Math.max(0, Date.parse(at) - this.#browser() - this.#real);
        if (ahead > this.#ahead + NOISE || ahead < this.#ahead - USE_RECORDED_EVERY) this.#change(this.#real, ahead);
    }

    #change(real: number, ahead: number): void {
        this.#real = real;
        this.#ahead = ahead;
        for (const listener of this.#listeners) listener();
    }
}

/** The clock of the server that serves the console. */
export const clock = new ServerClock();
