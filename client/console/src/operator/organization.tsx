import { type OrganizationAccount, organizationAccountsList, organizationsRetrieve } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { useTexts, wordOf } from '../texts/index.tsx';
import { useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { ReadStatus } from '../ui/states.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { Foreign, Id, Moment } from '../ui/text.tsx';
import { useOperatorRead } from './session.tsx';

/** One organization with its merchant accounts. */
export function Organization({ id }: { id: string }): ReactNode {
    const texts = useTexts();
    const t = texts.operator.organizations;
    const read = useOperatorRead(['organization', id], (client, signal) => organizationsRetrieve(client, id, { signal }));
    const one = read.data;
    const name = one?.organization_name || id;
    return (
        <Page title={<Foreign>{name}</Foreign>} name={name} back={['/operator/organizations', t.title]}>
            <ReadStatus read={read} />
            {one ? (
                <>
                    <Section title={texts.common.details}>
                        <Facts
                            pairs={[
                                [texts.common.id, <Id>{one.organization_id}</Id>],
                                [texts.common.type, wordOf(t.types, one.organization_type)],
                                [t.platform, one.platform_merchant_id ? <Id>{one.platform_merchant_id}</Id> : null],
                                [texts.common.created, <Moment>{one.created_at}</Moment>],
                                [texts.common.changed, <Moment>{one.modified_at}</Moment>],
                            ]}
                        />
                    </Section>
                    <AccountsOf id={id} />
                </>
            ) : null}
        </Page>
    );
}

function AccountsOf({ id }: { id: string }): ReactNode {
    const texts = useTexts();
    const t = texts.operator.accounts;
    const filters = useFilters();
    const query = { limit: PAGE, offset: filters.offset };
    const list = useOperatorRead(['organization', id, 'accounts', query], (client, signal) => organizationAccountsList(client, id, query, { signal }), true);
    const columns: readonly Column<OrganizationAccount>[] = [
        {
            name: texts.common.id,
            cell: (one) => (
                <Link className="row-link" href={address`/operator/accounts/${one.merchant_id}`}>
                    <bdi className="mono">{one.merchant_id}</bdi>
                </Link>
            ),
        },
        { name: t.name, cell: (one) => <Foreign longest={60}>{one.merchant_name}</Foreign> },
        { name: texts.common.type, from: 'medium', cell: (one) => wordOf(t.types, one.merchant_account_type) },
        { name: texts.common.created, cell: (one) => <Moment>{one.created_at}</Moment> },
    ];
    return (
        <Section title={t.title}>
            <List read={list} rows={list.data} filters={filters} texts={t} columns={columns} keyOf={(one) => one.merchant_id} />
        </Section>
    );
}
