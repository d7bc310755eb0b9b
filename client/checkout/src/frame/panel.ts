// The fields of one way to pay, with the consent that it needs, and the review of an account before its mandate.
import type { Texts } from '../texts/en.ts';
import type { BillingDetails } from '../types.ts';
import type { Json, Payment } from './api.ts';
import { money } from './amount.ts';
import { make, newId } from './dom.ts';
import { Field, Note, put } from './field.ts';
import type { Part } from './field.ts';
import type { Plan } from './methods.ts';

/** The order that the payer pays, as far as it is known. */
export interface Order {
    texts: Texts;
    language: string;
    seller?: string;
    amount?: number;
    currency?: string;
    payment?: Payment;
}

export type Checked = 'right' | 'wrong' | 'review';

/** A consent of the payer, beside the text that they agree to. */
class Consent implements Part {
    readonly root: HTMLElement;
    readonly input: HTMLInputElement;
    readonly #note = new Note();

    constructor(
        text: HTMLElement | undefined,
        agree: string,
        private readonly bad: string,
    ) {
        const [id, textId] = [newId(), newId()];
        if (text) text.id = textId;
        this.input = make('input', { id, type: 'checkbox', required: true, autocomplete: 'off', 'aria-describedby': text ? `${textId} ${this.#note.ids}` : this.#note.ids });
        this.root = make('div', { class: 'consent' }, text, make('label', { class: 'agree', for: id }, this.input, make('span', {}, agree)), this.#note.root);
        this.input.addEventListener('change', () => this.tell(''));
    }

    fault(): string {
        return this.input.checked ? '' : this.bad;
    }

    tell(fault: string): void {
        this.#note.tell(fault);
        if (fault) this.input.setAttribute('aria-invalid', 'true');
        else this.input.removeAttribute('aria-invalid');
    }
}

export class Panel {
    readonly root: HTMLElement;
    readonly fields: Field[];
    readonly #consent: Consent | undefined;
    readonly #entry: HTMLElement;
    readonly #review: { root: HTMLElement; title: HTMLElement; facts: HTMLElement } | undefined;

    constructor(
        readonly plan: Plan,
        private readonly order: Order,
        onChange: () => void,
    ) {
        const { texts, language } = order;
        const number = () => this.fields.find((field) => field.plan.kind === 'number')?.input.value ?? '';
        this.fields = plan.fields.map((field) => new Field(field, texts, language, number));
        this.#consent = this.#consentOf();
        this.#entry = make('div', { class: 'fields' }, ...this.fields.map((field) => field.root));
        this.#review = plan.scheme === 'bacs' && this.fields.length > 0 ? this.#reviewOf() : undefined;
        const isSaving = order.payment?.setup_future_usage === 'on_session' && plan.type === 'card';
        this.root = make(
            'div',
            { class: 'panel' },
            this.#entry,
            this.#review ? this.#review.root : this.#consent?.root,
            plan.hint && plan.type !== 'saved' && make('p', { class: 'hint' }, plan.hint),
            isSaving && make('p', { class: 'hint' }, texts.willSave),
        );
        this.root.addEventListener('input', onChange);
        this.root.addEventListener('change', onChange);
    }

    get isEmpty(): boolean {
        return this.fields.every((field) => field.isEmpty);
    }

    get asksForConsent(): boolean {
        return this.#consent !== undefined;
    }

    get isComplete(): boolean {
        return this.#parts().every((part) => part.fault() === '') && !this.#isUnreviewed;
    }

    /** Shows all faults, and moves to the first. An account that its payer has to review is shown once more. */
    check(): Checked {
        const wrong = this.#parts().filter((part) => {
            const fault = part.fault();
            part.tell(fault);
            return fault !== '';
        });
        if (wrong.length > 0) {
            wrong[0]?.input.focus();
            return 'wrong';
        }
        if (!this.#isUnreviewed) return 'right';
        this.#turn(true);
        return 'review';
    }

    /** Returns the members of the confirm. */
    body(): Json {
        const body = structuredClone(this.plan.body) as Json;
        const asksForBilling = this.fields.some((field) => field.plan.member.startsWith('payment_method_data.billing.'));
        // A profile may keep the payment's billing address apart from that of the method, which repeats what is known.
        const known = asksForBilling ? withoutNulls(this.order.payment?.billing) : undefined;
        if (known) put(body, 'payment_method_data.billing', known);
        for (const field of this.fields) if (!field.root.hidden) field.write(body);
        // The server adds the time, the address and the browser of the request.
        if (this.#consent) body['customer_acceptance'] = { acceptance_type: 'online' };
        return body;
    }

    /** Shows the refusal of a member beside its field, and returns whether there is one. */
    blame(message: string): boolean {
        const paths = this.fields.flatMap((field) => field.members.map((path) => [path, field] as const));
        paths.sort(([one], [other]) => other.length - one.length);
        const [, field] = paths.find(([path]) => message.includes(path)) ?? [];
        if (!field) return false;
        this.#turn(false);
        field.blame();
        field.input.focus();
        return true;
    }

    fill(billing: BillingDetails): void {
        const { name = '', email, phone, address = {} } = billing;
        const [first = '', ...rest] = name.split(' ');
        const values: Partial<Record<string, string | undefined>> = {
            cardHolder: name, holder: name, firstName: first, lastName: rest.join(' '), email, phone,
            line1: address.line1, city: address.city, state: address.state, zip: address.postal_code, country: address.country,
        };
        for (const field of this.fields) {
            const value = values[field.plan.kind];
            if (value && field.isEmpty) field.set(value);
        }
    }

    clear(): void {
        for (const field of this.fields) field.clear();
        if (this.#consent) this.#consent.input.checked = false;
        this.#turn(false);
    }

    focus(): void {
        (this.fields.find((field) => !field.root.hidden)?.input ?? this.#consent?.input)?.focus();
    }

    get #isUnreviewed(): boolean {
        return this.#review?.root.hidden ?? false;
    }

    /** The parts that can be wrong now. */
    #parts(): Part[] {
        const isReviewing = this.#review !== undefined && !this.#review.root.hidden;
        const fields = isReviewing ? [] : this.fields.filter((field) => !field.root.hidden);
        return this.#consent && !this.#isUnreviewed ? [...fields, this.#consent] : fields;
    }

    #turn(toReview: boolean): void {
        if (!this.#review) return;
        const { root, title, facts } = this.#review;
        if (root.hidden !== toReview) return;
        facts.replaceChildren(...this.fields.flatMap((field) => [make('dt', {}, field.label), make('dd', {}, field.shown)]));
        this.#entry.hidden = toReview;
        root.hidden = !toReview;
        if (toReview) title.focus();
        else this.focus();
    }

    #reviewOf() {
        const { texts } = this.order;
        const title = make('h3', { tabindex: -1 }, texts.review);
        const facts = make('dl', { class: 'facts' });
        const change = make('button', { type: 'button', class: 'plain' }, texts.change);
        change.addEventListener('click', () => this.#turn(false));
        return { title, facts, root: make('div', { hidden: true }, title, facts, change, this.#consent?.root) };
    }

    #consentOf(): Consent | undefined {
        const { plan, order } = this;
        const { texts, payment } = order;
        const usage = payment?.setup_future_usage;
        if (!plan.scheme) return usage === 'off_session' ? new Consent(undefined, texts.agreeLater, texts.badAgreeLater) : undefined;
        const wording = texts.mandates[plan.scheme];
        const amount = payment?.net_amount ?? order.amount;
        const facts: [string, string][] = [
            [plan.scheme === 'sepa' ? texts.creditor : texts.payee, order.seller ?? texts.shop],
            ...(amount !== undefined && order.currency ? [[texts.amount, money(amount, order.currency, order.language)] as [string, string]] : []),
            [texts.scope, usage ? texts.later : texts.once],
        ];
        const text = make(
            'div',
            { class: 'mandate', ...(wording.lang && { lang: wording.lang, dir: 'ltr' }) },
            make('h3', {}, wording.title),
            make('dl', {}, ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)])),
            ...[usage ? wording.later : wording.once, ...wording.rights].map((paragraph) => make('p', {}, paragraph)),
        );
        return new Consent(text, wording.agree, texts.badAgree);
    }
}

/** Returns an object without the members that are null, or nothing if none is left. */
function withoutNulls(value: Json | null | undefined): Json | undefined {
    const members = Object.entries(value ?? {})
        .map(([name, inner]) => [name, typeof inner === 'object' ? withoutNulls(inner as Json | null) : inner] as const)
        .filter(([, inner]) => inner !== undefined && inner !== null);
    return members.length > 0 ? Object.fromEntries(members) : undefined;
}
