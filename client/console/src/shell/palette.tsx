import { useQuery } from '@tanstack/react-query';
import { type Client, customersList, disputesList, NotFoundError, paymentsFilter, refundsList, type Subscription, userSubscriptionsRetrieve } from 'multirail';
import { type ReactNode, useEffect, useState } from 'react';
import { Autocomplete, Dialog, Header, Heading, Input, Menu, MenuItem, MenuSection, Modal, ModalOverlay, SearchField } from 'react-aria-components';
import { useLocation } from 'wouter';
import { may } from '../api/roles.ts';
import { address } from '../format/address.ts';
import { money } from '../format/money.ts';
import { LANGUAGES, useSpoken, wordOf } from '../texts/index.tsx';
import { amountOf } from '../ui/text.tsx';
import type { Preferences } from './app.tsx';
import { placesOf } from './places.ts';
import { THEMES } from './preferences.ts';
import { useSession } from './session.tsx';

/** Something that the server knows by a whole id, reference or address. */
interface Found {
    to: string;
    kind: 'payment' | 'refund' | 'dispute' | 'customer' | 'subscription';
    name: string;
    note: string;
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the subscription with this id. No list of the server finds one by its id. */
async function subscriptionOf(client: Client, id: string, signal: AbortSignal): Promise<Subscription | undefined> {
    try {
        return await userSubscriptionsRetrieve(client, id, { signal });
    } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
    }
}

/** Asks the server for everything that has this text as its id, reference or address. */
async function find(client: Client, text: string, signal: AbortSignal, words: (kind: 'payment' | 'refund' | 'dispute' | 'subscription', status: string) => string, show: (amount: number | bigint, currency: string) => string): Promise<Found[]> {
    const isId = ID.test(text);
    const [byId, byOrder, refunds, disputes, customers, subscription] = await Promise.all([
        isId ? paymentsFilter(client, { payment_id: text, limit: 1 }, { signal }) : undefined,
        paymentsFilter(client, { merchant_order_reference_id: text, limit: 5 }, { signal }),
        isId ? refundsList(client, { refund_id: text, limit: 1 }, { signal }) : undefined,
        isId ? disputesList(client, { dispute_id: text, limit: 1 }, { signal }) : undefined,
        text.includes('@') ? customersList(client, { email: text, limit: 5 }, { signal }) : isId ? customersList(client, { customer_id: text, limit: 1 }, { signal }) : undefined,
        isId && text.startsWith('sub_') ? subscriptionOf(client, text, signal) : undefined,
    ]);
    return [
        ...[...(byId?.data ?? []), ...byOrder.data].map(
            (one): Found => ({ to: address`/payments/${one.payment_id}`, kind: 'payment', name: one.merchant_order_reference_id ?? one.payment_id, note: `${show(one.amount, one.currency)} · ${words('payment', one.status)}` }),
        ),
        ...(refunds?.data ?? []).map((one): Found => ({ to: address`/payments/${one.payment_id}`, kind: 'refund', name: one.refund_id, note: `${show(one.amount, one.currency)} · ${words('refund', one.status)}` })),
        ...(disputes ?? []).map((one): Found => ({ to: address`/disputes/${one.dispute_id}`, kind: 'dispute', name: one.dispute_id, note: `${show(amountOf(one.amount) ?? 0, one.currency)} · ${words('dispute', one.dispute_status)}` })),
        ...(customers ?? []).map((one): Found => ({ to: address`/customers/${one.customer_id}`, kind: 'customer', name: one.name ?? one.customer_id, note: one.email ?? '' })),
        ...(subscription ? [subscription] : []).map((one): Found => ({ to: address`/subscriptions/${one.id}`, kind: 'subscription', name: one.id, note: `${one.plan_id ?? ''} · ${words('subscription', one.status)}` })),
    ].filter((one, index, all) => all.findIndex((other) => other.to === one.to && other.kind === one.kind) === index);
}

interface PaletteProps {
    preferences: Preferences;
    /** True if the user sees nothing but the screen of the second factor. */
    isFactorFirst: boolean;
    onClose: () => void;
}

/** The command palette: screens, actions, and what the server finds by a whole id, reference or address. */
export function Palette({ preferences, isFactorFirst, onClose }: PaletteProps): ReactNode {
    const { texts, locale } = useSpoken();
    const { client, user, profileId, signOut } = useSession();
    const [, navigate] = useLocation();
    const [text, setText] = useState('');
    const [asked, setAsked] = useState('');
    useEffect(() => {
        const timer = setTimeout(() => setAsked(text.trim()), 250);
        return () => clearTimeout(timer);
    }, [text]);
    const found = useQuery({
        queryKey: [user.merchant_id, profileId ?? '', 'palette', asked, locale],
        queryFn: ({ signal }) => find(client, asked, signal, (kind, status) => wordOf(texts.words[kind], status), (amount, currency) => money(amount, currency, locale)),
        enabled: !isFactorFirst && asked.length >= 3 && asked.length <= 255,
    });
    const tasks = [
        { id: 'connect', needs: 'connector_accounts_create', name: texts.processors.connect, to: '/processors/new' },
        { id: 'routing', needs: 'routing_create', name: texts.routing.createTitle, to: '/routing/new' },
    ] as const;
    const commands = [
        ...tasks.filter((task) => !isFactorFirst && may(user.role_id, task.needs)).map(({ id, name, to }) => ({ id, name, run: () => navigate(to) })),
        ...THEMES.map((theme) => ({ id: `theme ${theme}`, name: `${texts.shell.theme}: ${texts.shell.themes[theme]}`, run: () => preferences.setTheme(theme) })),
        ...LANGUAGES.map((language) => ({ id: `language ${language}`, name: `${texts.shell.language}: ${texts.shell.languages[language]}`, run: () => preferences.setLanguage(language) })),
        { id: 'sign-out', name: texts.shell.signOut, run: signOut },
    ];
    const screens = [...placesOf(user.role_id).map(({ to, name }) => ({ to, name: texts.nav[name] })), { to: '/sessions', name: texts.shell.sessions }];
    const places = [...(isFactorFirst ? [] : screens), { to: '/second_factor', name: texts.shell.secondFactor }];
    const go = (to: string): void => {
        onClose();
        navigate(to);
    };
    const results = asked === text.trim() ? (found.data ?? []) : [];
    // What the server found matches by id, whatever its name is.
    const matches = (name: string, typed: string): boolean => name.startsWith('\u2060') || name.toLowerCase().includes(typed.trim().toLowerCase());
    return (
        <ModalOverlay className="overlay palette-overlay" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()}>
            <Modal className="modal palette">
                <Dialog className="palette-dialog">
                    {/* Escape would first clear the field. One key closes the palette. */}
                    <div className="palette-body" onKeyDownCapture={(event) => event.key === 'Escape' && onClose()}>
                    <Heading slot="title" className="hidden">
                        {texts.palette.title}
                    </Heading>
                    <Autocomplete inputValue={text} onInputChange={setText} filter={matches}>
                        <SearchField aria-label={texts.palette.title} className="palette-field" autoFocus>
                            <Input className="palette-input" placeholder={texts.palette.placeholder} maxLength={255} dir="auto" />
                        </SearchField>
                        <Menu className="menu palette-menu" aria-label={texts.palette.title} renderEmptyState={() => <p className="palette-none">{found.isFetching ? texts.palette.searching : texts.palette.none}</p>}>
                            {results.length > 0 ? (
                                <MenuSection>
                                    <Header className="menu-name">{texts.palette.found}</Header>
                                    {results.map((one) => (
                                        <MenuItem key={`${one.kind} ${one.to}`} id={`${one.kind} ${one.to}`} className="menu-item" textValue={`\u2060${one.name}`} onAction={() => go(one.to)}>
                                            <span className="menu-kind">{texts.palette[one.kind]}</span>
                                            <bdi className="menu-text">{one.name.slice(0, 80)}</bdi>
                                            <bdi className="menu-note">{one.note.slice(0, 80)}</bdi>
                                        </MenuItem>
                                    ))}
                                </MenuSection>
                            ) : null}
                            <MenuSection>
                                <Header className="menu-name">{texts.palette.go}</Header>
                                {places.map((place) => (
                                    <MenuItem key={place.to} id={place.to} className="menu-item" onAction={() => go(place.to)}>
                                        {place.name}
                                    </MenuItem>
                                ))}
                            </MenuSection>
                            <MenuSection>
                                <Header className="menu-name">{texts.palette.actions}</Header>
                                {commands.map((command) => (
                                    <MenuItem
                                        key={command.id}
                                        id={command.id}
                                        className="menu-item"
                                        onAction={() => {
                                            onClose();
                                            command.run();
                                        }}
                                    >
                                        {command.name}
                                    </MenuItem>
                                ))}
                            </MenuSection>
                        </Menu>
                    </Autocomplete>
                    </div>
                    <p className="hidden" role="status">
                        {found.isFetching ? texts.palette.searching : ''}
                    </p>
                </Dialog>
            </Modal>
        </ModalOverlay>
    );
}
