import { type Invoice, NotFoundError, type Subscription, subscriptionItemPricesRetrieve, subscriptionItemsRetrieve, userSubscriptionsListInvoices, userSubscriptionsRetrieve } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { may, type Operation } from '../api/roles.ts';
import { useNow } from '../api/use_now.ts';
import { address } from '../format/address.ts';
import { money } from '../format/money.ts';
import { moment } from '../format/time.ts';
import { ProfileName } from '../shell/profile_name.tsx';
import { useRead, useSession } from '../shell/session.tsx';
import { actionsOf, type InvoiceAction, invoiceActionsOf, isCreditRefundable, planOf, type SubscriptionAction, withdraws } from '../subscriptions/actions.ts';
import { SubscriptionDialog } from '../subscriptions/dialogs.tsx';
import { usePrice } from '../subscriptions/price.ts';
import { CreditDialog, InvoiceDialog } from '../subscriptions/settle_dialogs.tsx';
import { useSpoken, useTexts, wordOf } from '../texts/index.tsx';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading, ReadStatus } from '../ui/states.tsx';
import { Badge, Foreign, Id, Moment, Money } from '../ui/text.tsx';
import { invoiceTone, refundTone, subscriptionTone } from '../ui/tones.ts';

/** The most invoices of the timeline. */
const MOST = 100;
const LOOKS: Readonly<Record<SubscriptionAction, NonNullable<ButtonProps['look']>>> = { change: 'primary', resume: 'primary', pause: 'plain', cancel: 'danger' };

export function Screen({ id }: { id: string }): ReactNode {
    const texts = useTexts();
    const name = texts.subscription.one;
    const read = useRead(['subscription', id], (client, signal) => userSubscriptionsRetrieve(client, id, { signal }), {
        again: (one) => (one?.invoice?.status === 'payment_pending' ? 5_000 : false),
    });
    if (read.data) return <Detail subscription={read.data} reread={() => void read.refetch()} />;
    return (
        <Page title={name} name={name} back={['/subscriptions', texts.nav.subscriptions]}>
            {read.isPending ? <Loading /> : null}
            {read.error instanceof NotFoundError ? <Empty title={texts.errors.missingTitle}>{texts.errors.missing}</Empty> : null}
            {read.isError && !(read.error instanceof NotFoundError) ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
        </Page>
    );
}

function Detail({ subscription, reread }: { subscription: Subscription; reread: () => void }): ReactNode {
    const texts = useTexts();
    const t = texts.subscription;
    const { user } = useSession();
    const { id, plan_id: planId, profile_id: profileId } = subscription;
    const [action, setAction] = useState<SubscriptionAction>();
    const [settling, setSettling] = useState<{ action: InvoiceAction; invoice: Invoice }>();
    const invoices = useRead(['subscription', id, 'invoices'], (client, signal) => userSubscriptionsListInvoices(client, id, { limit: MOST }, { signal }));
    // The catalogue may have another account meanwhile. The id says enough then.
    const plan = useRead(['catalogue', profileId, 'item', planId ?? ''], (client, signal) => subscriptionItemsRetrieve(client, planId ?? '', { signal, profileId }), { enabled: planId !== undefined });
    const name = plan.data?.name ?? planId ?? id;
    const isAllowed = (operation: Operation): boolean => may(user.role_id, operation);
    const actions = actionsOf(subscription, isAllowed);
    return (
        <Page
            name={name.slice(0, 60)}
            title={
                <span className="title-row">
                    <Foreign longest={80}>{name}</Foreign>
                    <Badge tone={subscriptionTone(subscription.status)}>{wordOf(texts.words.subscription, subscription.status)}</Badge>
                </span>
            }
            lead={<Id>{id}</Id>}
            back={['/subscriptions', texts.nav.subscriptions]}
            actions={
                <>
                    <Button
                        onPress={() => {
                            reread();
                            void invoices.refetch();
                        }}
                    >
                        {texts.common.refresh}
                    </Button>
                    {actions.map((one) => (
                        <Button key={one} look={LOOKS[one]} onPress={() => setAction(one)}>
                            {one === 'resume' && withdraws(subscription) ? texts.subscriptionActions.withdraw : texts.subscriptionActions[one]}
                        </Button>
                    ))}
                </>
            }
        >
            <Notes subscription={subscription} />
            <div className="split">
                <Section title={t.invoices} hint={t.invoicesHint}>
                    <ReadStatus read={invoices} />
                    {invoices.data?.length === 0 ? <p className="hint">{t.noInvoices}</p> : null}
                    <ol className="timeline">
                        {(invoices.data ?? []).map((invoice) => (
                            <Entry key={invoice.id} invoice={invoice} actions={invoiceActionsOf(invoice, subscription, isAllowed)} onAct={(one) => setSettling({ action: one, invoice })} />
                        ))}
                    </ol>
                    {(invoices.data?.length ?? 0) >= MOST ? <p className="hint">{t.cut(MOST)}</p> : null}
                </Section>
                <Details subscription={subscription} isRefundable={isCreditRefundable(subscription, isAllowed)} />
            </div>
            {settling ? <InvoiceDialog {...settling} onClose={() => setSettling(undefined)} /> : null}
            {action ? <SubscriptionDialog action={action} subscription={subscription} onClose={() => setAction(undefined)} /> : null}
        </Page>
    );
}

/** The plans of a subscription, and the reasons why it isn't billed. */
function Notes({ subscription }: { subscription: Subscription }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.subscription;
    const now = useNow();
    const { pausesAt, endsAt } = planOf(subscription);
    const notes = [
        ...(pausesAt ? [t.pauses(moment(pausesAt, locale, now))] : []),
        ...(endsAt ? [t.ends(moment(endsAt, locale, now))] : []),
        ...(subscription.status === 'paused' && subscription.next_billing_at ? [t.resumes(moment(subscription.next_billing_at, locale, now))] : []),
        ...(subscription.status === 'unpaid' ? [t.unpaid] : []),
    ];
    if (notes.length === 0) return null;
    return (
        <div className="alert warn" role="status">
            {notes.map((note) => (
                <p key={note}>{note}</p>
            ))}
        </div>
    );
}

/** One invoice of the timeline. */
function Entry({ invoice, actions, onAct }: { invoice: Invoice; actions: readonly InvoiceAction[]; onAct: (action: InvoiceAction) => void }): ReactNode {
    const texts = useTexts();
    const t = texts.subscription;
    const { currency, payment_intent_id: paymentId } = invoice;
    return (
        <li className={invoiceTone(invoice.status)}>
            <div className="happening">
                <p>
                    {t.number(invoice.number ?? 0)} <Money amount={invoice.amount} currency={currency} /> <Badge tone={invoiceTone(invoice.status)}>{wordOf(texts.words.invoice, invoice.status)}</Badge>
                </p>
                {invoice.period_start && invoice.period_end ? (
                    <p className="small">
                        <Moment>{invoice.period_start}</Moment> – <Moment>{invoice.period_end}</Moment>
                    </p>
                ) : null}
                {(invoice.lines ?? []).map((line, index) => (
                    <p key={index} className="small">
                        <Foreign longest={80}>{line.description}</Foreign> <Money amount={line.amount} currency={line.currency} />
                    </p>
                ))}
                {invoice.failure_reason ? (
                    <p className="small">
                        <Foreign>{invoice.failure_reason}</Foreign>
                    </p>
                ) : null}
                {invoice.next_attempt_at ? (
                    <p className="small">
                        {t.nextCharge} <Moment>{invoice.next_attempt_at}</Moment>
                    </p>
                ) : null}
                {paymentId ? (
                    <p className="small">
                        <Link href={address`/payments/${paymentId}`}>{texts.common.payment}</Link>
                        {(invoice.attempt_count ?? 0) > 1 ? ` ${t.tries(invoice.attempt_count ?? 0)}` : ''}
                    </p>
                ) : null}
                {actions.length > 0 ? (
                    <p className="title-row">
                        {actions.map((action) => (
                            <Button key={action} size="small" onPress={() => onAct(action)} label={`${texts.invoiceActions[action]}: ${t.number(invoice.number ?? 0)}`}>
                                {texts.invoiceActions[action]}
                            </Button>
                        ))}
                    </p>
                ) : null}
            </div>
            <Moment>{invoice.created_at}</Moment>
        </li>
    );
}

function Details({ subscription, isRefundable }: { subscription: Subscription; isRefundable: boolean }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.subscription;
    const [isRefunding, setRefunding] = useState(false);
    const say = usePrice();
    const { profile_id: profileId, item_price_id: priceId, invoice, refunds = [] } = subscription;
    const price = useRead(['catalogue', profileId, 'price', priceId ?? ''], (client, signal) => subscriptionItemPricesRetrieve(client, priceId ?? '', { signal, profileId }), { enabled: priceId !== undefined });
    const currency = price.data?.currency ?? invoice?.currency;
    const amount = (value: number | undefined): ReactNode => (value && currency ? <Money amount={value} currency={currency} /> : null);
    return (
        <div className="sidebar-facts">
            <Section
                title={t.one}
                actions={
                    isRefundable && currency ? (
                        <Button size="small" onPress={() => setRefunding(true)}>
                            {texts.invoiceActions.refund}
                        </Button>
                    ) : null
                }
            >
                <Facts
                    pairs={[
                        [texts.subscriptions.plan, subscription.plan_id ? <Foreign key="plan">{subscription.plan_id}</Foreign> : null],
                        [t.price, price.data ? say(price.data) : priceId ? <Foreign key="price">{priceId}</Foreign> : null],
                        [t.quantity, subscription.quantity === undefined ? null : String(subscription.quantity)],
                        [texts.subscriptions.next, subscription.next_billing_at ? <Moment key="next">{subscription.next_billing_at}</Moment> : null],
                        [
                            t.period,
                            subscription.current_period_start ? (
                                <span key="period">
                                    <Moment>{subscription.current_period_start}</Moment> – <Moment>{subscription.current_period_end}</Moment>
                                </span>
                            ) : null,
                        ],
                        [t.credit, amount(subscription.credit_amount)],
                        [t.owed, amount(subscription.owed_amount)],
                        [t.coupon, subscription.coupon_code ? <Foreign key="coupon">{subscription.coupon_code}</Foreign> : null],
                        [t.method, subscription.payment_method_id ? <Id key="method">{subscription.payment_method_id}</Id> : null],
                        [texts.subscriptions.reference, subscription.merchant_reference_id ? <Foreign key="reference">{subscription.merchant_reference_id}</Foreign> : null],
                        [t.reason, subscription.cancel_reason_code ? <Foreign key="reason">{subscription.cancel_reason_code}</Foreign> : null],
                        [
                            texts.common.customer,
                            <Link key="customer" href={address`/customers/${subscription.customer_id}`}>
                                <bdi className="mono">{subscription.customer_id}</bdi>
                            </Link>,
                        ],
                        [texts.shell.profile, <ProfileName key="profile" id={profileId} />],
                        [texts.common.created, <Moment key="created">{subscription.created_at}</Moment>],
                        [texts.common.changed, <Moment key="changed">{subscription.modified_at}</Moment>],
                    ]}
                />
            </Section>
            {isRefunding && currency ? <CreditDialog subscription={subscription} amount={money(subscription.credit_amount ?? 0, currency, locale)} onClose={() => setRefunding(false)} /> : null}
            {refunds.length > 0 && currency ? (
                <Section title={t.refunds}>
                    <ul className="plain-list">
                        {refunds.map((refund) => (
                            <li key={refund.refund_id}>
                                <Link href={address`/payments/${refund.payment_id}`}>
                                    <Money amount={refund.amount} currency={currency} />
                                </Link>{' '}
                                <Badge tone={refundTone(refund.status)}>{wordOf(texts.words.refund, refund.status)}</Badge>
                            </li>
                        ))}
                    </ul>
                </Section>
            ) : null}
        </div>
    );
}
