import { FrameReader } from './frames.ts';
import { type Message, messageOf } from './messages.ts';

/** How a stream ended: for good, or so that the next one may begin. */
export type End = 'refused' | 'lost';

/** Opens a stream after the event with this id. */
export type Open = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

/** The functions that a stream calls. */
export interface StreamListener {
    onBegin: () => void;
    /** `id` is the place at which the next stream continues. */
    onMessage: (message: Message, id: string | undefined) => void;
}

/** The server sends at least a comment every 15 seconds. A stream that is silent for so long is dead. */
const SILENCE = 45_000;

/** The answers after which another try is of no use: nobody is signed in, the role has no stream, the server is older. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404, 405]);

/** Reads one stream to its end. */
export async function readStream(open: Open, lastEventId: string | undefined, signal: AbortSignal, listener: StreamListener): Promise<End> {
    const end = new AbortController();
    const stop = (): void => end.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let timer = setTimeout(stop, SILENCE);
    try {
        const response = await open(lastEventId, end.signal);
        if (!response.ok || !response.body) return FINAL.has(response.status) ? 'refused' : 'lost';
        const reader = response.body.getReader();
        // The bodies of tests ignore the signal of the request.
        end.signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
        const text = new TextDecoder();
        const frames = new FrameReader();
        listener.onBegin();
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return 'lost';
            clearTimeout(timer);
            timer = setTimeout(stop, SILENCE);
            for (const frame of frames.read(text.decode(value, { stream: true }))) {
                const message = messageOf(frame);
                if (message) listener.onMessage(message, frame.id || undefined);
            }
        }
    } catch {
        // The connection broke, or the signal ended it.
        return 'lost';
    } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
    }
}
