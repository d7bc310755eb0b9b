// The states of the frame beside the form: each has a heading, a text and at most one action.
import type { Texts } from '../texts/en.ts';
import type { CheckoutError } from '../types.ts';
import { make } from './dom.ts';
import type { Order } from './panel.ts';

export interface State {
    title: string;
    text: string;
    mark: 'good' | 'bad' | 'waiting';
    action?: { label: string; act(): void };
}

const SIGNS = { good: '✓', bad: '✕', waiting: '…' } as const;

/** Returns a state as part of the page. Screen readers read it when it comes. */
export function stateView({ title, text, mark, action }: State): HTMLElement {
    const button = action && make('button', { type: 'button', class: 'primary' }, action.label);
    button?.addEventListener('click', () => action?.act());
    return make(
        'section',
        { class: 'state', role: mark === 'bad' ? 'alert' : 'status' },
        make('p', { class: `mark ${mark}`, 'aria-hidden': 'true' }, SIGNS[mark]),
        make('h2', {}, title),
        make('p', {}, text),
        button,
    );
}

/** Returns the place of the form while it loads. It is about as high as the form. */
export function skeleton(label: string, isCard: boolean): HTMLElement {
    const rows = isCard ? 3 : 4;
    return make('div', { class: 'skeleton', role: 'status', 'aria-label': label }, ...Array.from({ length: rows }, () => make('div', { class: 'bone' })));
}

/** Returns the state of a payment that nobody has decided yet. */
export const processing = (texts: Texts): State => ({ title: texts.processingTitle, text: texts.processing, mark: 'waiting' });

/** Returns the state in which a payment has ended or is undecided, or nothing for one that can be paid. */
export function outcomeOf(status: string, { texts }: Pick<Order, 'texts'>): State | undefined {
    switch (status) {
        case 'succeeded':
        case 'requires_capture':
        case 'partially_authorized_and_requires_capture':
        case 'partially_captured':
        case 'partially_captured_and_capturable':
        case 'partially_captured_and_processing':
            return { title: texts.paidTitle, text: texts.paid, mark: 'good' };
        case 'processing':
        case 'requires_merchant_action':
        case 'conflicted':
            return processing(texts);
        case 'cancelled':
        case 'cancelled_post_capture':
            return { title: texts.cancelledTitle, text: texts.cancelled, mark: 'bad' };
        case 'expired':
            return { title: texts.endedTitle, text: texts.ended, mark: 'bad' };
        default:
            return undefined;
    }
}

/** Returns the state of a payment that could not be opened. What may pass can be tried again. */
export function failureOf(error: CheckoutError, texts: Texts, tryAgain: () => void): State {
    const lasting: Readonly<Record<string, string>> = {
        client_secret_expired: texts.endedTitle,
        client_secret_invalid: texts.otherProfileTitle,
        key_invalid: texts.invalidKeyTitle,
        other_profile: texts.otherProfileTitle,
    };
    const title = lasting[error.code];
    const { message: text } = error;
    if (title) return { title, text, mark: 'bad' };
    return { title: texts.unreachableTitle, text, mark: 'bad', action: { label: texts.tryAgain, act: tryAgain } };
}
