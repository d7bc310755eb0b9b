import type { Client } from 'multirail';
import { type ReactNode, useEffect, useState } from 'react';
import { type Refusal, refusalOf } from '../api/refusal.ts';
import { beginSession, type ServerInfo } from '../api/session.ts';
import { DoorCard, ProofRefused } from '../shell/door_card.tsx';
import { useTexts } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/controls.tsx';

export interface KeyFormProps {
    client: Client;
    info: ServerInfo | undefined;
    notice: string;
    isNoticeBad: boolean;
    onBegun: () => Promise<void>;
}

/** The form in which the operator types the admin key. The page forgets the key as soon as it is sent. */
export function KeyForm({ client, info, notice, isNoticeBad, onBegun }: KeyFormProps): ReactNode {
    const texts = useTexts();
    const t = texts.operator;
    const [key, setKey] = useState('');
    const [isChecked, setChecked] = useState(false);
    const [isPending, setPending] = useState(false);
    const [refusal, setRefusal] = useState<Refusal>();
    useEffect(() => {
        document.title = `${t.title} · ${texts.product}`;
    }, [t, texts]);
    const submit = async (): Promise<void> => {
        const given = key.trim();
        setChecked(true);
        if (!given || isPending) return;
        setKey('');
        setChecked(false);
        setPending(true);
        setRefusal(undefined);
        try {
            await beginSession(client, { operator: { admin_api_key: given } });
            await onBegun();
        } catch (error) {
            setRefusal(refusalOf(error));
        } finally {
            setPending(false);
        }
    };
    return (
        <DoorCard info={info} title={t.title} notice={notice} isNoticeBad={isNoticeBad}>
            <form
                noValidate
                onSubmit={(event) => {
                    event.preventDefault();
                    void submit();
                }}
            >
                <p className="lead">{t.lead}</p>
                <Field
                    label={t.key}
                    name="admin_api_key"
                    type="password"
                    autoComplete="off"
                    autoFocus
                    isRequired
                    maxLength={1024}
                    value={key}
                    onChange={setKey}
                    error={isChecked && !key.trim() ? t.needKey : undefined}
                />
                {refusal ? <ProofRefused refusal={refusal} known={{ IR_01: t.wrongKey, MR_03: texts.signIn.often }} /> : null}
                <Button type="submit" look="primary" isPending={isPending}>
                    {isPending ? texts.signIn.working : t.submit}
                </Button>
            </form>
            <p className="door-ways">
                <a href="/console/">{t.asUser}</a>
            </p>
        </DoorCard>
    );
}
