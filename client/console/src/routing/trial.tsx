import { type RoutingEvaluateRequest, routingEvaluate, type RoutingEvaluation } from 'multirail';
import { type ReactNode, useState } from 'react';
import { ALL_CURRENCIES, COUNTRIES, countryName } from '../format/codes.ts';
import { parseAmount } from '../format/money.ts';
import { NETWORKS, typesOf } from '../processors/words.ts';
import { useSession } from '../shell/session.tsx';
import { useSpoken, wordOf } from '../texts/index.tsx';
import { useAction, useChecked } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { Choice, Field } from '../ui/controls.tsx';
import { ActionForm } from '../ui/form.tsx';
import { Section } from '../ui/page.tsx';
import { Badge, Foreign } from '../ui/text.tsx';
import type { Accounts } from './accounts.ts';

/** Asks the server which accounts a payment would try. Nothing is stored, and no processor is asked. */
export function Trial({ profileId, routingId, accounts }: { profileId: string; routingId: string; accounts: Accounts }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.routing.trial;
    const { client } = useSession();
    const [amount, setAmount] = useState('');
    const [currency, setCurrency] = useState('EUR');
    const [method, setMethod] = useState('card');
    const [wallet, setWallet] = useState('apple_pay');
    const [network, setNetwork] = useState('');
    const [country, setCountry] = useState('');
    const [isChecked, checked] = useChecked();
    const [result, setResult] = useState<RoutingEvaluation>();
    const minor = parseAmount(amount, currency);
    const action = useAction(async () => {
        setResult(undefined);
        const body = {
            profile_id: profileId,
            routing_id: routingId,
            amount: minor ?? 0,
            currency,
            payment_method: method,
            ...(method === 'wallet' ? { payment_method_type: wallet } : {}),
            ...(network ? { card: { card_network: network } } : {}),
            ...(country ? { billing_country: country } : {}),
        };
        setResult(await routingEvaluate(client, body as RoutingEvaluateRequest));
    });
    const countries = COUNTRIES.map((code) => [code, countryName(code, locale)] as const).sort(([, one], [, other]) => one.localeCompare(other, locale));
    return (
        <Section title={t.title} hint={t.hint}>
            <ActionForm
                action={action}
                className="trial"
                check={checked(minor !== undefined)}
            >
                <Field label={texts.common.amount} name="amount" inputMode="decimal" maxLength={16} value={amount} onChange={setAmount} error={isChecked && minor === undefined ? texts.payments.badAmount(currency) : undefined} />
                <Choice label={texts.common.currency} member="currency" value={currency} onChange={setCurrency} options={ALL_CURRENCIES.map((code) => [code, code])} />
                <Choice label={texts.payments.method} member="payment_method" value={method} onChange={setMethod} options={(['card', 'wallet', 'network_token'] as const).map((word) => [word, wordOf(texts.words.method, word)])} />
                {method === 'wallet' ? <Choice label={texts.words.method['wallet']!} member="payment_method_type" value={wallet} onChange={setWallet} options={typesOf('wallet').map((word) => [word, word.replaceAll('_', ' ')])} /> : null}
                <Choice label={t.network} member="card_network" value={network} onChange={setNetwork} options={[['', t.any], ...NETWORKS.map((word) => [word, word] as const)]} />
                <Choice label={t.country} member="billing_country" value={country} onChange={setCountry} options={[['', t.any], ...countries]} />
                <Button type="submit" isPending={action.isPending}>
                    {action.isPending ? texts.common.working : t.submit}
                </Button>
            </ActionForm>
            <div role="status">
                {result ? <Result result={result} accounts={accounts} /> : null}
            </div>
        </Section>
    );
}

function Result({ result, accounts }: { result: RoutingEvaluation; accounts: Accounts }): ReactNode {
    const { texts } = useSpoken();
    const t = texts.routing.trial;
    const { rule, candidates } = result.routing;
    const nameOf = (one: { connector: string; merchant_connector_id: string }): string => accounts.nameOf({ connector: one.connector, id: one.merchant_connector_id });
    const dropped = candidates.filter((one) => one.dropped_because);
    return (
        <div className="card">
            <p>{rule ? t.byRule : t.byRest} {rule ? <Foreign longest={64}>{rule}</Foreign> : null}</p>
            {result.connectors.length === 0 ? <p className="field-error">{t.nowhere}</p> : null}
            <ol className="ordered">
                {result.connectors.map((one) => {
                    const moved = candidates.find((other) => other.merchant_connector_id === one.merchant_connector_id)?.moved_because;
                    return (
                        <li key={one.merchant_connector_id}>
                            <Foreign longest={60}>{nameOf(one)}</Foreign> {moved ? <Badge tone="warn">{t.moved}</Badge> : null}
                        </li>
                    );
                })}
            </ol>
            {dropped.length > 0 ? (
                <ul className="dropped">
                    {dropped.map((one) => (
                        <li key={one.merchant_connector_id}>
                            <Foreign longest={60}>{nameOf(one)}</Foreign>: {wordOf(t.reasons, one.dropped_because as string)}
                        </li>
                    ))}
                </ul>
            ) : null}
        </div>
    );
}
