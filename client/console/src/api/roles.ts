import type { UserRole } from 'multirail';

const ALL = ['org_admin', 'merchant_admin', 'merchant_developer', 'merchant_operator', 'merchant_view_only'] as const;
const ADMINS = ['org_admin', 'merchant_admin'] as const;
const CARE = ['org_admin', 'merchant_admin', 'merchant_operator'] as const;
const SETUP = ['org_admin', 'merchant_admin', 'merchant_developer'] as const;

/** The roles that may call an operation, as the document lists them. A test compares the two. */
export const ROLES = {
    payments_filter: ALL,
    user_payments_create: CARE,
    user_payments_retrieve: ALL,
    user_payments_capture: CARE,
    user_payments_cancel: CARE,
    user_payments_incremental_authorization: CARE,
    user_payments_approve: CARE,
    user_payments_reject: CARE,
    refunds_create: CARE,
    refunds_list: ALL,
    customers_list: ALL,
    customers_retrieve: ALL,
    customers_delete: ['org_admin', 'merchant_admin'],
    disputes_list: ALL,
    disputes_retrieve: ALL,
    disputes_accept: CARE,
    disputes_attach: CARE,
    disputes_challenge: CARE,
    disputes_delete_evidence: CARE,
    disputes_retrieve_evidence: ALL,
    events_list: ALL,
    events_follow: ALL,
    events_attempts: ALL,
    events_retry: ['org_admin', 'merchant_admin', 'merchant_developer', 'merchant_operator'],
    webhook_endpoints_list: SETUP,
    webhook_endpoints_create: SETUP,
    webhook_endpoints_update: SETUP,
    webhook_endpoints_delete: SETUP,
    webhook_endpoints_replay: SETUP,
    webhook_endpoints_test: SETUP,
    request_log_list: ALL,
    request_log_retrieve: ALL,
    api_keys_list: SETUP,
    api_keys_create: SETUP,
    api_keys_revoke: SETUP,
    connector_accounts_list: ALL,
    connector_accounts_create: SETUP,
    connector_accounts_retrieve: ALL,
    connector_accounts_update: SETUP,
    connector_accounts_delete: ['org_admin', 'merchant_admin'],
    connector_accounts_check: SETUP,
    connectors_list: ALL,
    connectors_check: SETUP,
    routing_list: ALL,
    routing_create: SETUP,
    routing_active: ALL,
    routing_evaluate: ALL,
    routing_deactivate: SETUP,
    routing_default_list: ALL,
    routing_default_update_of_profile: SETUP,
    routing_retrieve: ALL,
    routing_activate: SETUP,
    dynamic_routing_retrieve: ALL,
    dynamic_routing_elimination_toggle: SETUP,
    dynamic_routing_success_based_toggle: SETUP,
    dynamic_routing_set_volume_split: SETUP,
    business_profiles_list: SETUP,
    users_list_merchants: ALL,
    user_sessions_list: ALL,
    user_sessions_end: ALL,
    user_sessions_end_others: ALL,
    two_factor_begin: ALL,
    two_factor_confirm: ALL,
    team_list: ADMINS,
    team_invite: ADMINS,
    team_update: ADMINS,
    team_remove: ADMINS,
    team_end_sessions: ADMINS,
    team_settings_retrieve: ADMINS,
    team_settings_update: ADMINS,
    audit_list_own: ADMINS,
} as const satisfies Readonly<Record<string, readonly UserRole[]>>;

export type Operation = keyof typeof ROLES;

/** Returns whether a role may call an operation. The server decides; this only keeps the screen free of refused actions. */
export function may(role: UserRole, operation: Operation): boolean {
    return (ROLES[operation] as readonly UserRole[]).includes(role);
}
