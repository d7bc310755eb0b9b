import { type Payment, refundsCreate } from 'multirail';
import { type ReactNode, useState } from 'react';
import { withKey } from '../api/keys.ts';
import { editable, money, parseAmount } from '../format/money.ts';
import { useSession } from '../shell/session.tsx';
import { useSpoken } from '../texts/index.tsx';
import { ActionDialog, useAction, useChecked } from '../ui/action.tsx';
import { Field } from '../ui/controls.tsx';
import { useTell } from '../ui/notices.tsx';
import { AmountField } from './amount_field.tsx';

export interface RefundDialogProps {
    payment: Payment;
    /** The amount that can still be refunded. */
    left: number;
    onClose: () => void;
    onDone: () => void;
}

/** The dialog that refunds a payment. The same amount and reason are never sent as two refunds while the outcome is unknown. */
export function RefundDialog({ payment, left, onClose, onDone }: RefundDialogProps): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.refundDialog;
    const { client } = useSession();
    const tell = useTell();
    const { currency } = payment;
    const [text, setText] = useState(() => editable(left, currency, locale));
    const [reason, setReason] = useState('');
    const [isChecked, checked] = useChecked();
    const amount = parseAmount(text, currency);
    const show = (value: number): string => money(value, currency, locale);
    const wrong = amount === undefined || amount === 0 ? texts.common.badAmount : amount > left ? t.tooMuch(show(left)) : undefined;
    const card = payment.payment_method_data?.card;
    const receiver = card?.last4 ? t.card(card.card_network ?? '', card.last4) : t.method;

    const action = useAction(async () => {
        const body = { payment_id: payment.payment_id, amount: amount ?? 0, ...(reason.trim() ? { reason: reason.trim() } : {}) };
        const refund = await withKey('refunds_create', body, (idempotencyKey) => refundsCreate(client, body, { idempotencyKey }));
        const said = show(refund.amount);
        if (refund.status === 'succeeded') tell(t.done(said), 'good');
        else if (refund.status === 'failed') tell(t.failed(refund.error_message ?? refund.error_code ?? ''), 'bad');
        else if (refund.status === 'review') tell(t.review, 'warn');
        else tell(t.pending(said), 'info');
        onDone();
    });

    return (
        <ActionDialog
            title={t.title}
            consequence={wrong ? undefined : t.consequence(show(amount ?? 0), receiver)}
            submit={wrong ? t.submitEmpty : t.submit(show(amount ?? 0))}
            action={action}
            check={checked(wrong === undefined)}
            onClose={onClose}
        >
            <AmountField
                label={texts.common.amountIn(currency)}
                name="amount"
                value={text}
                onChange={(value) => {
                    setText(value);
                    action.reset();
                }}
                hint={t.available(show(left))}
                error={isChecked || amount === undefined || amount > left ? wrong : undefined}
            />
            <Field label={t.reason} name="reason" maxLength={255} value={reason} onChange={setReason} hint={t.reasonHint} />
        </ActionDialog>
    );
}
