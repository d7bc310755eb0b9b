import type { Message } from './messages.ts';
import { type Open, readStream } from './stream.ts';

/** Whether the stream works. */
export type Health = 'live' | 'broken';

/** A message of the tab that reads the stream to the others. */
export type LeaderMessage = { health: Health } | { message: Message; id: string | undefined };

/** The lock and the channel that the tabs of a browser share, and the pauses of a tab. A test has its own. */
export interface Tabs {
    /** Runs work while no other tab does. `waited` is true if another tab did before. Returns when the work is over. */
    alone: (work: (waited: boolean) => Promise<void>, signal: AbortSignal) => Promise<void>;
    /** Sends a message to the other tabs. */
    send: (message: LeaderMessage) => void;
    /** Calls a function for each message of another tab, until the signal. */
    listen: (listener: (message: LeaderMessage) => void, signal: AbortSignal) => void;
    /** Waits, at most until the signal. */
    pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
    /** A number from 0 to 1. */
    random: () => number;
}

/** The functions of a tab that the stream calls, whichever tab reads it. */
export interface Listener {
    onMessage: (message: Message) => void;
    onHealth: (health: Health) => void;
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
 * Follows the changes until the signal. One tab of the browser reads the stream and passes its messages on to the others. When it
 * is closed, another tab continues where it ended.
 */
export async function follow(open: Open, tabs: Tabs, listener: Listener, signal: AbortSignal): Promise<void> {
    let last: string | undefined;
    const take = (message: Message, id: string | undefined): void => {
        last = message.kind === 'reset' ? undefined : (id ?? last);
        listener.onMessage(message);
    };
    tabs.listen((sent) => {
        if ('health' in sent) listener.onHealth(sent.health);
        else take(sent.message, sent.id);
    }, signal);
    const lead = async (waited: boolean): Promise<void> => {
        let failures = 0;
        // The first stream of a browser begins when its lists are read, so nothing is missed.
        let isMissing = waited;
        const report = (health: Health): void => {
            listener.onHealth(health);
            tabs.send({ health });
        };
        const share = (message: Message, id: string | undefined): void => {
            take(message, id);
            tabs.send({ message, id });
        };
        while (!signal.aborted) {
            const end = await readStream(open, last, signal, {
                onBegin: () => {
                    failures = 0;
                    report('live');
                    if (isMissing && last === undefined) share({ kind: 'reset' }, undefined);
                },
                onMessage: share,
            });
            if (signal.aborted || end === 'refused') return;
            isMissing = true;
            report('broken');
            await tabs.pause(pauseAfter(failures, tabs.random()), signal);
            failures += 1;
        }
    };
    await tabs.alone(lead, signal);
}
