import { useQueryClient } from '@tanstack/react-query';
import {
    type EventType,
    type WebhookEndpoint,
    webhookEndpointsCreate,
    webhookEndpointsDelete,
    webhookEndpointsReplay,
    webhookEndpointsTest,
    webhookEndpointsUpdate,
} from 'multirail';
import { type ReactNode, useState } from 'react';
import { useActionKey } from '../api/use_key.ts';
import { startOfDate } from '../format/time.ts';
import { useSession } from '../shell/session.tsx';
import { useSpoken, useTexts } from '../texts/index.tsx';
import { ActionDialog, useAction, useChecked } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { useChange } from '../ui/change.ts';
import { Check, Field } from '../ui/controls.tsx';
import { MemberError } from '../ui/members.tsx';
import { useTell } from '../ui/notices.tsx';
import { isStopped } from './endpoint.ts';
import { EVENT_CLASSES } from './event_classes.ts';

export interface EditDialogProps {
    profileId: string;
    /** Absent for a new endpoint. */
    endpoint?: WebhookEndpoint;
    onClose: () => void;
    onMade?: (secret: string) => void;
}

/** The dialog of a new endpoint, or of changes. */
export function EditDialog({ profileId, endpoint, onClose, onMade }: EditDialogProps): ReactNode {
    const texts = useTexts();
    const t = texts.endpoints;
    const { client, user } = useSession();
    const tell = useTell();
    const store = useQueryClient();
    const key = useActionKey();
    const [url, setUrl] = useState(endpoint?.webhook_url ?? '');
    const [note, setNote] = useState(endpoint?.description ?? '');
    const [types, setTypes] = useState<readonly string[]>(endpoint?.event_types ?? []);
    const [isChecked, checked] = useChecked();
    const action = useAction(async () => {
        const body = { webhook_url: url.trim(), description: note.trim(), event_types: types as EventType[] };
        await key.use(body, async (idempotencyKey) => {
            const options = { idempotencyKey };
            if (endpoint) {
                await webhookEndpointsUpdate(client, user.merchant_id, profileId, endpoint.webhook_endpoint_id, body, options);
                tell(t.saved);
                onClose();
            } else {
                const made = await webhookEndpointsCreate(client, user.merchant_id, profileId, body, options);
                onMade?.(made.secret);
            }
        });
        await store.invalidateQueries();
    });
    const words = Object.entries(texts.words.event);
    return (
        <ActionDialog
            title={endpoint ? t.editTitle : t.addTitle}
            consequence={endpoint ? undefined : t.addConsequence}
            submit={endpoint ? t.save : t.add}
            action={action}
            check={checked(url.trim() !== '')}
            onClose={onClose}
            size="roomy"
        >
            <Field label={t.url} name="webhook_url" autoFocus isRequired maxLength={2048} value={url} onChange={setUrl} hint={t.urlHint} error={isChecked && !url.trim() ? t.needUrl : undefined} />
            <Field label={t.note} name="description" maxLength={255} value={note} onChange={setNote} />
            <p className="hint">{t.eventsHint}</p>
            <MemberError member="event_types" />
            {EVENT_CLASSES.map(([name, beginnings]) => (
                <fieldset key={name} className="checks">
                    <legend>{texts.words.eventClass[name]}</legend>
                    {words
                        .filter(([word]) => beginnings.some((beginning) => word.startsWith(beginning)))
                        .map(([word, text]) => (
                            <Check key={word} label={text} value={types.includes(word)} onChange={(isOn) => setTypes(isOn ? [...types, word] : types.filter((one) => one !== word))} />
                        ))}
                </fieldset>
            ))}
        </ActionDialog>
    );
}

interface OneProps {
    endpoint: WebhookEndpoint;
    onClose: () => void;
}

export function ToggleDialog({ endpoint, onClose }: OneProps): ReactNode {
    const t = useTexts().endpoints;
    const { client, user } = useSession();
    const key = useActionKey();
    const stops = !isStopped(endpoint);
    const action = useChange(async () => {
        const body = { disabled: stops };
        await key.use(body, (idempotencyKey) => webhookEndpointsUpdate(client, user.merchant_id, endpoint.profile_id, endpoint.webhook_endpoint_id, body, { idempotencyKey }));
        return stops ? t.disabled : t.enabled;
    }, onClose);
    return (
        <ActionDialog
            title={stops ? t.disableTitle : t.enableTitle}
            consequence={stops ? t.disableConsequence : t.enableConsequence}
            submit={stops ? t.disable : endpoint.disabled ? t.enable : t.resume}
            action={action}
            onClose={onClose}
        >
            <Address endpoint={endpoint} />
        </ActionDialog>
    );
}

export function DeleteDialog({ endpoint, onClose }: OneProps): ReactNode {
    const t = useTexts().endpoints;
    const { client, user } = useSession();
    const action = useChange(async () => {
        await webhookEndpointsDelete(client, user.merchant_id, endpoint.profile_id, endpoint.webhook_endpoint_id);
        return t.deleted;
    }, onClose);
    return (
        <ActionDialog title={t.deleteTitle} consequence={t.deleteConsequence} submit={t.delete} look="danger" action={action} onClose={onClose}>
            <Address endpoint={endpoint} />
        </ActionDialog>
    );
}

export function TestDialog({ endpoint, onClose }: OneProps): ReactNode {
    const texts = useTexts();
    const t = texts.endpoints;
    const { client, user } = useSession();
    const tell = useTell();
    const action = useAction(async () => {
        const sent = await webhookEndpointsTest(client, user.merchant_id, endpoint.profile_id, endpoint.webhook_endpoint_id);
        const status = sent.response.status_code;
        if (sent.is_delivery_successful && status !== null) tell(texts.deliveries.arrived(status));
        else tell(status === null ? texts.deliveries.notArrived : `${texts.deliveries.notArrived} ${texts.deliveries.arrived(status)}`, 'bad');
        onClose();
    });
    return (
        <ActionDialog title={t.testTitle} consequence={t.testConsequence} submit={t.testSubmit} action={action} onClose={onClose}>
            <Address endpoint={endpoint} />
        </ActionDialog>
    );
}

/** The most events of one replay, by the contract. */
const REPLAYED_AT_MOST = 10_000;

export function ReplayDialog({ endpoint, onClose }: OneProps): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.endpoints;
    const { client, user } = useSession();
    const key = useActionKey();
    // A count must not close the key of a replay whose outcome is unknown.
    const countKey = useActionKey();
    const [day, setDay] = useState('');
    const [isFailedOnly, setFailedOnly] = useState(false);
    const [isChecked, checked] = useChecked();
    const [matched, setMatched] = useState<number>();
    const since = startOfDate(day);
    const send = async (dryRun: boolean): Promise<{ matched: number; queued: number }> => {
        const body = { created_after: since ?? '', only_failed: isFailedOnly, dry_run: dryRun };
        const done = await (dryRun ? countKey : key).use(body, (idempotencyKey) => webhookEndpointsReplay(client, user.merchant_id, endpoint.profile_id, endpoint.webhook_endpoint_id, body, { idempotencyKey }));
        return { matched: Number(done.matched), queued: Number(done.queued) };
    };
    const count = useAction(async () => setMatched((await send(true)).matched));
    const action = useChange(async () => t.replayed((await send(false)).queued), onClose);
    const change = (then: () => void): void => {
        setMatched(undefined);
        then();
    };
    return (
        <ActionDialog
            title={t.replayTitle}
            consequence={[t.replayConsequence, ...(isStopped(endpoint) ? [t.replayWaits] : []), t.replayLimit(REPLAYED_AT_MOST.toLocaleString(locale))].join(' ')}
            submit={t.replay}
            action={{ ...action, refusal: action.refusal ?? count.refusal }}
            check={checked(since !== undefined)}
            onClose={onClose}
        >
            <Address endpoint={endpoint} />
            <Field label={t.replaySince} name="created_after" type="date" isRequired autoFocus value={day} onChange={(next) => change(() => setDay(next))} error={isChecked && !since ? t.needDay : undefined} />
            <Check label={t.replayFailed} hint={t.replayFailedHint} value={isFailedOnly} onChange={(isOn) => change(() => setFailedOnly(isOn))} />
            <p>
                <Button size="small" isDisabled={!since} isPending={count.isPending} onPress={count.run}>
                    {t.count}
                </Button>{' '}
                <span aria-live="polite">{matched === undefined ? '' : t.matched(matched)}</span>
            </p>
        </ActionDialog>
    );
}

function Address({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
    return (
        <p>
            <bdi className="mono">{endpoint.webhook_url}</bdi>
        </p>
    );
}
