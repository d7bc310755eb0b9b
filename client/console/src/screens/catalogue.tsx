import { ApiError, type ItemPrice, type OfferedItem, type Product, subscriptionItemPricesList, subscriptionProductsList } from 'multirail';
import { type ReactNode, useState } from 'react';
import { ArchiveDialog, type Entry, PlanDialog, PriceDialog, ProductDialog } from '../catalogue/dialogs.tsx';
import { MOST, usePlans } from '../catalogue/plans.ts';
import { useRoutedProfile } from '../routing/profile.ts';
import { useMay, useRead } from '../shell/session.tsx';
import { usePrice } from '../subscriptions/price.ts';
import { useTexts } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/controls.tsx';
import { type Filters, useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading, ReadStatus } from '../ui/states.tsx';
import { type Column, PAGE, Table } from '../ui/table.tsx';
import { Badge, Foreign, Moment } from '../ui/text.tsx';

type Open = { kind: 'product' } | { kind: 'plan' } | { kind: 'price'; plan: OfferedItem } | { kind: 'archive'; entry: Entry };

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.catalogue;
    const filters = useFilters();
    const profile = useRoutedProfile(filters.get('profile'));
    const profileId = profile.current?.profile_id;
    return (
        <Page title={t.title} name={t.title} lead={t.lead}>
            {profile.all.length > 1 && profileId ? <Choice label={texts.shell.profile} value={profileId} onChange={(id) => filters.set({ profile: id, plan: '' })} options={profile.all} /> : null}
            {profile.isPending ? <Loading /> : null}
            {profile.error ? <Failure error={profile.error} retry={profile.retry} /> : null}
            {profileId ? <Catalogue key={profileId} profileId={profileId} filters={filters} /> : null}
        </Page>
    );
}

/** The catalogue of a profile's billing account. */
function Catalogue({ profileId, filters }: { profileId: string; filters: Filters }): ReactNode {
    const t = useTexts().catalogue;
    const [open, setOpen] = useState<Open>();
    const close = (): void => setOpen(undefined);
    const products = useRead(['catalogue', profileId, 'products'], (client, signal) => subscriptionProductsList(client, { limit: MOST }, { signal, profileId }));
    const plans = usePlans(profileId);
    // A profile without a billing account has no catalogue.
    if (products.error instanceof ApiError && products.error.code === 'IR_16') return <Empty title={t.noBillingTitle}>{t.noBilling}</Empty>;
    return (
        <>
            <Products read={products} onOpen={setOpen} />
            <Plans read={plans} isMakeable={(products.data ?? []).some((one) => !one.is_archived)} onOpen={setOpen} />
            <Prices profileId={profileId} plans={plans.data ?? []} filters={filters} onOpen={setOpen} />
            {open?.kind === 'product' ? <ProductDialog profileId={profileId} onClose={close} /> : null}
            {open?.kind === 'plan' ? <PlanDialog profileId={profileId} products={(products.data ?? []).filter((one) => !one.is_archived)} onClose={close} /> : null}
            {open?.kind === 'price' ? <PriceDialog profileId={profileId} plan={open.plan} onClose={close} /> : null}
            {open?.kind === 'archive' ? <ArchiveDialog profileId={profileId} entry={open.entry} onClose={close} /> : null}
        </>
    );
}

type Read<T> = Parameters<typeof ReadStatus>[0]['read'] & { data: readonly T[] | undefined };
type OnOpen = (open: Open) => void;

/** Says that a list may have more entries than are shown. */
function Cut({ read }: { read: Read<unknown> }): ReactNode {
    const t = useTexts().catalogue;
    return (read.data?.length ?? 0) >= MOST ? <p className="hint">{t.cut(MOST)}</p> : null;
}

/** The state of an entry. */
function State({ isArchived }: { isArchived: boolean }): ReactNode {
    const t = useTexts().catalogue;
    return <Badge tone={isArchived ? 'calm' : 'good'}>{isArchived ? t.archived : t.offered}</Badge>;
}

function Archive({ entry, onOpen }: { entry: Entry; onOpen: OnOpen }): ReactNode {
    const t = useTexts().catalogue;
    return (
        <Button size="small" onPress={() => onOpen({ kind: 'archive', entry })} label={`${t.archive}: ${entry.name}`}>
            {t.archive}
        </Button>
    );
}

function Products({ read, onOpen }: { read: Read<Product>; onOpen: OnOpen }): ReactNode {
    const texts = useTexts();
    const t = texts.catalogue;
    const mayCreate = useMay('subscription_products_create');
    const mayArchive = useMay('subscription_products_archive');
    const columns: readonly Column<Product>[] = [
        { name: t.name, cell: (one) => <Foreign longest={60}>{one.name}</Foreign> },
        { name: texts.common.id, from: 'medium', cell: (one) => <bdi className="mono">{one.product_id}</bdi> },
        { name: texts.common.status, cell: (one) => <State isArchived={one.is_archived} /> },
        ...(mayArchive ? [{ name: t.archive, cell: (one: Product) => (one.is_archived ? null : <Archive entry={{ kind: 'product', id: one.product_id, name: one.name }} onOpen={onOpen} />) }] : []),
    ];
    return (
        <Section title={t.products} hint={t.productsHint} actions={mayCreate ? <Button onPress={() => onOpen({ kind: 'product' })}>{t.newProduct}</Button> : null}>
            <ReadStatus read={read} />
            {read.data?.length === 0 ? <p className="hint">{t.noProducts}</p> : null}
            {read.data && read.data.length > 0 ? <Table caption={t.products} columns={columns} rows={read.data} keyOf={(one) => one.product_id} isReadOnly={!mayArchive} /> : null}
            <Cut read={read} />
        </Section>
    );
}

function Plans({ read, isMakeable, onOpen }: { read: Read<OfferedItem>; isMakeable: boolean; onOpen: OnOpen }): ReactNode {
    const texts = useTexts();
    const t = texts.catalogue;
    const say = usePrice();
    const mayCreate = useMay('subscription_items_create');
    const mayPrice = useMay('subscription_item_prices_create');
    const mayArchive = useMay('subscription_items_archive');
    const columns: readonly Column<OfferedItem>[] = [
        { name: t.name, cell: (one) => <Foreign longest={60}>{one.name}</Foreign> },
        { name: texts.common.id, from: 'medium', cell: (one) => <bdi className="mono">{one.id}</bdi> },
        { name: t.prices, cell: (one) => one.price_id.map((price) => <p key={price.price_id}>{say(price)}</p>) },
        ...(mayPrice || mayArchive
            ? [
                  {
                      name: t.actions,
                      cell: (one: OfferedItem) => (
                          <span className="title-row">
                              {mayPrice ? (
                                  <Button size="small" onPress={() => onOpen({ kind: 'price', plan: one })} label={t.newPriceOf(one.name)}>
                                      {t.newPrice}
                                  </Button>
                              ) : null}
                              {mayArchive ? <Archive entry={{ kind: 'plan', id: one.id, name: one.name }} onOpen={onOpen} /> : null}
                          </span>
                      ),
                  },
              ]
            : []),
    ];
    return (
        <Section title={t.plans} hint={t.plansHint} actions={mayCreate && isMakeable ? <Button onPress={() => onOpen({ kind: 'plan' })}>{t.newPlan}</Button> : null}>
            <ReadStatus read={read} />
            {read.data?.length === 0 ? <p className="hint">{t.noPlans}</p> : null}
            {read.data && read.data.length > 0 ? <Table caption={t.plans} columns={columns} rows={read.data} keyOf={(one) => one.id} isReadOnly={!mayPrice && !mayArchive} /> : null}
            <Cut read={read} />
        </Section>
    );
}

function Prices({ profileId, plans, filters, onOpen }: { profileId: string; plans: readonly OfferedItem[]; filters: Filters; onOpen: OnOpen }): ReactNode {
    const texts = useTexts();
    const t = texts.catalogue;
    const say = usePrice();
    const mayArchive = useMay('subscription_item_prices_archive');
    const plan = filters.get('plan');
    const query = { limit: PAGE, offset: filters.offset, ...(plan ? { item_id: plan } : {}) };
    const list = useRead(['catalogue', profileId, 'prices', query], (client, signal) => subscriptionItemPricesList(client, query, { signal, profileId }), { keep: true });
    const columns: readonly Column<ItemPrice>[] = [
        { name: t.price, cell: (one) => say(one) },
        { name: texts.subscriptions.plan, cell: (one) => <Foreign longest={40}>{plans.find(({ id }) => id === one.item_id)?.name ?? one.item_id}</Foreign> },
        { name: texts.common.id, from: 'medium', cell: (one) => <bdi className="mono">{one.item_price_id}</bdi> },
        { name: t.trial, from: 'wide', cell: (one) => (one.trial_period ? String(one.trial_period) : texts.common.none) },
        { name: texts.common.status, cell: (one) => <State isArchived={one.is_archived} /> },
        { name: texts.common.created, from: 'wide', cell: (one) => <Moment>{one.created_at}</Moment> },
        ...(mayArchive ? [{ name: t.archive, cell: (one: ItemPrice) => (one.is_archived ? null : <Archive entry={{ kind: 'price', id: one.item_price_id, name: say(one) }} onOpen={onOpen} />) }] : []),
    ];
    return (
        <Section title={t.allPrices} hint={t.allPricesHint}>
            <div className="filters">
                <Choice label={texts.subscriptions.plan} value={plan} onChange={(id) => filters.set({ plan: id })} options={[['', texts.common.all], ...plans.map((one) => [one.id, one.name] as const)]} />
            </div>
            <List read={list} rows={list.data} filters={filters} texts={t} columns={columns} keyOf={(one) => one.item_price_id} isReadOnly={!mayArchive} first={<p className="hint">{t.noPrices}</p>} />
        </Section>
    );
}
