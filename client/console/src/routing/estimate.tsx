import { routingEstimate, type RoutingEstimate, type RoutingEstimateAccount, type RoutingEstimateRequest } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useSession } from '../shell/session.tsx';
import { useSpoken, useTexts } from '../texts/index.tsx';
import { useAction } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/controls.tsx';
import { Section } from '../ui/page.tsx';
import { RefusalBox } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Foreign, Moment } from '../ui/text.tsx';
import type { Accounts } from './accounts.ts';

/** The sizes of a sample. The last one is the most that the server reads. */
const SIZES = [50, 100, 500] as const;
/** Below this size, chance explains much of a difference. */
const FEW = 30;
/** Hundredths of a percent in a whole. */
const WHOLE = 10_000;

export interface EstimateProps {
    profileId: string;
    /** The configuration: a stored one, or one that is still being written. */
    configuration: { routing_id: string } | { algorithm: { type: string; data?: unknown } };
    accounts: Accounts;
}

/** A part of a screen that estimates the effect of a configuration. */
export function EstimateSection(props: EstimateProps): ReactNode {
    const t = useTexts().routing.estimate;
    return (
        <Section title={t.title} hint={t.hint}>
            <Estimate {...props} />
        </Section>
    );
}

/** Asks the server where the newest payments would go. Nothing is stored, and no processor is asked. */
export function Estimate({ profileId, configuration, accounts }: EstimateProps): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.routing.estimate;
    const { client } = useSession();
    const [size, setSize] = useState<string>('100');
    const [result, setResult] = useState<RoutingEstimate>();
    const numbers = new Intl.NumberFormat(locale);
    const action = useAction(async () => {
        setResult(undefined);
        const body = { profile_id: profileId, ...configuration, payment_limit: Number(size) };
        setResult(await routingEstimate(client, body as RoutingEstimateRequest));
    });
    return (
        <>
            <div className="trial">
                <Choice label={t.size} value={size} onChange={setSize} options={SIZES.map((one) => [String(one), t.newest(numbers.format(one))])} />
                <Button isPending={action.isPending} onPress={action.run}>
                    {action.isPending ? texts.common.working : t.submit}
                </Button>
            </div>
            <div role="status">{result ? <Result result={result} accounts={accounts} /> : null}</div>
            {action.refusal ? <RefusalBox refusal={action.refusal} /> : null}
        </>
    );
}

function Result({ result, accounts }: { result: RoutingEstimate; accounts: Accounts }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.routing.estimate;
    const numbers = new Intl.NumberFormat(locale);
    const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
    const { sample_size: size, moved, without_account: without, not_counted: left } = result;
    const columns: readonly Column<RoutingEstimateAccount>[] = [
        { name: t.account, cell: (one) => <Foreign longest={60}>{accounts.nameOf({ connector: one.connector, id: one.merchant_connector_id })}</Foreign> },
        { name: t.firstChoice, isNumber: true, cell: (one) => numbers.format(one.first_choice) },
        { name: t.used, isNumber: true, cell: (one) => numbers.format(one.used) },
        {
            name: t.approved,
            isNumber: true,
            cell: (one) => {
                const rate = one.approval_rate_basis_points;
                if (rate === undefined || rate === null) return <span className="none">{texts.common.none}</span>;
                return t.rate(percents.format(rate / WHOLE), numbers.format(one.approved + one.declined));
            },
        },
    ];
    if (size === 0) return <p className="hint">{t.nothing}</p>;
    return (
        <div className="card">
            <p>
                {t.sample(size, numbers.format(size))} <Moment>{result.oldest_created_at}</Moment>
            </p>
            <p>{moved === 0 ? t.unmoved : t.moved(moved, numbers.format(moved), percents.format(moved / size))}</p>
            {without > 0 ? <p className="field-error">{t.without(without, numbers.format(without))}</p> : null}
            <Table caption={t.caption} columns={columns} rows={result.connectors} keyOf={(one) => one.merchant_connector_id} isReadOnly />
            {size < FEW ? <p className="hint">{t.few}</p> : null}
            {left > 0 ? <p className="hint">{t.notCounted(left, numbers.format(left))}</p> : null}
            <p className="hint">{t.judge}</p>
        </div>
    );
}
