import type { Connector, ConnectorAccountListItem, PaymentMethod, PaymentMethodEnabled } from 'multirail';
import { Fragment, type ReactNode } from 'react';
import { useSpoken, useTexts, wordOf } from '../texts/index.tsx';
import { Foreign } from '../ui/text.tsx';
import { canTake, everythingOf } from './connectors.ts';
import { conditionsOf, entriesFor, matrixRows } from './methods.ts';

/** An account in the matrix, with the payments that it accepts; null if nobody describes them. */
interface Column {
    id: string;
    name: string;
    connector: Connector | undefined;
    list: readonly PaymentMethodEnabled[] | null;
}

/** Returns an account as a column. Without a list of its own it takes what its connector can. */
function columnOf(account: ConnectorAccountListItem, connectors: readonly Connector[]): Column {
    const connector = connectors.find((one) => one.connector_name === account.connector_name);
    const list = account.payment_methods_enabled ?? (connector ? everythingOf(connector) : null);
    return { id: account.merchant_connector_id, name: account.connector_label ?? account.connector_name, connector, list };
}

/** The methods of all accounts: a row for each type of a method, and a column for each account. */
export function Matrix({ accounts, connectors }: { accounts: readonly ConnectorAccountListItem[]; connectors: readonly Connector[] }): ReactNode {
    const texts = useTexts();
    const t = texts.processors;
    const columns = accounts.map((one) => columnOf(one, connectors));
    const rows = matrixRows(columns.map(({ list }) => list));
    if (rows.length === 0) return <p className="hint">{t.matrixAll}</p>;
    return (
        <div className="table-frame" role="region" aria-label={t.matrix} tabIndex={0}>
            <table className="table matrix">
                <caption className="hidden">{t.matrix}</caption>
                <thead>
                    <tr>
                        <th scope="col">{texts.payments.method}</th>
                        {columns.map(({ id, name }) => (
                            <th key={id} scope="col">
                                <Foreign longest={30}>{name}</Foreign>
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {rows.map(({ method, types }) => (
                        <Fragment key={method}>
                            {types.length === 0 ? <Row method={method} type={undefined} columns={columns} /> : types.map((type) => <Row key={type} method={method} type={type} columns={columns} />)}
                        </Fragment>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

function Row({ method, type, columns }: { method: PaymentMethod; type: string | undefined; columns: readonly Column[] }): ReactNode {
    const texts = useTexts();
    return (
        <tr>
            <th scope="row">
                {wordOf(texts.words.method, method)}
                {type ? <span className="small"> · {wordOf(texts.processors.types, type)}</span> : null}
            </th>
            {columns.map((column) => (
                <td key={column.id}>
                    <Cell column={column} method={method} type={type} />
                </td>
            ))}
        </tr>
    );
}

function Cell({ column: { list, connector }, method, type }: { column: Column; method: PaymentMethod; type: string | undefined }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.processors;
    if (list === null) return <span className="none">{t.ifSupported}</span>;
    if (!canTake(connector, method, type)) return <span className="none">{texts.common.no}</span>;
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
