import { type Subscription, userSubscriptionsEstimate } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useNow } from '../api/use_now.ts';
import { usePlans } from '../catalogue/plans.ts';
import { money } from '../format/money.ts';
import { moment } from '../format/time.ts';
import { useRead } from '../shell/session.tsx';
import { useSpoken } from '../texts/index.tsx';
import { ActionDialog, useChecked } from '../ui/action.tsx';
import { Choice, Field } from '../ui/controls.tsx';
import { ReadStatus } from '../ui/states.tsx';
import { useSubscriptionAction } from './act.ts';
import { usePrice } from './price.ts';

/** The dialog of another price or quantity. The server computes what the change charges before it can be made. */
export function ChangeDialog({ subscription, onClose }: { subscription: Subscription; onClose: () => void }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.subscriptionActions;
    const now = useNow();
    const say = usePrice();
    const { id, profile_id: profileId, item_price_id: ownPrice = '', quantity: ownQuantity = 1 } = subscription;
    const plans = usePlans(profileId);
    const [priceId, setPriceId] = useState('');
    const [typed, setTyped] = useState(String(ownQuantity));
    const [isChecked, checked] = useChecked();
    const currency = subscription.invoice?.currency;
    // Another currency, and a price that is paid once, are refused.
    const offers = (plans.data ?? []).flatMap((plan) => plan.price_id.filter((price) => price.interval && (!currency || price.currency === currency)).map((price) => ({ plan, price })));
    const chosen = offers.find(({ price }) => price.price_id === priceId);
    const planId = chosen?.price.item_id ?? subscription.plan_id ?? '';
    const quantity = /^[1-9]\d{0,5}$/.test(typed.trim()) ? Number(typed.trim()) : undefined;
    const isOther = (priceId !== '' && priceId !== ownPrice) || quantity !== ownQuantity;
    const body = { plan_id: planId, item_price_id: priceId || ownPrice, quantity: quantity ?? ownQuantity };
    const isAskable = quantity !== undefined && isOther && body.item_price_id !== '' && planId !== '';
    const estimate = useRead(['subscription', id, 'estimate', body], (client, signal) => userSubscriptionsEstimate(client, id, body, { signal }), { enabled: isAskable });
    const action = useSubscriptionAction(id, () => ({ action: 'change', body }), t.done.change, onClose);
    const known = isAskable ? estimate.data : undefined;
    const show = (amount: number): string => money(amount, known?.currency ?? currency ?? '', locale);
    const sentences = known && [
        known.amount > 0 ? t.charges(show(known.amount)) : t.chargesNothing,
        ...(known.credit_amount > 0 ? [t.credits(show(known.credit_amount))] : []),
        ...(known.next_billing_at ? [t.nextInvoice(moment(known.next_billing_at, locale, now))] : []),
    ];
    return (
        <ActionDialog
            title={t.changeTitle}
            consequence={sentences?.join(' ')}
            submit={known && known.amount > 0 ? t.changeSubmit(show(known.amount)) : t.change}
            action={action}
            check={checked(known !== undefined)}
            onClose={onClose}
        >
            <ReadStatus read={plans} />
            <Choice
                label={t.price}
                member="item_price_id"
                value={priceId}
                onChange={(word) => {
                    setPriceId(word);
                    action.reset();
                }}
                options={[['', t.samePrice], ...offers.filter(({ price }) => price.price_id !== ownPrice).map(({ plan, price }) => [price.price_id, `${plan.name}: ${say(price)}`] as const)]}
                error={isChecked && !isOther ? t.needChange : undefined}
            />
            <Field
                label={texts.subscription.quantity}
                name="quantity"
                inputMode="numeric"
                isRequired
                maxLength={6}
                value={typed}
                onChange={(value) => {
                    setTyped(value);
                    action.reset();
                }}
                error={quantity === undefined ? t.badQuantity : undefined}
            />
            {isAskable ? <ReadStatus read={estimate} /> : null}
        </ActionDialog>
    );
}
