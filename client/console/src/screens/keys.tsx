import { useQueryClient } from '@tanstack/react-query';
import { type ApiKey, type ApiKeyOperationGroup, apiKeysCreate, apiKeysList, apiKeysRevoke } from 'multirail';
import { type ReactNode, useState } from 'react';
import { clock } from '../api/clock.ts';
import { useNow } from '../api/use_now.ts';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { ActionDialog, useAction, useChecked } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { useChange } from '../ui/change.ts';
import { Check, Choice, Field } from '../ui/controls.tsx';
import { MemberError } from '../ui/members.tsx';
import { Page } from '../ui/page.tsx';
import { SecretDialog } from '../ui/secret_dialog.tsx';
import { Empty, ReadStatus } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Badge, Foreign, Moment } from '../ui/text.tsx';

const DAY = 86_400_000;
const LIFETIMES = { d30: 30, d90: 90, d365: 365, never: 0 } as const;
type Lifetime = keyof typeof LIFETIMES;

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.keys;
    const { user } = useSession();
    const store = useQueryClient();
    const mayMake = useMay('api_keys_create');
    const mayRevoke = useMay('api_keys_revoke');
    const [isMaking, setMaking] = useState(false);
    const [made, setMade] = useState<string>();
    const [revoking, setRevoking] = useState<ApiKey>();
    const list = useRead(['keys'], (client, signal) => apiKeysList(client, user.merchant_id, { limit: 100 }, { signal }));
    const columns: readonly Column<ApiKey>[] = [
        { name: t.name, cell: (one) => <Foreign longest={60}>{one.name}</Foreign> },
        { name: t.prefix, cell: (one) => <bdi className="mono">{one.prefix}…</bdi> },
        { name: t.allows, from: 'medium', cell: (one) => <Allowed apiKey={one} /> },
        { name: texts.common.created, from: 'wide', cell: (one) => <Moment>{one.created}</Moment> },
        { name: t.expiry, from: 'medium', cell: (one) => <Expiry text={one.expiration} /> },
        ...(mayRevoke
            ? [
                  {
                      name: t.revoke,
                      cell: (one: ApiKey) => (
                          <Button size="small" onPress={() => setRevoking(one)} label={`${t.revoke}: ${one.name}`}>
                              {t.revoke}
                          </Button>
                      ),
                  },
              ]
            : []),
    ];
    const make = mayMake ? (
        <Button look="primary" onPress={() => setMaking(true)}>
            {t.make}
        </Button>
    ) : null;
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={make}>
            <ReadStatus read={list} />
            {list.data?.length === 0 ? <Empty title={t.emptyTitle}>{t.empty}</Empty> : null}
            {list.data && list.data.length > 0 ? <Table caption={t.caption} columns={columns} rows={list.data} keyOf={(one) => one.key_id} /> : null}
            {list.data && list.data.length >= 100 ? <p className="hint">{t.more}</p> : null}
            {isMaking ? (
                <MakeDialog
                    onClose={() => setMaking(false)}
                    onMade={(key) => {
                        setMaking(false);
                        setMade(key);
                        void store.invalidateQueries();
                    }}
                />
            ) : null}
            {made ? <SecretDialog secret={made} texts={t} onClose={() => setMade(undefined)} /> : null}
            {revoking ? <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} /> : null}
        </Page>
    );
}

function Allowed({ apiKey }: { apiKey: ApiKey }): ReactNode {
    const texts = useTexts();
    const groups = apiKey.operation_groups?.map((group) => wordOf(texts.keys.groupNames, group)).join(', ');
    return (
        <span>
            {groups || texts.keys.everything}
            {apiKey.read_only ? ` (${texts.keys.reading})` : ''}
        </span>
    );
}

function Expiry({ text }: { text: string }): ReactNode {
    const t = useTexts().keys;
    const now = useNow();
    if (text === 'never') return t.never;
    return Date.parse(text) < now ? <Badge tone="bad">{t.expired}</Badge> : <Moment>{text}</Moment>;
}

function MakeDialog({ onClose, onMade }: { onClose: () => void; onMade: (key: string) => void }): ReactNode {
    const texts = useTexts();
    const t = texts.keys;
    const { client, user } = useSession();
    const [name, setName] = useState('');
    const [purpose, setPurpose] = useState('');
    const [lifetime, setLifetime] = useState<Lifetime>('d365');
    const [isReadOnly, setReadOnly] = useState(false);
    const [groups, setGroups] = useState<readonly string[]>([]);
    const [isChecked, checked] = useChecked();
    const action = useAction(async () => {
        const days = LIFETIMES[lifetime];
        const created = await apiKeysCreate(client, user.merchant_id, {
            name: name.trim(),
            expiration: days === 0 ? 'never' : new Date(clock.now() + days * DAY).toISOString(),
            ...(purpose.trim() ? { description: purpose.trim() } : {}),
            ...(isReadOnly ? { read_only: true } : {}),
            ...(groups.length > 0 ? { operation_groups: groups as ApiKeyOperationGroup[] } : {}),
        });
        onMade(created.api_key);
    });
    return (
        <ActionDialog
            title={t.makeTitle}
            consequence={t.consequence}
            submit={t.submit}
            action={action}
            check={checked(name.trim() !== '')}
            onClose={onClose}
        >
            <Field label={t.name} name="name" autoFocus isRequired maxLength={64} value={name} onChange={setName} hint={t.nameHint} error={isChecked && !name.trim() ? t.needName : undefined} />
            <Field label={t.purpose} name="description" maxLength={256} value={purpose} onChange={setPurpose} />
            <Choice label={t.lifetime} member="expiration" value={lifetime} onChange={(value) => setLifetime(value as Lifetime)} options={Object.entries(t.lifetimes)} />
            <Check label={t.readOnly} hint={t.readOnlyHint} value={isReadOnly} onChange={setReadOnly} />
            <fieldset className="checks">
                <legend>{t.groups}</legend>
                <p className="hint">{t.groupsHint}</p>
                <MemberError member="operation_groups" />
                {Object.entries(t.groupNames).map(([word, text]) => (
                    <Check key={word} label={text} value={groups.includes(word)} onChange={(isOn) => setGroups(isOn ? [...groups, word] : groups.filter((one) => one !== word))} />
                ))}
            </fieldset>
        </ActionDialog>
    );
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }): ReactNode {
    const t = useTexts().keys;
    const { client, user } = useSession();
    const action = useChange(async () => {
        await apiKeysRevoke(client, user.merchant_id, apiKey.key_id);
        return t.revoked(apiKey.name);
    }, onClose);
    return <ActionDialog title={t.revokeTitle} consequence={<bdi>{t.revokeConsequence(apiKey.name)}</bdi>} submit={t.revokeSubmit} look="danger" action={action} onClose={onClose} />;
}
