import type { TeamMember, UserRole } from 'multirail';

/** The roles by their permissions, the strongest first. */
const STRENGTH: readonly UserRole[] = ['org_admin', 'merchant_admin', 'merchant_developer', 'merchant_operator', 'merchant_view_only'];

/** Returns the roles that a user with the role `own` may give: it and the weaker ones. */
export function givenBy(own: UserRole): readonly UserRole[] {
    return STRENGTH.slice(STRENGTH.indexOf(own));
}

/** Returns whether a user with the role `own` may manage a member: no role of theirs, offered or held, is stronger. */
export function isManageable(own: UserRole, member: Pick<TeamMember, 'role_id' | 'offered_role_id'>): boolean {
    const roles = givenBy(own);
    return roles.includes(member.role_id) && (member.offered_role_id === null || roles.includes(member.offered_role_id));
}
