import { type TeamMember, teamEndSessions, teamInvite, teamRemove, teamSettingsRetrieve, teamSettingsUpdate, teamUpdate, type UserRole } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useRead, useSession } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { ActionDialog, useChecked } from '../ui/action.tsx';
import { useChange } from '../ui/change.ts';
import { Choice, Field } from '../ui/controls.tsx';
import { givenBy } from './team_roles.ts';

interface AboutMember {
    member: TeamMember;
    onClose: () => void;
}

/** A choice among the roles that the user may give, with the permissions of the chosen one. */
function RoleChoice({ value, onChange }: { value: UserRole; onChange: (role: UserRole) => void }): ReactNode {
    const texts = useTexts();
    const { user } = useSession();
    const options = givenBy(user.role_id).map((role) => [role, wordOf(texts.shell.roles, role)] as const);
    return <Choice label={texts.team.role} member="role_id" value={value} onChange={(role) => onChange(role as UserRole)} options={options} hint={wordOf(texts.team.permissions, value)} />;
}

/** Invites a person; with `member`, again. The offered role starts as the weakest. */
export function InviteDialog({ member, onClose }: Partial<AboutMember> & Pick<AboutMember, 'onClose'>): ReactNode {
    const t = useTexts().team;
    const { client } = useSession();
    const [email, setEmail] = useState(member?.email ?? '');
    const [role, setRole] = useState<UserRole>(member?.offered_role_id ?? 'merchant_view_only');
    const [isChecked, checked] = useChecked();
    const action = useChange(async () => {
        const invited = await teamInvite(client, { email: email.trim(), role_id: role });
        return t.invited(invited.email);
    }, onClose);
    const needsEmail = isChecked && !email.trim() ? t.needEmail : undefined;
    return (
        <ActionDialog
            title={t.inviteTitle}
            consequence={t.inviteConsequence}
            submit={t.inviteSubmit}
            action={action}
            check={checked(email.trim() !== '')}
            onClose={onClose}
        >
            <Field label={t.email} name="email" type="email" inputMode="email" autoFocus={!member} isRequired isReadOnly={member !== undefined} maxLength={320} value={email} onChange={setEmail} error={needsEmail} />
            <RoleChoice value={role} onChange={setRole} />
        </ActionDialog>
    );
}

export function RoleDialog({ member, onClose }: AboutMember): ReactNode {
    const texts = useTexts();
    const t = texts.team;
    const { client } = useSession();
    const [role, setRole] = useState<UserRole>(member.role_id);
    const action = useChange(async () => {
        const changed = await teamUpdate(client, member.user_id, { role_id: role });
        return t.changed(member.email, wordOf(texts.shell.roles, changed.role_id));
    }, onClose);
    const consequence = role === 'org_admin' ? t.roleConsequenceUp : member.role_id === 'org_admin' ? t.roleConsequenceDown : t.roleConsequence;
    const said = [consequence(member.email), ...(member.offered_role_id ? [t.roleConsequenceOffer(wordOf(texts.shell.roles, member.offered_role_id))] : [])];
    return (
        <ActionDialog title={t.roleTitle} consequence={<bdi>{said.join(' ')}</bdi>} submit={t.roleSubmit} action={action} onClose={onClose}>
            <RoleChoice value={role} onChange={setRole} />
        </ActionDialog>
    );
}

export function EndSessionsDialog({ member, onClose }: AboutMember): ReactNode {
    const t = useTexts().team;
    const { client, user } = useSession();
    const action = useChange(async () => {
        await teamEndSessions(client, member.user_id);
        return t.sessionsEnded(member.email);
    }, onClose);
    const consequence = user.role_id === 'org_admin' ? t.sessionsConsequenceAll : t.sessionsConsequence;
    return <ActionDialog title={t.sessionsTitle} consequence={<bdi>{consequence(member.email)}</bdi>} submit={t.endSessions} look="danger" action={action} onClose={onClose} />;
}

/** Removes a member, or withdraws the offer of a person who hasn't accepted it. */
export function RemoveDialog({ member, onClose }: AboutMember): ReactNode {
    const t = useTexts().team;
    const { client } = useSession();
    const isInvited = member.status === 'invited';
    const action = useChange(async () => {
        await teamRemove(client, member.user_id);
        return isInvited ? t.withdrawn(member.email) : t.removed(member.email);
    }, onClose);
    const ofMember = member.role_id === 'org_admin' ? t.removeConsequenceAll : t.removeConsequence;
    const consequence = isInvited ? t.withdrawConsequence : ofMember;
    return (
        <ActionDialog
            title={isInvited ? t.withdrawTitle : t.removeTitle}
            consequence={<bdi>{consequence(member.email)}</bdi>}
            submit={isInvited ? t.withdraw : t.remove}
            look="danger"
            action={action}
            onClose={onClose}
        />
    );
}

/** Sets or ends the rule that everybody needs a second factor. */
export function RequireDialog({ onClose }: Pick<AboutMember, 'onClose'>): ReactNode {
    const t = useTexts().team;
    const { client } = useSession();
    const settings = useRead(['team settings'], (client, signal) => teamSettingsRetrieve(client, { signal }));
    // The dialog does what it said when it opened, even if another admin changes the rule meanwhile.
    const [isOn] = useState(settings.data?.two_factor_required === true);
    const action = useChange(async () => {
        await teamSettingsUpdate(client, { two_factor_required: !isOn });
        return isOn ? t.ruleEnded : t.ruleSet;
    }, onClose);
    return (
        <ActionDialog
            title={isOn ? t.requireNotTitle : t.requireTitle}
            consequence={isOn ? t.requireNotConsequence : t.requireConsequence}
            submit={isOn ? t.requireNot : t.require}
            look={isOn ? 'danger' : 'primary'}
            action={action}
            onClose={onClose}
        />
    );
}
