import { type Payment, type PaymentFilterRequest, type PaymentLink, paymentsFilter, type PaymentStatus } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useNow } from '../api/use_now.ts';
import { address } from '../format/address.ts';
import { money } from '../format/money.ts';
import { rangeOfDates } from '../format/time.ts';
import { LinkDialog } from '../links/dialog.tsx';
import { isUsable, linkState } from '../links/state.ts';
import { useRead, useSession } from '../shell/session.tsx';
import { useSpoken } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Days, type Filters, FilterBar, Search, useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Badge, Foreign, Moment, Money } from '../ui/text.tsx';
import { linkTone } from '../ui/tones.ts';
import { GROUPS } from './groups.ts';

/** The groups of payment states by which people look for links. */
const STEPS = {
    waiting: ['requires_payment_method', 'requires_confirmation', 'requires_customer_action'],
    paid: [...GROUPS.succeeded, ...GROUPS.uncaptured, 'partially_captured_and_processing'],
    failed: GROUPS.failed,
    all: [],
} as const satisfies Readonly<Record<string, readonly PaymentStatus[]>>;
type Step = keyof typeof STEPS;

const SEARCHES = ['payment_id', 'merchant_order_reference_id', 'customer_id'] as const;

/** Returns the group that is shown unless another one is chosen. A search looks in all of them. */
function usualStep(get: Filters['get']): Step {
    return SEARCHES.some((name) => get(name)) ? 'all' : 'waiting';
}

function stepOf(get: Filters['get']): Step {
    const name = get('step');
    return Object.hasOwn(STEPS, name) ? (name as Step) : usualStep(get);
}

/** Returns the server's filter for the filters in the address. */
export function requestOf({ get, offset }: Pick<Filters, 'get' | 'offset'>): PaymentFilterRequest {
    const status: readonly PaymentStatus[] = STEPS[stepOf(get)];
    const range = rangeOfDates(get('from'), get('until'));
    return {
        limit: PAGE,
        offset,
        order: { on: 'created', by: 'desc' },
        ...Object.fromEntries(SEARCHES.filter((name) => get(name)).map((name) => [name, get(name)])),
        ...(status.length > 0 ? { status: [...status] } : {}),
        ...(range ? { time_range: range } : {}),
    };
}

export function Screen(): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.links;
    const filters = useFilters();
    const request = requestOf(filters);
    const [shown, setShown] = useState<{ link: PaymentLink; amount: string }>();
    const list = useRead(['links', request], (client, signal) => paymentsFilter(client, request, { signal }), { keep: true });
    const now = new Date(useNow());
    const columns: readonly Column<Payment>[] = [
        {
            name: texts.common.amount,
            isNumber: true,
            cell: (one) => (
                <Link className="row-link" href={address`/payments/${one.payment_id}`}>
                    <Money amount={one.amount} currency={one.currency} />
                    <span className="hidden">{one.payment_id}</span>
                </Link>
            ),
        },
        {
            name: texts.common.status,
            cell: (one) => {
                const state = linkState(one, now);
                return state ? <Badge tone={linkTone(state)}>{t.states[state]}</Badge> : <span className="none">{t.noLink}</span>;
            },
        },
        { name: texts.common.description, from: 'medium', cell: (one) => <Foreign longest={60}>{one.description ?? one.merchant_order_reference_id}</Foreign> },
        { name: texts.common.customer, from: 'wide', cell: (one) => <Foreign longest={40}>{one.customer?.name ?? one.email ?? one.customer_id}</Foreign> },
        { name: texts.common.created, from: 'medium', cell: (one) => <Moment>{one.created}</Moment> },
        { name: t.ends, from: 'wide', cell: (one) => (one.payment_link ? <Moment>{one.expires_on}</Moment> : <span className="none">{texts.common.none}</span>) },
        { name: t.address, cell: (one) => <Show payment={one} now={now} show={setShown} amount={money(one.net_amount, one.currency, locale)} /> },
    ];
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={<Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>}>
            <Tabs
                label={t.stepsLabel}
                value={stepOf(filters.get)}
                options={(Object.keys(STEPS) as Step[]).map((word) => [word, t.steps[word]])}
                onChange={(word) => filters.set({ step: word === usualStep(filters.get) ? '' : word })}
                isScrolled
            />
            <FilterBar filters={filters}>
                <Search label={texts.payments.searchBy} kinds={texts.payments.by} filters={filters} />
                <Days filters={filters} />
            </FilterBar>
            <List read={list} rows={list.data?.data} total={list.data?.total_count} filters={filters} texts={t} columns={columns} keyOf={(one) => one.payment_id} first={<First />} />
            {shown ? <LinkDialog {...shown} onClose={() => setShown(undefined)} /> : null}
        </Page>
    );
}

/** The button that shows a payment's address, while a payer has a use for it. */
function Show({ payment, now, amount, show }: { payment: Payment; now: Date; amount: string; show: (shown: { link: PaymentLink; amount: string }) => void }): ReactNode {
    const { texts } = useSpoken();
    const { payment_link: link } = payment;
    if (!link?.link || !isUsable(linkState(payment, now))) return <span className="none">{texts.common.none}</span>;
    return (
        <Button size="small" label={`${texts.links.show}: ${amount}, ${payment.payment_id}`} onPress={() => show({ link, amount })}>
            {texts.links.show}
        </Button>
    );
}

/** The way to a first link. */
function First(): ReactNode {
    const { texts } = useSpoken();
    const { info } = useSession();
    const t = texts.links;
    return (
        <Empty
            title={t.firstTitle}
            action={
                info?.documentation ? (
                    <a href={info.documentation} target="_blank" rel="noopener noreferrer">
                        {texts.home.readDocs}
                    </a>
                ) : null
            }
        >
            {t.first}
        </Empty>
    );
}
