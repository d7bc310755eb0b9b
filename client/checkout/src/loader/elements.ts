// The elements of one payment: they share its secret or its amount, and the look.
import type { Setup } from '../protocol.ts';
import type { CheckoutElement, ElementKind, ElementOptions, Elements, ElementsOptions, SubmitResult } from '../types.ts';
import type { Place } from './channel.ts';
import { Refused } from './channel.ts';
import { FieldsElement } from './element.ts';

const KINDS: readonly string[] = ['payment', 'card'];

export class ElementGroup implements Elements {
    readonly #elements = new Map<ElementKind, FieldsElement>();

    constructor(
        readonly place: Place,
        private options: ElementsOptions,
    ) {
        const { clientSecret, mode, amount, currency } = options;
        const isComplete = mode === 'setup' ? currency !== undefined : mode === 'payment' && amount !== undefined && currency !== undefined;
        if (!clientSecret && !isComplete) throw new Error('multirail: elements need a clientSecret, or mode, amount and currency.');
        if (clientSecret && mode) throw new Error('multirail: elements take either a clientSecret or a mode, not both.');
    }

    get clientSecret(): string | undefined {
        return this.options.clientSecret;
    }

    create(kind: ElementKind, options: ElementOptions = {}): CheckoutElement {
        if (!KINDS.includes(kind)) throw new Error(`multirail: there is no element ${String(kind)}. There are payment and card.`);
        if (this.#elements.has(kind)) throw new Error(`multirail: these elements have a ${kind} element already.`);
        const element = new FieldsElement(kind, this.place, () => this.#setup(), options, () => this.#elements.delete(kind));
        this.#elements.set(kind, element);
        return element;
    }

    getElement(kind: ElementKind): CheckoutElement | null {
        return this.#elements.get(kind) ?? null;
    }

    update(options: Parameters<Elements['update']>[0]): void {
        this.options = { ...this.options, ...options };
        for (const element of this.#elements.values()) element.refresh();
    }

    async submit(): Promise<SubmitResult> {
        try {
            await this.mounted().ask({ type: 'submit' });
            return {};
        } catch (thrown) {
            if (thrown instanceof Refused) return { error: thrown.error };
            throw thrown;
        }
    }

    /** Returns the frame with the fields. */
    mounted() {
        const channel = [...this.#elements.values()].find((element) => element.channel)?.channel;
        if (!channel) throw new Error('multirail: mount an element first.');
        return channel;
    }

    #setup(): Setup {
        const { clientSecret, mode, amount, currency, appearance, locale } = this.options;
        return {
            ...(clientSecret && { clientSecret }),
            ...(mode && { mode }),
            ...(amount !== undefined && { amount }),
            ...(currency && { currency }),
            ...(appearance && { appearance }),
            ...(locale && { locale }),
        };
    }
}
