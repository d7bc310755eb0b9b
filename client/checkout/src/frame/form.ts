// The choice among the ways to pay. One is open, and its fields are below its name.
import type { BillingDetails } from '../types.ts';
import { money } from './amount.ts';
import { make, newId } from './dom.ts';
import type { Plan } from './methods.ts';
import { Panel } from './panel.ts';
import type { Order } from './panel.ts';

export interface FormState {
    complete: boolean;
    empty: boolean;
    value: { type: string };
}

export class Form {
    readonly root: HTMLFormElement;
    readonly panels: Panel[];
    readonly #trouble: HTMLElement;
    #open: Panel;

    constructor(plans: readonly [Plan, ...Plan[]], order: Order, onChange: () => void) {
        const { texts } = order;
        this.panels = plans.map((plan) => new Panel(plan, order, onChange));
        this.#open = this.panels[0] as Panel;
        this.#trouble = make('p', { class: 'alert', role: 'alert' });
        const isOne = plans.length === 1;
        this.root = make(
            'form',
            { novalidate: true, 'aria-label': isOne ? plans[0].name : undefined },
            this.#trouble,
            fees(order),
            isOne ? this.#open.root : make('fieldset', {}, make('legend', {}, texts.choose), ...this.panels.map((panel) => this.#option(panel, onChange))),
        );
        // The button that pays is on the shop's page.
        this.root.addEventListener('submit', (event) => event.preventDefault());
        if (isOne) this.root.classList.add('one');
    }

    get open(): Panel {
        return this.#open;
    }

    get state(): FormState {
        const { isComplete, isEmpty, plan } = this.#open;
        return { complete: isComplete, empty: isEmpty && plan.type !== 'saved', value: { type: plan.type } };
    }

    /** Opens the way with this id, if it is there. */
    choose(id: string): void {
        const radio = [...this.root.querySelectorAll<HTMLInputElement>('input[name=method]')].find((one) => one.value === id);
        radio?.click();
    }

    say(trouble: string): void {
        this.#trouble.textContent = trouble;
    }

    fill(billing: BillingDetails): void {
        for (const panel of this.panels) panel.fill(billing);
    }

    /** The texts of the fields, by way and member, so that another language keeps them. */
    get typed(): Map<string, string> {
        return new Map(this.panels.flatMap((panel) => panel.fields.map((field) => [`${panel.plan.id} ${field.plan.member}`, field.input.value] as const)));
    }

    set typed(values: ReadonlyMap<string, string>) {
        for (const panel of this.panels) for (const field of panel.fields) field.set(values.get(`${panel.plan.id} ${field.plan.member}`) ?? '');
    }

    #option(panel: Panel, onChange: () => void): HTMLElement {
        const { plan } = panel;
        const isOpen = panel === this.#open;
        const id = newId();
        const radio = make('input', { id, type: 'radio', name: 'method', value: plan.id, autocomplete: 'off', checked: isOpen });
        panel.root.hidden = !isOpen;
        panel.root.setAttribute('role', 'group');
        panel.root.setAttribute('aria-label', plan.name);
        radio.addEventListener('change', () => {
            this.#open = panel;
            for (const one of this.panels) one.root.hidden = one !== panel;
            this.say('');
            onChange();
        });
        const isSaved = plan.type === 'saved';
        return make(
            'div',
            { class: 'method' },
            make('label', { class: 'option', for: id }, radio, make('span', {}, make('bdi', {}, plan.name), isSaved && plan.hint && make('span', { class: 'hint' }, plan.hint))),
            panel.root,
        );
    }
}

/** Returns the fee on top of the amount, which the payer sees before they confirm. */
function fees({ texts, language, payment }: Order): HTMLElement | undefined {
    const surcharge = payment?.surcharge_details;
    if (!payment || !surcharge) return undefined;
    const fee = surcharge.surcharge_amount + (surcharge.tax_amount ?? 0);
    if (fee === 0) return undefined;
    const total = payment.net_amount ?? payment.amount + fee;
    const rows = [[texts.goods, total - fee], [texts.fee, fee], [texts.total, total]] as const;
    return make('dl', { class: 'fees' }, ...rows.flatMap(([name, minor]) => [make('dt', {}, name), make('dd', {}, money(minor, payment.currency, language))]));
}
