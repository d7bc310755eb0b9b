import { type TeamMember, teamList, teamSettingsRetrieve } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useRead, useSession } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page, Section } from '../ui/page.tsx';
import { ReadStatus } from '../ui/states.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { Badge, Foreign, Moment } from '../ui/text.tsx';
import { EndSessionsDialog, InviteDialog, RemoveDialog, RequireDialog, RoleDialog } from './team_dialogs.tsx';
import { isManageable } from './team_roles.ts';

/** An open dialog, with the member that it is about. */
type Open = { kind: 'invite' | 'require' } | { kind: 'role' | 'sessions' | 'remove' | 'again'; member: TeamMember };

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.team;
    const filters = useFilters();
    const [open, setOpen] = useState<Open>();
    const query = { limit: PAGE, offset: filters.offset };
    const list = useRead(['team', query], (client, signal) => teamList(client, query, { signal }), { keep: true });
    const columns: readonly Column<TeamMember>[] = [
        { name: t.person, cell: (one) => <Person member={one} /> },
        { name: t.role, cell: (one) => <Role member={one} /> },
        { name: texts.common.status, from: 'medium', cell: (one) => <Badge tone={one.status === 'active' ? 'good' : 'info'}>{wordOf(t.statuses, one.status)}</Badge> },
        { name: t.factor, from: 'medium', cell: (one) => <Factor isOn={one.is_two_factor_auth_setup} /> },
        { name: t.signedIn, from: 'wide', cell: (one) => <Moment isRelative>{one.last_sign_in_at}</Moment> },
        { name: t.actions, cell: (one) => <Actions member={one} onOpen={(kind) => setOpen({ kind, member: one })} /> },
    ];
    const close = (): void => setOpen(undefined);
    return (
        <Page
            title={t.title}
            name={t.title}
            lead={t.lead}
            actions={
                <Button look="primary" onPress={() => setOpen({ kind: 'invite' })}>
                    {t.invite}
                </Button>
            }
        >
            <List read={list} rows={list.data} filters={filters} columns={columns} keyOf={(one) => one.user_id} texts={t} />
            <SecondFactor onChange={() => setOpen({ kind: 'require' })} />
            {open?.kind === 'invite' ? <InviteDialog onClose={close} /> : null}
            {open?.kind === 'again' ? <InviteDialog member={open.member} onClose={close} /> : null}
            {open?.kind === 'role' ? <RoleDialog member={open.member} onClose={close} /> : null}
            {open?.kind === 'sessions' ? <EndSessionsDialog member={open.member} onClose={close} /> : null}
            {open?.kind === 'remove' ? <RemoveDialog member={open.member} onClose={close} /> : null}
            {open?.kind === 'require' ? <RequireDialog onClose={close} /> : null}
        </Page>
    );
}

function Person({ member }: { member: TeamMember }): ReactNode {
    const t = useTexts().team;
    const { user } = useSession();
    return (
        <>
            <Foreign longest={80}>{member.email}</Foreign> {member.user_id === user.user_id ? <Badge tone="calm">{t.you}</Badge> : null}
            {member.name ? (
                <span className="small">
                    {' '}
                    <Foreign longest={60}>{member.name}</Foreign>
                </span>
            ) : null}
        </>
    );
}

function Role({ member }: { member: TeamMember }): ReactNode {
    const texts = useTexts();
    const role = wordOf(texts.shell.roles, member.role_id);
    const offered = member.status === 'active' && member.offered_role_id ? wordOf(texts.shell.roles, member.offered_role_id) : undefined;
    return <span>{offered ? texts.team.roleAndOffer(role, offered) : role}</span>;
}

function Factor({ isOn }: { isOn: boolean | null }): ReactNode {
    const texts = useTexts();
    if (isOn === null) return <span className="none">{texts.common.none}</span>;
    return <Badge tone={isOn ? 'good' : 'warn'}>{isOn ? texts.team.on : texts.team.off}</Badge>;
}

/** The actions about a member. The user's own sessions have a screen of their own, and another admin removes the user. */
function Actions({ member, onOpen }: { member: TeamMember; onOpen: (kind: 'role' | 'sessions' | 'remove' | 'again') => void }): ReactNode {
    const texts = useTexts();
    const t = texts.team;
    const { user } = useSession();
    if (member.user_id === user.user_id || !isManageable(user.role_id, member)) return <span className="none">{texts.common.none}</span>;
    const action = (kind: 'role' | 'sessions' | 'remove' | 'again', name: string): ReactNode => (
        <Button size="small" onPress={() => onOpen(kind)} label={`${name}: ${member.email}`}>
            {name}
        </Button>
    );
    if (member.status === 'invited') {
        return (
            <span className="buttons">
                {action('again', t.again)} {action('remove', t.withdraw)}
            </span>
        );
    }
    return (
        <span className="buttons">
            {action('role', t.changeRole)} {action('sessions', t.endSessions)} {action('remove', t.remove)}
        </span>
    );
}

/** The rule that everybody needs a second factor. An admin sets their own up first, because the rule would shut them out. */
function SecondFactor({ onChange }: { onChange: () => void }): ReactNode {
    const t = useTexts().team;
    const { user } = useSession();
    const settings = useRead(['team settings'], (client, signal) => teamSettingsRetrieve(client, { signal }));
    const isRequired = settings.data?.two_factor_required;
    const isFirstOwn = isRequired === false && !user.is_two_factor_auth_setup;
    return (
        <Section title={t.rule} hint={t.ruleHint}>
            <ReadStatus read={settings} />
            {isRequired === undefined ? null : (
                <p>
                    <Badge tone={isRequired ? 'good' : 'calm'}>{isRequired ? t.required : t.notRequired}</Badge>
                </p>
            )}
            {isFirstOwn ? (
                <p>
                    {t.ownFirst} <Link href="/second_factor">{t.setUpOwn}</Link>
                </p>
            ) : null}
            {isRequired === undefined || isFirstOwn ? null : (
                <Button look={isRequired ? 'danger' : 'plain'} onPress={onChange}>
                    {isRequired ? t.requireNot : t.require}
                </Button>
            )}
        </Section>
    );
}
