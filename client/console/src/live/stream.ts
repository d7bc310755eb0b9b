import { FrameReader } from './frames.ts';
import { type Told, toldBy } from './told.ts';

/** How a stream ended: for good, or so that the next one may begin. */
export type End = 'refused' | 'lost';

/** Opens a stream after the event with this id. */
export type Open = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

/** Notices of a stream to its reader. */
export interface Heard {
    /** The stream has begun. */
    begun: () => void;
    /** `id` is the place at which the next stream continues. */
    told: (told: Told, id: string | undefined) => void;
}

/** The server says something every 15 seconds, at least a comment. A stream that is silent for so long is dead. */
const SILENCE = 45_000;

/** The answers after which another try is of no use: nobody is signed in, the role has no stream, the server is older. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404, 405]);

/** Reads one stream to its end. */
export async function readStream(open: Open, lastEventId: string | undefined, signal: AbortSignal, heard: Heard): Promise<End> {
    const end = new AbortController();
    const stop = (): void => end.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let timer = setTimeout(stop, SILENCE);
    try {
        const response = await open(lastEventId, end.signal);
        if (!response.ok || !response.body) return FINAL.has(response.status) ? 'refused' : 'lost';
        const reader = response.body.getReader();
        // A body of a test knows no signal.
        end.signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
        const text = new TextDecoder();
        const frames = new FrameReader();
        heard.begun();
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return 'lost';
            clearTimeout(timer);
            timer = setTimeout(stop, SILENCE);
            for (const frame of frames.read(text.decode(value, { stream: true }))) {
                const told = toldBy(frame);
                if (told) heard.told(told, frame.id || undefined);
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
