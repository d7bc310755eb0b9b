import { may, type Operation } from '../api/roles.ts';
import type { UserRole } from 'multirail';
import type { Texts } from '../texts/index.tsx';

/** A screen that the navigation leads to. */
export interface Place {
    to: string;
    name: keyof Texts['nav'];
    group: 'first' | 'money' | 'processing' | 'developers' | 'account';
    /** The operation without which the screen is empty. */
    needs: Operation;
}

const PLACES: readonly Place[] = [
    { to: '/', name: 'home', group: 'first', needs: 'payments_filter' },
    { to: '/payments', name: 'payments', group: 'money', needs: 'payments_filter' },
    { to: '/links', name: 'links', group: 'money', needs: 'payments_filter' },
    { to: '/refunds', name: 'refunds', group: 'money', needs: 'refunds_list' },
    { to: '/disputes', name: 'disputes', group: 'money', needs: 'disputes_list' },
    { to: '/customers', name: 'customers', group: 'money', needs: 'customers_list' },
    { to: '/subscriptions', name: 'subscriptions', group: 'money', needs: 'user_subscriptions_list' },
    { to: '/catalogue', name: 'catalogue', group: 'money', needs: 'subscription_products_list' },
    { to: '/processors', name: 'processors', group: 'processing', needs: 'connector_accounts_list' },
    { to: '/routing', name: 'routing', group: 'processing', needs: 'routing_list' },
    { to: '/deliveries', name: 'deliveries', group: 'developers', needs: 'events_list' },
    { to: '/endpoints', name: 'endpoints', group: 'developers', needs: 'webhook_endpoints_list' },
    { to: '/keys', name: 'keys', group: 'developers', needs: 'api_keys_list' },
    { to: '/requests', name: 'requests', group: 'developers', needs: 'request_log_list' },
    { to: '/team', name: 'team', group: 'account', needs: 'team_list' },
    { to: '/audit', name: 'audit', group: 'account', needs: 'audit_list_own' },
];

/** Returns the screens that a role may open. */
export function placesOf(role: UserRole): readonly Place[] {
    return PLACES.filter((place) => may(role, place.needs));
}
