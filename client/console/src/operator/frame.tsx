import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import type { ServerInfo } from '../api/session.ts';
import { valueOf } from '../format/address.ts';
import { zone } from '../format/time.ts';
import type { Preferences } from '../shell/app.tsx';
import { Mode } from '../shell/mode.tsx';
import { LANGUAGES, type Language, type Texts, useTexts } from '../texts/index.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/controls.tsx';
import { Page } from '../ui/page.tsx';
import { Account } from './account.tsx';
import { Accounts } from './accounts.tsx';
import { Keys } from './keys.tsx';
import { Organization } from './organization.tsx';
import { Organizations } from './organizations.tsx';
import { ThisServer } from './this_server.tsx';
import { Unresolved } from './unresolved.tsx';

const PLACES: readonly { to: string; name: keyof Texts['operator']['nav'] }[] = [
    { to: '/operator', name: 'accounts' },
    { to: '/operator/organizations', name: 'organizations' },
    { to: '/operator/unresolved', name: 'unresolved' },
    { to: '/operator/keys', name: 'keys' },
    { to: '/operator/server', name: 'server' },
];

/** The screens of the operator by their path. */
const SCREENS: readonly (readonly [string, ComponentType<{ id: string }>])[] = [
    ['/operator', Accounts],
    ['/operator/accounts/:id', Account],
    ['/operator/organizations', Organizations],
    ['/operator/organizations/:id', Organization],
    ['/operator/unresolved', Unresolved],
    ['/operator/keys', Keys],
    ['/operator/server', ThisServer],
];

/** Returns whether a screen belongs to a place of the navigation. */
function isHere(path: string, to: string): boolean {
    return to === '/operator' ? path === to || path.startsWith('/operator/accounts/') : path === to || path.startsWith(`${to}/`);
}

/** The frame around the screens of the operator. */
export function OperatorFrame({ info, preferences, onEnd }: { info: ServerInfo | undefined; preferences: Preferences; onEnd: () => void }): ReactNode {
    const texts = useTexts();
    const t = texts.operator;
    const [path] = useLocation();
    const [isMenuOpen, setMenuOpen] = useState(false);
    useEffect(() => setMenuOpen(false), [path]);
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
                <span className="topbar-note">{t.readOnly}</span>
                <Button onPress={onEnd}>{texts.shell.signOut}</Button>
            </header>
            <aside className="sidebar" id="navigation">
                <div className="switcher plain">{t.name}</div>
                <nav aria-label={t.name}>
                    <div className="nav-group">
                        <ul>
                            {PLACES.map(({ to, name }) => (
                                <li key={to}>
                                    <Link href={to} className="nav-link" {...(isHere(path, to) ? { 'aria-current': 'page' as const } : {})}>
                                        {t.nav[name]}
                                    </Link>
                                </li>
                            ))}
                        </ul>
                    </div>
                </nav>
                <p className="zone">{texts.shell.zone(zone())}</p>
                <Choice
                    label={texts.shell.language}
                    isLabelHidden
                    value={preferences.language}
                    onChange={(language) => preferences.setLanguage(language as Language)}
                    options={LANGUAGES.map((language) => [language, texts.shell.languages[language]] as const)}
                />
            </aside>
            <main id="content" className="content" tabIndex={-1}>
                <Boundary key={path}>
                    <Switch>
                        {SCREENS.map(([pattern, Screen]) => (
                            <Route key={pattern} path={pattern}>
                                {(params: Record<string, string | undefined>) => <Screen key={params['id'] ?? ''} id={valueOf(params['id'] ?? '')} />}
                            </Route>
                        ))}
                        <Route>
                            <Page title={texts.errors.noPageTitle} name={texts.errors.noPageTitle} lead={texts.errors.noPage}>
                                <Link href="/operator">{texts.common.back(t.nav.accounts)}</Link>
                            </Page>
                        </Route>
                    </Switch>
                </Boundary>
            </main>
        </div>
    );
}
