import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { openChanges } from '../api/client.ts';
import { useTexts } from '../texts/index.tsx';
import { follow, type Health } from './leader.ts';
import { browserShares } from './shares.ts';
import { isStale, type Told } from './told.ts';

/** Changes are gathered for so long, and read again at most so often, in milliseconds. */
const GATHER = 1_000;

/** A broken stream is no news before this time, because most come back. */
const LONG = 20_000;

/** How long the page says that the stream works again. */
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
        void follow(openChanges, browserShares(), { told: refresh, health: setHealth }, end.signal);
        return () => end.abort();
    }, [store]);
    useEffect(() => {
        // The former state stays for a while: "broken" is told late, and "works again" is shown for a moment.
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
function refresher(store: QueryClient, signal: AbortSignal): (told: Told) => void {
    let gathered: Told[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    const refresh = (): void => {
        const told = gathered;
        gathered = [];
        timer = undefined;
        const refetchType = document.visibilityState === 'hidden' ? 'none' : 'active';
        // A read that is under way may be older than the change, and begins again.
        void store.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey, told), refetchType });
    };
    return (told) => {
        if (signal.aborted) return;
        gathered.push(told);
        timer ??= setTimeout(refresh, GATHER);
    };
}
