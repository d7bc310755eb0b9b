// The steps of a payer who acts elsewhere: what the frame shows for them.
import { isSafe } from '../addresses.ts';
import { money } from './amount.ts';
import type { NextAction, Payment, TransferSteps } from './api.ts';
import { groupedIban } from './checks.ts';
import { filled, make, newId } from './dom.ts';
import { totalOf } from './outcomes.ts';
import type { Order } from './panel.ts';

/** A step on the page. */
export interface StepView {
    root: HTMLElement;
    heading: HTMLElement;
    /** Tells whether the page still asks for the payment. */
    say(text: string): void;
    /** The button after the page has stopped asking. */
    again: HTMLButtonElement;
    /** The button of a payer who has noted a step that takes days. */
    done: HTMLButtonElement | undefined;
}

const DAYS: readonly string[] = ['display_voucher_information', 'display_bank_transfer_information'];
const STEPS: readonly string[] = [...DAYS, 'qr_code_information', 'wait_screen_information'];

/** Returns whether the frame can show this step. */
export const isShown = (action: NextAction | null | undefined): action is NextAction => STEPS.includes(action?.type ?? '');

/** Returns whether the payer may leave before the money arrives. */
export const takesDays = (action: NextAction): boolean => DAYS.includes(action.type);

export function stepView(payment: Payment, action: NextAction, order: Order): StepView {
    const { texts } = order;
    const status = make('p', { class: 'quiet', role: 'status' }, texts.watching);
    const say = (text: string) => {
        status.textContent = text;
    };
    const again = make('button', { type: 'button', class: 'plain', hidden: true }, texts.lookAgain);
    const isLong = takesDays(action);
    const done = isLong ? make('button', { type: 'button', class: 'primary' }, texts.stepDone) : undefined;
    const print = isLong ? make('button', { type: 'button', class: 'plain' }, texts.print) : undefined;
    print?.addEventListener('click', () => window.print());
    const [title, text] = words(action, order);
    const heading = make('h2', { tabindex: -1 }, title);
    const end = endOf(action);
    const address = addressOf(action);
    const root = make(
        'section',
        { class: 'step' },
        heading,
        make('p', {}, text),
        image(action, order),
        make('dl', { class: 'facts' }, ...facts(payment, action, order, say)),
        end !== undefined &&
            make('p', { class: 'quiet' }, `${texts.ends}: `, make('time', { datetime: end.toISOString() }, new Intl.DateTimeFormat(order.language, { dateStyle: 'medium', timeStyle: 'short' }).format(end))),
        address && make('a', { class: 'button', href: address, target: '_blank', rel: 'noopener noreferrer' }, action.type === 'display_voucher_information' ? texts.voucherPage : texts.stepPage),
        print,
        status,
        again,
        done,
    );
    return { root, heading, say, again, done };
}

function words(action: NextAction, { texts }: Order): [string, string] {
    switch (action.type) {
        case 'qr_code_information':
            return [texts.scanTitle, texts.scan];
        case 'display_voucher_information':
            return [texts.voucherTitle, texts.voucher];
        case 'display_bank_transfer_information':
            return [texts.transferTitle, texts.transfer];
        default:
            return [texts.waitTitle, texts.wait];
    }
}

/** Returns the code, which the server has drawn. Only a picture in the answer itself is shown. */
function image(action: NextAction, { texts }: Order): HTMLElement | undefined {
    const { image_data_url: source } = action;
    if (action.type !== 'qr_code_information' || !source?.startsWith('data:image/')) return undefined;
    return make('img', { class: 'code', src: source, alt: texts.codeImage, width: 256, height: 256 });
}

function endOf(action: NextAction): Date | undefined {
    // A code ends in milliseconds, a wait in nanoseconds.
    const shown = action.display_to_timestamp;
    const wait = action.type === 'wait_screen_information' && shown !== undefined ? shown / 1_000_000 : shown;
    const end = wait ?? action.voucher_details?.expires_at ?? action.bank_transfer_steps_and_charges_details?.expires_at;
    const moment = end === undefined ? undefined : new Date(end);
    return moment && !Number.isNaN(moment.getTime()) ? moment : undefined;
}

function addressOf(action: NextAction): string | undefined {
    const { qr_code_url, voucher_details, bank_transfer_steps_and_charges_details: transfer } = action;
    const address = qr_code_url ?? voucher_details?.instructions_url ?? transfer?.instructions_url;
    return address && isSafe(address) ? address : undefined;
}

function facts(payment: Payment, action: NextAction, order: Order, say: (text: string) => void): HTMLElement[] {
    const { texts } = order;
    const copied = (label: string, value: string | undefined, shown = value) => (value ? [make('dt', {}, label), copyable(label, value, shown ?? value, order, say)] : []);
    if (action.type === 'qr_code_information') return copied(texts.codeText, action.display_text);
    if (action.type === 'display_voucher_information') return copied(texts.voucherNumber, action.voucher_details?.reference);
    const transfer = action.bank_transfer_steps_and_charges_details;
    return transfer ? [...amounts(payment, transfer, order), ...account(transfer)] : [];

    function account({ sepa_bank_instructions: sepa, multibanco }: TransferSteps): HTMLElement[] {
        return [
            ...copied(texts.transferHolder, sepa?.account_holder_name),
            ...copied('IBAN', sepa?.iban, groupedIban(sepa?.iban ?? '')),
            ...copied('BIC', sepa?.bic),
            ...copied(texts.entity, multibanco?.entity),
            ...copied(texts.reference, sepa?.reference ?? multibanco?.reference),
        ];
    }
}

function amounts(payment: Payment, { receiver }: TransferSteps, { texts, language }: Order): HTMLElement[] {
    const written = (minor: number) => money(minor, payment.currency, language);
    const { amount_received: received = 0, amount_remaining: remaining = totalOf(payment) } = receiver ?? {};
    return [
        make('dt', {}, texts.remaining),
        make('dd', {}, written(remaining)),
        ...(received > 0 ? [make('dt', {}, texts.received), make('dd', {}, written(received))] : []),
    ];
}

/** Returns a fact with a button that copies it. */
function copyable(label: string, value: string, shown: string, { texts }: Order, say: (text: string) => void): HTMLElement {
    const text = make('bdi', { id: newId() }, shown);
    const button = make('button', { type: 'button', class: 'plain small', 'aria-label': filled(texts.copy, { label }) }, texts.copyShort);
    button.addEventListener('click', () => {
        void copy(value, text).then((isCopied) => say(isCopied ? texts.copied : texts.notCopied));
    });
    return make('dd', {}, text, button);
}

async function copy(value: string, text: HTMLElement): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(value);
        return true;
    } catch {
        // A frame may lack the permission. Then the text is marked, so that a payer can copy it.
        getSelection()?.selectAllChildren(text);
        return false;
    }
}
