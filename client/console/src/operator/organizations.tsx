import { type Organization, organizationsList } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { Foreign, Moment } from '../ui/text.tsx';
import { useOperatorRead } from './session.tsx';

/** All organizations. */
export function Organizations(): ReactNode {
    const texts = useTexts();
    const t = texts.operator.organizations;
    const filters = useFilters();
    const query = { limit: PAGE, offset: filters.offset };
    const list = useOperatorRead(['organizations', query], (client, signal) => organizationsList(client, query, { signal }), true);
    const columns: readonly Column<Organization>[] = [
        {
            name: texts.common.id,
            cell: (one) => (
                <Link className="row-link" href={address`/operator/organizations/${one.organization_id}`}>
                    <bdi className="mono">{one.organization_id}</bdi>
                </Link>
            ),
        },
        { name: t.name, cell: (one) => <Foreign longest={64}>{one.organization_name}</Foreign> },
        { name: texts.common.type, from: 'medium', cell: (one) => wordOf(t.types, one.organization_type) },
        { name: texts.common.created, cell: (one) => <Moment>{one.created_at}</Moment> },
    ];
    return (
        <Page title={t.title} name={t.title} actions={<Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>}>
            <List read={list} rows={list.data} filters={filters} texts={t} columns={columns} keyOf={(one) => one.organization_id} />
        </Page>
    );
}
