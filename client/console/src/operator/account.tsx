import { type MerchantAccount, merchantAccountsRetrieve } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { ReadStatus } from '../ui/states.tsx';
import { Foreign, Id } from '../ui/text.tsx';
import { useOperatorRead } from './session.tsx';

/** One merchant account. The keys in its answer aren't shown. */
export function Account({ id }: { id: string }): ReactNode {
    const t = useTexts().operator;
    const read = useOperatorRead(['account', id], (client, signal) => merchantAccountsRetrieve(client, id, { signal }));
    return (
        <Page title={<bdi>{id}</bdi>} name={id} back={['/operator', t.nav.accounts]}>
            <ReadStatus read={read} />
            {read.data ? <Details account={read.data} /> : null}
        </Page>
    );
}

function Details({ account }: { account: MerchantAccount }): ReactNode {
    const texts = useTexts();
    const t = texts.operator.accounts;
    const { organization_id: organization } = account;
    return (
        <Section title={texts.common.details}>
            <Facts
                pairs={[
                    [texts.common.id, <Id>{account.merchant_id}</Id>],
                    [t.name, <Foreign>{account.merchant_name}</Foreign>],
                    [
                        t.organization,
                        <Link href={address`/operator/organizations/${organization}`}>
                            <bdi className="mono">{organization}</bdi>
                        </Link>,
                    ],
                    [texts.common.type, wordOf(t.types, account.merchant_account_type)],
                    [t.profile, account.default_profile ? <Id>{account.default_profile}</Id> : null],
                    [t.publishable, <Id>{account.publishable_key}</Id>],
                    [t.returnUrl, account.return_url ? <Foreign>{account.return_url}</Foreign> : null],
                ]}
            />
        </Section>
    );
}
