import {
    type DynamicRouting,
    type DynamicRoutingFeature,
    dynamicRoutingEliminationToggle,
    dynamicRoutingRetrieve,
    dynamicRoutingSetVolumeSplit,
    dynamicRoutingSuccessBasedToggle,
} from 'multirail';
import { type ReactNode, useState } from 'react';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useSpoken, useTexts } from '../texts/index.tsx';
import { ActionDialog, useChecked } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { useChange } from '../ui/change.ts';
import { Field } from '../ui/controls.tsx';
import { Section } from '../ui/page.tsx';
import { ReadStatus } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Badge, Foreign } from '../ui/text.tsx';
import type { Accounts } from './accounts.ts';
import { shareOf } from './draft.ts';

const EFFECTS = ['none', 'metrics', 'dynamic_connector_selection'] as const satisfies readonly DynamicRoutingFeature[];
type Kind = 'elimination' | 'success_based';

/** The part of routing that learns from outcomes, with a switch for each kind. */
export function Dynamic({ profileId, accounts }: { profileId: string; accounts: Accounts }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.routing;
    const { user } = useSession();
    const [isSharing, setSharing] = useState(false);
    const mayShare = useMay('dynamic_routing_set_volume_split');
    const read = useRead(['routing', 'dynamic', profileId], (client, signal) => dynamicRoutingRetrieve(client, user.merchant_id, profileId, { signal }));
    const { data } = read;
    const percent = (value: number): string => new Intl.NumberFormat(locale, { style: 'percent' }).format(value / 100);
    const isOn = data?.elimination?.enable === 'dynamic_connector_selection' || data?.success_based?.enable === 'dynamic_connector_selection';
    return (
        <Section title={t.dynamic} hint={t.dynamicHint}>
            <ReadStatus read={read} />
            {data ? (
                <>
                    <Switch kind="elimination" profileId={profileId} effect={data.elimination?.enable ?? 'none'} />
                    <Full data={data} accounts={accounts} />
                    <Switch kind="success_based" profileId={profileId} effect={data.success_based?.enable ?? 'none'} />
                    {isOn ? (
                        <p className="share-line">
                            {t.dynamicShare(percent(data.split))}{' '}
                            {mayShare ? (
                                <Button size="small" look="quiet" onPress={() => setSharing(true)} label={t.changeShare}>
                                    {t.change}
                                </Button>
                            ) : null}
                        </p>
                    ) : null}
                    {isSharing ? <ShareDialog profileId={profileId} share={data.split} onClose={() => setSharing(false)} /> : null}
                </>
            ) : null}
        </Section>
    );
}

function Switch({ kind, profileId, effect }: { kind: Kind; profileId: string; effect: DynamicRoutingFeature }): ReactNode {
    const t = useTexts().routing;
    const mayToggle = useMay(`dynamic_routing_${kind}_toggle`);
    const [next, setNext] = useState<DynamicRoutingFeature>();
    return (
        <div className="switch">
            <h3>{t.dynamicNames[kind]}</h3>
            <p className="hint">{t.dynamicExplains[kind]}</p>
            {mayToggle ? (
                <Tabs isCompact label={t.dynamicNames[kind]} value={effect} options={EFFECTS.map((word) => [word, t.effects[word]])} onChange={(word) => (word === effect ? undefined : setNext(word))} />
            ) : (
                <Badge tone={effect === 'none' ? 'calm' : 'good'}>{t.effects[effect]}</Badge>
            )}
            {next ? <ToggleDialog kind={kind} profileId={profileId} next={next} onClose={() => setNext(undefined)} /> : null}
        </div>
    );
}

function ToggleDialog({ kind, profileId, next, onClose }: { kind: Kind; profileId: string; next: DynamicRoutingFeature; onClose: () => void }): ReactNode {
    const t = useTexts().routing;
    const { client, user } = useSession();
    const action = useChange(async () => {
        const toggle = kind === 'elimination' ? dynamicRoutingEliminationToggle : dynamicRoutingSuccessBasedToggle;
        await toggle(client, user.merchant_id, profileId, { enable: next });
        return t.toggled(t.dynamicNames[kind], t.effects[next]);
    }, onClose);
    return <ActionDialog title={`${t.dynamicNames[kind]}: ${t.effects[next]}`} submit={t.change} action={action} onClose={onClose} consequence={t.dynamicConsequences[kind][next]} />;
}

/** The accounts whose processors failed repeatedly, and which payments therefore try last. */
function Full({ data, accounts }: { data: DynamicRouting; accounts: Accounts }): ReactNode {
    const t = useTexts().routing;
    const full = data.elimination?.enable === 'dynamic_connector_selection' ? data.elimination.buckets.filter((one) => one.is_full) : [];
    const ids = [...new Set(full.map((one) => one.merchant_connector_id))];
    if (ids.length === 0) return null;
    return (
        <div className="alert warn">
            <strong>{t.triedLast}</strong>
            <ul>
                {ids.map((id) => (
                    <li key={id}>
                        <Foreign longest={60}>{accounts.list.find((one) => one.id === id)?.label ?? id}</Foreign>
                    </li>
                ))}
            </ul>
        </div>
    );
}

function ShareDialog({ profileId, share, onClose }: { profileId: string; share: number; onClose: () => void }): ReactNode {
    const t = useTexts().routing;
    const { client, user } = useSession();
    const [text, setText] = useState(String(share));
    const [isChecked, checked] = useChecked();
    const split = shareOf(text);
    const action = useChange(async () => {
        await dynamicRoutingSetVolumeSplit(client, user.merchant_id, profileId, { split: split ?? 0 });
        return t.shareChanged;
    }, onClose);
    return (
        <ActionDialog
            title={t.changeShare}
            submit={t.change}
            action={action}
            check={checked(split !== undefined)}
            onClose={onClose}
            consequence={t.shareConsequence}
        >
            <Field label={t.sharePercent} name="split" autoFocus inputMode="numeric" maxLength={3} value={text} onChange={setText} error={isChecked && split === undefined ? t.badShare : undefined} />
        </ActionDialog>
    );
}
