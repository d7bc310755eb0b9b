import { oidcLink, oidcUnlink } from 'multirail';
import { type ReactNode, useState } from 'react';
import type { ProviderAnswer } from '../api/session.ts';
import type { ProviderRefusal } from '../shell/arrival.ts';
import { ProviderRefused, useProvider, useProviders } from '../shell/provider.tsx';
import { useSession } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import { ActionDialog, useAction, useChecked } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/controls.tsx';
import { useTell } from '../ui/notices.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Empty, ReadStatus } from '../ui/states.tsx';
import { Badge } from '../ui/text.tsx';

/** The user's own link with the identity provider. */
export function Screen(): ReactNode {
    const t = useTexts().identity;
    const { client, user, linking } = useSession();
    const { names, read } = useProviders(client);
    const name = names[0];
    return (
        <Page title={t.title} name={t.title} lead={t.lead}>
            {read.isPending || read.isError ? (
                <ReadStatus read={read} />
            ) : name === undefined ? (
                <Empty title={t.noneTitle}>{t.none}</Empty>
            ) : user.is_oidc_linked ? (
                <Linked name={name} />
            ) : linking && 'proof' in linking ? (
                <Confirm name={name} proof={linking.proof} />
            ) : (
                <Begin name={name} refusal={linking} />
            )}
        </Page>
    );
}

function Linked({ name }: { name: string }): ReactNode {
    const t = useTexts().identity;
    const [isUnlinking, setUnlinking] = useState(false);
    return (
        <>
            <p>
                <Badge tone="good">{t.linked}</Badge> {t.linkedWith(name)}
            </p>
            <Button look="danger" onPress={() => setUnlinking(true)}>
                {t.unlink}
            </Button>
            {isUnlinking ? <Unlink name={name} onClose={() => setUnlinking(false)} /> : null}
        </>
    );
}

/** The way to the provider, which sends the user back to this screen. */
function Begin({ name, refusal }: { name: string; refusal: ProviderRefusal | undefined }): ReactNode {
    const t = useTexts().identity;
    const { client, endLinking } = useSession();
    const [refused, setRefused] = useState(refusal);
    const { isPending, begin } = useProvider(client, setRefused);
    return (
        <Section title={t.link(name)} hint={t.linkHint}>
            {refused ? <ProviderRefused refusal={refused} title={t.refused} /> : null}
            <Button
                look="primary"
                isPending={isPending}
                onPress={() => {
                    endLinking();
                    void begin();
                }}
            >
                {t.go(name)}
            </Button>
        </Section>
    );
}

/** The last step: the password shows that the account here is the user's, as the provider has shown who they are there. */
function Confirm({ name, proof }: { name: string; proof: Extract<ProviderAnswer, { proof: unknown }>['proof'] }): ReactNode {
    const texts = useTexts();
    const t = texts.identity;
    const { client, user, renew, endLinking } = useSession();
    const tell = useTell();
    const [password, setPassword] = useState('');
    const [isChecked, setChecked] = useState(false);
    const action = useAction(async () => {
        await oidcLink(client, { password, ...proof });
        await renew();
        endLinking();
        tell(t.done(name));
    });
    const { refusal } = action;
    const isWrong = refusal?.code === 'UR_01';
    return (
        <Section title={t.confirmTitle(name)} hint={t.confirmHint}>
            <form
                className="steps"
                noValidate
                onSubmit={(event) => {
                    event.preventDefault();
                    setChecked(true);
                    if (password !== '') action.run();
                }}
            >
                <Password email={user.email} value={password} onChange={setPassword} error={isChecked && password === '' ? t.needPassword : isWrong ? t.wrongPassword : undefined} />
                {refusal && !isWrong ? <ProviderRefused refusal={refusal} title={t.refused} /> : null}
                <div className="actions">
                    <Button type="submit" look="primary" isPending={action.isPending}>
                        {action.isPending ? texts.common.working : t.confirm}
                    </Button>
                    <Button onPress={endLinking}>{texts.common.keep}</Button>
                </div>
            </form>
        </Section>
    );
}

function Unlink({ name, onClose }: { name: string; onClose: () => void }): ReactNode {
    const t = useTexts().identity;
    const { client, user, renew } = useSession();
    const tell = useTell();
    const [password, setPassword] = useState('');
    const [isChecked, checked] = useChecked();
    const action = useAction(async () => {
        await oidcUnlink(client, { password });
        onClose();
        tell(t.undone(name));
        await renew();
    });
    const isWrong = action.refusal?.code === 'UR_01';
    return (
        <ActionDialog
            title={t.unlinkTitle(name)}
            consequence={t.unlinkConsequence}
            submit={t.unlink}
            look="danger"
            action={isWrong ? { ...action, refusal: undefined } : action}
            check={checked(password !== '')}
            onClose={onClose}
        >
            <Password email={user.email} value={password} onChange={setPassword} error={isChecked && password === '' ? t.needPassword : isWrong ? t.wrongPassword : undefined} />
        </ActionDialog>
    );
}

function Password({ email, value, onChange, error }: { email: string; value: string; onChange: (value: string) => void; error: string | undefined }): ReactNode {
    const t = useTexts().identity;
    return (
        <>
            {/* Password managers look for it beside a password. */}
            <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
            <Field label={t.password} name="password" type="password" autoComplete="current-password" isRequired maxLength={256} value={value} onChange={onChange} error={error} />
        </>
    );
}
