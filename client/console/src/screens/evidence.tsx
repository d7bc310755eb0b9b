import { useQueryClient } from '@tanstack/react-query';
import { type Dispute, type DisputeEvidence, disputesAttach, disputesChallenge, disputesDeleteEvidence, type EvidenceType } from 'multirail';
import { type ReactNode, useRef, useState } from 'react';
import { withKey } from '../api/keys.ts';
import { useMay, useSession } from '../shell/session.tsx';
import { useSpoken, wordOf } from '../texts/index.tsx';
import { ActionDialog, useAction } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { Choice, Field } from '../ui/controls.tsx';
import { Members } from '../ui/members.tsx';
import { useTell } from '../ui/notices.tsx';
import { Section } from '../ui/page.tsx';
import { RefusalBox } from '../ui/states.tsx';
import { Badge, Foreign, Moment } from '../ui/text.tsx';
import { isOpen } from './dispute.tsx';

/** The items of evidence that are files. */
const FILES = [
    'receipt',
    'customer_communication',
    'shipping_documentation',
    'service_documentation',
    'cancellation_policy',
    'refund_policy',
    'customer_signature',
    'invoice_showing_distinct_transactions',
    'recurring_transaction_agreement',
    'uncategorized_file',
] as const satisfies readonly EvidenceType[];

/** The items of evidence that are texts, those of most disputes first. */
const TEXTS = [
    'product_description',
    'refund_refusal_explanation',
    'cancellation_rebuttal',
    'uncategorized_text',
    'shipping_carrier',
    'shipping_tracking_number',
    'shipping_date',
    'shipping_address',
    'service_date',
    'access_activity_log',
    'customer_name',
    'customer_email_address',
    'customer_purchase_ip',
    'billing_address',
    'cancellation_policy_disclosure',
    'refund_policy_disclosure',
] as const satisfies readonly EvidenceType[];
type TextItem = (typeof TEXTS)[number];

/** The longest file that the service takes. */
const LONGEST_FILE = 5_242_880;
const KINDS = ['application/pdf', 'image/png', 'image/jpeg'];

/** The evidence of a dispute: what is stored, and the form that adds to it. */
export function Evidence({ dispute, evidence }: { dispute: Dispute; evidence: DisputeEvidence }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.dispute;
    const mayChallenge = useMay('disputes_challenge') && isOpen(dispute);
    const mayDelete = useMay('disputes_delete_evidence') && dispute.dispute_status === 'dispute_opened';
    const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
    const isEmpty = evidence.texts.length === 0 && evidence.files.length === 0;
    return (
        <Section title={t.evidence}>
            {isEmpty ? <p className="hint">{t.none}</p> : null}
            <ul className="items">
                {evidence.texts.map((item) => (
                    <li key={item.evidence_type}>
                        <div>
                            <strong>{wordOf(texts.words.evidence, item.evidence_type)}</strong>
                            <p className="prose">
                                <Foreign longest={20_000}>{item.text}</Foreign>
                            </p>
                        </div>
                        {mayDelete ? <Remove dispute={dispute} item={item.evidence_type} /> : null}
                    </li>
                ))}
                {evidence.files.map((item) => (
                    <li key={item.evidence_type}>
                        <div>
                            <strong>{wordOf(texts.words.evidence, item.evidence_type)}</strong>
                            <p className="small">
                                <Badge tone="calm">{item.content_type.replace(/^.*\//, '').toUpperCase()}</Badge> {numbers.format(Math.ceil(item.size / 1024))} kB, {t.at} <Moment>{item.attached_at}</Moment>
                            </p>
                        </div>
                        {mayDelete ? <Remove dispute={dispute} item={item.evidence_type} /> : null}
                    </li>
                ))}
            </ul>
            {mayChallenge ? (
                <>
                    <Attach dispute={dispute} />
                    <Challenge dispute={dispute} hasStored={!isEmpty} />
                </>
            ) : null}
        </Section>
    );
}

function useReread(): () => Promise<void> {
    const store = useQueryClient();
    return () => store.invalidateQueries();
}

function Remove({ dispute, item }: { dispute: Dispute; item: EvidenceType }): ReactNode {
    const { texts } = useSpoken();
    const { client } = useSession();
    const tell = useTell();
    const reread = useReread();
    const name = wordOf(texts.words.evidence, item);
    const action = useAction(async () => {
        await disputesDeleteEvidence(client, dispute.dispute_id, { evidence_type: item });
        tell(texts.dispute.removed(name));
        await reread();
    });
    return (
        <div>
            <Button look="quiet" size="small" isPending={action.isPending} onPress={action.run} label={texts.dispute.removeFile(name)}>
                ×
            </Button>
            {action.refusal ? <RefusalBox refusal={action.refusal} /> : null}
        </div>
    );
}

function Attach({ dispute }: { dispute: Dispute }): ReactNode {
    const { texts } = useSpoken();
    const t = texts.dispute;
    const { client } = useSession();
    const tell = useTell();
    const reread = useReread();
    const input = useRef<HTMLInputElement>(null);
    const [item, setItem] = useState<EvidenceType>('receipt');
    const [file, setFile] = useState<File>();
    const action = useAction(async () => {
        if (!file) return;
        await disputesAttach(client, file, { dispute_id: dispute.dispute_id, evidence_type: item });
        tell(t.attached(wordOf(texts.words.evidence, item)));
        setFile(undefined);
        if (input.current) input.current.value = '';
        await reread();
    });
    const wrong = file && (file.size > LONGEST_FILE ? t.tooLong : KINDS.includes(file.type) ? undefined : t.wrongKind);
    if (dispute.dispute_status !== 'dispute_opened' || dispute.dispute_stage !== 'dispute') return <p className="hint">{t.filesClosed}</p>;
    return (
        <form
            className="part"
            onSubmit={(event) => {
                event.preventDefault();
                if (file && !wrong) action.run();
            }}
        >
            <h3>{t.attach}</h3>
            <div className="row">
                <Choice label={t.item} value={item} onChange={(value) => setItem(value as EvidenceType)} options={FILES.map((one) => [one, wordOf(texts.words.evidence, one)] as const)} />
                <div className="field">
                    <label htmlFor="evidence-file">{t.choose}</label>
                    <input
                        ref={input}
                        id="evidence-file"
                        className="input"
                        type="file"
                        accept={KINDS.join(',')}
                        aria-describedby="evidence-file-hint"
                        aria-invalid={wrong !== undefined}
                        onChange={(event) => {
                            setFile(event.target.files?.[0]);
                            action.reset();
                        }}
                    />
                </div>
                <Button type="submit" isPending={action.isPending} isDisabled={!file || wrong !== undefined}>
                    {action.isPending ? texts.common.working : t.attach}
                </Button>
            </div>
            <p id="evidence-file-hint" className={wrong ? 'field-error' : 'hint'}>
                {wrong ?? t.attachHint}
            </p>
            {action.refusal ? <RefusalBox refusal={action.refusal} /> : null}
        </form>
    );
}

function Challenge({ dispute, hasStored }: { dispute: Dispute; hasStored: boolean }): ReactNode {
    const { texts } = useSpoken();
    const t = texts.dispute;
    const { client } = useSession();
    const tell = useTell();
    const reread = useReread();
    const [given, setGiven] = useState<Partial<Record<TextItem, string>>>({ product_description: '' });
    const [next, setNext] = useState<TextItem | ''>('');
    const [isEmpty, setEmpty] = useState(false);
    const [isAsking, setAsking] = useState(false);
    const items = TEXTS.filter((item) => given[item] !== undefined);
    const written = Object.fromEntries(items.flatMap((item) => (given[item]?.trim() ? [[item, given[item].trim()]] : []))) as Partial<Record<TextItem, string>>;
    const action = useAction(async () => {
        const body = { dispute_id: dispute.dispute_id, ...written };
        const answer = await withKey('disputes_challenge', body, (idempotencyKey) => disputesChallenge(client, body, { idempotencyKey }));
        if (answer.dispute_status === 'dispute_opened') tell(t.submitPending, 'info');
        else tell(t.submitted);
        setAsking(false);
        setGiven({ product_description: '' });
        await reread();
    });
    const open = (): void => {
        const hasNothing = !hasStored && Object.keys(written).length === 0;
        setEmpty(hasNothing);
        if (!hasNothing) setAsking(true);
    };
    return (
        <form
            className="part"
            onSubmit={(event) => {
                event.preventDefault();
                open();
            }}
        >
            <h3>{t.challenge}</h3>
            {/* The dialog shows the refusal too, and the text that it names is below the dialog. */}
            <Members refusal={action.refusal}>
                {() =>
                    items.map((item) => (
                        <div key={item} className="row">
                            <Field
                                label={wordOf(texts.words.evidence, item)}
                                name={item}
                                isLong
                                maxLength={20_000}
                                value={given[item] ?? ''}
                                onChange={(text) => {
                                    setGiven({ ...given, [item]: text });
                                    setEmpty(false);
                                }}
                            />
                            <Button
                                look="quiet"
                                size="small"
                                label={t.removeText(wordOf(texts.words.evidence, item))}
                                onPress={() => setGiven(Object.fromEntries(Object.entries(given).filter(([name]) => name !== item)))}
                            >
                                ×
                            </Button>
                        </div>
                    ))
                }
            </Members>
            <div className="row">
                <Choice
                    label={t.addText}
                    value={next}
                    onChange={(value) => {
                        setNext('');
                        if (value) setGiven({ ...given, [value]: '' });
                    }}
                    options={[['', t.chooseItem], ...TEXTS.filter((item) => given[item] === undefined).map((item) => [item, wordOf(texts.words.evidence, item)] as const)]}
                />
                <Button type="submit" look="primary">
                    {t.submit}
                </Button>
            </div>
            {isEmpty ? (
                <p className="field-error" role="alert">
                    {t.needEvidence}
                </p>
            ) : null}
            {isAsking ? <ActionDialog title={t.submitTitle} consequence={t.submitConsequence} submit={t.submit} action={action} onClose={() => setAsking(false)} /> : null}
        </form>
    );
}
