import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { openChanges } from '../api/client.ts';
import { useTexts } from '../texts/index.tsx';
import { browserTabs } from './browser_tabs.ts';
import { follow, type Health } from './leader.ts';
import { isStale, type Message } from './messages.ts';

/** Messages are gathered for so many milliseconds, so that screens are read at most so often. */
const GATHER = 1_000;

/** The page mentions a broken stream after this time, because most come back before. */
const LONG = 20_000;

/** The page says for so long that the stream works again. */
const AGAIN = 10_000;

/**
 * Reads the screens again when something has changed, and says so if that has not worked for long. A hidden tab reads when it is
 * shown again, so that it doesn't keep an unused session going.
 */
export function Live(): ReactNode {
    const texts = useTexts();
    const store = useQueryClient();
    const [health, setHealth] = useState<Health>('live');
    const [isLong, setLong] = useState(false);
    useEffect(() => {
        const end = new AbortController();
        const refresh = refresher(store, end.signal);
        void follow(openChanges, browserTabs(), { onMessage: refresh, onHealth: setHealth }, end.signal);
        return () => end.abort();
    }, [store]);
    useEffect(() => {
        // The former state stays for a while: "broken" is shown late, and "works again" for a moment.
        const timer = setTimeout(() => setLong(health === 'broken'), health === 'broken' ? LONG : AGAIN);
        return () => clearTimeout(timer);
    }, [health]);
    const text = isLong ? (health === 'broken' ? texts.live.broken : texts.live.again) : '';
    return (
        <p className="live-state" aria-live="polite">
            {text}
        </p>
    );
}

/** Returns a function that gathers messages and then reads what they concern. */
function refresher(store: QueryClient, signal: AbortSignal): (message: Message) => void {
    let gathered: Message[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    const refresh = (): void => {
        const messages = gathered;
        gathered = [];
        timer = undefined;
        const refetchType = document.visibilityState === 'hidden' ? 'none' : 'active';
        // A read that is under way may be older than the change, and begins again.
        void store.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey, messages), refetchType });
    };
    return (message) => {
        if (signal.aborted) return;
        gathered.push(message);
        timer ??= setTimeout(refresh, GATHER);
    };
}
