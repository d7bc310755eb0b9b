import { isBusy, isClaimed, isPassing } from './errors.js';
import type { Loss, Reply } from './exchange.js';

const BASE_WAIT = 200;
const LONGEST_WAIT = 10_000;

/**
 * The state of a failed try. `undone` had no effect, `in_doubt` may have had one, and `claimed` is still being worked on.
 * `final` is not repeated.
 */
export type Failure = 'undone' | 'in_doubt' | 'claimed' | 'final';

/** Judges a try that failed. */
export function judge(outcome: Reply | Loss): Failure {
    if ('lost' in outcome) {
        if (outcome.lost === 'aborted') return 'final';
        return outcome.isUndone ? 'undone' : 'in_doubt';
    }
    const { status, code } = outcome;
    if (isBusy(status, code)) return 'undone';
    if (isClaimed(status, code)) return 'claimed';
    if (!isPassing(status)) return 'final';
    return status >= 500 ? 'in_doubt' : 'undone';
}

/**
 * Returns the wait in milliseconds after this many tries: a random part of a bound that doubles, so that callers who
 * failed together don't return together. The service's `Retry-After` is added; if it is too long for a call, there is no
 * retry.
 */
export function wait(tries: number, askedFor: number | undefined, share: number): number | undefined {
    const least = askedFor ?? 0;
    if (least > LONGEST_WAIT) return undefined;
    return least + Math.min(BASE_WAIT * 2 ** (tries - 1), LONGEST_WAIT) * share;
}

/** Returns the milliseconds of a `Retry-After`, which is a number of seconds or a moment. */
export function retryAfter(value: string | null, now: number): number | undefined {
    if (value === null) return undefined;
    if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
    if (!/^\s*[A-Z][a-z]{2}, /.test(value)) return undefined;
    const moment = Date.parse(value);
    return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}
