import { type Invoice, type Subscription, userSubscriptionsCollectInvoice, userSubscriptionsRefundCredit, userSubscriptionsVoidInvoice } from 'multirail';
import type { ReactNode } from 'react';
import { withKey } from '../api/keys.ts';
import { money } from '../format/money.ts';
import { useSession } from '../shell/session.tsx';
import { useSpoken } from '../texts/index.tsx';
import { ActionDialog } from '../ui/action.tsx';
import { useChange } from '../ui/change.ts';
import type { InvoiceAction } from './actions.ts';

const SETTLES = { collect: userSubscriptionsCollectInvoice, void: userSubscriptionsVoidInvoice } as const;

/** The dialog that charges or voids an open invoice. */
export function InvoiceDialog({ action: kind, invoice, onClose }: { action: InvoiceAction; invoice: Invoice; onClose: () => void }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.invoiceActions;
    const { client } = useSession();
    const { id, subscription_id: subscriptionId } = invoice;
    const action = useChange(async () => {
        await withKey(`user_subscriptions_${kind}_invoice`, { id, subscriptionId }, (idempotencyKey) => SETTLES[kind](client, subscriptionId, id, { idempotencyKey }));
        return t.done[kind];
    }, onClose);
    return <ActionDialog title={t.titles[kind]} consequence={t.consequences[kind](money(invoice.amount, invoice.currency, locale))} submit={t[kind]} look={kind === 'void' ? 'danger' : 'primary'} action={action} onClose={onClose} />;
}

/** The dialog that refunds the credit of an ended subscription. */
export function CreditDialog({ subscription, amount, onClose }: { subscription: Subscription; amount: string; onClose: () => void }): ReactNode {
    const t = useSpoken().texts.invoiceActions;
    const { client } = useSession();
    const { id } = subscription;
    const action = useChange(async () => {
        await withKey('user_subscriptions_refund_credit', { id }, (idempotencyKey) => userSubscriptionsRefundCredit(client, id, { idempotencyKey }));
        return t.done.refund;
    }, onClose);
    return <ActionDialog title={t.refund} consequence={t.refundConsequence(amount)} submit={t.refund} action={action} onClose={onClose} />;
}
