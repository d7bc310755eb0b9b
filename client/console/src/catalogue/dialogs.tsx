import {
    type BillingInterval,
    type Client,
    type Currency,
    type OfferedItem,
    type Product,
    subscriptionItemPricesArchive,
    subscriptionItemPricesCreate,
    subscriptionItemsArchive,
    subscriptionItemsCreate,
    subscriptionProductsArchive,
    subscriptionProductsCreate,
} from 'multirail';
import { type ReactNode, useState } from 'react';
import { withKey } from '../api/keys.ts';
import { useActionKey } from '../api/use_key.ts';
import { ALL_CURRENCIES } from '../format/codes.ts';
import { parseAmount } from '../format/money.ts';
import { useSession } from '../shell/session.tsx';
import { usePrice } from '../subscriptions/price.ts';
import { useTexts } from '../texts/index.tsx';
import { ActionDialog, useChecked } from '../ui/action.tsx';
import { useChange } from '../ui/change.ts';
import { Choice, Field } from '../ui/controls.tsx';

interface DialogProps {
    /** The profile whose billing account has the catalogue. */
    profileId: string;
    onClose: () => void;
}

/** The dialog of a new product. */
export function ProductDialog({ profileId, onClose }: DialogProps): ReactNode {
    const texts = useTexts();
    const t = texts.catalogue;
    const { client } = useSession();
    const key = useActionKey();
    const [name, setName] = useState('');
    const [id, setId] = useState('');
    const [isChecked, checked] = useChecked();
    const action = useChange(
        async () => {
            const body = { name: name.trim(), ...(id.trim() ? { product_id: id.trim() } : {}) };
            await key.use(body, (idempotencyKey) => subscriptionProductsCreate(client, body, { idempotencyKey, profileId }));
            return t.made(name.trim());
        },
        onClose,
    );
    return (
        <ActionDialog
            title={t.newProduct}
            consequence={t.productConsequence}
            submit={texts.common.add}
            action={action}
            check={checked(name.trim() !== '')}
            onClose={onClose}
        >
            <Field label={t.name} name="name" autoFocus isRequired maxLength={255} value={name} onChange={setName} error={isChecked && !name.trim() ? t.needName : undefined} />
            <Field label={texts.common.id} name="product_id" maxLength={64} value={id} onChange={setId} hint={t.idHint} />
        </ActionDialog>
    );
}

/** The dialog of a new plan. */
export function PlanDialog({ profileId, products, onClose }: DialogProps & { products: readonly Product[] }): ReactNode {
    const texts = useTexts();
    const t = texts.catalogue;
    const { client } = useSession();
    const key = useActionKey();
    const [productId, setProductId] = useState(products[0]?.product_id ?? '');
    const [name, setName] = useState('');
    const [id, setId] = useState('');
    const [isChecked, checked] = useChecked();
    const action = useChange(
        async () => {
            const body = { product_id: productId, item_type: 'plan' as const, name: name.trim(), ...(id.trim() ? { item_id: id.trim() } : {}) };
            await key.use(body, (idempotencyKey) => subscriptionItemsCreate(client, body, { idempotencyKey, profileId }));
            return t.made(name.trim());
        },
        onClose,
    );
    return (
        <ActionDialog
            title={t.newPlan}
            consequence={t.planConsequence}
            submit={texts.common.add}
            action={action}
            check={checked(name.trim() !== '')}
            onClose={onClose}
        >
            <Choice label={t.product} member="product_id" value={productId} onChange={setProductId} options={products.map((one) => [one.product_id, one.name])} />
            <Field label={t.name} name="name" autoFocus isRequired maxLength={255} value={name} onChange={setName} hint={t.nameHint} error={isChecked && !name.trim() ? t.needName : undefined} />
            <Field label={texts.common.id} name="item_id" maxLength={64} value={id} onChange={setId} hint={t.idHint} />
        </ActionDialog>
    );
}

const INTERVALS = ['month', 'year', 'week', 'day'] as const satisfies readonly BillingInterval[];

/** Returns the typed whole number, if it is at least `least`. */
function count(text: string, least: number): number | undefined {
    return /^\d{1,4}$/.test(text.trim()) && Number(text.trim()) >= least ? Number(text.trim()) : undefined;
}

/** The dialog of a new price of a plan. */
export function PriceDialog({ profileId, plan, onClose }: DialogProps & { plan: OfferedItem }): ReactNode {
    const texts = useTexts();
    const t = texts.catalogue;
    const { client } = useSession();
    const key = useActionKey();
    const say = usePrice();
    const [currency, setCurrency] = useState<string>(plan.price_id[0]?.currency ?? 'EUR');
    const [text, setText] = useState('');
    const [interval, setInterval] = useState<BillingInterval | ''>('month');
    const [each, setEach] = useState('1');
    const [trial, setTrial] = useState('0');
    const [id, setId] = useState('');
    const [isChecked, checked] = useChecked();
    const amount = parseAmount(text, currency);
    const [times, days] = [count(each, 1), count(trial, 0)];
    const isComplete = amount !== undefined && (interval === '' || (times !== undefined && days !== undefined));
    const price = { amount: amount ?? 0, currency: currency as Currency, ...(interval ? { interval, interval_count: times ?? 1 } : {}) };
    const action = useChange(
        async () => {
            const body = { ...price, item_id: plan.id, ...(interval && days ? { trial_period: days } : {}), ...(id.trim() ? { item_price_id: id.trim() } : {}) };
            await key.use(body, (idempotencyKey) => subscriptionItemPricesCreate(client, body, { idempotencyKey, profileId }));
            return t.made(say(price));
        },
        onClose,
    );
    return (
        <ActionDialog
            title={t.newPriceOf(plan.name)}
            consequence={isComplete ? t.priceConsequence(say(price)) : undefined}
            submit={texts.common.add}
            action={action}
            check={checked(isComplete)}
            onClose={onClose}
        >
            <Choice label={texts.common.currency} value={currency} onChange={setCurrency} options={ALL_CURRENCIES.map((code) => [code, code])} />
            <Field
                label={texts.common.amountIn(currency)}
                name="amount"
                inputMode="decimal"
                autoFocus
                isRequired
                maxLength={14}
                value={text}
                onChange={setText}
                hint={t.amountHint}
                error={(isChecked || text.trim() !== '') && amount === undefined ? texts.payments.badAmount(currency) : undefined}
            />
            <Choice label={t.interval} value={interval} onChange={(word) => setInterval(word as BillingInterval | '')} options={[...INTERVALS.map((word) => [word, t.intervals[word]] as const), ['', t.once]]} />
            {interval ? (
                <>
                    <Field label={t.intervalCount} name="interval_count" inputMode="numeric" maxLength={4} value={each} onChange={setEach} error={times === undefined ? t.badCount : undefined} />
                    <Field label={t.trial} name="trial_period" inputMode="numeric" maxLength={3} value={trial} onChange={setTrial} error={days === undefined ? t.badCount : undefined} />
                </>
            ) : null}
            <Field label={texts.common.id} name="item_price_id" maxLength={64} value={id} onChange={setId} hint={t.idHint} />
        </ActionDialog>
    );
}

/** An entry of the catalogue, with its name for people. */
export interface Entry {
    kind: 'product' | 'plan' | 'price';
    id: string;
    name: string;
}

const ARCHIVES = {
    product: ['subscription_products_archive', subscriptionProductsArchive],
    plan: ['subscription_items_archive', subscriptionItemsArchive],
    price: ['subscription_item_prices_archive', subscriptionItemPricesArchive],
} as const satisfies Readonly<Record<Entry['kind'], readonly [string, (client: Client, id: string, options: { idempotencyKey: string; profileId: string }) => Promise<unknown>]>>;

/** The dialog that stops offering an entry. */
export function ArchiveDialog({ profileId, entry, onClose }: DialogProps & { entry: Entry }): ReactNode {
    const t = useTexts().catalogue;
    const { client } = useSession();
    const action = useChange(async () => {
        const [operation, archive] = ARCHIVES[entry.kind];
        await withKey<unknown>(operation, { id: entry.id, profileId }, (idempotencyKey) => archive(client, entry.id, { idempotencyKey, profileId }));
        return t.archivedNow(entry.name);
    }, onClose);
    return <ActionDialog title={t.archiveTitle(entry.name)} consequence={t.archiveConsequence[entry.kind]} submit={t.archive} look="danger" action={action} onClose={onClose} />;
}
