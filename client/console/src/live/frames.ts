/** One message of a stream of server-sent events. */
export interface Frame {
    id: string;
    event: string;
    data: string;
}

/** The longest message. The server's are far shorter. */
const MOST = 16_384;

/** Reads the messages of a stream from its pieces, which can end anywhere. */
export class FrameReader {
    #rest = '';

    /** Returns the messages that a piece completes. Comments and times to wait are left out. */
    read(piece: string): Frame[] {
        const parts = (this.#rest + piece).replaceAll('\r\n', '\n').split('\n\n');
        this.#rest = parts.pop() ?? '';
        if (this.#rest.length > MOST) throw new TypeError('a message of the stream has no end');
        return parts.map(frame).filter(({ event }) => event !== '');
    }
}

function frame(text: string): Frame {
    const read: Frame = { id: '', event: '', data: '' };
    for (const line of text.split('\n')) {
        const colon = line.indexOf(':');
        const name = line.slice(0, Math.max(colon, 0));
        const value = line.slice(colon + 1).replace(/^ /, '');
        if (name === 'id' || name === 'event' || name === 'data') read[name] = value;
    }
    return read;
}
