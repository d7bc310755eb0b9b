// The display of the frame: it shows one thing at a time, and tells the page its height and its focus.
import type { Notice } from '../protocol.ts';
import { make, metaOf } from './dom.ts';
import type { Form } from './form.ts';
import type { State } from './states.ts';
import { stateView } from './states.ts';

export class Display {
    readonly #badge = metaOf('multirail-mode') === 'test' ? make('p', { class: 'badge' }) : undefined;
    readonly #place = make('div', { class: 'place' });
    #form: Form | undefined;
    #state: State | undefined;
    #number = 0;

    constructor(
        private readonly root: HTMLElement,
        private readonly notify: (notice: Notice) => void,
    ) {}

    /** The form, while it is shown. */
    get form(): Form | undefined {
        return this.#form;
    }

    /** The state, while one is shown. */
    get state(): State | undefined {
        return this.#state;
    }

    /** Changes with everything that is shown, so that callers learn whether their view is gone. */
    get number(): number {
        return this.#number;
    }

    /** Fills the root, and begins to tell the page what happens in it. */
    open(): void {
        this.root.replaceChildren(...(this.#badge ? [this.#badge] : []), this.#place);
        if (typeof ResizeObserver === 'function') new ResizeObserver(() => this.#resize()).observe(this.root);
        for (const [event, type] of [['focusin', 'focus'], ['focusout', 'blur']] as const) {
            this.root.addEventListener(event, ({ relatedTarget }) => {
                if (!this.#isInside(relatedTarget)) this.notify({ type });
            });
        }
    }

    /** Writes the text of the badge, which only test mode has. */
    label(testMode: string): void {
        if (this.#badge) this.#badge.textContent = testMode;
    }

    show(content: HTMLElement): void {
        this.#number += 1;
        this.#form = undefined;
        this.#state = undefined;
        this.#place.replaceChildren(content);
        this.#resize();
    }

    showForm(form: Form): void {
        this.show(form.root);
        this.#form = form;
    }

    showState(state: State): void {
        this.show(stateView(state));
        this.#state = state;
    }

    #isInside(target: EventTarget | null): boolean {
        return target instanceof Node && this.root.contains(target);
    }

    #resize(): void {
        this.notify({ type: 'resize', height: Math.ceil(this.root.getBoundingClientRect().height) });
    }
}
