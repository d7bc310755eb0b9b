import type { Payment } from 'multirail';
import { type ReactNode, useState } from 'react';
import { editable, money, parseAmount } from '../format/money.ts';
import { useSpoken } from '../texts/index.tsx';
import { ActionDialog, useChecked } from '../ui/action.tsx';
import { Field } from '../ui/controls.tsx';
import { usePaymentAction } from './act.ts';
import { isReserved, keepsRest, type PaymentAction, reservedOf, takesAtOnce } from './actions.ts';
import { AmountField } from './amount_field.tsx';

export interface PaymentDialogProps {
    payment: Payment;
    onClose: () => void;
}

/** The dialog of an action on a payment. */
export function PaymentDialog({ action, ...props }: PaymentDialogProps & { action: PaymentAction }): ReactNode {
    switch (action) {
        case 'capture':
            return <CaptureDialog {...props} />;
        case 'raise':
            return <RaiseDialog {...props} />;
        case 'approve':
            return <ApproveDialog {...props} />;
        case 'reject':
            return <RejectDialog {...props} />;
        case 'cancel':
            return <CancelDialog {...props} />;
    }
}

/** Returns a function that shows amounts in the payment's currency. */
function useShow({ currency }: Payment): (amount: number) => string {
    const { locale } = useSpoken();
    return (amount) => money(amount, currency, locale);
}

/** Returns the payer's means of payment in words. */
function usePayer(payment: Payment): string {
    const t = useSpoken().texts.paymentActions;
    const card = payment.payment_method_data?.card;
    return card?.last4 ? t.card(card.card_network ?? '', card.last4) : t.method;
}

function CaptureDialog({ payment, onClose }: PaymentDialogProps): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.paymentActions;
    const { currency } = payment;
    const most = payment.amount_capturable;
    const reserved = reservedOf(payment);
    const show = useShow(payment);
    const payer = usePayer(payment);
    const [text, setText] = useState(() => (reserved === undefined ? '' : editable(reserved, currency, locale)));
    const [isChecked, checked] = useChecked();
    const amount = parseAmount(text, currency);
    const wrong = amount === undefined || amount === 0 ? texts.common.badAmount : amount > most ? t.tooMuch(show(most)) : undefined;
    const action = usePaymentAction('capture', payment, () => ({ amount: amount ?? 0 }), onClose);
    const rest = reserved === undefined ? undefined : reserved - (amount ?? 0);
    const after = (): string => {
        if (rest === undefined) return t.captureLast;
        if (rest < 0) return t.captureExceeds(show(-rest));
        if (rest === 0) return t.captureAll;
        return keepsRest(payment.capture_method) ? t.captureKeeps(show(rest)) : t.captureReleases(show(rest));
    };
    return (
        <ActionDialog
            title={t.captureTitle}
            consequence={wrong ? undefined : `${t.captureConsequence(show(amount ?? 0), payer)} ${after()}`}
            submit={wrong ? t.capture : t.captureSubmit(show(amount ?? 0))}
            action={action}
            check={checked(wrong === undefined)}
            onClose={onClose}
        >
            <AmountField
                label={texts.common.amountIn(currency)}
                name="amount_to_capture"
                value={text}
                onChange={(value) => {
                    setText(value);
                    action.reset();
                }}
                hint={reserved !== undefined && most > reserved ? t.capturableAbove(show(reserved), show(most)) : t.capturable(show(most))}
                error={isChecked || (text !== '' && (amount === undefined || amount > most)) ? wrong : undefined}
            />
        </ActionDialog>
    );
}

function RaiseDialog({ payment, onClose }: PaymentDialogProps): ReactNode {
    const { texts } = useSpoken();
    const t = texts.paymentActions;
    const { currency } = payment;
    // An overcapture allows more than is authorized, and a raise starts at the authorized total.
    const now = reservedOf(payment) ?? payment.net_amount;
    const show = useShow(payment);
    const payer = usePayer(payment);
    const [text, setText] = useState('');
    const [reason, setReason] = useState('');
    const [isChecked, checked] = useChecked();
    const amount = parseAmount(text, currency);
    const wrong = amount === undefined ? texts.common.badAmount : amount <= now ? t.notAbove(show(now)) : undefined;
    const action = usePaymentAction('raise', payment, () => ({ amount: amount ?? 0, ...(reason.trim() ? { reason: reason.trim() } : {}) }), onClose);
    return (
        <ActionDialog
            title={t.raiseTitle}
            consequence={wrong ? undefined : t.raiseConsequence(show(now), show(amount ?? 0), payer)}
            submit={wrong ? t.raise : t.raiseSubmit(show(amount ?? 0))}
            action={action}
            check={checked(wrong === undefined)}
            onClose={onClose}
        >
            <AmountField
                label={t.newTotal(currency)}
                name="amount"
                value={text}
                onChange={(value) => {
                    setText(value);
                    action.reset();
                }}
                hint={t.authorized(show(now))}
                error={isChecked || (text.trim() !== '' && amount === undefined) ? wrong : undefined}
            />
            <Field label={t.reason} name="reason" maxLength={255} value={reason} onChange={setReason} hint={t.reasonHint} />
        </ActionDialog>
    );
}

function CancelDialog({ payment, onClose }: PaymentDialogProps): ReactNode {
    const t = useSpoken().texts.paymentActions;
    const show = useShow(payment);
    const payer = usePayer(payment);
    const [reason, setReason] = useState('');
    const action = usePaymentAction('cancel', payment, () => (reason.trim() ? { reason: reason.trim() } : {}), onClose);
    const isHeld = isReserved(payment);
    const total = show(isHeld ? (reservedOf(payment) ?? payment.net_amount) : payment.net_amount);
    return (
        <ActionDialog
            title={t.cancelTitle}
            consequence={isHeld ? t.cancelReleases(total, payer) : payment.payment_link ? t.cancelLink(total) : t.cancelUnpaid(total)}
            submit={t.cancelSubmit}
            look="danger"
            action={action}
            onClose={onClose}
        >
            <Field label={t.reason} name="cancellation_reason" autoFocus maxLength={255} value={reason} onChange={setReason} hint={t.reasonHint} />
        </ActionDialog>
    );
}

function ApproveDialog({ payment, onClose }: PaymentDialogProps): ReactNode {
    const t = useSpoken().texts.paymentActions;
    const total = useShow(payment)(payment.net_amount);
    const payer = usePayer(payment);
    const action = usePaymentAction('approve', payment, () => ({}), onClose);
    return (
        <ActionDialog
            title={t.approveTitle}
            consequence={takesAtOnce(payment.capture_method) ? t.approveTakes(total, payer) : t.approveKeeps(total, payer)}
            submit={t.approve}
            action={action}
            onClose={onClose}
        />
    );
}

function RejectDialog({ payment, onClose }: PaymentDialogProps): ReactNode {
    const t = useSpoken().texts.paymentActions;
    const total = useShow(payment)(payment.net_amount);
    const payer = usePayer(payment);
    const action = usePaymentAction('reject', payment, () => ({}), onClose);
    return <ActionDialog title={t.rejectTitle} consequence={t.rejectConsequence(total, payer)} submit={t.reject} look="danger" action={action} onClose={onClose} />;
}
