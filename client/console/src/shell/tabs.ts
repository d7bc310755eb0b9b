/** The messages between the tabs of one browser, which share the session's cookie. */
export type TabMessage = 'signed_in' | 'signed_out' | 'switched';

const NAME = 'multirail-console';

/** Tells the other tabs that the session has changed. */
export function tellTabs(message: TabMessage): void {
    if (typeof BroadcastChannel === 'undefined') return;
    const channel = new BroadcastChannel(NAME);
    channel.postMessage(message);
    channel.close();
}

/** Calls a function when another tab has changed the session. The returned function cancels that. */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
    if (typeof BroadcastChannel === 'undefined') return () => {};
    const channel = new BroadcastChannel(NAME);
    channel.onmessage = (event: MessageEvent<TabMessage>) => listener(event.data);
    return () => channel.close();
}
