import { useQueryClient } from '@tanstack/react-query';
import { type ConnectorAccount, connectorAccountsRetrieve, connectorAccountsUpdate, type ConnectorAccountUpdateRequest, type PaymentMethod, type PaymentMethodEnabled } from 'multirail';
import { type ReactNode, useState } from 'react';
import { ALL_CURRENCIES, COUNTRIES, countryName } from '../format/codes.ts';
import { editable, parseAmount } from '../format/money.ts';
import { useSession } from '../shell/session.tsx';
import { useSpoken, useTexts, wordOf } from '../texts/index.tsx';
import { type Action, ActionDialog, useAction, useChecked } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { Check, Choice, Field, Words } from '../ui/controls.tsx';
import { useTell } from '../ui/notices.tsx';
import { Section } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { canTake, useConnector } from './connectors.ts';
import { type Acceptance, acceptanceOf, conditionsOf, currencyOfEntry } from './methods.ts';
import { METHODS, NETWORKS, typesOf } from './words.ts';

type Entries = readonly PaymentMethodEnabled[];
interface Numbered {
    entry: PaymentMethodEnabled;
    index: number;
}

/** The payments that an account accepts, and the ways to change them. */
export function MethodsSection({ account, mayUpdate }: { account: ConnectorAccount; mayUpdate: boolean }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.processors;
    const entries = account.payment_methods_enabled;
    const [editing, setEditing] = useState<number>();
    const [removing, setRemoving] = useState<number>();
    const typesText = (entry: PaymentMethodEnabled): string => entry.payment_method_types?.map((type) => wordOf(t.types, type)).join(', ') ?? t.allTypes;
    const titleOf = (entry: PaymentMethodEnabled): string => `${wordOf(texts.words.method, entry.payment_method)}: ${typesText(entry)}`;
    const columns: readonly Column<Numbered>[] = [
        {
            name: texts.payments.method,
            cell: ({ entry }) => (
                <>
                    {wordOf(texts.words.method, entry.payment_method)}
                    <div className="small">{typesText(entry)}</div>
                </>
            ),
        },
        { name: t.conditions, cell: ({ entry }) => conditionsOf(entry, texts, locale).join(' · ') || <span className="none">{t.without}</span> },
        ...(mayUpdate
            ? [
                  {
                      name: t.change,
                      cell: ({ entry, index }: Numbered) => (
                          <span className="actions">
                              <Button size="small" onPress={() => setEditing(index)} label={`${t.edit}: ${titleOf(entry)}`}>
                                  {t.edit}
                              </Button>
                              {(entries?.length ?? 0) > 1 ? (
                                  <Button size="small" onPress={() => setRemoving(index)} label={`${texts.common.remove}: ${titleOf(entry)}`}>
                                      {texts.common.remove}
                                  </Button>
                              ) : null}
                          </span>
                      ),
                  },
              ]
            : []),
    ];
    const add = mayUpdate ? (
        <Button size="small" onPress={() => setEditing(entries?.length ?? 0)}>
            {entries === null ? t.restrict : t.addMethod}
        </Button>
    ) : null;
    const removed = removing === undefined ? undefined : entries?.[removing];
    return (
        <Section title={t.methods} actions={add}>
            {entries === null ? <p>{t.everythingLong}</p> : null}
            {entries?.length === 0 ? <p>{t.nothingLong}</p> : null}
            {entries && entries.length > 0 ? <Table caption={t.methods} columns={columns} rows={entries.map((entry, index) => ({ entry, index }))} keyOf={({ index }) => String(index)} /> : null}
            {editing === undefined ? null : <EntryDialog account={account} index={editing} onClose={() => setEditing(undefined)} />}
            {removed && removing !== undefined ? <RemoveDialog account={account} index={removing} name={titleOf(removed)} onClose={() => setRemoving(undefined)} /> : null}
        </Section>
    );
}

/** Somebody else changed the list meanwhile. Saving would undo that. */
class Stale extends Error {}

/** Returns the action that replaces the list, unless it isn't the one that was shown. */
function useReplace(account: ConnectorAccount, next: () => Entries, onClose: () => void): Action & { isStale: boolean } {
    const t = useTexts().processors;
    const { client, user } = useSession();
    const tell = useTell();
    const store = useQueryClient();
    const [isStale, setStale] = useState(false);
    const action = useAction(async () => {
        setStale(false);
        const id = account.merchant_connector_id;
        try {
            const now = await connectorAccountsRetrieve(client, user.merchant_id, id);
            if (JSON.stringify(now.payment_methods_enabled) !== JSON.stringify(account.payment_methods_enabled)) throw new Stale();
        } catch (error) {
            if (!(error instanceof Stale)) throw error;
            setStale(true);
            await store.invalidateQueries();
            return;
        }
        const change = { connector_type: account.connector_type, payment_methods_enabled: next() } as ConnectorAccountUpdateRequest;
        await connectorAccountsUpdate(client, user.merchant_id, id, change);
        tell(t.saved);
        onClose();
        await store.invalidateQueries();
    });
    return { ...action, isStale };
}

function RemoveDialog({ account, index, name, onClose }: { account: ConnectorAccount; index: number; name: string; onClose: () => void }): ReactNode {
    const texts = useTexts();
    const t = texts.processors;
    const [shown] = useState(account);
    const action = useReplace(shown, () => (shown.payment_methods_enabled ?? []).filter((_, place) => place !== index), onClose);
    return (
        <ActionDialog title={t.removeMethod} submit={texts.common.remove} look="danger" action={action} onClose={onClose} consequence={t.removeConsequence(name)}>
            {action.isStale ? <p className="alert warn" role="alert">{t.stale}</p> : null}
        </ActionDialog>
    );
}

const EMPTY: PaymentMethodEnabled = {
    payment_method: 'card',
    payment_method_types: null,
    payment_method_issuers: null,
    payment_schemes: null,
    accepted_currencies: null,
    accepted_countries: null,
    minimum_amount: null,
    maximum_amount: null,
    recurring_enabled: null,
    installment_payment_enabled: null,
};

/** Returns the contract's form of an acceptance. */
function accepted({ type, list }: Acceptance): { type: Acceptance['type']; list: string[] } | null {
    return type === 'all_accepted' ? null : { type, list: [...list] };
}

/** The dialog for one entry. Members that it doesn't offer stay as they are. */
function EntryDialog({ account, index, onClose }: { account: ConnectorAccount; index: number; onClose: () => void }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.processors;
    // A change by somebody else must not exchange the entry below the form.
    const [shown] = useState(account);
    const entries = shown.payment_methods_enabled ?? [];
    const former = entries[index] ?? EMPTY;
    const formerCurrency = currencyOfEntry(former);
    const shownAmount = (minor: number | null | undefined): string => (typeof minor !== 'number' ? '' : formerCurrency ? editable(minor, formerCurrency, locale) : String(minor));
    const [method, setMethod] = useState<PaymentMethod>(former.payment_method);
    const [types, setTypes] = useState<readonly string[]>(former.payment_method_types ?? []);
    const [networks, setNetworks] = useState<readonly string[]>(former.payment_schemes ?? []);
    const [currencies, setCurrencies] = useState(() => acceptanceOf(former.accepted_currencies));
    const [countries, setCountries] = useState(() => acceptanceOf(former.accepted_countries));
    const [least, setLeast] = useState(() => shownAmount(former.minimum_amount));
    const [most, setMost] = useState(() => shownAmount(former.maximum_amount));
    const [isRecurring, setRecurring] = useState(former.recurring_enabled !== false);
    const [isChecked, checked] = useChecked();
    const currency = currencies.type === 'enable_only' && currencies.list.length === 1 ? currencies.list[0] : undefined;
    const parse = (text: string): number | null | undefined => {
        if (text.trim() === '') return null;
        return currency ? parseAmount(text, currency) : /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined;
    };
    const [low, high] = [parse(least), parse(most)];
    const badAmount = currency ? texts.payments.badAmount(currency) : texts.routing.badMinor;
    const isListed = (one: Acceptance): boolean => one.type === 'all_accepted' || one.list.length > 0;
    const isComplete = low !== undefined && high !== undefined && isListed(currencies) && isListed(countries);
    const made = (): PaymentMethodEnabled => ({
        ...former,
        payment_method: method,
        payment_method_types: types.length > 0 ? ([...types] as PaymentMethodEnabled['payment_method_types']) : null,
        payment_schemes: method === 'card' && networks.length > 0 ? ([...networks] as PaymentMethodEnabled['payment_schemes']) : null,
        accepted_currencies: accepted(currencies) as PaymentMethodEnabled['accepted_currencies'],
        accepted_countries: accepted(countries) as PaymentMethodEnabled['accepted_countries'],
        minimum_amount: low ?? null,
        maximum_amount: high ?? null,
        recurring_enabled: isRecurring ? (former.recurring_enabled === false ? true : former.recurring_enabled) : false,
    });
    const action = useReplace(shown, () => (index < entries.length ? entries.map((one, place) => (place === index ? made() : one)) : [...entries, made()]), onClose);
    const consequence = shown.payment_methods_enabled === null ? t.restrictConsequence : t.methodConsequence;
    const connector = useConnector(shown.connector_name);
    // What the connector can't take is offered only where the entry has it already.
    const methods = METHODS.filter((word) => word === former.payment_method || canTake(connector, word));
    const kinds = typesOf(method).filter((word) => types.includes(word) || canTake(connector, method, word));
    const codes = COUNTRIES.map((code) => [code, countryName(code, locale)] as const).sort(([, one], [, other]) => one.localeCompare(other, locale));
    return (
        <ActionDialog
            title={index < entries.length ? t.editMethod : t.addMethod}
            submit={t.save}
            action={action}
            size="roomy"
            check={checked(isComplete)}
            onClose={onClose}
            consequence={consequence}
        >
            <Choice
                label={texts.payments.method}
                value={method}
                onChange={(word) => {
                    setMethod(word as PaymentMethod);
                    setTypes([]);
                }}
                options={methods.map((word) => [word, wordOf(texts.words.method, word)])}
            />
            <Words label={t.typesLabel} words={types} onChange={setTypes} options={kinds.map((word) => [word, wordOf(t.types, word)])} hint={t.typesHint} member="payment_method_types" />
            {method === 'card' ? <Words label={t.networks} words={networks} onChange={setNetworks} options={NETWORKS.map((word) => [word, word])} hint={t.networksHint} member="payment_schemes" /> : null}
            <Accepted label={texts.processors.currencies} value={currencies} onChange={setCurrencies} options={ALL_CURRENCIES.map((code) => [code, code])} isChecked={isChecked} member="accepted_currencies" />
            <Accepted label={texts.processors.countries} value={countries} onChange={setCountries} options={codes} isChecked={isChecked} member="accepted_countries" />
            <div className="row">
                <Field label={currency ? t.leastIn(currency) : t.leastMinor} name="minimum_amount" inputMode="decimal" maxLength={16} value={least} onChange={setLeast} error={isChecked && low === undefined ? badAmount : undefined} />
                <Field label={currency ? t.mostIn(currency) : t.mostMinor} name="maximum_amount" inputMode="decimal" maxLength={16} value={most} onChange={setMost} error={isChecked && high === undefined ? badAmount : undefined} />
            </div>
            {currency ? null : <p className="hint">{t.minorHint}</p>}
            <Check label={t.recurring} hint={t.recurringHint} value={isRecurring} onChange={setRecurring} />
            {action.isStale ? <p className="alert warn" role="alert">{t.stale}</p> : null}
        </ActionDialog>
    );
}

interface AcceptedProps {
    label: string;
    value: Acceptance;
    onChange: (value: Acceptance) => void;
    options: readonly (readonly [string, string])[];
    isChecked: boolean;
    member: string;
}

function Accepted({ label, value, onChange, options, isChecked, member }: AcceptedProps): ReactNode {
    const t = useTexts().processors;
    const isEmpty = value.type !== 'all_accepted' && value.list.length === 0;
    return (
        <div className="accepted">
            <Choice
                label={label}
                value={value.type}
                onChange={(type) => onChange({ ...value, type: type as Acceptance['type'] })}
                options={[
                    ['all_accepted', t.acceptAll],
                    ['enable_only', t.acceptOnly],
                    ['disable_only', t.acceptBut],
                ]}
                {...(value.type === 'all_accepted' ? { member } : {})}
            />
            {value.type === 'all_accepted' ? null : <Words label={value.type === 'enable_only' ? t.acceptOnly : t.acceptBut} words={value.list} onChange={(list) => onChange({ ...value, list })} options={options} member={member} error={isChecked && isEmpty ? t.needList : undefined} />}
        </div>
    );
}
