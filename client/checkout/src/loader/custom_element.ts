// <multirail-checkout>: the whole checkout as one element, for pages without a script of their own.
import type { MultirailConstructor, MultirailInstance, Elements, Theme } from '../types.ts';
import { wordsIn } from './words.ts';

/** The attributes that the frame depends on. `return-url` is read when the payer pays. */
const WATCHED = ['publishable-key', 'profile', 'client-secret', 'theme', 'locale', 'origin'];

/**
 * Defines the element. Its attributes are those above and `return-url`; `publishable-key` and `client-secret` are required. With a
 * `return-url` the payer goes there after a success. The element pays with the button that stands in it, or makes one. It dispatches `ready`,
 * `change`, `loaderror`, `payment` and `paymenterror`.
 */
export function defineElement(open: MultirailConstructor): void {
    if (customElements.get('multirail-checkout')) return;

    class MultirailCheckout extends HTMLElement {
        static readonly observedAttributes = WATCHED;
        #multirail: MultirailInstance | undefined;
        #elements: Elements | undefined;
        #isPaying = false;
        readonly #place = document.createElement('div');
        readonly #trouble = document.createElement('p');
        #button: HTMLButtonElement | undefined;

        connectedCallback(): void {
            // The element's own content may follow, while the page is still read.
            queueMicrotask(() => this.#open());
        }

        disconnectedCallback(): void {
            this.#elements?.getElement('payment')?.destroy();
            this.#elements = undefined;
        }

        attributeChangedCallback(name: string, before: string | null, now: string | null): void {
            if (before === now || !this.isConnected) return;
            if (name === 'theme' && this.#elements) {
                this.#elements.update({ appearance: { theme: (now ?? 'auto') as Theme } });
                return;
            }
            this.disconnectedCallback();
            queueMicrotask(() => this.#open());
        }

        #open(): void {
            const of = (name: string) => this.getAttribute(name) ?? undefined;
            const [key, clientSecret, profile, origin, locale, theme] = [
                of('publishable-key'), of('client-secret'), of('profile'), of('origin'), of('locale'), of('theme'),
            ];
            if (!this.isConnected || this.#elements || !key || !clientSecret) return;
            this.#multirail = open(key, { ...(profile && { profile }), ...(origin && { origin }), ...(locale && { locale }) });
            this.#elements = this.#multirail.elements({ clientSecret, appearance: { theme: (theme ?? 'auto') as Theme } });
            const element = this.#elements.create('payment');
            for (const name of ['ready', 'change', 'loaderror'] as const) element.on(name, (event) => this.#tell(name, event));
            this.#trouble.setAttribute('role', 'alert');
            this.prepend(this.#place);
            this.#button ??= this.#payButton(locale);
            this.#button.before(this.#trouble);
            element.mount(this.#place);
        }

        #payButton(locale: string | undefined): HTMLButtonElement {
            let button = this.querySelector('button');
            if (!button) {
                button = document.createElement('button');
                button.type = 'button';
                button.textContent = wordsIn(locale).pay;
                this.append(button);
            }
            button.addEventListener('click', (event) => {
                event.preventDefault();
                void this.#pay();
            });
            return button;
        }

        async #pay(): Promise<void> {
            const [multirail, elements, returnUrl] = [this.#multirail, this.#elements, this.getAttribute('return-url')];
            if (!multirail || !elements || this.#isPaying) return;
            this.#isPaying = true;
            this.#button?.setAttribute('aria-disabled', 'true');
            this.#trouble.textContent = '';
            const confirmParams = returnUrl ? { return_url: returnUrl } : {};
            try {
                const { payment, error } = await multirail.confirmPayment({ elements, confirmParams, redirect: returnUrl ? 'always' : 'if_required' });
                if (error) {
                    // The frame itself shows what is wrong with its fields.
                    if (error.type !== 'validation_error' && error.type !== 'card_error') this.#trouble.textContent = error.message;
                    this.#tell('paymenterror', error);
                } else this.#tell('payment', payment);
            } catch (thrown) {
                // An attribute of the page is wrong: its payer is told, and its author.
                this.#trouble.textContent = wordsIn(this.getAttribute('locale') ?? undefined).unreachable;
                this.#tell('paymenterror', { type: 'invalid_request_error', code: 'wrong_use', message: String(thrown) });
            } finally {
                this.#isPaying = false;
                this.#button?.removeAttribute('aria-disabled');
            }
        }

        #tell(name: string, detail: unknown): void {
            this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
        }
    }

    customElements.define('multirail-checkout', MultirailCheckout);
}
