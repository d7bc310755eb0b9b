import type { ReactNode } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { useLocation } from 'wouter';
import { type Language, LANGUAGES, useTexts, wordOf } from '../texts/index.tsx';
import type { Preferences } from './app.tsx';
import { THEMES, type Theme } from './preferences.ts';
import { useProviders } from './provider.tsx';
import { useSession } from './session.tsx';

/** The menu of the user: sessions, look, language, and signing out. */
export function AccountMenu({ preferences }: { preferences: Preferences }): ReactNode {
    const texts = useTexts();
    const { client, info, user, signOut } = useSession();
    const hasProvider = useProviders(client).names.length > 0;
    const [, navigate] = useLocation();
    const documentation = info?.documentation;
    return (
        <MenuTrigger>
            <Button className="account" aria-label={texts.shell.account(user.email)}>
                <span aria-hidden="true">{(user.name || user.email).slice(0, 1).toUpperCase()}</span>
            </Button>
            <Popover className="popover" placement="bottom end">
                <div className="menu-head">
                    <bdi>{user.email}</bdi>
                    <span>{wordOf(texts.shell.roles, user.role_id)}</span>
                </div>
                <Menu className="menu" aria-label={texts.shell.account(user.email)}>
                    <MenuSection>
                        <MenuItem className="menu-item" onAction={() => navigate('/sessions')}>
                            {texts.shell.sessions}
                        </MenuItem>
                        <MenuItem className="menu-item" onAction={() => navigate('/second_factor')}>
                            {texts.shell.secondFactor}
                        </MenuItem>
                        {hasProvider ? (
                            <MenuItem className="menu-item" onAction={() => navigate('/identity')}>
                                {texts.shell.identity}
                            </MenuItem>
                        ) : null}
                        {documentation ? (
                            <MenuItem className="menu-item" href={documentation} target="_blank" rel="noopener noreferrer">
                                {texts.shell.documentation}
                            </MenuItem>
                        ) : null}
                    </MenuSection>
                    <MenuSection
                        selectionMode="single"
                        disallowEmptySelection
                        selectedKeys={[preferences.theme]}
                        onSelectionChange={(keys) => preferences.setTheme([...(keys as Set<Theme>)][0] ?? 'system')}
                    >
                        <Header className="menu-name">{texts.shell.theme}</Header>
                        {THEMES.map((theme) => (
                            <MenuItem key={theme} id={theme} className="menu-item">
                                {texts.shell.themes[theme]}
                            </MenuItem>
                        ))}
                    </MenuSection>
                    <MenuSection
                        selectionMode="single"
                        disallowEmptySelection
                        selectedKeys={[preferences.language]}
                        onSelectionChange={(keys) => preferences.setLanguage([...(keys as Set<Language>)][0] ?? 'en')}
                    >
                        <Header className="menu-name">{texts.shell.language}</Header>
                        {LANGUAGES.map((language) => (
                            <MenuItem key={language} id={language} className="menu-item">
                                {texts.shell.languages[language]}
                            </MenuItem>
                        ))}
                    </MenuSection>
                    <MenuSection>
                        <MenuItem className="menu-item" onAction={signOut}>
                            {texts.shell.signOut}
                        </MenuItem>
                    </MenuSection>
                </Menu>
            </Popover>
        </MenuTrigger>
    );
}
