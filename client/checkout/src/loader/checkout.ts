// The checkout of a publishable key.
import type { Answered, Request } from '../protocol.ts';
import type {
    ConfirmOptions,
    Elements,
    ElementsOptions,
    MultirailInstance,
    MultirailOptions,
    PaymentResult,
} from '../types.ts';
import type { Place } from './channel.ts';
import { Channel, Refused } from './channel.ts';
import { ElementGroup } from './elements.ts';
import { isSafe, returnAddress } from '../addresses.ts';
import { page } from './navigation.ts';
import { wordsIn } from './words.ts';

/** A request after which the payer may leave the page. */
type Following = Extract<Request, { clientSecret: string }>;

/** Waits until the payer is back on this page, which a browser may have kept as it was. A page that is loaded anew waits for nothing. */
const backOnPage = () =>
    new Promise<void>((done) => {
        const seen = (event: PageTransitionEvent) => {
            if (!event.persisted) return;
            window.removeEventListener('pageshow', seen);
            done();
        };
        window.addEventListener('pageshow', seen);
    });

export class Checkout implements MultirailInstance {
    readonly #place: Place;
    readonly #locale: string | undefined;
    #hidden: Channel | undefined;
    #latest: ElementGroup | undefined;

    /** `frame` is the address of the frame, without its key. */
    constructor(publishableKey: string, options: MultirailOptions, frame: string) {
        if (typeof publishableKey !== 'string' || publishableKey === '') throw new Error('multirail: the publishable key is missing.');
        if (!publishableKey.startsWith('pk_')) throw new Error('multirail: a page takes the publishable key, which begins with pk_, and never a secret one.');
        const url = new URL(frame);
        url.searchParams.set('key', publishableKey);
        if (options.profile) url.searchParams.set('profile', options.profile);
        this.#place = { address: url.href, origin: url.origin };
        this.#locale = options.locale;
    }

    elements(options: ElementsOptions): Elements {
        const locale = options.locale ?? this.#locale;
        this.#latest = new ElementGroup(this.#place, { ...options, ...(locale && locale !== 'auto' && { locale }) });
        return this.#latest;
    }

    async confirmPayment(options: ConfirmOptions): Promise<PaymentResult> {
        const { elements, confirmParams, redirect = 'always' } = options;
        if (!(elements instanceof ElementGroup)) throw new Error('multirail: confirmPayment needs the elements of this checkout.');
        const clientSecret = options.clientSecret ?? elements.clientSecret;
        if (!clientSecret) throw new Error('multirail: confirmPayment needs the clientSecret of the payment.');
        const returnUrl = confirmParams?.return_url;
        if (returnUrl === undefined ? redirect === 'always' : !returnAddress(returnUrl, undefined)) {
            throw new Error('multirail: confirmParams.return_url has to be an address that begins with https.');
        }
        const request: Request = { type: 'confirm', clientSecret, redirect, ...(returnUrl && { returnUrl }) };
        return this.#finish(elements.mounted(), request, redirect === 'always' ? returnUrl : undefined);
    }

    confirmSetup(options: ConfirmOptions): Promise<PaymentResult> {
        return this.confirmPayment(options);
    }

    handleNextAction({ clientSecret }: { clientSecret: string }): Promise<PaymentResult> {
        return this.#finish(this.#anyChannel(), { type: 'nextAction', clientSecret }, undefined);
    }

    async retrievePayment(clientSecret: string): Promise<PaymentResult> {
        return answered(this.#anyChannel().ask({ type: 'retrieve', clientSecret }));
    }

    /** Follows the payment's address, or that of the shop after a success. A payer who comes back gets the payment as it is then. */
    async #finish(channel: Channel, request: Following, returnUrl: string | undefined): Promise<PaymentResult> {
        const leave = async (address: string): Promise<PaymentResult> => {
            const back = backOnPage();
            page.go(address);
            await back;
            return answered(channel.ask({ type: 'retrieve', clientSecret: request.clientSecret }));
        };
        const result = await answered(channel.ask(request));
        if (result.error) return result;
        const { payment } = result;
        const next = payment.status === 'requires_customer_action' ? payment.next_action : undefined;
        if (next?.type === 'redirect_to_url' && next.redirect_to_url) {
            if (isSafe(next.redirect_to_url)) return leave(next.redirect_to_url);
            const message = wordsIn(this.#locale).unreachable;
            return { error: { type: 'api_error', code: 'unsafe_redirect', message, payment } };
        }
        const back = returnUrl && returnAddress(returnUrl, payment);
        return back ? leave(back) : result;
    }

    /** Returns a frame that stands on the page, else a hidden one. */
    #anyChannel(): Channel {
        try {
            if (this.#latest) return this.#latest.mounted();
        } catch {
            // Nothing is mounted, so a frame without fields answers.
        }
        if (!this.#hidden) {
            const locale = this.#locale;
            const connect = () => ({ surface: 'none' as const, ...(locale && { locale }) });
            const lost = () => {
                this.#hidden?.close();
                this.#hidden = undefined;
            };
            this.#hidden = new Channel(this.#place, wordsIn(locale), connect, { notice: () => {}, lost });
            document.body.append(this.#hidden.frame);
        }
        return this.#hidden;
    }
}

async function answered(asked: Promise<Answered>): Promise<PaymentResult> {
    try {
        const { payment } = await asked;
        if (payment) return { payment };
        throw new Error('multirail: the frame told no payment.');
    } catch (thrown) {
        if (thrown instanceof Refused) return { error: thrown.error };
        throw thrown;
    }
}
