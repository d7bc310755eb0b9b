import type { ConnectorAccountListItem, PaymentMethod, PaymentMethodEnabled } from 'multirail';
import { Fragment, type ReactNode } from 'react';
import { useSpoken, useTexts, wordOf } from '../texts/index.tsx';
import { Foreign } from '../ui/text.tsx';
import { conditionsOf, entriesFor, matrixRows } from './methods.ts';

/** The methods of all accounts: a row for each type of a method, and a column for each account. */
export function Matrix({ accounts }: { accounts: readonly ConnectorAccountListItem[] }): ReactNode {
    const texts = useTexts();
    const t = texts.processors;
    const rows = matrixRows(accounts.map((one) => one.payment_methods_enabled));
    if (rows.length === 0) return <p className="hint">{t.matrixAll}</p>;
    return (
        <div className="table-frame" role="region" aria-label={t.matrix} tabIndex={0}>
            <table className="table matrix">
                <caption className="hidden">{t.matrix}</caption>
                <thead>
                    <tr>
                        <th scope="col">{texts.payments.method}</th>
                        {accounts.map((one) => (
                            <th key={one.merchant_connector_id} scope="col">
                                <Foreign longest={30}>{one.connector_label ?? one.connector_name}</Foreign>
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {rows.map(({ method, types }) => (
                        <Fragment key={method}>
                            {types.length === 0 ? <Row method={method} type={undefined} accounts={accounts} /> : types.map((type) => <Row key={type} method={method} type={type} accounts={accounts} />)}
                        </Fragment>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

function Row({ method, type, accounts }: { method: PaymentMethod; type: string | undefined; accounts: readonly ConnectorAccountListItem[] }): ReactNode {
    const texts = useTexts();
    return (
        <tr>
            <th scope="row">
                {wordOf(texts.words.method, method)}
                {type ? <span className="small"> · {wordOf(texts.processors.types, type)}</span> : null}
            </th>
            {accounts.map((one) => (
                <td key={one.merchant_connector_id}>
                    <Cell list={one.payment_methods_enabled} method={method} type={type} />
                </td>
            ))}
        </tr>
    );
}

function Cell({ list, method, type }: { list: readonly PaymentMethodEnabled[] | null; method: PaymentMethod; type: string | undefined }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.processors;
    // Without a list the account takes what its connector can, which the contract doesn't describe.
    if (list === null) return <span className="none">{t.ifSupported}</span>;
    const entries = type === undefined ? list.filter((one) => one.payment_method === method) : entriesFor(list, method, type);
    if (entries.length === 0) return <span className="none">{texts.common.no}</span>;
    return (
        <>
            {entries.map((entry, index) => {
                const conditions = conditionsOf(entry, texts, locale);
                return (
                    <div key={index}>
                        <span className="tick">✓</span> {conditions.length > 0 ? conditions.join(' · ') : t.without}
                    </div>
                );
            })}
        </>
    );
}
