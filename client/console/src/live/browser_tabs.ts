import type { LeaderMessage, Tabs } from './leader.ts';

/** The name of the lock and of the channel, which all tabs of an origin share. */
const NAME = 'multirail-changes';

/**
 * Returns the lock and the channel of this browser's tabs. Pages without TLS have no locks, apart from those of this machine: there
 * each tab reads a stream of its own.
 */
export function browserTabs(): Tabs {
    const locks = typeof navigator === 'undefined' ? undefined : (navigator.locks as LockManager | undefined);
    const channel = locks && typeof BroadcastChannel !== 'undefined' ? new BroadcastChannel(NAME) : undefined;
    return {
        alone: async (work, signal) => {
            if (!locks) return work(false);
            const isTaken = await locks.request(NAME, { ifAvailable: true }, async (lock) => {
                if (lock) await work(false);
                return lock !== null;
            });
            if (isTaken || signal.aborted) return;
            // The signal ends the wait only; the work ends by its own.
            await locks.request(NAME, { signal }, () => work(true)).catch(() => {});
        },
        send: (message) => channel?.postMessage(message),
        listen: (listener, signal) => {
            if (!channel) return;
            channel.onmessage = (event: MessageEvent<LeaderMessage>) => listener(event.data);
            signal.addEventListener('abort', () => channel.close(), { once: true });
        },
        pause: (milliseconds, signal) =>
            new Promise((resolve) => {
                const timer = setTimeout(resolve, milliseconds);
                const end = (): void => {
                    clearTimeout(timer);
                    resolve();
                };
                if (signal.aborted) end();
                signal.addEventListener('abort', end, { once: true });
            }),
        random: Math.random,
    };
}
