// Reads the operations: their names, arguments, headers, answers and lists. A part that the client can't express fails
// the generation, so that a new kind of operation is noticed.
import { CURSORS, RESOURCES, UNPAGED } from './names.mjs';

const OPTIONS = {
    'x-profile-id': 'ProfileOption',
    'x-connected-merchant-id': 'ConnectedMerchantOption',
    'idempotency-key': 'KeyOption',
    'x-client-source': 'ProgramOption',
    'x-client-version': 'ProgramOption',
};
const ITEMS_OF_PAGES = ['data', 'events', 'records'];

const camel = (text) => text.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const upper = (text) => text[0].toUpperCase() + text.slice(1);

export function model(ir) {
    // A call reads the whole answer, so there is no function for a stream.
    const all = Object.values(ir.paths).flatMap((methods) => Object.values(methods));
    const operations = all.filter((one) => one.responses?.['200']?.mediaType !== 'text/event-stream').map((one) => operation(one, ir));
    const used = new Set(operations.map((one) => one.resource));
    for (const resource of RESOURCES) if (!used.has(resource)) throw new Error(`no operation belongs to ${resource}`);
    return { operations, resources: RESOURCES.map((name) => resource(name, operations)) };
}

function resource(name, operations) {
    return { name: camel(name), type: `${upper(camel(name))}Resource`, operations: operations.filter((one) => one.resource === name) };
}

function operation(ir, all) {
    const { operationId, method, path } = ir;
    const fail = (reason) => {
        throw new Error(`${operationId}: ${reason}`);
    };
    const fits = RESOURCES.filter((name) => operationId.startsWith(`${name}_`)).sort((a, b) => b.length - a.length);
    if (fits.length === 0) fail('it belongs to no resource of generate/names.mjs');
    const mutates = ir['x-multirail-mutates'];
    if (typeof mutates !== 'boolean') fail('x-multirail-mutates is missing');
    if (method === 'get' && mutates) fail('a GET that changes something');
    const headers = Object.keys(ir.parameters?.header ?? {});
    const options = [...new Set(headers.map((name) => OPTIONS[name] ?? fail(`the header ${name} has no option`)))];
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const id of ids) if (!ir.parameters?.path?.[id]) fail(`the path's ${id} is no parameter`);
    const one = {
        id: operationId,
        name: camel(operationId),
        resource: fits[0],
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, '{}'),
        ids: ids.map(camel),
        verb: camel(operationId.slice(fits[0].length + 1)),
        data: `${upper(camel(operationId))}Data`,
        summary: ir.summary,
        description: ir.description,
        isDeprecated: ir.deprecated === true,
        reads: !mutates,
        takesKey: headers.includes('idempotency-key'),
        options,
        body: body(ir, fail),
        query: query(ir),
        answer: answer(ir, fail),
    };
    if (one.body && !one.body.isRequired && one.query?.isRequired) fail('a required argument would follow an optional one');
    return { ...one, paging: paging(ir, one, all, fail) };
}

function body(ir, fail) {
    if (!ir.body) return undefined;
    const kinds = { 'application/json': 'json', 'application/octet-stream': 'bytes' };
    const kind = kinds[ir.body.mediaType] ?? fail(`the body is ${ir.body.mediaType}`);
    return { kind, isRequired: ir.body.required === true };
}

function query(ir) {
    const parameters = Object.values(ir.parameters?.query ?? {});
    if (parameters.length === 0) return undefined;
    return { isRequired: parameters.some((one) => one.required) };
}

function answer(ir, fail) {
    const kinds = { 'application/json': 'json', 'text/plain': 'text' };
    const success = ir.responses?.['200'] ?? fail('it has no answer 200');
    return kinds[success.mediaType] ?? fail(`the answer is ${success.mediaType}`);
}

function referred(schema, all) {
    const name = schema?.$ref?.split('/').at(-1);
    return name ? { name, schema: all.components.schemas[name] } : { schema };
}

/** Returns the way from one page of a list to the next. */
function paging(ir, one, all, fail) {
    const inQuery = Object.keys(ir.parameters?.query ?? {});
    const inBody = ir.body ? Object.keys(referred(ir.body.schema, all).schema?.properties ?? {}) : [];
    const place = inQuery.includes('limit') ? 'query' : inBody.includes('limit') ? 'body' : undefined;
    if (place === undefined || UNPAGED.includes(one.id)) return undefined;
    if (!one.reads) fail('a list that changes something');
    const members = place === 'query' ? inQuery : inBody;
    const { name, schema } = referred(ir.responses['200'].schema, all);
    const item = (array) => referred(array.items?.[0], all).name ?? fail('the items of the list have no name');
    const offset = members.find((member) => member === 'offset' || member === 'skip');
    const rule = offset ? { offset } : CURSORS[one.id] ?? fail('the list has a limit, but neither an offset nor a cursor');
    for (const member of [rule.after, rule.before]) {
        if (member && !members.includes(member)) fail(`the cursor ${member} is no parameter`);
    }
    if (schema.type === 'array') return { place, item: item(schema), page: `Array<T.${item(schema)}>`, rule };
    const items = ITEMS_OF_PAGES.find((member) => schema.properties?.[member]?.type === 'array');
    if (!items) fail('the page has no member for its items');
    return { place, item: item(schema.properties[items]), page: `T.${name}`, items, rule };
}
