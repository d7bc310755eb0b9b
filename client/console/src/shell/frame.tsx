import { type Client, userSessionsList } from 'multirail';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { clock } from '../api/clock.ts';
import { valueOf } from '../format/address.ts';
import { zone } from '../format/time.ts';
import { useTexts } from '../texts/index.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { Page } from '../ui/page.tsx';
import { Loading } from '../ui/states.tsx';
import type { Preferences } from './app.tsx';
import { Mode } from './mode.tsx';
import { placesOf } from './places.ts';
import { useRead, useSession } from './session.tsx';

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })));
// Menus and their popovers are a fifth of the console's code. The frame doesn't wait for them.
const AccountMenu = lazy(() => import('./account_menu.tsx').then((module) => ({ default: module.AccountMenu })));
const Switcher = lazy(() => import('./switcher.tsx').then((module) => ({ default: module.Switcher })));

// Nothing waits for live updates.
const Live = lazy(() => import('../live/live.tsx').then((module) => ({ default: module.Live })));

const SecondFactor = screen(() => import('../screens/second_factor.tsx'));

/** The screens by their path. Each is loaded when it is first opened. */
const SCREENS: readonly (readonly [string, ComponentType<{ id: string }>])[] = [
    ['/', screen(() => import('../screens/home.tsx'))],
    ['/payments', screen(() => import('../screens/payments.tsx'))],
    ['/payments/:id', screen(() => import('../screens/payment.tsx'))],
    ['/links', screen(() => import('../screens/links.tsx'))],
    ['/refunds', screen(() => import('../screens/refunds.tsx'))],
    ['/disputes', screen(() => import('../screens/disputes.tsx'))],
    ['/disputes/:id', screen(() => import('../screens/dispute.tsx'))],
    ['/customers', screen(() => import('../screens/customers.tsx'))],
    ['/customers/:id', screen(() => import('../screens/customer.tsx'))],
    ['/subscriptions', screen(() => import('../screens/subscriptions.tsx'))],
    ['/subscriptions/:id', screen(() => import('../screens/subscription.tsx'))],
    ['/catalogue', screen(() => import('../screens/catalogue.tsx'))],
    ['/processors', screen(() => import('../screens/processors.tsx'))],
    ['/processors/new', screen(() => import('../screens/processor_new.tsx'))],
    ['/processors/accounts/:id', screen(() => import('../screens/processor.tsx'))],
    ['/routing', screen(() => import('../screens/routing.tsx'))],
    ['/routing/new', screen(() => import('../screens/routing_new.tsx'))],
    ['/routing/configurations/:id', screen(() => import('../screens/routing_configuration.tsx'))],
    ['/deliveries', screen(() => import('../screens/deliveries.tsx'))],
    ['/deliveries/:id', screen(() => import('../screens/delivery.tsx'))],
    ['/endpoints', screen(() => import('../screens/endpoints.tsx'))],
    ['/keys', screen(() => import('../screens/keys.tsx'))],
    ['/requests', screen(() => import('../screens/requests.tsx'))],
    ['/requests/:id', screen(() => import('../screens/request.tsx'))],
    ['/team', screen(() => import('../screens/team.tsx'))],
    ['/audit', screen(() => import('../screens/audit.tsx'))],
    ['/sessions', screen(() => import('../screens/sessions.tsx'))],
    ['/second_factor', SecondFactor],
    ['/identity', screen(() => import('../screens/identity.tsx'))],
];

function screen(load: () => Promise<{ Screen: ComponentType<{ id: string }> }>): ComponentType<{ id: string }> {
    return lazy(() => load().then(({ Screen }) => ({ default: Screen })));
}

/** Reads how far the clock of a sandbox is ahead. Only operators can ask for it, but each user's session has its last use. */
function useSandboxClock(): void {
    const { info } = useSession();
    const read = async (client: Client, signal: AbortSignal): Promise<null> => {
        const own = (await userSessionsList(client, { signal })).find((session) => session.is_current);
        if (own?.last_used_at) clock.takeUse(own.last_used_at);
        return null;
    };
    useRead(['clock'], read, { enabled: info?.sandbox === true });
}

/** The frame around all screens: navigation, mode, search and account. */
export function Frame({ preferences }: { preferences: Preferences }): ReactNode {
    const texts = useTexts();
    const { info, user, codes } = useSession();
    useSandboxClock();
    const [path] = useLocation();
    const [isMenuOpen, setMenuOpen] = useState(false);
    const [isPaletteOpen, setPaletteOpen] = useState(false);
    // The server refuses everything else until the user has the second factor that the merchant account requires.
    const isFactorMissing = user.is_two_factor_auth_required && !user.is_two_factor_auth_setup;
    const isFactorFirst = isFactorMissing || codes !== undefined;
    const places = isFactorFirst ? [] : placesOf(user.role_id);
    useEffect(() => setMenuOpen(false), [path]);
    useEffect(() => {
        const open = (event: KeyboardEvent): void => {
            if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
                event.preventDefault();
                setPaletteOpen((isOpen) => !isOpen);
            }
            if (event.key === 'Escape') setMenuOpen(false);
        };
        window.addEventListener('keydown', open);
        return () => window.removeEventListener('keydown', open);
    }, []);
    return (
        <div className={`frame ${isMenuOpen ? 'menu-open' : ''}`}>
            <a className="skip" href="#content">
                {texts.skip}
            </a>
            <header className="topbar">
                <button
                    type="button"
                    className="button quiet menu-button"
                    aria-expanded={isMenuOpen}
                    aria-controls="navigation"
                    aria-label={isMenuOpen ? texts.nav.closeMenu : texts.nav.menu}
                    onClick={() => setMenuOpen(!isMenuOpen)}
                >
                    <span aria-hidden="true">{isMenuOpen ? '×' : '☰'}</span>
                </button>
                <Mode info={info} />
                <button type="button" className="search-button" onClick={() => setPaletteOpen(true)}>
                    <span>{texts.shell.search}</span>
                    <kbd>{texts.palette.hint}</kbd>
                </button>
                <Suspense fallback={<span className="account" aria-hidden="true" />}>
                    <AccountMenu preferences={preferences} />
                </Suspense>
            </header>
            <aside className="sidebar" id="navigation">
                <Suspense fallback={<div className="switcher plain">{user.merchant_id}</div>}>
                    <Switcher />
                </Suspense>
                <nav aria-label={texts.nav.label}>
                    {(['first', 'money', 'processing', 'developers', 'account'] as const).map((group) => (
                        <NavGroup key={group} name={group === 'first' ? '' : texts.nav[group]} places={places.filter((place) => place.group === group)} path={path} />
                    ))}
                </nav>
                <p className="zone">{texts.shell.zone(zone())}</p>
                {isFactorMissing ? null : (
                    <Suspense fallback={null}>
                        <Live />
                    </Suspense>
                )}
            </aside>
            <main id="content" className="content" tabIndex={-1}>
                <Boundary key={isFactorFirst ? '' : path}>
                    <Suspense fallback={<Loading />}>
                        <Switch>
                            {isFactorFirst ? (
                                <Route>
                                    <SecondFactor id="" />
                                </Route>
                            ) : null}
                            {SCREENS.map(([pattern, Screen]) => (
                                <Route key={pattern} path={pattern}>
                                    {(params: Record<string, string | undefined>) => <Screen key={params['id'] ?? ''} id={valueOf(params['id'] ?? '')} />}
                                </Route>
                            ))}
                            <Route>
                                <Page title={texts.errors.noPageTitle} name={texts.errors.noPageTitle} lead={texts.errors.noPage}>
                                    <Link href="/">{texts.common.back(texts.nav.home)}</Link>
                                </Page>
                            </Route>
                        </Switch>
                    </Suspense>
                </Boundary>
            </main>
            {isPaletteOpen ? (
                <Suspense fallback={null}>
                    <Palette preferences={preferences} isFactorFirst={isFactorFirst} onClose={() => setPaletteOpen(false)} />
                </Suspense>
            ) : null}
        </div>
    );
}

function NavGroup({ name, places, path }: { name: string; places: ReturnType<typeof placesOf>; path: string }): ReactNode {
    const texts = useTexts();
    if (places.length === 0) return null;
    return (
        <div className="nav-group" role="group" {...(name ? { 'aria-label': name } : {})}>
            {name ? (
                <p className="nav-name" aria-hidden="true">
                    {name}
                </p>
            ) : null}
            <ul>
                {places.map((place) => {
                    const isHere = place.to === '/' ? path === '/' : path === place.to || path.startsWith(`${place.to}/`);
                    return (
                        <li key={place.to}>
                            <Link href={place.to} className="nav-link" {...(isHere ? { 'aria-current': 'page' as const } : {})}>
                                {texts.nav[place.name]}
                            </Link>
                        </li>
                    );
                })}
            </ul>
        </div>
    );
}
