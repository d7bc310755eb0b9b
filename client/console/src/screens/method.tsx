import type { Payment } from 'multirail';
import type { ReactNode } from 'react';
import { useTexts, wordOf } from '../texts/index.tsx';

/** The instrument of a payment in short: scheme and last four digits of a card, or the name of the method. */
export function Method({ payment }: { payment: Payment }): ReactNode {
    const texts = useTexts();
    const { payment_method: method, payment_method_type: type, payment_method_data: data } = payment;
    if (!method) return <span className="none">{texts.common.none}</span>;
    const card = data?.card;
    if (method === 'card' && card?.last4) {
        return (
            <span className="nowrap">
                {card.card_network ?? wordOf(texts.words.method, method)} <span className="mono">•••• {card.last4}</span>
            </span>
        );
    }
    return <span>{type && method !== 'card' ? type.replaceAll('_', ' ') : wordOf(texts.words.method, method)}</span>;
}
