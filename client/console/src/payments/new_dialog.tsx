import { useQueryClient } from '@tanstack/react-query';
import { type UserPaymentCreated, type UserPaymentCreateRequest, userPaymentsCreate } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useActionKey } from '../api/use_key.ts';
import { ALL_CURRENCIES } from '../format/codes.ts';
import { money, parseAmount } from '../format/money.ts';
import { useSession } from '../shell/session.tsx';
import { useSpoken } from '../texts/index.tsx';
import { ActionDialog, useAction, useChecked } from '../ui/action.tsx';
import { Choice, Field } from '../ui/controls.tsx';
import { AmountField } from './amount_field.tsx';

/** The validities that the form offers, in seconds. */
const VALIDITIES = ['3600', '86400', '604800', '2592000', '7776000'] as const;

/** The texts of the form. */
interface Draft {
    amount: string;
    currency: string;
    description: string;
    merchant_order_reference_id: string;
    customer_id: string;
    email: string;
    capture_method: 'automatic' | 'manual';
    session_expiry: (typeof VALIDITIES)[number];
}

/** Returns the request of a form; undefined while its amount is none. */
export function requestOf(draft: Draft): UserPaymentCreateRequest | undefined {
    const amount = parseAmount(draft.amount, draft.currency);
    if (!amount) return undefined;
    const said = (['description', 'merchant_order_reference_id', 'customer_id', 'email'] as const).map((name) => [name, draft[name].trim()] as const).filter(([, text]) => text !== '');
    return {
        amount,
        currency: draft.currency as UserPaymentCreateRequest['currency'],
        ...Object.fromEntries(said),
        ...(draft.capture_method === 'manual' ? { capture_method: 'manual' as const } : {}),
        session_expiry: Number(draft.session_expiry),
    };
}

export interface NewPaymentDialogProps {
    onClose: () => void;
    onCreated: (made: UserPaymentCreated) => void;
}

/** The dialog that creates a payment with a link. It takes no card: the payer pays on the page. */
export function NewPaymentDialog({ onClose, onCreated }: NewPaymentDialogProps): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.newPayment;
    const { client } = useSession();
    const store = useQueryClient();
    // The form has personal data, so its key ends with it.
    const key = useActionKey();
    const [draft, setDraft] = useState<Draft>({ amount: '', currency: 'EUR', description: '', merchant_order_reference_id: '', customer_id: '', email: '', capture_method: 'automatic', session_expiry: '86400' });
    const [isChecked, checked] = useChecked();
    const request = requestOf(draft);
    const set = <Name extends keyof Draft>(name: Name) => (value: Draft[Name]): void => {
        setDraft((former) => ({ ...former, [name]: value }));
        action.reset();
    };
    const action = useAction(async () => {
        const body = request!;
        const made = await key.use(body, (idempotencyKey) => userPaymentsCreate(client, body, { idempotencyKey }));
        void store.invalidateQueries();
        onCreated(made);
    });
    const total = request ? money(request.amount, request.currency, locale) : '';
    const field = (name: 'description' | 'merchant_order_reference_id' | 'customer_id' | 'email', hint: string, maxLength: number): ReactNode => (
        <Field label={t[name]} name={name} maxLength={maxLength} value={draft[name]} onChange={set(name)} hint={hint} type={name === 'email' ? 'email' : 'text'} />
    );
    return (
        <ActionDialog
            title={t.title}
            consequence={request ? t.consequence(total, t.validities[draft.session_expiry]) : undefined}
            submit={request ? t.submit(total) : t.submitEmpty}
            action={action}
            check={checked(request !== undefined)}
            onClose={onClose}
            size="roomy"
        >
            <AmountField
                label={texts.common.amountIn(draft.currency)}
                name="amount"
                value={draft.amount}
                onChange={set('amount')}
                error={(isChecked || draft.amount.trim() !== '') && !request ? texts.common.badAmount : undefined}
            />
            <Choice label={texts.common.currency} member="currency" value={draft.currency} onChange={set('currency')} options={ALL_CURRENCIES.map((code) => [code, code])} />
            {field('description', t.descriptionHint, 1024)}
            {field('merchant_order_reference_id', t.referenceHint, 255)}
            {field('customer_id', t.customerHint, 64)}
            {field('email', t.emailHint, 255)}
            <Choice
                label={texts.payment.captureMethod}
                member="capture_method"
                value={draft.capture_method}
                onChange={(word) => set('capture_method')(word === 'manual' ? 'manual' : 'automatic')}
                options={(['automatic', 'manual'] as const).map((word) => [word, t.captures[word]])}
            />
            <Choice
                label={t.validity}
                member="session_expiry"
                value={draft.session_expiry}
                onChange={(word) => set('session_expiry')(VALIDITIES.find((one) => one === word) ?? '86400')}
                options={VALIDITIES.map((word) => [word, t.validities[word]])}
            />
        </ActionDialog>
    );
}
