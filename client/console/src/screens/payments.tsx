import { type Payment, type PaymentFilterRequest, paymentsFilter, type PaymentStatus, type UserPaymentCreated } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { address } from '../format/address.ts';
import { money, parseAmount } from '../format/money.ts';
import { rangeOfDates } from '../format/time.ts';
import { LinkDialog } from '../links/dialog.tsx';
import { NewPaymentDialog } from '../payments/new_dialog.tsx';
import { SavedViews } from '../payments/saved_views.tsx';
import { useMay, useRead } from '../shell/session.tsx';
import { type Texts, useSpoken, useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Choice, Field } from '../ui/controls.tsx';
import { Days, type Filters, FilterBar, Search, useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Badge, Foreign, Moment, Money } from '../ui/text.tsx';
import { paymentTone } from '../ui/tones.ts';
import { CURRENCIES, type Group, groupOf, GROUPS } from './groups.ts';
import { Method } from './method.tsx';

const METHODS = ['card', 'wallet', 'bank_redirect', 'bank_debit', 'bank_transfer', 'pay_later', 'upi', 'voucher', 'network_token'] as const;

/** Returns the server's filter for the filters in the address. */
export function requestOf(filters: Pick<Filters, 'get' | 'offset'>): PaymentFilterRequest {
    const { get } = filters;
    const group = groupOf(get('group'));
    const status: readonly PaymentStatus[] | undefined = get('status') ? [get('status') as PaymentStatus] : group && GROUPS[group];
    const currency = get('currency');
    const range = rangeOfDates(get('from'), get('until'));
    const least = currency ? parseAmount(get('least'), currency) : undefined;
    const most = currency ? parseAmount(get('most'), currency) : undefined;
    return {
        limit: PAGE,
        offset: filters.offset,
        order: { on: get('on') === 'amount' ? 'amount' : 'created', by: get('dir') === 'asc' ? 'asc' : 'desc' },
        ...(get('payment_id') ? { payment_id: get('payment_id') } : {}),
        ...(get('merchant_order_reference_id') ? { merchant_order_reference_id: get('merchant_order_reference_id') } : {}),
        ...(get('customer_id') ? { customer_id: get('customer_id') } : {}),
        ...(status ? { status: [...status] } : {}),
        ...(currency ? { currency: [currency] as PaymentFilterRequest['currency'] & object } : {}),
        ...(get('method') ? { payment_method: [get('method')] as PaymentFilterRequest['payment_method'] & object } : {}),
        ...(get('account') ? { merchant_connector_id: [get('account')] } : {}),
        ...(least !== undefined || most !== undefined ? { amount_filter: { ...(least !== undefined ? { start_amount: least } : {}), ...(most !== undefined ? { end_amount: most } : {}) } } : {}),
        ...(range ? { time_range: range } : {}),
    };
}

/** The columns of a list of payments. */
export function paymentColumns(texts: Texts): readonly Column<Payment>[] {
    return [
        {
            name: texts.common.amount,
            isNumber: true,
            sort: 'amount',
            cell: (one) => (
                <Link className="row-link" href={address`/payments/${one.payment_id}`}>
                    <Money amount={one.amount} currency={one.currency} />
                    <span className="hidden">{one.payment_id}</span>
                </Link>
            ),
        },
        { name: texts.common.status, cell: (one) => <Badge tone={paymentTone(one.status)}>{wordOf(texts.words.payment, one.status)}</Badge> },
        { name: texts.payments.method, from: 'medium', cell: (one) => <Method payment={one} /> },
        { name: texts.payments.order, from: 'medium', cell: (one) => <Foreign longest={40}>{one.merchant_order_reference_id ?? one.description}</Foreign> },
        { name: texts.common.customer, from: 'wide', cell: (one) => <Foreign longest={40}>{one.customer?.name ?? one.email ?? one.customer_id}</Foreign> },
        { name: texts.common.processor, from: 'wide', cell: (one) => <Foreign longest={40}>{one.connector}</Foreign> },
        { name: texts.common.created, sort: 'created', cell: (one) => <Moment>{one.created}</Moment> },
    ];
}

export function Screen(): ReactNode {
    const texts = useTexts();
    const filters = useFilters();
    const request = requestOf(filters);
    const list = useRead(['payments', request], (client, signal) => paymentsFilter(client, request, { signal }), { keep: true });
    const group = groupOf(filters.get('group'));
    const mayCreate = useMay('user_payments_create');
    return (
        <Page
            title={texts.payments.title}
            name={texts.payments.title}
            actions={
                <>
                    <Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>
                    {mayCreate ? <NewPayment /> : null}
                </>
            }
        >
            <Tabs
                label={texts.payments.groupsLabel}
                value={group ?? 'all'}
                options={(['all', ...(Object.keys(GROUPS) as Group[])] as const).map((word) => [word, texts.payments.groups[word]])}
                onChange={(word) => filters.set({ group: word === 'all' ? '' : word, status: '' })}
                isScrolled
            />
            <SavedViews filters={filters} />
            <FilterBar filters={filters}>
                <Search label={texts.payments.searchBy} kinds={texts.payments.by} filters={filters} />
                <Choice
                    label={texts.common.status}
                    value={filters.get('status')}
                    onChange={(status) => filters.set({ status })}
                    options={[['', texts.common.all], ...Object.entries(texts.words.payment).filter(([word]) => !group || (GROUPS[group] as readonly string[]).includes(word))]}
                />
                <Choice label={texts.payments.method} value={filters.get('method')} onChange={(method) => filters.set({ method })} options={[['', texts.common.all], ...METHODS.map((word) => [word, wordOf(texts.words.method, word)] as const)]} />
                <Choice label={texts.common.currency} value={filters.get('currency')} onChange={(currency) => filters.set({ currency, least: '', most: '' })} options={[['', texts.common.all], ...CURRENCIES.map((code) => [code, code] as const)]} />
                {filters.get('currency') ? <Amounts key={filters.get('currency')} filters={filters} currency={filters.get('currency')} /> : null}
                <Days filters={filters} />
            </FilterBar>
            <List
                read={list}
                rows={list.data?.data}
                total={list.data?.total_count}
                filters={filters}
                texts={texts.payments}
                columns={paymentColumns(texts)}
                keyOf={(one) => one.payment_id}
                order={{ on: filters.get('on') || 'created', by: filters.get('dir') === 'asc' ? 'asc' : 'desc', change: (on, dir) => filters.set({ on, dir }) }}
                first={<Empty title={texts.payments.firstTitle}>{texts.payments.first}</Empty>}
            />
        </Page>
    );
}

/** The button that creates a payment, its dialog, and then the link for the payer. */
function NewPayment(): ReactNode {
    const { texts, locale } = useSpoken();
    const [, go] = useLocation();
    const [isOpen, setOpen] = useState(false);
    const [made, setMade] = useState<UserPaymentCreated>();
    return (
        <>
            <Button look="primary" onPress={() => setOpen(true)}>
                {texts.newPayment.open}
            </Button>
            {isOpen ? (
                <NewPaymentDialog
                    onClose={() => setOpen(false)}
                    onCreated={(payment) => {
                        setOpen(false);
                        setMade(payment);
                    }}
                />
            ) : null}
            {made?.payment_link ? (
                <LinkDialog
                    link={made.payment_link}
                    amount={money(made.amount, made.currency, locale)}
                    onClose={() => {
                        setMade(undefined);
                        go(address`/payments/${made.payment_id}`);
                    }}
                />
            ) : null}
        </>
    );
}

/** The range of amounts. It is applied when a field is left or Enter is pressed. */
function Amounts({ filters, currency }: { filters: Filters; currency: string }): ReactNode {
    const texts = useTexts();
    const [least, setLeast] = useState(filters.get('least'));
    const [most, setMost] = useState(filters.get('most'));
    const wrong = (text: string): string | undefined => (text.trim() && parseAmount(text, currency) === undefined ? texts.payments.badAmount(currency) : undefined);
    const apply = (): void => {
        if (wrong(least) || wrong(most)) return;
        if (least.trim() === filters.get('least') && most.trim() === filters.get('most')) return;
        filters.set({ least: least.trim(), most: most.trim() });
    };
    return (
        <form
            className="amounts"
            onBlur={apply}
            onSubmit={(event) => {
                event.preventDefault();
                apply();
            }}
        >
            <Field label={texts.payments.amountFrom} name="least" inputMode="decimal" value={least} onChange={setLeast} error={wrong(least)} maxLength={14} />
            <Field label={texts.payments.amountUntil} name="most" inputMode="decimal" value={most} onChange={setMost} error={wrong(most)} maxLength={14} />
            <button type="submit" className="hidden" tabIndex={-1}>
                {texts.payments.applyAmounts}
            </button>
        </form>
    );
}
