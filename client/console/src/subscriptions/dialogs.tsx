import type { CurrentTermCreditOption, ReceivablesHandling, Subscription, SubscriptionCancelOption, SubscriptionPauseOption, SubscriptionResumeOption } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useNow } from '../api/use_now.ts';
import { moment } from '../format/time.ts';
import { useSpoken } from '../texts/index.tsx';
import { ActionDialog, useChecked } from '../ui/action.tsx';
import { Check, Choice, Field } from '../ui/controls.tsx';
import { useSubscriptionAction } from './act.ts';
import { type SubscriptionAction, withdraws } from './actions.ts';
import { ChangeDialog } from './change_dialog.tsx';
import { useWhen, WhenFields } from './when.tsx';

export interface SubscriptionDialogProps {
    subscription: Subscription;
    onClose: () => void;
}

/** The dialog of an action on a subscription. */
export function SubscriptionDialog({ action, ...props }: SubscriptionDialogProps & { action: SubscriptionAction }): ReactNode {
    switch (action) {
        case 'change':
            return <ChangeDialog {...props} />;
        case 'pause':
            return <PauseDialog {...props} />;
        case 'resume':
            return withdraws(props.subscription) ? <WithdrawDialog {...props} /> : <ResumeDialog {...props} />;
        case 'cancel':
            return <CancelDialog {...props} />;
    }
}

/** Returns a function that shows a moment in words. */
function useMoment(): (at: string | undefined) => string {
    const { locale, texts } = useSpoken();
    const now = useNow();
    return (at) => (at ? moment(at, locale, now) : texts.common.none);
}

function PauseDialog({ subscription, onClose }: SubscriptionDialogProps): ReactNode {
    const { texts } = useSpoken();
    const t = texts.subscriptionActions;
    const show = useMoment();
    const when = useWhen<SubscriptionPauseOption>('end_of_term');
    const [isChecked, checked] = useChecked();
    const action = useSubscriptionAction(subscription.id, () => ({ action: 'pause', body: { pause_option: when.option, ...(when.date ? { pause_at: when.date } : {}) } }), t.done.pause, onClose);
    const later = when.option === 'end_of_term' ? subscription.next_billing_at : when.date;
    return (
        <ActionDialog
            title={t.pauseTitle}
            consequence={when.isComplete ? `${when.option === 'immediately' ? t.pausesNow : t.pausesLater(show(later))} ${t.pauseConsequence}` : undefined}
            submit={t.pause}
            action={action}
            check={checked(when.isComplete)}
            onClose={onClose}
        >
            <WhenFields when={when} options={['end_of_term', 'immediately', 'specific_date']} member="pause_at" isChecked={isChecked} />
        </ActionDialog>
    );
}

function ResumeDialog({ subscription, onClose }: SubscriptionDialogProps): ReactNode {
    const { texts } = useSpoken();
    const t = texts.subscriptionActions;
    const show = useMoment();
    const when = useWhen<SubscriptionResumeOption>('immediately');
    const [collects, setCollects] = useState(false);
    const [isChecked, checked] = useChecked();
    const action = useSubscriptionAction(
        subscription.id,
        () => ({ action: 'resume', body: { resume_option: when.option, ...(when.date ? { resume_date: when.date } : {}), ...(collects ? { unpaid_invoices_handling: 'schedule_payment_collection' } : {}) } }),
        t.done.resume,
        onClose,
    );
    return (
        <ActionDialog
            title={t.resumeTitle}
            consequence={when.isComplete ? (when.option === 'immediately' ? t.resumesNow : t.resumesLater(show(when.date))) : undefined}
            submit={t.resume}
            action={action}
            check={checked(when.isComplete)}
            onClose={onClose}
        >
            <WhenFields when={when} options={['immediately', 'specific_date']} member="resume_date" isChecked={isChecked} />
            <Check label={t.collects} value={collects} onChange={setCollects} />
        </ActionDialog>
    );
}

function WithdrawDialog({ subscription, onClose }: SubscriptionDialogProps): ReactNode {
    const t = useSpoken().texts.subscriptionActions;
    const action = useSubscriptionAction(subscription.id, () => ({ action: 'resume', body: {} }), t.done.withdraw, onClose);
    return <ActionDialog title={t.withdraw} consequence={t.withdrawConsequence} submit={t.withdraw} action={action} onClose={onClose} />;
}

const RETURNS = ['none', 'prorate', 'full'] as const satisfies readonly CurrentTermCreditOption[];
const OPEN_INVOICES = ['no_action', 'schedule_payment_collection', 'write_off'] as const satisfies readonly ReceivablesHandling[];

function CancelDialog({ subscription, onClose }: SubscriptionDialogProps): ReactNode {
    const { texts } = useSpoken();
    const t = texts.subscriptionActions;
    const show = useMoment();
    const isUnconfirmed = subscription.status === 'created' || subscription.status === 'pending';
    const when = useWhen<SubscriptionCancelOption>(isUnconfirmed ? 'immediately' : 'end_of_term');
    const [returns, setReturns] = useState<CurrentTermCreditOption>('none');
    const [open, setOpen] = useState<ReceivablesHandling>('no_action');
    const [refunds, setRefunds] = useState(false);
    const [reason, setReason] = useState('');
    const [isChecked, checked] = useChecked();
    // Nothing of a period is left at its end.
    const isReturning = when.option !== 'end_of_term' && returns !== 'none';
    const body = {
        cancel_option: when.option,
        ...(when.date ? { cancel_at: when.date } : {}),
        ...(isReturning ? { credit_option_for_current_term_charges: returns } : {}),
        ...(open === 'no_action' ? {} : { account_receivables_handling: open }),
        ...(refunds ? { refundable_credits_handling: 'schedule_refund' as const } : {}),
        ...(reason.trim() ? { cancel_reason_code: reason.trim() } : {}),
    };
    const action = useSubscriptionAction(subscription.id, () => ({ action: 'cancel', body }), when.option === 'immediately' ? t.done.cancel : t.done.cancelLater, onClose);
    const end = when.option === 'end_of_term' ? subscription.next_billing_at : when.date;
    const sentences = [
        when.option === 'immediately' || (when.option === 'end_of_term' && !end) ? t.cancelsNow : t.cancelsLater(show(end)),
        ...(isReturning ? [t.returnsSay[returns] ?? ''] : []),
        ...(refunds ? [t.refundsSay] : []),
    ];
    return (
        <ActionDialog
            title={t.cancelTitle}
            consequence={when.isComplete ? sentences.join(' ') : undefined}
            submit={t.cancel}
            look="danger"
            action={action}
            check={checked(when.isComplete)}
            onClose={onClose}
        >
            <WhenFields when={when} options={['end_of_term', 'immediately', 'specific_date']} member="cancel_at" isChecked={isChecked} />
            {when.option === 'end_of_term' || isUnconfirmed ? null : <Choice label={t.returns} value={returns} onChange={(word) => setReturns(word as CurrentTermCreditOption)} options={RETURNS.map((word) => [word, t.returnsBy[word]])} />}
            <Choice label={t.open} value={open} onChange={(word) => setOpen(word as ReceivablesHandling)} options={OPEN_INVOICES.map((word) => [word, t.openBy[word]])} />
            <Check label={t.refunds} value={refunds} onChange={setRefunds} />
            <Field label={texts.common.reason} name="cancel_reason_code" maxLength={255} value={reason} onChange={setReason} hint={t.reasonHint} />
        </ActionDialog>
    );
}
