// The app of the frame: it loads the payment, shows its form or its state, and answers the requests of the shop's page.
import type { Answered, Connect, Notice, Request, Setup } from '../protocol.ts';
import { readRequest } from '../protocol.ts';
import type { Texts } from '../texts/en.ts';
import type { CheckoutError } from '../types.ts';
import type { Api, NextAction, Offers, Payment, SavedMethod } from './api.ts';
import { Failed, Refusal, shown } from './api.ts';
import { applyLook } from './appearance.ts';
import { Display } from './display.ts';
import { filled, metaOf } from './dom.ts';
import { Form } from './form.ts';
import type { Plan } from './methods.ts';
import { cardPlan, methodName, plansOf, savedPlans } from './methods.ts';
import type { Order } from './panel.ts';
import { failureOf, outcomeOf, processing, skeleton } from './states.ts';
import { isShown, stepView, takesDays } from './step.ts';
import { languageOf, speak } from './texts.ts';
import { asksForDevice, browserInfo, hasEnded, newKey, refusalOf, totalOf } from './outcomes.ts';
import { decide, watch, withoutDevice } from './watch.ts';

export class App {
    readonly #profile = metaOf('multirail-profile');
    #setup: Setup;
    #texts!: Texts;
    #language = 'en';
    #offers: Offers | undefined;
    #saved: SavedMethod[] = [];
    #payment: Payment | undefined;
    #isConfirming = false;
    /** The last confirm whose outcome is unknown. The same request keeps its key, so that a payer pays once. */
    #sent = { body: '', key: '' };
    #told = '';
    readonly #display: Display;
    #started: Promise<void> = Promise.resolve();

    constructor(
        root: HTMLElement,
        private readonly api: Api,
        private readonly connect: Connect,
        private readonly port: MessagePort,
    ) {
        const { surface: _, ...setup } = connect;
        this.#setup = setup;
        this.#display = new Display(root, (notice) => this.#notify(notice));
    }

    /** Starts the talk, and shows the payment. */
    start(): Promise<void> {
        this.port.onmessage = ({ data }) => {
            const read = readRequest(data);
            if (read) void this.#answer(read.id, read.request);
        };
        this.#started = this.#open();
        return this.#started;
    }

    async #open(): Promise<void> {
        applyLook(this.#setup.appearance);
        await this.#speak();
        if (this.connect.surface === 'none') {
            this.#notify({ type: 'ready' });
            return;
        }
        this.#display.open();
        await this.#load();
        this.#notify({ type: 'ready' });
    }

    async #speak(): Promise<void> {
        this.#language = languageOf(this.#setup.locale);
        this.#texts = await speak(this.#language);
        this.#display.label(this.#texts.testMode);
    }

    // ---- What is shown

    get #form(): Form | undefined {
        return this.#display.form;
    }

    #notify(notice: Notice): void {
        this.port.postMessage(notice);
    }

    get #order(): Order {
        const payment = this.#payment;
        const [amount, currency] = [payment?.amount ?? this.#setup.amount, payment?.currency ?? this.#setup.currency];
        const seller = this.#offers?.merchant_name;
        return {
            texts: this.#texts,
            language: this.#language,
            ...(seller && { seller }),
            ...(amount !== undefined && { amount }),
            ...(currency && { currency }),
            ...(payment && { payment }),
        };
    }

    async #load(): Promise<void> {
        this.#display.show(skeleton(this.#texts.loading, this.connect.surface === 'card'));
        const secret = this.#setup.clientSecret;
        try {
            if (!secret) {
                this.#showForm();
                return;
            }
            const payment = await this.#own(secret);
            this.#payment = payment;
            const isPayable = outcomeOf(payment.status, this.#order) === undefined && payment.status !== 'requires_customer_action';
            if (isPayable) {
                await this.#ask(secret);
                if (payment.status === 'failed' && payment.manual_retry_allowed === false) this.#showFinal();
                else this.#showForm(payment.status === 'failed' ? this.#declineText : '');
                return;
            }
            // The payer may have come back to a payment that waits for them. Its outcome is shown when it is known.
            void this.#follow(secret, payment).catch((thrown: unknown) => {
                // A decline and an outcome are shown already.
                if (thrown instanceof Refusal) this.#showFailure(this.#failure(thrown));
            });
        } catch (thrown) {
            this.#showFailure(this.#failure(thrown));
        }
    }

    async #ask(secret: string): Promise<void> {
        const saved = this.connect.surface === 'card' ? Promise.resolve([]) : this.api.saved(secret).catch(() => []);
        [this.#offers, this.#saved] = await Promise.all([this.api.offers(secret), saved]);
    }

    #plans(): Plan[] {
        if (!this.#offers) return [cardPlan(this.#texts)];
        const plans = plansOf(this.#offers, this.#texts);
        if (this.connect.surface === 'card') return plans.filter((plan) => plan.type === 'card');
        return [...savedPlans(this.#saved, this.#texts), ...plans];
    }

    #showForm(trouble = ''): void {
        const [first, ...others] = this.#plans();
        if (!first) {
            this.#display.showState({ title: this.#texts.invalidKeyTitle, text: this.#texts.none, mark: 'bad' });
            return;
        }
        const form = new Form([first, ...others], this.#order, () => this.#changed());
        form.fill(this.#setup.defaultValues?.billingDetails ?? {});
        this.#display.showForm(form);
        form.say(trouble);
        this.#changed();
    }

    /** Shows the form anew, with what the payer has typed. */
    #renew(trouble = ''): void {
        const before = this.#form;
        this.#showForm(trouble);
        if (!before || !this.#form) return;
        this.#form.typed = before.typed;
        this.#form.choose(before.open.plan.id);
        // The choice of another way removes what was said about the last.
        this.#form.say(trouble);
        this.#changed();
    }

    #showFinal(): void {
        this.#display.showState({ title: this.#texts.failedTitle, text: this.#texts.failedFinally, mark: 'bad' });
    }

    #showFailure(error: CheckoutError): void {
        this.#display.showState(failureOf(error, this.#texts, () => void this.#load()));
        this.#notify({ type: 'loaderror', error });
    }

    #changed(): void {
        if (!this.#form) return;
        const notice: Notice = { type: 'change', ...this.#form.state };
        const told = JSON.stringify(notice);
        if (told === this.#told) return;
        this.#told = told;
        this.#notify(notice);
    }

    // ---- The requests of the shop's page

    async #answer(id: number, request: Request): Promise<void> {
        try {
            await this.#started;
            this.port.postMessage({ id, ok: true, value: await this.#handle(request) });
        } catch (thrown) {
            this.port.postMessage({ id, ok: false, error: this.#failure(thrown) });
        }
    }

    async #handle(request: Request): Promise<Answered> {
        switch (request.type) {
            case 'update':
                await this.#update(request);
                return {};
            case 'focus':
                this.#form?.open.focus();
                return {};
            case 'blur':
                if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
                return {};
            case 'clear':
                for (const panel of this.#form?.panels ?? []) panel.clear();
                this.#changed();
                return {};
            case 'submit':
                this.#check();
                return {};
            case 'retrieve':
                return { payment: shown(await this.#own(request.clientSecret)) };
            case 'nextAction':
                return { payment: shown(await this.#follow(request.clientSecret, await this.#own(request.clientSecret))) };
            case 'confirm':
                return { payment: shown(await this.#confirm(request.clientSecret, request.returnUrl)) };
        }
    }

    async #update(changes: Setup): Promise<void> {
        const before = this.#setup;
        // Only a connection or a confirm names a payment, so that each is checked.
        const { clientSecret: _, ...looks } = changes;
        this.#setup = { ...before, ...looks };
        applyLook(this.#setup.appearance);
        if (languageOf(this.#setup.locale) !== this.#language) {
            await this.#speak();
            if (this.#form) this.#renew();
        }
        this.#form?.fill(this.#setup.defaultValues?.billingDetails ?? {});
        this.#changed();
    }

    /** Returns the payment, which has to be one of this frame's profile. */
    async #own(secret: string): Promise<Payment> {
        const payment = await this.api.retrieve(secret);
        if (!this.#profile || payment.profile_id !== this.#profile) {
            throw new Failed('invalid_request_error', 'other_profile', this.#texts.otherProfile);
        }
        return payment;
    }

    #check(): Form {
        const form = this.#form;
        const texts = this.#texts;
        if (!form) throw new Failed('invalid_request_error', 'payment_unexpected_state', this.#display.state?.text ?? texts.busy);
        form.say('');
        const checked = form.open.check();
        this.#changed();
        if (checked === 'wrong') throw new Failed('validation_error', 'incomplete_fields', texts.checkFields);
        if (checked === 'review') throw new Failed('validation_error', 'review_required', texts.reviewFirst);
        return form;
    }

    async #confirm(secret: string, returnUrl: string | undefined): Promise<Payment> {
        const texts = this.#texts;
        if (this.#isConfirming) throw new Failed('invalid_request_error', 'confirmation_in_progress', texts.busy);
        const form = this.#check();
        this.#isConfirming = true;
        form.root.setAttribute('inert', '');
        form.root.setAttribute('aria-busy', 'true');
        try {
            await this.#meet(secret);
            const body = { ...form.open.body(), browser_info: browserInfo(), ...(returnUrl && { return_url: returnUrl }) };
            return await this.#follow(secret, await this.#send(secret, body));
        } catch (thrown) {
            throw await this.#refused(secret, thrown);
        } finally {
            this.#isConfirming = false;
            form.root.removeAttribute('inert');
            form.root.removeAttribute('aria-busy');
        }
    }

    /** Reads a payment that was created after the form was shown, and compares it with the form. */
    async #meet(secret: string): Promise<void> {
        if (secret === this.connect.clientSecret) return;
        // The payer has seen the amount of one payment, and pays no other.
        if (this.connect.clientSecret) throw new Failed('invalid_request_error', 'client_secret_mismatch', this.#texts.otherAmount);
        const payment = await this.#own(secret);
        const { mode, amount, currency } = this.#setup;
        const given = mode === 'setup' ? 0 : amount;
        const differs = (currency !== undefined && payment.currency !== currency) || payment.amount !== given;
        if (differs) throw new Failed('invalid_request_error', 'amount_mismatch', this.#texts.otherAmount);
        const seen = this.#payment ? totalOf(this.#payment) : given;
        this.#payment = payment;
        this.#setup = { ...this.#setup, clientSecret: secret };
        if (totalOf(payment) !== seen) {
            this.#renew(this.#texts.feeAdded);
            throw new Failed('validation_error', 'review_required', this.#texts.feeAdded);
        }
        if (payment.setup_future_usage === 'off_session' && !this.#form?.open.asksForConsent) {
            this.#renew(this.#texts.badAgreeLater);
            throw new Failed('validation_error', 'consent_required', this.#texts.badAgreeLater);
        }
    }

    async #send(secret: string, body: object): Promise<Payment> {
        const written = JSON.stringify({ secret, ...body });
        if (this.#sent.body !== written) this.#sent = { body: written, key: newKey() };
        const payment = await this.api.confirm(secret, { ...body }, this.#sent.key);
        this.#sent = { body: '', key: '' };
        return payment;
    }

    /** Shows why a confirm was refused, and returns the error for the page. */
    async #refused(secret: string, thrown: unknown): Promise<unknown> {
        if (!(thrown instanceof Refusal)) return thrown;
        const failed = refusalOf(thrown, this.#texts);
        if (failed.error.type === 'api_connection_error') {
            this.#form?.say(failed.error.message);
            return failed;
        }
        this.#sent = { body: '', key: '' };
        if (hasEnded(thrown)) {
            this.#showFailure(failed.error);
            return failed;
        }
        if (this.#form?.open.blame(thrown.message)) return new Failed('validation_error', 'invalid_field', this.#texts.checkFields);
        // The token of a saved method ends earlier than its payment.
        if (thrown.code === 'IR_29') await this.#ask(secret).catch(() => {});
        const payment = await this.#own(secret).catch(() => undefined);
        if (payment?.status === 'failed' && thrown.code === 'IR_16') {
            this.#showFinal();
            return new Failed('card_error', 'payment_failed', this.#texts.failedFinally, { payment: shown(payment) });
        }
        const outcome = payment && outcomeOf(payment.status, this.#order);
        if (payment && outcome) {
            // Somebody else has gone on, such as the payer on another page.
            void this.#follow(secret, payment).catch(() => {});
            return new Failed('invalid_request_error', 'payment_unexpected_state', outcome.text, { payment: shown(payment) });
        }
        this.#renew(failed.error.message);
        return failed;
    }

    #failure(thrown: unknown): CheckoutError {
        if (thrown instanceof Failed) return thrown.error;
        if (thrown instanceof Refusal) return refusalOf(thrown, this.#texts).error;
        return { type: 'api_error', code: 'unexpected', message: this.#texts.unreachable };
    }

    // ---- The way of a payment after its confirm

    /** Goes on with a payment until it is decided, or its payer has to go elsewhere. */
    async #follow(secret: string, first: Payment): Promise<Payment> {
        let payment = first;
        for (;;) {
            this.#payment = payment;
            const { status, next_action: action } = payment;
            if (asksForDevice(payment)) {
                payment = await withoutDevice(this.api, secret);
                if (!asksForDevice(payment)) continue;
                if (this.connect.surface !== 'none') this.#wait(secret, payment);
                return payment;
            }
            if (this.connect.surface === 'none') return payment;
            if (['requires_customer_action', 'processing'].includes(status) && isShown(action)) {
                const next = await this.#step(secret, payment, action);
                if (next === payment) return payment;
                payment = next;
                continue;
            }
            if (status === 'requires_customer_action') {
                this.#showWaiting(payment, action?.redirect_to_url ?? undefined);
                return payment;
            }
            if (status === 'failed') throw this.#declined(payment);
            if (status === 'processing') {
                const decided = await decide(this.api, secret, payment);
                if (decided) {
                    payment = decided;
                    continue;
                }
            }
            const outcome = outcomeOf(status, this.#order);
            if (outcome?.mark === 'waiting') this.#wait(secret, payment);
            else if (outcome) this.#display.showState(outcome);
            if (outcome?.mark === 'bad') throw new Failed('invalid_request_error', 'payment_unexpected_state', outcome.text, { payment: shown(payment) });
            return payment;
        }
    }

    #showWaiting(payment: Payment, address: string | undefined): void {
        const texts = this.#texts;
        const method = methodName(payment.payment_method_type, texts);
        const text = method ? filled(texts.methodWaits, { method }) : texts.waiting;
        const label = method ? filled(texts.goOnTo, { method }) : texts.goOn;
        const act = () => this.#notify({ type: 'redirect', url: address ?? '' });
        this.#display.showState({ title: texts.waitingTitle, text, mark: 'waiting', ...(address && { action: { label, act } }) });
    }

    /** Shows a decline, and returns its error. The payer may try again, unless the payment takes no further attempt. */
    #declined(payment: Payment): Failed {
        const texts = this.#texts;
        const isFinal = payment.manual_retry_allowed === false;
        if (isFinal) this.#showFinal();
        else if (this.#form) {
            this.#form.say(this.#declineText);
            for (const field of this.#form.open.fields) if (field.plan.kind === 'code') field.clear();
            this.#changed();
        } else this.#showForm(this.#declineText);
        const isCard = payment.payment_method === 'card';
        const more = { payment: shown(payment), ...(payment.error_code && { decline_code: payment.error_code }) };
        return new Failed('card_error', isCard ? 'card_declined' : 'payment_declined', isFinal ? texts.failedFinally : this.#declineText, more);
    }

    /** The text of a decline, which names another way only where there is one. */
    get #declineText(): string {
        return this.#plans().length > 1 ? this.#texts.declined : this.#texts.declinedCard;
    }

    /** Shows a step, and returns the payment when it has changed: unchanged if the payer has noted it, or nobody can tell. */
    async #step(secret: string, payment: Payment, action: NextAction): Promise<Payment> {
        const texts = this.#texts;
        const view = stepView(payment, action, this.#order);
        this.#display.show(view.root);
        // A page that was only opened keeps its focus.
        if (this.#isConfirming) view.heading.focus();
        const { number } = this.#display;
        const noted = new Promise<Payment>((done) => view.done?.addEventListener('click', () => done(payment)));
        const watched = (async () => {
            for (;;) {
                const next = await watch(this.api, secret, payment, () => this.#display.number === number);
                if (next === 'ended') {
                    view.say(takesDays(action) ? texts.endedLater : texts.ended);
                    return payment;
                }
                if (next !== 'paused') return next;
                view.say(texts.paused);
                view.again.hidden = false;
                await new Promise((done) => view.again.addEventListener('click', done, { once: true }));
                view.again.hidden = true;
                view.say(texts.watching);
            }
        })();
        const next = await Promise.race([noted, watched]);
        // The payer who has noted a step still sees what becomes of it.
        if (next === payment) void watched.then((later) => (later === payment ? undefined : this.#follow(secret, later))).catch(() => {});
        return next;
    }

    /** Shows that nobody knows yet, until somebody does. */
    #wait(secret: string, payment: Payment): void {
        this.#display.showState(processing(this.#texts));
        const { number } = this.#display;
        const watched = watch(this.api, secret, payment, () => this.#display.number === number);
        void watched.then((next) => (typeof next === 'string' ? undefined : this.#follow(secret, next))).catch(() => {});
    }
}
