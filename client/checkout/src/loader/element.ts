// An element: the place on the shop's page where a frame stands.
import type { Notice, Setup } from '../protocol.ts';
import type { CheckoutElement, CheckoutError, ElementEvents, ElementKind, ElementOptions } from '../types.ts';
import { Channel } from './channel.ts';
import type { Place } from './channel.ts';
import { isSafe } from '../addresses.ts';
import { page } from './navigation.ts';
import { wordsIn } from './words.ts';

type Name = keyof ElementEvents;
interface Handler {
    name: Name;
    call(event: never): void;
    isOnce: boolean;
}

const NAMES: readonly Name[] = ['ready', 'change', 'focus', 'blur', 'loaderror'];

export class FieldsElement implements CheckoutElement {
    channel: Channel | undefined;
    #isDestroyed = false;
    #handlers: Handler[] = [];

    constructor(
        readonly kind: ElementKind,
        readonly place: Place,
        readonly setup: () => Setup,
        private options: ElementOptions,
        readonly destroyed: () => void,
    ) {}

    mount(place: string | Element): this {
        if (this.#isDestroyed) throw new Error('multirail: this element was destroyed, so create another one.');
        const found = typeof place === 'string' ? document.querySelector(place) : place;
        if (!found) throw new Error(`multirail: the page has no element ${String(place)} to mount to.`);
        this.unmount();
        const channel = new Channel(this.place, wordsIn(this.setup().locale), () => ({ surface: this.kind, ...this.#all() }), {
            notice: (notice) => this.#notice(notice),
            lost: () => this.#fail(channel.unreachable()),
        });
        this.channel = channel;
        found.replaceChildren(channel.frame);
        return this;
    }

    unmount(): void {
        this.channel?.close();
        this.channel = undefined;
    }

    destroy(): void {
        this.unmount();
        this.#isDestroyed = true;
        this.#handlers = [];
        this.destroyed();
    }

    update(options: ElementOptions): void {
        this.options = { ...this.options, ...options };
        this.refresh();
    }

    /** Tells the frame what has changed for it. */
    refresh(): void {
        this.channel?.tell({ type: 'update', ...this.#all() });
    }

    on<N extends Name>(name: N, call: (event: ElementEvents[N]) => void): this {
        return this.#add(name, call, false);
    }

    once<N extends Name>(name: N, call: (event: ElementEvents[N]) => void): this {
        return this.#add(name, call, true);
    }

    off<N extends Name>(name: N, call?: (event: ElementEvents[N]) => void): this {
        this.#handlers = this.#handlers.filter((one) => one.name !== name || (call !== undefined && one.call !== call));
        return this;
    }

    focus(): void {
        this.channel?.frame.focus();
        this.channel?.tell({ type: 'focus' });
    }

    blur(): void {
        this.channel?.tell({ type: 'blur' });
    }

    clear(): void {
        this.channel?.tell({ type: 'clear' });
    }

    #all(): Setup {
        const { defaultValues } = this.options;
        return { ...this.setup(), ...(defaultValues && { defaultValues }) };
    }

    #add(name: Name, call: (event: never) => void, isOnce: boolean): this {
        if (!NAMES.includes(name)) throw new Error(`multirail: there is no event ${String(name)}.`);
        this.#handlers.push({ name, call, isOnce });
        return this;
    }

    #emit<N extends Name>(name: N, event: ElementEvents[N]): void {
        const called = this.#handlers.filter((one) => one.name === name);
        this.#handlers = this.#handlers.filter((one) => !called.includes(one) || !one.isOnce);
        for (const { call } of called) call(event as never);
    }

    #fail(error: CheckoutError): void {
        this.#emit('loaderror', { elementType: this.kind, error });
    }

    #notice(notice: Notice): void {
        const elementType = this.kind;
        switch (notice.type) {
            case 'ready':
            case 'focus':
            case 'blur':
                this.#emit(notice.type, { elementType });
                return;
            case 'change': {
                const { complete, empty, value } = notice;
                this.#emit('change', { elementType, complete, empty, value });
                return;
            }
            case 'loaderror':
                this.#fail(notice.error);
                return;
            case 'redirect':
                if (isSafe(notice.url)) page.go(notice.url);
                return;
            case 'resize':
        }
    }
}
