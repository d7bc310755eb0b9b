import type { UseQueryResult } from '@tanstack/react-query';
import { type Connector, connectorsList, type PaymentMethod, type PaymentMethodEnabled } from 'multirail';
import { useRead } from '../shell/session.tsx';

/** Reads the connectors of the server. They change only with its version. */
export function useConnectors(): UseQueryResult<Connector[]> {
    return useRead(['described'], (client, signal) => connectorsList(client, { signal }));
}

/** Returns the description of a connector; nothing while it is read, or if the server no longer has the connector. */
export function useConnector(name: string): Connector | undefined {
    return useConnectors().data?.find((one) => one.connector_name === name);
}

/** Returns the processor's names of secrets, by their members. */
export function labelsOf(secrets: Connector['webhook_members'] | undefined): Readonly<Record<string, string>> {
    return Object.fromEntries((secrets ?? []).map(({ name, label }) => [name, label]));
}

/** Returns whether an account of the connector can take a type of a method. A connector that isn't described may take all. */
export function canTake(connector: Connector | undefined, method: PaymentMethod, type?: string): boolean {
    if (!connector) return true;
    const found = connector.payment_methods.find((one) => one.payment_method === method);
    if (!found) return false;
    return type === undefined || found.payment_method_types.some((one) => one.payment_method_type === type);
}

/** Returns what an account without a list of methods accepts, in the form of such a list. */
export function everythingOf(connector: Connector): readonly PaymentMethodEnabled[] {
    const only = (list: readonly string[] | null | undefined): { type: 'enable_only'; list: string[] } | null => (list ? { type: 'enable_only', list: [...list] } : null);
    return connector.payment_methods.flatMap(({ payment_method, payment_method_types }) =>
        payment_method_types.map(
            (type) =>
                ({
                    payment_method,
                    payment_method_types: [type.payment_method_type],
                    payment_method_issuers: null,
                    payment_schemes: null,
                    accepted_currencies: only(type.currencies),
                    accepted_countries: only(type.countries),
                    minimum_amount: null,
                    maximum_amount: null,
                    recurring_enabled: type.recurring_enabled ? null : false,
                    installment_payment_enabled: null,
                }) as PaymentMethodEnabled,
        ),
    );
}
