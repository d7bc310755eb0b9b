// A field: its label, its input, its hint and its error. The error has a place of its own, so that nothing moves.
import type { Texts } from '../texts/en.ts';
import { codeLength, compact, digits, expiryFault, expiryOf, groupedExpiry, groupedIban, groupedNumber, isCardNumber, isIban, isRouting, networkOf, trimmed } from './checks.ts';
import { clock } from './clock.ts';
import { filled, make, newId } from './dom.ts';
import type { FieldKind, FieldPlan } from './methods.ts';

interface Look {
    label: keyof Texts;
    bad: keyof Texts;
    hint?: keyof Texts;
    autocomplete?: string;
    type?: string;
    inputmode?: string;
    longest?: number;
    /** Returns the value for the server. */
    value?: (typed: string) => string;
    isRight?: (value: string) => boolean;
    /** Lays out a text while it is typed at its end. */
    grouped?: (typed: string) => string;
}

const numeric = { inputmode: 'numeric', value: digits } as const;
const account = { inputmode: 'numeric', value: compact, longest: 32 } as const;
const shaped = (pattern: RegExp) => (value: string) => pattern.test(value);

const LOOKS: Readonly<Record<FieldKind, Look>> = {
    number: { label: 'number', bad: 'badNumber', autocomplete: 'cc-number', longest: 23, ...numeric, isRight: isCardNumber, grouped: groupedNumber },
    expiry: { label: 'expiry', bad: 'badExpiry', autocomplete: 'cc-exp', longest: 9, inputmode: 'numeric', grouped: groupedExpiry },
    code: { label: 'code', bad: 'badCode', hint: 'codeHint', autocomplete: 'cc-csc', longest: 4, ...numeric },
    cardHolder: { label: 'holder', bad: 'badText', autocomplete: 'cc-name' },
    email: { label: 'email', bad: 'badEmail', autocomplete: 'email', type: 'email', inputmode: 'email', isRight: shaped(/^[^\s@]+@[^\s@]+$/) },
    phone: { label: 'phone', bad: 'badPhone', hint: 'phoneHint', autocomplete: 'tel', type: 'tel', inputmode: 'tel', isRight: shaped(/^\+[0-9 ().-]{6,24}$/) },
    firstName: { label: 'firstName', bad: 'badText', autocomplete: 'given-name' },
    lastName: { label: 'lastName', bad: 'badText', autocomplete: 'family-name' },
    line1: { label: 'line1', bad: 'badText', autocomplete: 'address-line1', longest: 200 },
    city: { label: 'city', bad: 'badText', autocomplete: 'address-level2', longest: 200 },
    zip: { label: 'zip', bad: 'badText', autocomplete: 'postal-code' },
    state: { label: 'state', bad: 'badText', autocomplete: 'address-level1' },
    country: { label: 'country', bad: 'badChoice', autocomplete: 'country' },
    bank: { label: 'bank', bad: 'badChoice' },
    accountType: { label: 'accountKind', bad: 'badChoice' },
    blik: { label: 'blik', bad: 'badBlik', hint: 'blikHint', autocomplete: 'one-time-code', longest: 16, ...numeric, isRight: shaped(/^[0-9]{6}$/) },
    upi: { label: 'upi', bad: 'badUpi', hint: 'upiHint', inputmode: 'email', isRight: shaped(/^[^\s@]+@[^\s@]+$/) },
    tax: { label: 'tax', bad: 'badTax', hint: 'taxHint', longest: 24, ...numeric, isRight: shaped(/^(?:[0-9]{11}|[0-9]{14})$/) },
    holder: { label: 'accountHolder', bad: 'badText', autocomplete: 'name' },
    iban: { label: 'iban', bad: 'badIban', longest: 48, value: compact, isRight: isIban, grouped: groupedIban },
    achAccount: { label: 'account', bad: 'badAchAccount', ...account, isRight: shaped(/^[0-9]{4,17}$/) },
    bacsAccount: { label: 'account', bad: 'badBacsAccount', ...account, isRight: shaped(/^[0-9]{8}$/) },
    becsAccount: { label: 'account', bad: 'badBecsAccount', ...account, isRight: shaped(/^[0-9]{5,9}$/) },
    routing: { label: 'routing', bad: 'badRouting', ...account, isRight: isRouting },
    sortCode: { label: 'sortCode', bad: 'badSortCode', ...account, isRight: shaped(/^[0-9]{6}$/) },
    bsb: { label: 'bsb', bad: 'badBsb', ...account, isRight: shaped(/^[0-9]{6}$/) },
};

/** A part of a form that can be right or wrong. */
export interface Part {
    readonly root: HTMLElement;
    readonly input: HTMLInputElement | HTMLSelectElement;
    /** Returns the text for a wrong value, or an empty text. */
    fault(): string;
    tell(fault: string): void;
}

export function put(body: Record<string, unknown>, path: string, value: unknown): void {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place = body;
    for (const name of names) place = (place[name] ??= {}) as Record<string, unknown>;
    place[last] = value;
}

/** The line below an input, where an error takes the place of the hint. */
export class Note {
    readonly root: HTMLElement;
    readonly ids: string;
    readonly #error: HTMLElement;

    constructor(hint = '') {
        const [hintId, errorId] = [newId(), newId()];
        this.#error = make('span', { id: errorId, class: 'error', 'aria-live': 'polite' });
        this.root = make('span', { class: 'note' }, hint && make('span', { id: hintId, class: 'hint' }, hint), this.#error);
        this.ids = hint ? `${hintId} ${errorId}` : errorId;
    }

    tell(fault: string): void {
        this.#error.textContent = fault;
        this.root.classList.toggle('wrong', fault !== '');
    }
}

export class Field implements Part {
    readonly root: HTMLElement;
    readonly input: HTMLInputElement | HTMLSelectElement;
    readonly label: string;
    readonly #look: Look;
    readonly #note: Note;
    readonly #network: HTMLElement | undefined;

    constructor(
        readonly plan: FieldPlan,
        private readonly texts: Texts,
        language: string,
        /** The number of the card whose code this is. */
        private readonly cardNumber: () => string,
    ) {
        const look = LOOKS[plan.kind];
        this.#look = look;
        const id = newId();
        const name = String(texts[look.label]);
        this.label = name;
        const isMarked = !plan.isRequired && plan.kind !== 'cardHolder' && !plan.isAsked;
        this.#note = new Note(look.hint ? String(texts[look.hint]) : '');
        const shared = { id, required: plan.isRequired, 'aria-describedby': this.#note.ids, autocomplete: look.autocomplete ?? 'off' };
        // Numbers and addresses of machines run from left to right in every language.
        const dir = look.isRight || look.grouped || look.value ? 'ltr' : 'auto';
        const choices = plan.kind === 'accountType' ? ([['checking', texts.checking], ['savings', texts.savings]] as const) : plan.choices;
        this.input = choices ? this.#select(shared, choices, language) : make('input', { ...shared, dir, type: look.type ?? 'text', inputmode: look.inputmode, maxlength: look.longest ?? 255 });
        this.#network = plan.kind === 'number' ? make('span', { class: 'network', 'aria-hidden': 'true' }) : undefined;
        this.root = make(
            'div',
            { class: `field ${plan.kind}`, hidden: plan.isAsked },
            make('label', { for: id }, isMarked ? filled(texts.optional, { label: name }) : name),
            make('div', { class: 'box' }, this.input, this.#network),
            this.#note.root,
        );
        this.input.addEventListener('input', () => this.#typed());
        this.input.addEventListener('blur', () => {
            if (this.input.value) this.show();
        });
    }

    get isEmpty(): boolean {
        return this.input.value === '';
    }

    fault(): string {
        const { plan, texts } = this;
        const look = this.#look;
        const typed = this.input.value;
        const bad = this.#bad;
        if (trimmed(typed) === '') return plan.isRequired ? bad : '';
        if (plan.kind === 'expiry') {
            const fault = expiryFault(typed, clock.now());
            return fault === 'expired' ? texts.expiredCard : fault ? bad : '';
        }
        if (plan.kind === 'code') return this.#codeLengths.includes(digits(typed).length) ? '' : bad;
        return (look.isRight ?? (() => true))((look.value ?? trimmed)(typed)) ? '' : bad;
    }

    /** The lengths that the code of this card can have. The network of a saved card isn't always known. */
    get #codeLengths(): number[] {
        return this.plan.member === 'card_cvc' ? [3, 4] : [codeLength(this.cardNumber())];
    }

    get #bad(): string {
        return filled(String(this.texts[this.#look.bad]), { digits: this.#codeLengths.join('–') });
    }

    /** Shows what is wrong, and returns whether nothing is. */
    show(): boolean {
        const fault = this.fault();
        this.tell(fault);
        return fault === '';
    }

    tell(fault: string): void {
        this.#note.tell(fault);
        if (fault) this.input.setAttribute('aria-invalid', 'true');
        else this.input.removeAttribute('aria-invalid');
    }

    /** Shows the fault of a value that only the server can judge. */
    blame(): void {
        this.root.hidden = false;
        if (this.plan.isAsked) {
            this.plan.isRequired = true;
            this.input.required = true;
        }
        this.tell(this.fault() || this.#bad);
    }

    /** Returns the paths of the members that the field writes. */
    get members(): string[] {
        const { kind, member } = this.plan;
        return kind === 'expiry' ? [member, yearOf(member)] : [member];
    }

    write(body: Record<string, unknown>): void {
        const { kind, member } = this.plan;
        const typed = this.input.value;
        if (trimmed(typed) === '') return;
        if (kind === 'expiry') {
            const { month, year } = expiryOf(typed);
            put(body, member, month);
            put(body, yearOf(member), year);
        } else put(body, member, (this.#look.value ?? trimmed)(typed));
    }

    /** The value in words, as a payer reviews it. */
    get shown(): string {
        return (this.input instanceof HTMLSelectElement ? this.input.selectedOptions[0]?.textContent : this.input.value) || '–';
    }

    set(value: string): void {
        this.input.value = value;
        this.#tellNetwork();
    }

    clear(): void {
        this.set('');
        this.tell('');
    }

    #select(attributes: Record<string, string | boolean>, choices: readonly (readonly [string, string])[], language: string): HTMLSelectElement {
        const isCountry = this.plan.kind === 'country';
        // Browsers know the names of countries in every language.
        const names = isCountry ? new Intl.DisplayNames(language, { type: 'region' }) : undefined;
        const named = choices.map(([word, name]) => [word, names?.of(word) ?? name] as const);
        if (isCountry) named.sort(([, one], [, other]) => one.localeCompare(other, language));
        const options = [['', this.texts.pleaseChoose] as const, ...named].map(([word, name]) => make('option', { value: word }, name));
        return make('select', attributes, ...options);
    }

    #typed(): void {
        const { input } = this;
        const { grouped } = this.#look;
        if (grouped && input instanceof HTMLInputElement && input.selectionStart === input.value.length) {
            const laidOut = grouped(input.value);
            // A separator that the payer just removed doesn't come back.
            if (!this.#isErasing(laidOut)) input.value = laidOut;
        }
        this.#before = input.value;
        this.#tellNetwork();
        if (input.getAttribute('aria-invalid')) this.show();
    }

    #before = '';
    #isErasing(laidOut: string): boolean {
        return this.input.value.length < this.#before.length && laidOut.length > this.input.value.length;
    }

    #tellNetwork(): void {
        if (this.#network) this.#network.textContent = networkOf(this.input.value);
    }
}

const yearOf = (member: string): string => member.replace(/_month$/, '_year');
