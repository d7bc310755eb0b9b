// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROLES } from '../src/api/roles.ts';
import { ALL_CURRENCIES, COUNTRIES } from '../src/format/codes.ts';
import { SHOWS } from '../src/live/messages.ts';
import { CREDENTIALS, METHODS, NETWORKS, typesOf } from '../src/processors/words.ts';
import { FIELDS } from '../src/routing/draft.ts';
import { en } from '../src/texts/en.ts';
import { EVENT_CLASSES } from '../src/webhooks/event_classes.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const document = read('../../../openapi/openapi.yaml');
const types = read('../../typescript/src/generated/types.gen.ts');
const operations = read('../../typescript/src/generated/operations.ts');

const sources = readdirSync(new URL('../src', import.meta.url), { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

/** Returns the part of the document that describes an operation. */
function described(operation: string): string {
    const start = document.indexOf(`operationId: ${operation}\n`);
    expect(start, operation).toBeGreaterThan(0);
    const end = document.indexOf('operationId: ', start + 20);
    return document.slice(start, end < 0 ? undefined : end);
}

/** Returns the roles that the document lists for an operation. */
function rolesOf(operation: string): string[] {
    const list = /x-multirail-roles:(?: \[([^\]]*)\]|((?:\s+- \w+)+))/.exec(described(operation));
    return (list?.[1] ?? list?.[2] ?? '').match(/\w+/g) ?? [];
}

/** Returns the operations that these sources call by functions of the client, by the functions' names. */
function calledBy(names: readonly string[]): Map<string, string> {
    const imported = names.flatMap((name) => [...read(`../src/${name}`).matchAll(/import \{([^}]*)\} from 'multirail'/g)].flatMap(([, list]) => list!.split(',').map((one) => one.trim())));
    const called = new Map<string, string>();
    for (const name of imported) {
        const operation = new RegExp(`export function ${name}\\([\\s\\S]*?operation: '(\\w+)'`).exec(operations)?.[1];
        if (operation !== undefined) called.set(name, operation);
    }
    return called;
}

/** Returns the words of an enumeration of the client. */
function wordsOf(type: string): string[] {
    const found = new RegExp(`export type ${type} = ([^;]+);`).exec(types);
    return [...(found?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, word]) => word!);
}

describe('the console', () => {
    it('knows the roles of the document', () => {
        for (const [operation, roles] of Object.entries(ROLES)) expect([...roles].sort(), operation).toEqual(rolesOf(operation).sort());
    });

    it('calls no operation that is closed to users', () => {
        const called = calledBy(sources.filter((name) => !name.startsWith('operator')));
        expect(called.size).toBeGreaterThan(20);
        const own = new Set(['users_retrieve', 'users_sign_out']);
        for (const [name, operation] of called) {
            // A person who isn't signed in yet may ask for the ways to sign in.
            if (/\n\s+security: \[\]\n/.test(described(operation))) continue;
            expect(rolesOf(operation), `${name} is open to users`).not.toEqual([]);
            if (!own.has(operation)) expect(Object.keys(ROLES), `${name} is in the table of roles`).toContain(operation);
        }
    });

    it('looks around as the operator by operations that change nothing', () => {
        const called = calledBy(sources.filter((name) => name.startsWith('operator')));
        expect(called.size).toBeGreaterThan(5);
        for (const [name, operation] of called) {
            expect(described(operation), name).toContain('- admin_api_key: []');
            if (operation !== 'console_sessions_end_operator') expect(described(operation), name).toContain('x-multirail-mutates: false');
        }
    });

    it('makes only those calls itself that set its cookies', () => {
        const calls = sources.flatMap((name) => [...read(`../src/${name}`).matchAll(/\.request\(\{\s*operation: '(\w+)',\s*method: '(\w+)',\s*path: '([^']+)'/g)]);
        expect(calls.map(([, operation]) => operation).sort()).toEqual(['console_sessions_begin', 'console_sessions_begin_oidc', 'console_sessions_switch_merchant']);
        expect(sources.flatMap((name) => read(`../src/${name}`).match(/client\.request\(/gi) ?? [])).toHaveLength(calls.length);
        for (const [, operation, method, path] of calls) {
            expect(document).toMatch(new RegExp(`\n  ${path}:\n    ${method!.toLowerCase()}:\n      operationId: ${operation}\n`));
        }
    });

    it('has a text for each word of the contract', () => {
        const known: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
            ['PaymentStatus', en.words.payment],
            ['RefundStatus', en.words.refund],
            ['SubscriptionStatus', en.words.subscription],
            ['InvoiceStatus', en.words.invoice],
            ['BillingInterval', en.catalogue.intervals],
            ['DisputeStatus', en.words.dispute],
            ['DisputeStage', en.words.stage],
            ['EventClass', en.words.eventClass],
            ['EvidenceType', en.words.evidence],
            ['UserRole', en.shell.roles],
            ['ApiKeyOperationGroup', en.keys.groupNames],
            ['RequestCaller', en.requests.callers],
            ['DeliveryAttemptKind', en.deliveries.kinds],
            ['PaymentMethod', en.words.method],
            ['ConnectorType', en.processors.services],
            ['ConnectorAuthType', en.processors.authKinds],
            ['DynamicRoutingFeature', en.routing.effects],
            ['DroppedBecause', en.routing.trial.reasons],
            ['UserSessionKind', en.sessions.kinds],
            ['TeamMemberStatus', en.team.statuses],
            ['UserRole', en.team.permissions],
            ['AuditPrincipal', en.audit.principals],
            ['MerchantAccountType', en.operator.accounts.types],
            ['OrganizationType', en.operator.organizations.types],
            ['OperationKind', en.operator.unresolved.kinds],
            ['WaitsFor', en.operator.unresolved.waitsFor],
        ];
        for (const [type, texts] of known) expect(Object.keys(texts).sort(), type).toEqual(wordsOf(type).sort());
    });

    it('opens the stream of the contract', () => {
        expect(read('../src/api/client.ts')).toContain('${API}/user/changes`');
        expect(document).toMatch(/\n  \/user\/changes:\n    get:\n      operationId: events_follow\n/);
    });

    it('knows every class and type of events, apart from payouts, which nothing announces', () => {
        const announced = wordsOf('EventType').filter((type) => !type.startsWith('payout_')).sort();
        const classes = wordsOf('EventClass').filter((name) => name !== 'payouts').sort();
        expect(Object.keys(en.words.event).sort()).toEqual(announced);
        expect(EVENT_CLASSES.map(([name]) => name).sort()).toEqual(classes);
        expect(Object.keys(SHOWS).sort()).toEqual(classes);
        for (const type of announced) {
            const groups = EVENT_CLASSES.filter(([, beginnings]) => beginnings.some((beginning) => type.startsWith(beginning)));
            expect(groups, `${type} can be chosen once`).toHaveLength(1);
        }
    });

    it('finds the reads that a change makes stale', () => {
        const reads = sources.flatMap((name) => [...read(`../src/${name}`).matchAll(/useRead\(\s*\['(\w+)'/g)].map(([, key]) => key!));
        for (const key of Object.values(SHOWS).flat()) expect(reads).toContain(key);
    });

    it('offers the words of the contract', () => {
        expect(Object.keys(CREDENTIALS).sort()).toEqual(wordsOf('ConnectorAuthType').sort());
        expect([...NETWORKS].sort()).toEqual(wordsOf('CardNetwork').sort());
        expect([...ALL_CURRENCIES].sort()).toEqual(wordsOf('Currency').sort());
        expect([...COUNTRIES].sort()).toEqual(wordsOf('CountryCode').sort());
        expect([...METHODS].sort()).toEqual(wordsOf('PaymentMethod').sort());
        for (const method of METHODS) expect(types, method).toContain(`| \`${method}\` | ${typesOf(method).join(', ')} |`);
    });

    it('gives each kind of credentials the members of the contract', () => {
        const description = /Kind of credentials, which decides the members they have\.([^*]+)/.exec(types)?.[1] ?? '';
        for (const [kind, members] of Object.entries(CREDENTIALS)) {
            const listed = new RegExp(`\`${kind}\`: ([^.;]+)`).exec(description)?.[1] ?? '';
            expect([...listed.matchAll(/`(\w+)`/g)].map(([, member]) => member), kind).toEqual(members);
        }
    });

    it('builds rules from properties of the contract', () => {
        const table = described('routing_create');
        for (const field of Object.keys(FIELDS)) {
            expect(table, field).toContain(`\`${field}\``);
            expect(en.routing.properties[field], field).toBeTruthy();
        }
        for (const kind of ['single', 'priority', 'volume_split', 'advanced']) expect(wordsOf('RoutingAlgorithmKind')).toContain(kind);
    });

    it('encodes each value in an address', () => {
        const addresses = sources.flatMap((name) => [...read(`../src/${name}`).matchAll(/(\w*)`\/[^`]*\$\{[^`]*`/g)]);
        expect(addresses.length).toBeGreaterThan(20);
        for (const [text, tag] of addresses) expect(tag, text).toBe('address');
    });

    it('asks the browser for the time in one place', () => {
        const asking = sources.filter((name) => /Date\.now\b|new Date\(\)/.test(read(`../src/${name}`)));
        expect(asking.map((name) => name.replaceAll('\\', '/'))).toEqual(['api/clock.ts']);
    });

    it('makes no markup from texts, and keeps no token', () => {
        for (const name of sources) expect(read(`../src/${name}`), name).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|\beval\(|sessionStorage|indexedDB|document\.cookie/);
    });

    it('stores the language and the look only', () => {
        const storing = sources.filter((name) => read(`../src/${name}`).includes('localStorage'));
        expect(storing.map((name) => name.replaceAll('\\', '/'))).toEqual(['shell/preferences.ts']);
        const names = [...read('../src/shell/preferences.ts').matchAll(/\bwrite\('(\w+)'/g)].map(([, name]) => name);
        expect(names.sort()).toEqual(['language', 'theme']);
    });
});
