import { useQueryClient } from '@tanstack/react-query';
import { routingCreate, routingRetrieve } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useActionKey } from '../api/use_key.ts';
import { address } from '../format/address.ts';
import { type Accounts, useAccounts } from '../routing/accounts.ts';
import { readAlgorithm, writeAlgorithm } from '../routing/algorithm.ts';
import { algorithmOf, type Draft, draftOf, emptySelection, evenShares, sumOf } from '../routing/draft.ts';
import { SelectionEditor } from '../routing/entries.tsx';
import { EstimateSection } from '../routing/estimate.tsx';
import { useRoutedProfile } from '../routing/profile.ts';
import { Rules } from '../routing/rules.tsx';
import { Summary } from '../routing/summary.tsx';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useSpoken, useTexts } from '../texts/index.tsx';
import { useAction, useChecked } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/controls.tsx';
import { useFilters } from '../ui/filters.tsx';
import { ActionForm } from '../ui/form.tsx';
import { MemberError } from '../ui/members.tsx';
import { useTell } from '../ui/notices.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';

const EMPTY: Draft = { kind: 'priority', selection: emptySelection(), rules: [] };

/** The form of a new configuration. A configuration never changes, so one changes it by a copy. */
export function Screen(): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.routing;
    const filters = useFilters();
    const from = filters.get('from');
    const mayCreate = useMay('routing_create');
    const profile = useRoutedProfile(filters.get('profile'));
    const template = useRead(['routing', 'configuration', from], (client, signal) => routingRetrieve(client, from, { signal }), { enabled: from !== '' });
    const profileId = profile.current?.profile_id;
    const accounts = useAccounts(profileId);
    const failed = [profile, accounts, { error: template.error, retry: () => void template.refetch() }].filter((one) => one.error);
    const error = failed[0]?.error;
    const isPending = !error && (profile.isPending || accounts.isPending || (from !== '' && template.isPending));
    const read = template.data && readAlgorithm(template.data.algorithm);
    const draft = read ? draftOf(read, locale) : undefined;
    return (
        <Page title={t.createTitle} name={t.createTitle} lead={t.createLead} back={[profileId ? address`/routing?profile=${profileId}` : '/routing', texts.nav.routing]}>
            {!mayCreate ? <Empty title={texts.errors.roleTitle}>{texts.errors.role}</Empty> : null}
            {mayCreate && isPending ? <Loading /> : null}
            {mayCreate && error ? <Failure error={error} retry={() => failed.forEach((one) => one.retry())} /> : null}
            {mayCreate && !isPending && !error && !profileId ? <Empty title={t.noProfileTitle}>{t.noProfile}</Empty> : null}
            {mayCreate && !isPending && !error && profileId ? <Form key={`${profileId} ${from}`} profileId={profileId} accounts={accounts} initial={draft ?? EMPTY} name={template.data?.name ?? ''} description={template.data?.description ?? ''} /> : null}
        </Page>
    );
}

interface FormProps {
    profileId: string;
    accounts: Accounts;
    initial: Draft;
    name: string;
    description: string;
}

function Form({ profileId, accounts, initial, ...former }: FormProps): ReactNode {
    const texts = useTexts();
    const t = texts.routing;
    const { client } = useSession();
    const [, navigate] = useLocation();
    const tell = useTell();
    const store = useQueryClient();
    const key = useActionKey();
    const [name, setName] = useState(former.name);
    const [description, setDescription] = useState(former.description);
    const [draft, setDraft] = useState(initial);
    const [isChecked, checked] = useChecked();
    const algorithm = algorithmOf(draft);
    const written = algorithm && writeAlgorithm(algorithm);
    const action = useAction(async () => {
        const body = { name: name.trim(), description: description.trim(), profile_id: profileId, algorithm: written! };
        const made = await key.use(body, (idempotencyKey) => routingCreate(client, body, { idempotencyKey }));
        tell(t.created, 'info');
        navigate(address`/routing/configurations/${made.id}`);
        await store.invalidateQueries();
    });
    const setKind = (kind: Draft['kind']): void => {
        const { entries } = draft.selection;
        const isSplit = kind === 'volume_split';
        setDraft({ ...draft, kind, selection: { kind: isSplit ? 'volume_split' : 'priority', entries: isSplit && sumOf(entries) !== 100 ? evenShares(entries) : entries } });
    };
    return (
        <ActionForm
            action={action}
            className="split"
            check={checked(name.trim() !== '' && written !== undefined)}
        >
            <div className="form">
                <Field label={t.name} name="name" isRequired maxLength={64} value={name} onChange={setName} hint={t.nameHint} error={isChecked && name.trim() === '' ? t.needName : undefined} />
                <Field label={t.description} name="description" maxLength={256} value={description} onChange={setDescription} />
                <div>
                    <Tabs
                        label={texts.common.type}
                        value={draft.kind}
                        onChange={setKind}
                        options={[
                            ['priority', t.kinds['priority']!],
                            ['volume_split', t.kinds['volume_split']!],
                            ['advanced', t.kinds['advanced']!],
                        ]}
                    />
                    <p className="hint">{t.explains[draft.kind]}</p>
                </div>
                <MemberError member="algorithm" />
                {draft.kind === 'advanced' ? <Rules rules={draft.rules} onChange={(rules) => setDraft({ ...draft, rules })} accounts={accounts} isChecked={isChecked} /> : null}
                <SelectionEditor
                    label={draft.kind === 'advanced' ? t.restLabel : t.accounts}
                    draft={draft.selection}
                    onChange={(selection) => setDraft({ ...draft, selection })}
                    accounts={accounts}
                    kinds={draft.kind === 'advanced' ? ['priority', 'volume_split', 'least_cost'] : [draft.selection.kind]}
                    isChecked={isChecked}
                />
            </div>
            <div>
                <Section title={t.effect}>
                    {written ? <Summary algorithm={written} accounts={accounts} /> : <p className="hint">{t.unfinished}</p>}
                    <p className="hint after">{t.createConsequence}</p>
                </Section>
                {written ? <EstimateSection key={JSON.stringify(written)} profileId={profileId} configuration={{ algorithm: written }} accounts={accounts} /> : null}
                {isChecked && (!written || name.trim() === '') ? (
                    <p className="field-error below" role="alert">
                        {texts.errors.checkField}
                    </p>
                ) : null}
                <div className="actions">
                    <Button type="submit" look="primary" isPending={action.isPending}>
                        {action.isPending ? texts.common.working : t.createSubmit}
                    </Button>
                    <Button onPress={() => navigate(address`/routing?profile=${profileId}`)}>{texts.common.cancel}</Button>
                </div>
            </div>
        </ActionForm>
    );
}
