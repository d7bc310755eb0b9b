import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { money } from '../format/money.ts';
import { useSpoken, wordOf } from '../texts/index.tsx';
import { amountOf, Badge, Foreign, Moment, type Tone } from '../ui/text.tsx';
import { answerTone, attemptTone, deliveryTone, disputeTone, refundTone } from '../ui/tones.ts';
import { Attempt } from './attempt.tsx';
import type { Happening } from './story.ts';

/** The story of a payment as a list in the order of time. */
export function Timeline({ happenings, amount, currency }: { happenings: readonly Happening[]; amount: number; currency: string }): ReactNode {
    return (
        <ol className="timeline">
            {happenings.map((happening, index) => (
                <li key={`${happening.kind} ${happening.at} ${index}`} className={toneOf(happening)}>
                    <Entry happening={happening} amount={amount} currency={currency} />
                    <Moment>{happening.at}</Moment>
                </li>
            ))}
        </ol>
    );
}

function toneOf(happening: Happening): Tone {
    switch (happening.kind) {
        case 'created':
            return 'calm';
        case 'failed':
            return 'bad';
        case 'attempt':
            return attemptTone(happening.attempt.status);
        case 'refund':
            return refundTone(happening.refund.status);
        case 'dispute':
        case 'deadline':
            return disputeTone(happening.dispute.dispute_status);
        case 'event':
            return /failed|expired|lost|opened/.test(happening.event.event_type) ? 'bad' : 'info';
        case 'request':
            return answerTone(happening.request.status) === 'good' ? 'calm' : answerTone(happening.request.status);
    }
}

function Entry({ happening, amount, currency }: { happening: Happening; amount: number; currency: string }): ReactNode {
    const { texts, locale } = useSpoken();
    const said = texts.payment.happened;
    switch (happening.kind) {
        case 'created':
            return <p className="happening">{said.created(money(amount, currency, locale))}</p>;
        case 'failed':
            return <p className="happening">{said.failed}</p>;
        case 'attempt':
            return <Attempt attempt={happening.attempt} />;
        case 'refund': {
            const { refund } = happening;
            return (
                <div className="happening">
                    <p>
                        {said.refund(money(refund.amount, refund.currency, locale))} <Badge tone={refundTone(refund.status)}>{wordOf(texts.words.refund, refund.status)}</Badge>
                    </p>
                    <p className="small">
                        <bdi className="mono">{refund.refund_id}</bdi>
                    </p>
                    {refund.reason ? (
                        <p className="small">
                            {texts.common.reason}: <Foreign>{refund.reason}</Foreign>
                        </p>
                    ) : null}
                    {refund.error_code ? (
                        <p className="small">
                            <Foreign>{refund.error_code}</Foreign>: <Foreign>{refund.error_message}</Foreign>
                        </p>
                    ) : null}
                </div>
            );
        }
        case 'dispute':
        case 'deadline': {
            const { dispute } = happening;
            const disputed = amountOf(dispute.amount);
            return (
                <p className="happening">
                    <Link href={address`/disputes/${dispute.dispute_id}`}>
                        {happening.kind === 'deadline' ? said.deadline : said.dispute(disputed === undefined ? dispute.amount : money(disputed, dispute.currency, locale))}
                    </Link>{' '}
                    {happening.kind === 'dispute' ? <Badge tone={disputeTone(dispute.dispute_status)}>{wordOf(texts.words.dispute, dispute.dispute_status)}</Badge> : null}
                </p>
            );
        }
        case 'event': {
            const { event } = happening;
            const { is_delivery_successful: isDelivered } = event;
            return (
                <p className="happening">
                    <Link href={address`/deliveries/${event.event_id}`}>{wordOf(texts.words.event, event.event_type)}</Link>{' '}
                    <Badge tone={deliveryTone(isDelivered)}>{isDelivered === null ? texts.payment.unsent : isDelivered ? texts.payment.delivered : texts.payment.undelivered}</Badge>
                </p>
            );
        }
        case 'request': {
            const { request } = happening;
            return (
                <p className="happening">
                    <Link href={address`/requests/${request.request_id}`}>{said.request(request.operation)}</Link>{' '}
                    <span className="small">
                        {said.by(wordOf(texts.payment.callers, request.caller))}, {texts.payment.answered(request.status)}
                        {request.error_code ? ` ${request.error_code}` : ''}
                    </span>
                </p>
            );
        }
    }
}
