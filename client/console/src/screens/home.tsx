import {
    businessProfilesList,
    type Client,
    type ConnectorAccountListItem,
    connectorAccountsList,
    disputesList,
    paymentsFilter,
    type PaymentStatus,
    refundsList,
    type RefundStatus,
    type TimeRange,
} from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useNow } from '../api/use_now.ts';
import { address } from '../format/address.ts';
import { businessNow, startOfDay } from '../format/time.ts';
import { State } from '../processors/state.tsx';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useSpoken, useTexts } from '../texts/index.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading, ReadStatus } from '../ui/states.tsx';
import { type Column, MANY, Table } from '../ui/table.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Badge, Foreign, Moment, Money } from '../ui/text.tsx';
import { disputeColumns } from './disputes.tsx';
import { APPROVED, DECLINED, GROUPS } from './groups.ts';
import { rateOf, readVolumes, SUMMED, type Volume } from './volume.ts';

const PERIODS = { today: 0, week: 6, month: 29 } as const;
type Period = keyof typeof PERIODS;
/** The most accounts whose approval rate is counted: each costs two requests. */
const ACCOUNTS = 8;

interface Counts {
    payments: number;
    approved: number;
    declined: number;
    refunds: number;
}

async function countPayments(client: Client, signal: AbortSignal, filter: { time_range?: TimeRange; status?: readonly PaymentStatus[]; merchant_connector_id?: string[] }): Promise<number> {
    const { status, ...rest } = filter;
    const { total_count } = await paymentsFilter(client, { ...rest, ...(status ? { status: [...status] } : {}), limit: 0 }, { signal });
    return total_count;
}

async function countRefunds(client: Client, signal: AbortSignal, filter: { time_range?: TimeRange; refund_status?: RefundStatus[] }): Promise<number> {
    return (await refundsList(client, { ...filter, limit: 0 }, { signal })).total_count;
}

async function readCounts(client: Client, range: TimeRange, signal: AbortSignal): Promise<Counts> {
    const [payments, approved, declined, refunds] = await Promise.all([
        countPayments(client, signal, { time_range: range }),
        countPayments(client, signal, { time_range: range, status: APPROVED }),
        countPayments(client, signal, { time_range: range, status: DECLINED }),
        countRefunds(client, signal, { time_range: range }),
    ]);
    return { payments, approved, declined, refunds };
}

interface Ever {
    payments: number;
    /** The time of the newest payment. */
    newest: string | null | undefined;
}

async function readEver(client: Client, signal: AbortSignal): Promise<Ever> {
    const { data, total_count } = await paymentsFilter(client, { limit: 1, order: { on: 'created', by: 'desc' } }, { signal });
    return { payments: total_count, newest: data[0]?.created };
}

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.home;
    const { info } = useSession();
    const mayMakeKeys = useMay('api_keys_create');
    const [period, setPeriod] = useState<Period>('week');
    const ever = useRead(['home', 'ever'], readEver);
    const now = businessNow(ever.data?.newest, useNow());
    const range = { start_time: startOfDay(PERIODS[period], now) };
    const counts = useRead(['home', 'counts', range], (client, signal) => readCounts(client, range, signal), { keep: true, enabled: ever.data !== undefined });
    const switcher = <Tabs label={t.period} value={period} options={(Object.keys(PERIODS) as Period[]).map((word) => [word, t.periods[word]])} onChange={setPeriod} isCompact isScrolled />;
    if (!ever.data) {
        return (
            <Page title={t.title} name={t.title}>
                {ever.isError ? <Failure error={ever.error} retry={() => void ever.refetch()} /> : <Loading />}
            </Page>
        );
    }
    if (ever.data.payments === 0) {
        return (
            <Page title={t.title} name={t.title}>
                <Empty
                    title={t.emptyTitle}
                    action={
                        <>
                            {info?.sandbox ? (
                                <p>
                                    <code className="mono">multirail demo seed</code> {t.seed}
                                </p>
                            ) : null}
                            <p className="ways">
                                {mayMakeKeys ? <Link href="/keys">{t.makeKey}</Link> : null}
                                {info?.documentation ? (
                                    <a href={info.documentation} target="_blank" rel="noopener noreferrer">
                                        {t.readDocs}
                                    </a>
                                ) : null}
                            </p>
                        </>
                    }
                >
                    {t.empty}
                </Empty>
                <Processors now={now} />
            </Page>
        );
    }
    return (
        <Page title={t.title} name={t.title} actions={switcher}>
            <ReadStatus read={counts} />
            {counts.data && !counts.isError ? <Numbers counts={counts.data} isStale={counts.isPlaceholderData} /> : null}
            <div className="halves">
                <Volumes range={range} />
                <Decisions />
            </div>
            <Deadlines />
            <Processors now={now} />
            <Endpoints />
        </Page>
    );
}

/** Returns a number of entries as the server counts them: from ten thousand on it is only known to be at least that. */
function counted(count: number, numbers: Intl.NumberFormat): string {
    return count >= MANY ? `≥ ${numbers.format(MANY)}` : numbers.format(count);
}

function Numbers({ counts, isStale }: { counts: Counts; isStale: boolean }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.home;
    const numbers = new Intl.NumberFormat(locale);
    const rate = rateOf(counts.approved, counts.declined);
    const isTooMany = counts.approved >= MANY || counts.declined >= MANY;
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
    const shown: readonly (readonly [string, string, string])[] = [
        [t.payments, counted(counts.payments, numbers), t.paymentsHint],
        [t.approved, counted(counts.approved, numbers), t.approvedHint],
        [t.declined, counted(counts.declined, numbers), t.declinedHint],
        [t.rate, rate === undefined || isTooMany ? texts.common.none : percent.format(rate / 100), isTooMany ? t.rateMany : rate === undefined ? t.rateNone : t.rateHint],
        [t.refunds, counted(counts.refunds, numbers), t.refundsHint],
    ];
    return (
        <dl className="numbers" aria-busy={isStale}>
            {shown.map(([name, value, hint]) => (
                <div key={name}>
                    <dt>{name}</dt>
                    <dd>
                        <strong>{value}</strong>
                        <span className="hint">{hint}</span>
                    </dd>
                </div>
            ))}
        </dl>
    );
}

function Volumes({ range }: { range: TimeRange }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.home;
    const read = useRead(['home', 'volumes', range], (client, signal) => readVolumes(client, range, signal), { keep: true });
    const numbers = new Intl.NumberFormat(locale);
    const columns: readonly Column<Volume>[] = [
        { name: texts.common.currency, cell: (one) => one.currency },
        { name: t.payments, isNumber: true, cell: (one) => numbers.format(one.payments) },
        { name: t.captured, isNumber: true, cell: (one) => <Money amount={one.captured} currency={one.currency} /> },
    ];
    return (
        <Section title={t.volume} hint={t.volumeHint}>
            <ReadStatus read={read} />
            {read.data === null && !read.isError ? <p className="hint">{t.volumeMany(numbers.format(SUMMED))}</p> : null}
            {read.data?.length === 0 ? <p className="hint">{t.volumeNone}</p> : null}
            {read.data && read.data.length > 0 ? <Table caption={t.volume} columns={columns} rows={read.data} keyOf={(one) => one.currency} isStale={read.isPlaceholderData} /> : null}
        </Section>
    );
}

function Decisions(): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.home;
    const read = useRead(['home', 'decisions'], async (client, signal) => {
        const [toCapture, toReview, review, pending, disputes] = await Promise.all([
            countPayments(client, signal, { status: GROUPS.uncaptured }),
            countPayments(client, signal, { status: ['requires_merchant_action'] }),
            countRefunds(client, signal, { refund_status: ['review'] }),
            countRefunds(client, signal, { refund_status: ['pending'] }),
            disputesList(client, { dispute_status: 'dispute_opened', limit: 100 }, { signal }),
        ]);
        return { toCapture, toReview, review, pending, disputes: disputes.length };
    });
    const numbers = new Intl.NumberFormat(locale);
    const entries = read.data
        ? ([
              [t.toCapture, counted(read.data.toCapture, numbers), read.data.toCapture, '/payments?group=uncaptured'],
              [t.toReview, counted(read.data.toReview, numbers), read.data.toReview, '/payments?status=requires_merchant_action'],
              [t.disputesOpen, read.data.disputes >= 100 ? '≥ 100' : numbers.format(read.data.disputes), read.data.disputes, '/disputes?status=dispute_opened'],
              [t.refundsToReview, counted(read.data.review, numbers), read.data.review, '/refunds?status=review'],
              [t.refundsPending, counted(read.data.pending, numbers), read.data.pending, '/refunds?status=pending'],
          ] as const)
        : [];
    const waiting = entries.filter(([, , count]) => count > 0);
    return (
        <Section title={t.decisions}>
            <ReadStatus read={read} />
            {read.data && waiting.length === 0 ? <p className="hint">{t.decisionsNone}</p> : null}
            <ul className="tasks">
                {waiting.map(([name, count, , to]) => (
                    <li key={to}>
                        <Link href={to}>
                            <span>{name}</span>
                            <strong>{count}</strong>
                        </Link>
                    </li>
                ))}
            </ul>
        </Section>
    );
}

function Deadlines(): ReactNode {
    const texts = useTexts();
    const t = texts.home;
    const read = useRead(['home', 'deadlines'], (client, signal) => disputesList(client, { dispute_status: 'dispute_opened', limit: 100 }, { signal }));
    const open = [...(read.data ?? [])].sort((one, other) => (one.challenge_required_by ?? '9').localeCompare(other.challenge_required_by ?? '9')).slice(0, 5);
    if (read.data?.length === 0) return null;
    return (
        <Section title={t.disputesDue}>
            <ReadStatus read={read} />
            {open.length > 0 ? <Table caption={t.disputesDue} columns={disputeColumns(texts).filter((column) => column.from !== 'wide')} rows={open} keyOf={(one) => one.dispute_id} /> : null}
        </Section>
    );
}

interface Health {
    account: ConnectorAccountListItem;
    approved: number | undefined;
    declined: number | undefined;
}

async function readHealth(client: Client, merchantId: string, start: string, signal: AbortSignal): Promise<Health[]> {
    const accounts = await connectorAccountsList(client, merchantId, { signal });
    const processors = accounts.filter((account) => account.connector_type === 'payment_processor');
    return Promise.all(
        processors.map(async (account, index): Promise<Health> => {
            if (index >= ACCOUNTS) return { account, approved: undefined, declined: undefined };
            const filter = { time_range: { start_time: start }, merchant_connector_id: [account.merchant_connector_id] };
            const [approved, declined] = await Promise.all([countPayments(client, signal, { ...filter, status: APPROVED }), countPayments(client, signal, { ...filter, status: DECLINED })]);
            return { account, approved, declined };
        }),
    );
}

function Processors({ now }: { now: Date }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.home;
    const { user } = useSession();
    const start = startOfDay(PERIODS.week, now);
    const read = useRead(['home', 'processors', start], (client, signal) => readHealth(client, user.merchant_id, start, signal));
    const numbers = new Intl.NumberFormat(locale);
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
    const shown = (count: number | undefined): string => (count === undefined ? texts.common.none : counted(count, numbers));
    const columns: readonly Column<Health>[] = [
        {
            name: t.account,
            cell: ({ account }) => (
                <Link className="row-link" href={address`/payments?account=${account.merchant_connector_id}`}>
                    <Foreign longest={60}>{account.connector_label ?? account.connector_name}</Foreign>
                </Link>
            ),
        },
        { name: t.state, cell: ({ account }) => <State account={account} /> },
        { name: texts.common.processor, from: 'wide', cell: ({ account }) => account.connector_name },
        { name: t.approved, from: 'medium', isNumber: true, cell: ({ approved }) => shown(approved) },
        { name: t.declined, from: 'medium', isNumber: true, cell: ({ declined }) => shown(declined) },
        {
            name: t.rate,
            isNumber: true,
            cell: ({ approved, declined }) => {
                const isKnown = approved !== undefined && declined !== undefined && approved < MANY && declined < MANY;
                const rate = isKnown ? rateOf(approved, declined) : undefined;
                return rate === undefined ? <span className="none">{texts.common.none}</span> : percent.format(rate / 100);
            },
        },
    ];
    return (
        <Section title={t.processors} hint={t.periods.week}>
            <ReadStatus read={read} />
            {read.data?.length === 0 ? <p className="hint">{t.processorsNone}</p> : null}
            {read.data && read.data.length > 0 ? <Table caption={t.processors} columns={columns} rows={read.data} keyOf={({ account }) => account.merchant_connector_id} /> : null}
        </Section>
    );
}

function Endpoints(): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.home;
    const { user } = useSession();
    const mayList = useMay('business_profiles_list');
    const read = useRead(['profiles'], (client, signal) => businessProfilesList(client, user.merchant_id, { signal }), { enabled: mayList });
    if (!mayList) return null;
    const endpoints = (read.data ?? []).filter((profile) => profile.webhook_details?.webhook_url);
    const tones = { active: 'good', failing: 'warn', paused: 'bad' } as const;
    const numbers = new Intl.NumberFormat(locale);
    const columns: readonly Column<(typeof endpoints)[number]>[] = [
        { name: texts.shell.profile, cell: (one) => <Foreign longest={60}>{one.profile_name}</Foreign> },
        { name: t.state, cell: (one) => <Badge tone={tones[one.webhook_delivery.state] ?? 'calm'}>{t[one.webhook_delivery.state] ?? one.webhook_delivery.state}</Badge> },
        { name: t.endpoint, from: 'medium', cell: (one) => <bdi className="mono break">{one.webhook_details?.webhook_url?.slice(0, 120)}</bdi> },
        { name: t.failures, isNumber: true, cell: (one) => numbers.format(one.webhook_delivery.failures) },
        { name: t.since, from: 'wide', cell: (one) => <Moment>{one.webhook_delivery.paused_at ?? one.webhook_delivery.failing_since}</Moment> },
    ];
    return (
        <Section title={t.deliveries}>
            <ReadStatus read={read} />
            {read.data && endpoints.length === 0 ? <p className="hint">{t.deliveriesNone}</p> : null}
            {endpoints.length > 0 ? <Table caption={t.deliveries} columns={columns} rows={endpoints} keyOf={(one) => one.profile_id} /> : null}
        </Section>
    );
}
