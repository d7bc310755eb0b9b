import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { type Client, disputesList, eventsList, NotFoundError, type Payment, refundsList, type RequestLogEntry, requestLogList, userPaymentsRetrieve } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { clock } from '../api/clock.ts';
import { may } from '../api/roles.ts';
import { address } from '../format/address.ts';
import { money } from '../format/money.ts';
import { LinkSection } from '../links/section.tsx';
import { actionsOf, type PaymentAction } from '../payments/actions.ts';
import { PaymentDialog } from '../payments/dialogs.tsx';
import { rereadAfter } from '../payments/follow.ts';
import { RefundDialog } from '../payments/refund_dialog.tsx';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useSpoken, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading, Outdated } from '../ui/states.tsx';
import { Badge, Foreign, Id, Moment, Money } from '../ui/text.tsx';
import { paymentTone } from '../ui/tones.ts';
import { Method } from './method.tsx';
import { isOfStory, refundable, storyOf } from './story.ts';
import { Timeline } from './timeline.tsx';

/** The most events of one payment's timeline. */
const MOST = 50;
/** The most requests that one call lists. */
const PAGE = 100;
/** The milliseconds after which an undecided refund is read again. */
const SOON = 5000;

/** The looks of the buttons: the action that most people come for stands out. */
const LOOKS = { capture: 'primary', approve: 'primary', raise: 'plain', reject: 'danger', cancel: 'danger' } as const satisfies Readonly<Record<PaymentAction, string>>;

export function Screen({ id }: { id: string }): ReactNode {
    const { texts, locale } = useSpoken();
    const { payments } = texts.nav;
    const read = useRead(
        ['payment', id],
        (client, signal) => userPaymentsRetrieve(client, id, { expand_routing: true }, { signal }),
        { again: (payment) => (payment ? rereadAfter(payment, clock.now()) : false) },
    );
    const name = read.data ? texts.payment.title(money(read.data.amount, read.data.currency, locale)) : texts.common.payment;
    if (read.data) return <Detail payment={read.data} name={name} read={read} />;
    return (
        <Page title={name} name={name} back={['/payments', payments]}>
            {read.isPending ? <Loading /> : null}
            {read.isError && !(read.error instanceof NotFoundError) ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
            {read.error instanceof NotFoundError ? <Empty title={texts.errors.missingTitle}>{texts.errors.missing}</Empty> : null}
        </Page>
    );
}

/**
 * Reads the requests that changed a payment, newest first. All of them are POST, and one call lists them with few others: lists of
 * refunds, which this screen reads too.
 */
async function readRequests(client: Client, id: string, pages: number, signal: AbortSignal): Promise<{ entries: RequestLogEntry[]; hasMore: boolean }> {
    const all: RequestLogEntry[] = [];
    let hasMore = true;
    for (let page = 0; hasMore && page < pages; page += 1) {
        const before = all.at(-1)?.request_id;
        const list = await requestLogList(client, { payment_id: id, method: 'POST', limit: PAGE, ...(before ? { before } : {}) }, { signal });
        all.push(...list);
        hasMore = list.length >= PAGE;
    }
    return { entries: all.filter(isOfStory), hasMore };
}

function Detail({ payment, name, read }: { payment: Payment; name: string; read: UseQueryResult<Payment> }): ReactNode {
    const { texts } = useSpoken();
    const { user } = useSession();
    const store = useQueryClient();
    const mayRefund = useMay('refunds_create');
    const [isRefunding, setRefunding] = useState(false);
    const [action, setAction] = useState<PaymentAction>();
    const id = payment.payment_id;
    const refunds = useRead(['refunds', 'of', id], (client, signal) => refundsList(client, { payment_id: id, limit: 100 }, { signal }), {
        again: (list) => (list?.data.some((refund) => refund.status === 'pending') ? SOON : false),
    });
    const disputes = useRead(['disputes', 'of', id], (client, signal) => disputesList(client, { payment_id: id, limit: 100 }, { signal }));
    // A payment that changed has news.
    const news = ['of', id, payment.modified_at] as const;
    const events = useRead(['events', ...news], (client, signal) => eventsList(client, user.merchant_id, { object_id: id, limit: MOST }, { signal }), { keep: true });
    const [pages, setPages] = useState(1);
    const requests = useRead(['requests', ...news, pages], (client, signal) => readRequests(client, id, pages, signal), { keep: true });
    const actions = actionsOf(payment, (operation) => may(user.role_id, operation));
    const left = refundable(payment, refunds.data?.data ?? []);
    const all = [refunds, disputes, events, requests];
    return (
        <Page
            name={name}
            title={
                <span className="title-row">
                    <Money amount={payment.amount} currency={payment.currency} />
                    <Badge tone={paymentTone(payment.status)}>{wordOf(texts.words.payment, payment.status)}</Badge>
                </span>
            }
            lead={<Id>{id}</Id>}
            back={['/payments', texts.nav.payments]}
            actions={
                <>
                    <Button
                        onPress={() => {
                            void read.refetch();
                            for (const one of all) void one.refetch();
                        }}
                    >
                        {texts.common.refresh}
                    </Button>
                    {actions.map((one) => (
                        <Button key={one} look={LOOKS[one]} onPress={() => setAction(one)}>
                            {texts.paymentActions[one]}
                        </Button>
                    ))}
                    {mayRefund && refunds.isSuccess && left > 0 ? (
                        <Button look="primary" onPress={() => setRefunding(true)}>
                            {texts.payment.refund}
                        </Button>
                    ) : null}
                </>
            }
        >
            <Outdated read={read} />
            {payment.status === 'requires_merchant_action' ? <Held payment={payment} /> : null}
            {payment.error_code ? (
                <div className="alert bad">
                    <strong>
                        {texts.payment.failure}: <Foreign longest={80}>{payment.error_code}</Foreign>
                    </strong>
                    <p>
                        <Foreign>{payment.error_message}</Foreign>
                    </p>
                    {payment.unified_message ? (
                        <p className="small">
                            {texts.payment.unified}: <Foreign>{payment.unified_message}</Foreign>
                        </p>
                    ) : null}
                    {payment.issuer_error_code ? (
                        <p className="small">
                            {texts.payment.issuerSays}: <Foreign>{payment.issuer_error_code}</Foreign> <Foreign>{payment.issuer_error_message}</Foreign>
                        </p>
                    ) : null}
                </div>
            ) : null}
            <div className="split">
                <Section title={texts.payment.story} hint={texts.payment.storyHint}>
                    {all.some((one) => one.isPending) ? <Loading /> : null}
                    {all.some((one) => one.isError) ? (
                        <p className="alert warn" role="status">
                            {texts.payment.partial}
                        </p>
                    ) : null}
                    <Timeline happenings={storyOf({ payment, refunds: refunds.data?.data, disputes: disputes.data, events: events.data?.events, requests: requests.data?.entries })} currency={payment.currency} amount={payment.amount} />
                    {(events.data?.total_count ?? 0) > MOST ? <p className="hint">{texts.payment.cut(MOST)}</p> : null}
                    {requests.data?.hasMore ? (
                        <p className="hint">
                            {texts.payment.moreRequests}{' '}
                            <Button size="small" isPending={requests.isFetching} onPress={() => setPages(pages + 1)}>
                                {texts.payment.readMore}
                            </Button>
                        </p>
                    ) : null}
                </Section>
                <Details payment={payment} />
            </div>
            {action ? <PaymentDialog action={action} payment={payment} onClose={() => setAction(undefined)} /> : null}
            {isRefunding ? (
                <RefundDialog
                    payment={payment}
                    left={left}
                    onClose={() => setRefunding(false)}
                    onDone={() => {
                        setRefunding(false);
                        void store.invalidateQueries();
                    }}
                />
            ) : null}
        </Page>
    );
}

/** The reason for which a processor holds a payment, beside the buttons that decide about it. */
function Held({ payment }: { payment: Payment }): ReactNode {
    const { texts } = useSpoken();
    const reported: Readonly<Record<string, unknown>> = payment.frm_message?.frm_reason ?? {};
    const reason = [reported['code'], reported['message']].filter((one) => typeof one === 'string' && one !== '').join(': ');
    return (
        <div className="alert warn">
            <strong>{texts.payment.held}</strong>
            {reason ? (
                <p>
                    {texts.common.reason}: <Foreign>{reason}</Foreign>
                </p>
            ) : null}
        </div>
    );
}

function Details({ payment }: { payment: Payment }): ReactNode {
    const { texts } = useSpoken();
    const t = texts.payment;
    const { currency, state_metadata: state, customer } = payment;
    const card = payment.payment_method_data?.card;
    const metadata = Object.entries(payment.metadata ?? {});
    const email = customer?.email ?? payment.email;
    return (
        <div className="sidebar-facts">
            <Section title={t.summary}>
                <Facts
                    pairs={[
                        [t.total, payment.net_amount === payment.amount ? null : <Money key="total" amount={payment.net_amount} currency={currency} />],
                        [t.received, payment.amount_received ? <Money key="received" amount={payment.amount_received} currency={currency} /> : null],
                        [t.refunded, state?.total_refunded_amount ? <Money key="refunded" amount={state.total_refunded_amount} currency={currency} /> : null],
                        [t.disputed, state?.total_disputed_amount ? <Money key="disputed" amount={state.total_disputed_amount} currency={currency} /> : null],
                        [t.capturable, payment.amount_capturable && payment.connector ? <Money key="capturable" amount={payment.amount_capturable} currency={currency} /> : null],
                        [t.captureMethod, payment.capture_method ? wordOf(texts.words.capture, payment.capture_method) : null],
                        [t.captureBefore, payment.capture_before ? <Moment key="before">{payment.capture_before}</Moment> : null],
                        [t.order, payment.merchant_order_reference_id ? <Foreign key="order">{payment.merchant_order_reference_id}</Foreign> : null],
                        [texts.common.description, payment.description ? <Foreign key="description">{payment.description}</Foreign> : null],
                        [t.cancellation, payment.cancellation_reason ? <Foreign key="cancellation">{payment.cancellation_reason}</Foreign> : null],
                        [t.profile, payment.profile_id ? <Id key="profile">{payment.profile_id}</Id> : null],
                        [texts.common.created, <Moment key="created">{payment.created}</Moment>],
                        [texts.common.changed, <Moment key="changed">{payment.modified_at}</Moment>],
                    ]}
                />
            </Section>
            <LinkSection payment={payment} />
            {payment.payment_method ? (
                <Section title={t.instrument}>
                    <Facts
                        pairs={[
                            [payment.payment_method === 'card' ? t.card : texts.payments.method, <Method key="method" payment={payment} />],
                            [t.expiry, card?.card_exp_month && card.card_exp_year ? `${card.card_exp_month}/${card.card_exp_year}` : null],
                            [t.holder, card?.card_holder_name ? <Foreign key="holder">{card.card_holder_name}</Foreign> : null],
                            [t.issuer, card?.card_issuer ? <Foreign key="issuer">{card.card_issuer}</Foreign> : null],
                            [t.threeDs, payment.authentication_type ? wordOf(texts.words.authentication, payment.authentication_type) : null],
                        ]}
                    />
                </Section>
            ) : null}
            {payment.connector ? (
                <Section title={t.processing}>
                    <Facts
                        pairs={[
                            [texts.common.processor, <Foreign key="connector">{payment.connector}</Foreign>],
                            [t.account, payment.merchant_connector_id ? <Id key="account">{payment.merchant_connector_id}</Id> : null],
                            [t.attempts, String(payment.attempt_count)],
                            [t.transaction, payment.connector_transaction_id ? <Id key="transaction">{payment.connector_transaction_id}</Id> : null],
                            [t.reference, payment.reference_id ? <Id key="reference">{payment.reference_id}</Id> : null],
                            [t.statement, payment.statement_descriptor_name ? <Foreign key="statement">{payment.statement_descriptor_name}</Foreign> : null],
                        ]}
                    />
                </Section>
            ) : null}
            <Section title={t.people}>
                {payment.customer_id || email || customer?.name ? (
                    <Facts
                        pairs={[
                            [
                                texts.common.id,
                                payment.customer_id ? (
                                    <Link key="customer" href={address`/customers/${payment.customer_id}`}>
                                        <bdi className="mono">{payment.customer_id}</bdi>
                                    </Link>
                                ) : null,
                            ],
                            [t.name, customer?.name ? <Foreign key="name">{customer.name}</Foreign> : null],
                            [t.email, email ? <Foreign key="email">{email}</Foreign> : null],
                            [t.phone, customer?.phone ? <Foreign key="phone">{customer.phone}</Foreign> : null],
                        ]}
                    />
                ) : (
                    <p className="hint">{texts.common.guest}</p>
                )}
            </Section>
            {metadata.length > 0 ? (
                <Section title={t.metadata}>
                    <dl className="facts">
                        {metadata.slice(0, 50).map(([key, value]) => (
                            <div key={key}>
                                <dt>
                                    <Foreign longest={60}>{key}</Foreign>
                                </dt>
                                <dd>
                                    <Foreign>{typeof value === 'string' ? value : JSON.stringify(value)}</Foreign>
                                </dd>
                            </div>
                        ))}
                    </dl>
                </Section>
            ) : null}
        </div>
    );
}
