import { useQueryClient } from '@tanstack/react-query';
import { type Client, type Payment, userPaymentsApprove, userPaymentsCancel, userPaymentsCapture, userPaymentsIncrementalAuthorization, userPaymentsReject } from 'multirail';
import { withKey } from '../api/keys.ts';
import { isolated } from '../format/foreign.ts';
import { useSession } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import { type Action, useAction } from '../ui/action.tsx';
import { useTell } from '../ui/notices.tsx';
import { OPERATIONS, outcomeOf, type PaymentAction } from './actions.ts';

/** The content of an action: only what its operation takes. */
export interface Content {
    amount?: number;
    reason?: string;
}

/** Sends an action with its idempotency key. */
function send(client: Client, action: PaymentAction, id: string, { amount = 0, reason }: Content, idempotencyKey: string): Promise<Payment> {
    const options = { idempotencyKey };
    switch (action) {
        case 'capture':
            return userPaymentsCapture(client, id, { amount_to_capture: amount }, options);
        case 'raise':
            return userPaymentsIncrementalAuthorization(client, id, { amount, ...(reason ? { reason } : {}) }, options);
        case 'approve':
            return userPaymentsApprove(client, id, options);
        case 'reject':
            return userPaymentsReject(client, id, options);
        case 'cancel':
            return userPaymentsCancel(client, id, reason ? { cancellation_reason: reason } : {}, options);
    }
}

/**
 * Returns the action of a dialog. While its outcome is unknown, the same content has the same key, even in a new dialog: money
 * must not move twice.
 */
export function usePaymentAction(action: PaymentAction, payment: Payment, content: () => Content, onDone: () => void): Action {
    const t = useTexts().paymentActions;
    const { client } = useSession();
    const tell = useTell();
    const store = useQueryClient();
    return useAction(async () => {
        const sent = content();
        const { payment_id: id } = payment;
        const after = await withKey(OPERATIONS[action], { payment_id: id, ...sent }, (key) => send(client, action, id, sent, key));
        const outcome = outcomeOf(action, after, sent.amount);
        const last = after.incremental_authorizations?.at(-1);
        const reason = action === 'raise' ? (last?.error_message ?? last?.error_code) : (after.error_message ?? after.error_code);
        if (outcome === 'done') tell(t.done[action], 'good');
        else if (outcome === 'pending' && action !== 'reject') tell(t.pending[action], 'info');
        else tell(t.refused[action](isolated(reason ?? '')), 'bad');
        onDone();
        void store.invalidateQueries();
    });
}
