import { type Open, readStream } from './stream.ts';
import type { Told } from './told.ts';

/** Whether the stream works. */
export type Health = 'live' | 'broken';

/** A message between the tabs, of the one that reads the stream to the others. */
export type Shared = { health: Health } | { told: Told; id: string | undefined };

/** The parts of the browser that tabs share. A test has its own. */
export interface Shares {
    /** Runs work while no other tab does. `waited` is true if another tab did before. Returns when the work is over. */
    alone: (work: (waited: boolean) => Promise<void>, signal: AbortSignal) => Promise<void>;
    /** Tells the other tabs. */
    tell: (message: Shared) => void;
    /** Calls a function for each message of another tab, until the signal. */
    listen: (listener: (message: Shared) => void, signal: AbortSignal) => void;
    /** Waits, at most until the signal. */
    pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
    /** A number from 0 to 1. */
    random: () => number;
}

/** Notices to the tab. */
export interface Listener {
    told: (told: Told) => void;
    health: (health: Health) => void;
}

/** The shortest and the longest pause before the next try. */
const FIRST_PAUSE = 3_000;
const LONGEST_PAUSE = 60_000;

/** Returns the pause after so many failures in a row. Tabs of many browsers don't come back at once. */
export function pauseAfter(failures: number, random: number): number {
    const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures, 10));
    return longest / 2 + (longest / 2) * random;
}

/**
 * Follows the changes until the signal. One tab of the browser reads the stream and tells the others; when it is closed, one of
 * them goes on where it ended.
 */
export async function follow(open: Open, shares: Shares, listener: Listener, signal: AbortSignal): Promise<void> {
    let last: string | undefined;
    const told = (message: Told, id: string | undefined): void => {
        last = message.kind === 'reset' ? undefined : (id ?? last);
        listener.told(message);
    };
    shares.listen((message) => {
        if ('health' in message) listener.health(message.health);
        else told(message.told, message.id);
    }, signal);
    const lead = async (waited: boolean): Promise<void> => {
        let failures = 0;
        // The first stream of a browser begins when its lists are read, so nothing is missed.
        let isMissing = waited;
        const health = (now: Health): void => {
            listener.health(now);
            shares.tell({ health: now });
        };
        const share = (message: Told, id: string | undefined): void => {
            told(message, id);
            shares.tell({ told: message, id });
        };
        while (!signal.aborted) {
            const end = await readStream(open, last, signal, {
                begun: () => {
                    failures = 0;
                    health('live');
                    if (isMissing && last === undefined) share({ kind: 'reset' }, undefined);
                },
                told: share,
            });
            if (signal.aborted || end === 'refused') return;
            isMissing = true;
            health('broken');
            await shares.pause(pauseAfter(failures, shares.random()), signal);
            failures += 1;
        }
    };
    await shares.alone(lead, signal);
}
