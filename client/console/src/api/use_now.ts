import { useSyncExternalStore } from 'react';
import { clock } from './clock.ts';

/** Returns the server's time. The component is rendered again when that differs from the browser's in another way. */
export function useNow(): number {
    useSyncExternalStore(clock.subscribe, clock.difference);
    return clock.now();
}
