import { NotFoundError, type RequestLogEntry, requestLogRetrieve } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { useRead } from '../shell/session.tsx';
import { useSpoken, useTexts, wordOf } from '../texts/index.tsx';
import { Code } from '../ui/code.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { Badge, Foreign, Id, Moment } from '../ui/text.tsx';
import { answerTone } from '../ui/tones.ts';

export function Screen({ id }: { id: string }): ReactNode {
    const texts = useTexts();
    const read = useRead(['request', id], (client, signal) => requestLogRetrieve(client, id, { signal }));
    const name = read.data?.operation ?? texts.requests.title;
    return (
        <Page title={<span className="mono">{name}</span>} name={name} lead={<Id>{id}</Id>} back={['/requests', texts.nav.requests]}>
            {read.isPending ? <Loading /> : null}
            {read.error instanceof NotFoundError ? <Empty title={texts.errors.missingTitle}>{texts.errors.missing}</Empty> : null}
            {read.isError && !(read.error instanceof NotFoundError) ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
            {read.data ? <Detail request={read.data} /> : null}
        </Page>
    );
}

function Detail({ request }: { request: RequestLogEntry }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.requests;
    return (
        <div className="split">
            <div>
                <Body title={t.sent} text={request.request_body} isCut={request.request_body_cut} />
                <Body title={t.received} text={request.answer_body} isCut={request.answer_body_cut} />
            </div>
            <div className="sidebar-facts">
                <Section title={texts.common.details}>
                    <Facts
                        pairs={[
                            [
                                t.answer,
                                <Badge key="answer" tone={answerTone(request.status)}>
                                    {request.status}
                                </Badge>,
                            ],
                            [t.error, request.error_code],
                            [t.path, <bdi key="path" className="mono break">{`${request.method} ${request.path}`}</bdi>],
                            [t.time, <Moment key="time">{request.requested_at}</Moment>],
                            [t.duration, t.ms(new Intl.NumberFormat(locale).format(request.duration_ms))],
                            [t.caller, wordOf(t.callers, request.caller)],
                            [texts.common.id, request.caller_id ? <Id key="caller">{request.caller_id}</Id> : null],
                            [
                                texts.common.payment,
                                request.payment_id ? (
                                    <Link key="payment" href={address`/payments/${request.payment_id}`}>
                                        <bdi className="mono">{request.payment_id}</bdi>
                                    </Link>
                                ) : null,
                            ],
                            [t.object, request.object_id && request.object_id !== request.payment_id ? <Id key="object">{request.object_id}</Id> : null],
                            [t.key, request.idempotency_key ? <Foreign key="key">{request.idempotency_key}</Foreign> : null],
                            [t.agent, request.user_agent ? <Foreign key="agent">{request.user_agent}</Foreign> : null],
                        ]}
                    />
                </Section>
            </div>
        </div>
    );
}

function Body({ title, text, isCut }: { title: string; text: string | null; isCut: boolean }): ReactNode {
    const t = useTexts().requests;
    return (
        <Section title={title} hint={isCut ? t.cut : undefined}>
            {text ? <Code label={title}>{text}</Code> : <p className="hint">{t.noBody}</p>}
        </Section>
    );
}
