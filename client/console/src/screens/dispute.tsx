import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { type Dispute, disputesAccept, disputesRetrieve, disputesRetrieveEvidence, NotFoundError } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { withKey } from '../api/keys.ts';
import { useNow } from '../api/use_now.ts';
import { address } from '../format/address.ts';
import { money } from '../format/money.ts';
import { distance } from '../format/time.ts';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useSpoken, wordOf } from '../texts/index.tsx';
import { ActionDialog, useAction } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { useTell } from '../ui/notices.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading, Outdated, ReadStatus } from '../ui/states.tsx';
import { amountOf, Badge, Foreign, Id, Moment } from '../ui/text.tsx';
import { disputeTone } from '../ui/tones.ts';
import { DisputedMoney } from './disputes.tsx';
import { Evidence } from './evidence.tsx';

/** Returns whether a dispute can still be accepted or challenged. */
export function isOpen(dispute: Pick<Dispute, 'dispute_status' | 'dispute_stage'>): boolean {
    return ['dispute_opened', 'dispute_challenged'].includes(dispute.dispute_status) && dispute.dispute_stage !== 'dispute_reversal';
}

export function Screen({ id }: { id: string }): ReactNode {
    const { texts, locale } = useSpoken();
    const read = useRead(['dispute', id], (client, signal) => disputesRetrieve(client, id, undefined, { signal }));
    const dispute = read.data;
    const amount = dispute && amountOf(dispute.amount);
    const name = dispute ? texts.dispute.title(amount === undefined ? dispute.amount : money(amount, dispute.currency, locale)) : texts.disputes.title;
    if (dispute) return <Detail dispute={dispute} name={name} read={read} />;
    return (
        <Page title={name} name={name} back={['/disputes', texts.nav.disputes]}>
            {read.isPending ? <Loading /> : null}
            {read.isError ? read.error instanceof NotFoundError ? <Empty title={texts.errors.missingTitle}>{texts.errors.missing}</Empty> : <Failure error={read.error} retry={() => void read.refetch()} /> : null}
        </Page>
    );
}

function Detail({ dispute, name, read }: { dispute: Dispute; name: string; read: UseQueryResult<Dispute> }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.dispute;
    const store = useQueryClient();
    const mayAccept = useMay('disputes_accept');
    const [isAccepting, setAccepting] = useState(false);
    const evidence = useRead(['evidence', dispute.dispute_id], (client, signal) => disputesRetrieveEvidence(client, dispute.dispute_id, { signal }));
    const now = useNow();
    const due = dispute.dispute_status === 'dispute_opened' ? dispute.challenge_required_by : null;
    const isLate = due !== null && Date.parse(due) < now;
    return (
        <Page
            name={name}
            title={
                <span className="title-row">
                    <DisputedMoney dispute={dispute} />
                    <Badge tone={disputeTone(dispute.dispute_status)}>{wordOf(texts.words.dispute, dispute.dispute_status)}</Badge>
                </span>
            }
            lead={<Id>{dispute.dispute_id}</Id>}
            back={['/disputes', texts.nav.disputes]}
            actions={
                <>
                    <Button
                        onPress={() => {
                            void read.refetch();
                            void evidence.refetch();
                        }}
                    >
                        {texts.common.refresh}
                    </Button>
                    {mayAccept && isOpen(dispute) ? (
                        <Button look="danger" onPress={() => setAccepting(true)}>
                            {t.accept}
                        </Button>
                    ) : null}
                </>
            }
        >
            <Outdated read={read} />
            {due ? (
                <p className={`alert ${isLate ? 'bad' : 'warn'}`}>
                    <strong>{isLate ? t.overdue(distance(due, locale, now)) : t.dueIn(distance(due, locale, now))}</strong> <Moment>{due}</Moment> {isLate ? t.overdueHint : ''}
                </p>
            ) : null}
            {dispute.is_already_refunded ? <p className="alert bad">{t.refundedTwice}</p> : null}
            <div className="split">
                <div>
                    <ReadStatus read={evidence} />
                    {evidence.data ? <Evidence dispute={dispute} evidence={evidence.data} /> : null}
                </div>
                <div className="sidebar-facts">
                    <Section title={texts.common.details}>
                        <Facts
                            pairs={[
                                [
                                    texts.common.payment,
                                    <Link key="payment" href={address`/payments/${dispute.payment_id}`}>
                                        <bdi className="mono">{dispute.payment_id}</bdi>
                                    </Link>,
                                ],
                                [t.attempt, <Id key="attempt">{dispute.attempt_id}</Id>],
                                [texts.disputes.stage, wordOf(texts.words.stage, dispute.dispute_stage)],
                                [texts.common.reason, dispute.connector_reason ? <Foreign key="reason">{dispute.connector_reason}</Foreign> : null],
                                [t.reasonCode, dispute.connector_reason_code ? <Foreign key="code">{dispute.connector_reason_code}</Foreign> : null],
                                [texts.common.processor, <Foreign key="processor">{dispute.connector}</Foreign>],
                                [t.processorStatus, <Foreign key="status">{dispute.connector_status}</Foreign>],
                                [t.processorId, <Id key="id">{dispute.connector_dispute_id}</Id>],
                                [t.opened, dispute.connector_created_at ? <Moment key="opened">{dispute.connector_created_at}</Moment> : null],
                                [t.learned, <Moment key="learned">{dispute.created_at}</Moment>],
                            ]}
                        />
                    </Section>
                </div>
            </div>
            {isAccepting ? (
                <AcceptDialog
                    dispute={dispute}
                    onClose={() => setAccepting(false)}
                    onDone={() => {
                        setAccepting(false);
                        void store.invalidateQueries();
                    }}
                />
            ) : null}
        </Page>
    );
}

function AcceptDialog({ dispute, onClose, onDone }: { dispute: Dispute; onClose: () => void; onDone: () => void }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.dispute;
    const { client } = useSession();
    const tell = useTell();
    const amount = amountOf(dispute.amount);
    const action = useAction(async () => {
        const id = dispute.dispute_id;
        const answer = await withKey('disputes_accept', id, (idempotencyKey) => disputesAccept(client, id, { idempotencyKey }));
        if (answer.dispute_status === 'dispute_accepted') tell(t.accepted);
        else tell(t.acceptPending, 'info');
        onDone();
    });
    return (
        <ActionDialog
            title={t.acceptTitle}
            consequence={t.acceptConsequence(amount === undefined ? dispute.amount : money(amount, dispute.currency, locale))}
            submit={t.acceptSubmit}
            look="danger"
            action={action}
            onClose={onClose}
        />
    );
}
