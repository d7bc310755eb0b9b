// A frame of the checkout, and the talk with it.
import type { Answered, Connect, Notice, Request } from '../protocol.ts';
import { VERSION, isHello, readAnswer, readNotice } from '../protocol.ts';
import type { CheckoutError } from '../types.ts';

/** The time after which a frame that doesn't greet can't be reached. */
export const LONGEST_LOAD = 20_000;
/** The same after the page in the frame has loaded: a page that refuses the key or the profile never greets. */
const LONGEST_SILENCE = 3_000;
/** The height of a frame before it tells its own, so that the page below hardly moves. */
const FIRST_HEIGHT = { payment: 340, card: 250, none: 0 } as const;

/** The addresses at which a merchant's frames are. */
export interface Place {
    /** The address of the frame, with the key and the profile. */
    address: string;
    origin: string;
}

export interface Listener {
    notice(notice: Notice): void;
    /** The frame did not greet, or was taken from the page. */
    lost(): void;
}

interface Pending {
    resolve(value: Answered): void;
    reject(error: CheckoutError): void;
}

/** A request that was refused: the reason is the error of the result. */
export class Refused extends Error {
    constructor(readonly error: CheckoutError) {
        super(error.message);
    }
}

export class Channel {
    readonly frame: HTMLIFrameElement;
    #port: MessagePort | undefined;
    #isLost = false;
    #lastId = 0;
    readonly #unsent: object[] = [];
    readonly #pending = new Map<number, Pending>();
    #timer: ReturnType<typeof setTimeout>;

    constructor(
        readonly place: Place,
        readonly words: { title: string; unreachable: string },
        readonly connect: () => Connect,
        readonly listener: Listener,
    ) {
        const { surface } = connect();
        this.frame = document.createElement('iframe');
        this.frame.title = words.title;
        this.frame.setAttribute('allow', '');
        // Each rule is set by itself: a policy of the page may forbid style attributes.
        const { style } = this.frame;
        for (const [name, value] of Object.entries({ display: 'block', width: '100%', border: '0', height: `${FIRST_HEIGHT[surface]}px` })) {
            style.setProperty(name, value);
        }
        if (surface === 'none') {
            this.frame.setAttribute('aria-hidden', 'true');
            this.frame.tabIndex = -1;
            style.setProperty('position', 'absolute');
            style.setProperty('visibility', 'hidden');
        }
        this.frame.addEventListener('load', () => {
            if (this.#port || this.#isLost) return;
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => this.#lose(), LONGEST_SILENCE);
        });
        this.frame.src = place.address;
        window.addEventListener('message', this.#onMessage);
        this.#timer = setTimeout(() => this.#lose(), LONGEST_LOAD);
    }

    /** Sends a request, as soon as the frame has greeted. */
    ask(request: Request): Promise<Answered> {
        return new Promise<Answered>((resolve, reject) => {
            const fail = (error: CheckoutError) => reject(new Refused(error));
            if (this.#isLost) {
                fail(this.unreachable());
                return;
            }
            this.#lastId += 1;
            this.#pending.set(this.#lastId, { resolve, reject: fail });
            this.#send({ id: this.#lastId, ...request });
        });
    }

    /** Sends a request whose answer nobody needs. */
    tell(request: Request): void {
        this.ask(request).catch(() => {});
    }

    /** Takes the frame from the page. Requests without an answer fail. */
    close(): void {
        this.#end();
        this.frame.remove();
    }

    unreachable(): CheckoutError {
        return { type: 'api_connection_error', code: 'frame_unreachable', message: this.words.unreachable };
    }

    #send(message: object): void {
        if (this.#port) this.#port.postMessage(message);
        else this.#unsent.push(message);
    }

    readonly #onMessage = (event: MessageEvent): void => {
        const { contentWindow } = this.frame;
        if (this.#port || !contentWindow || event.source !== contentWindow) return;
        if (event.origin !== this.place.origin || !isHello(event.data)) return;
        clearTimeout(this.#timer);
        const { port1, port2 } = new MessageChannel();
        this.#port = port1;
        port1.onmessage = ({ data }) => this.#read(data);
        contentWindow.postMessage({ multirail: VERSION, type: 'connect', ...this.connect() }, this.place.origin, [port2]);
        for (const message of this.#unsent.splice(0)) port1.postMessage(message);
    };

    #read(data: unknown): void {
        const answer = readAnswer(data);
        if (answer) {
            const pending = this.#pending.get(answer.id);
            this.#pending.delete(answer.id);
            if (answer.ok) pending?.resolve(answer.value);
            else pending?.reject(answer.error);
            return;
        }
        const notice = readNotice(data);
        if (notice?.type === 'resize' && this.connect().surface !== 'none') this.frame.style.setProperty('height', `${notice.height}px`);
        else if (notice) this.listener.notice(notice);
    }

    #lose(): void {
        this.#end();
        this.listener.lost();
    }

    #end(): void {
        this.#isLost = true;
        clearTimeout(this.#timer);
        window.removeEventListener('message', this.#onMessage);
        this.#port?.close();
        for (const { reject } of this.#pending.values()) reject(this.unreachable());
        this.#pending.clear();
    }
}
