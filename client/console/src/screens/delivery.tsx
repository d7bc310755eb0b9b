import { useQueryClient } from '@tanstack/react-query';
import { type DeliveryAttempt, eventsAttempts, eventsRetry, NotFoundError } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { ActionDialog, useAction } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { Code } from '../ui/code.tsx';
import { useTell } from '../ui/notices.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { Badge, Foreign, Id, Moment } from '../ui/text.tsx';
import { Delivered } from './deliveries.tsx';

export function Screen({ id }: { id: string }): ReactNode {
    const texts = useTexts();
    const t = texts.deliveries;
    const { user } = useSession();
    const mayRetry = useMay('events_retry');
    const [retrying, setRetrying] = useState<string>();
    const read = useRead(['attempts', id], (client, signal) => eventsAttempts(client, user.merchant_id, id, { signal }));
    const latest = read.data?.[0];
    const name = latest ? wordOf(texts.words.event, latest.event_type) : t.event;
    return (
        <Page
            name={name}
            title={
                <span className="title-row">
                    {name}
                    {latest ? <Delivered isDelivered={latest.is_delivery_successful} /> : null}
                </span>
            }
            lead={<Id>{id}</Id>}
            back={['/deliveries', texts.nav.deliveries]}
            actions={
                <>
                    <Button onPress={() => void read.refetch()}>{texts.common.refresh}</Button>
                    {mayRetry && latest ? (
                        <Button look="primary" onPress={() => setRetrying(id)}>
                            {t.retry}
                        </Button>
                    ) : null}
                </>
            }
        >
            {read.isPending ? <Loading /> : null}
            {read.error instanceof NotFoundError ? <Empty title={texts.errors.missingTitle}>{texts.errors.missing}</Empty> : null}
            {read.isError && !(read.error instanceof NotFoundError) ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
            {read.data && latest ? <Detail attempts={read.data} latest={latest} onRetry={mayRetry ? setRetrying : undefined} /> : null}
            {retrying ? <RetryDialog id={retrying} onClose={() => setRetrying(undefined)} /> : null}
        </Page>
    );
}

/** Returns whether an attempt was recorded without sending anything, because the profile has no endpoint. */
function isUnsent({ request, response }: DeliveryAttempt): boolean {
    return response.status_code === null && response.error_message === null && request.headers.length === 0;
}

/** Returns the screen of an event's object, if there is one. */
function screenOf(attempt: DeliveryAttempt): string | undefined {
    const id = attempt.object_id;
    if (attempt.event_class === 'payments') return address`/payments/${id}`;
    if (attempt.event_class === 'refunds') return address`/refunds?refund_id=${id}`;
    if (attempt.event_class === 'disputes') return address`/disputes/${id}`;
    return undefined;
}

type Retry = ((id: string) => void) | undefined;

function Detail({ attempts, latest, onRetry }: { attempts: readonly DeliveryAttempt[]; latest: DeliveryAttempt; onRetry: Retry }): ReactNode {
    const texts = useTexts();
    const t = texts.deliveries;
    const to = screenOf(latest);
    const object = <bdi className="mono">{latest.object_id}</bdi>;
    const isSent = latest.is_delivery_successful !== null;
    return (
        <div className="split">
            <Section title={t.attempts}>
                {isSent ? (
                    attempts.map((attempt, index) => <Attempt key={attempt.event_id} attempt={attempt} number={attempts.length - index} isOpen={index === 0} onRetry={onRetry} />)
                ) : (
                    <>
                        <p className="alert info">{t.neverSent}</p>
                        <h3>{t.body}</h3>
                        <Code label={t.body}>{latest.request.body}</Code>
                    </>
                )}
            </Section>
            <div className="sidebar-facts">
                <Section title={texts.common.details}>
                    <Facts
                        pairs={[
                            [t.object, to ? <Link key="object" href={to}>{object}</Link> : object],
                            [t.classes, wordOf(texts.words.eventClass, latest.event_class)],
                            [texts.payment.profile, <Id key="profile">{latest.profile_id}</Id>],
                        ]}
                    />
                </Section>
            </div>
        </div>
    );
}

function Attempt({ attempt, number, isOpen, onRetry }: { attempt: DeliveryAttempt; number: number; isOpen: boolean; onRetry: Retry }): ReactNode {
    const texts = useTexts();
    const t = texts.deliveries;
    const { response, request } = attempt;
    const status = response.status_code;
    return (
        <details className="attempt" open={isOpen}>
            <summary>
                <strong>{t.attempt(number)}</strong>
                {isUnsent(attempt) ? <Badge tone="calm">{t.unsent}</Badge> : <Badge tone={status !== null && status < 300 ? 'good' : 'bad'}>{status ?? t.noAnswer}</Badge>}
                <span className="small">{attempt.delivery_attempt ? wordOf(t.kinds, attempt.delivery_attempt) : ''}</span>
                <Moment>{attempt.created}</Moment>
            </summary>
            {attempt.webhook_endpoint_id ? (
                <p>
                    {t.endpoint}: <Id>{attempt.webhook_endpoint_id}</Id>{' '}
                    {onRetry ? (
                        <Button size="small" onPress={() => onRetry(attempt.event_id)}>
                            {t.retryThere}
                        </Button>
                    ) : null}
                </p>
            ) : null}
            {response.error_message ? (
                <p className="alert bad">
                    <Foreign>{response.error_message}</Foreign>
                </p>
            ) : null}
            <Headers name={`${t.request}: ${t.headers}`} headers={request.headers} />
            <h3>{t.request}</h3>
            <Code label={`${t.attempt(number)}: ${t.request}`}>{request.body}</Code>
            {response.headers ? <Headers name={`${t.response}: ${t.headers}`} headers={response.headers} /> : null}
            {response.body !== null ? (
                <>
                    <h3>{t.response}</h3>
                    <Code label={`${t.attempt(number)}: ${t.response}`}>{response.body}</Code>
                </>
            ) : null}
        </details>
    );
}

function Headers({ name, headers }: { name: string; headers: readonly (readonly [string, string])[] }): ReactNode {
    if (headers.length === 0) return null;
    return (
        <>
            <h3>{name}</h3>
            <dl className="headers">
                {headers.map(([key, value], index) => (
                    <div key={`${key} ${index}`}>
                        <dt className="mono">{key}</dt>
                        <dd className="mono">
                            <Foreign>{value}</Foreign>
                        </dd>
                    </div>
                ))}
            </dl>
        </>
    );
}

function RetryDialog({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
    const t = useTexts().deliveries;
    const { client, user } = useSession();
    const tell = useTell();
    const store = useQueryClient();
    const action = useAction(async () => {
        const attempt = await eventsRetry(client, user.merchant_id, id);
        const status = attempt.response.status_code;
        if (status !== null && status < 300) tell(t.arrived(status));
        else if (isUnsent(attempt)) tell(t.nowhere, 'warn');
        else tell(status === null ? t.notArrived : `${t.notArrived} ${t.arrived(status)}`, 'bad');
        onClose();
        await store.invalidateQueries();
    });
    return <ActionDialog title={t.retryTitle} consequence={t.retryConsequence} submit={t.retrySubmit} action={action} onClose={onClose} />;
}
