// Makes a Postman collection of the published document. What openapi-to-postmanv2 makes up, such as ids of its own invention, is
// replaced by the document's examples and by variables; in front stands a folder that pays once.
//
//   node generate.cjs openapi.json collection.json
const { readFileSync, writeFileSync } = require('node:fs');
const { convert } = require('openapi-to-postmanv2');

const [input, output] = process.argv.slice(2);
const document = JSON.parse(readFileSync(input, 'utf8'));

const at = (pointer) => pointer.slice(2).split('/').reduce(
  (node, part) => node[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
const resolved = (node) => (node?.$ref ? resolved(at(node.$ref)) : node);

// Which variable holds the key of each scheme, and the header that it travels in.
const KEYS = {
  api_key: ['api-key', '{{secret_key}}'],
  admin_api_key: ['api-key', '{{admin_key}}'],
  publishable_key: ['api-key', '{{publishable_key}}'],
  subscription_client: ['api-key', '{{publishable_key}}'],
  ephemeral_key: ['api-key', '{{ephemeral_key}}'],
  sdk_authorization: ['authorization', '{{sdk_authorization}}'],
  bearer: ['authorization', 'Bearer {{user_token}}'],
};
// Ids in paths that a run knows.
const IDS = ['account_id', 'merchant_id', 'profile_id', 'payment_id'];
const VARIABLES = [
  'secret_key', 'admin_key', 'publishable_key', 'ephemeral_key', 'sdk_authorization', 'user_token',
  'account_id', 'merchant_id', 'profile_id', 'payment_id',
];

// Every success is 200, every failure has exactly three members, and every answer a request id.
const KEEPS_THE_DOCUMENT = [
  "pm.test('answers as the document says', () => {",
  '  pm.expect(pm.response.code).to.satisfy((code) => code === 200 || (code >= 400 && code < 500));',
  "  pm.expect(pm.response.headers.has('request-id')).to.equal(true);",
  "  if (pm.response.code !== 200) pm.expect(pm.response.json()).to.have.all.keys('error_type', 'message', 'code');",
  '});',
];

function find(method, path) {
  const wanted = '/' + path.map((part) => (part.startsWith(':') ? '{}' : part)).join('/');
  for (const [template, item] of Object.entries(document.paths)) {
    const operation = item[method.toLowerCase()];
    if (operation && template.replaceAll(/\{[^}]+\}/g, '{}') === wanted) return operation;
  }
  throw new Error(`the document has no ${method} ${wanted}`);
}

function example(content) {
  const [first] = Object.values(content?.examples ?? {});
  return resolved(first)?.value ?? {};
}

function exampleOf(parameter) {
  const schema = resolved(parameter.schema) ?? {};
  const value = parameter.example ?? schema.example ?? schema.enum?.[0] ?? schema.minimum ?? '';
  return String(value);
}

function mend(item) {
  const { request } = item;
  const operation = find(request.method, request.url.path);
  const parameters = (operation.parameters ?? []).map(resolved);
  const named = (name, place) => parameters.find((one) => one.in === place && one.name.toLowerCase() === name.toLowerCase());
  for (const variable of request.url.variable ?? []) {
    variable.value = IDS.includes(variable.key) ? `{{${variable.key}}}` : exampleOf(named(variable.key, 'path') ?? {});
  }
  for (const query of request.url.query ?? []) {
    const parameter = named(query.key, 'query');
    query.value = exampleOf(parameter);
    query.disabled = !parameter.required;
  }
  request.header = (request.header ?? []).filter(({ key }) => !/^(api-key|authorization|accept|content-type)$/i.test(key));
  for (const header of request.header) {
    header.value = exampleOf(named(header.key, 'header') ?? {});
    header.disabled = true;
  }
  delete request.auth;
  const [scheme] = (operation.security ?? []).flatMap(Object.keys);
  if (scheme) {
    const [key, value] = KEYS[scheme];
    request.header.push({ key, value });
  }
  const content = operation.requestBody?.content ?? {};
  if (content['application/json']) {
    request.header.push({ key: 'content-type', value: 'application/json' });
    const raw = JSON.stringify(example(content['application/json']), null, 2);
    request.body = { mode: 'raw', raw, options: { raw: { language: 'json' } } };
  } else if (content['application/octet-stream']) {
    request.header.push({ key: 'content-type', value: 'application/octet-stream' });
    request.body = { mode: 'raw', raw: example(content['application/octet-stream']) };
  }
  const answer = operation.responses['200'].content ?? {};
  const [type] = Object.keys(answer);
  // One saved answer, the document's own example.
  item.response = Object.entries(answer[type]?.examples ?? {}).slice(0, 1).map(([name, one]) => ({
    name, code: 200, status: 'OK', header: [{ key: 'content-type', value: type }],
    body: typeof resolved(one).value === 'string' ? resolved(one).value : JSON.stringify(resolved(one).value, null, 2),
    originalRequest: { method: request.method, url: request.url, header: [], body: request.body },
  }));
  item.id = operation.operationId;
  item.event = [{ listen: 'test', script: { type: 'text/javascript', exec: KEEPS_THE_DOCUMENT } }];
  return operation.operationId;
}

const all = new Map();
function mendAll(items) {
  for (const item of items) {
    if (item.item) mendAll(item.item);
    else all.set(mend(item), item);
  }
}

// A request of the first payment: a copy of the operation's, with this body, that has to work.
function step(operationId, name, body, checks) {
  const copy = structuredClone(all.get(operationId));
  copy.id = `first_payment_${operationId}`;
  copy.name = name;
  copy.response = [];
  if (body) copy.request.body.raw = JSON.stringify(body, null, 2);
  const exec = [
    ...KEEPS_THE_DOCUMENT,
    'const body = pm.response.json();',
    ...checks.map(([what, check]) => `pm.test(${JSON.stringify(what)}, () => { ${check} });`),
    "if (body.payment_id) pm.collectionVariables.set('payment_id', body.payment_id);",
  ];
  copy.event = [{ listen: 'test', script: { type: 'text/javascript', exec } }];
  return copy;
}

const status = (word) => [`is ${word}`, `pm.expect(body.status).to.equal('${word}');`];
const works = ['works', 'pm.response.to.have.status(200);'];
const card = {
  card_number: '4111111111111111', card_exp_month: '10', card_exp_year: '35', card_cvc: '123', card_holder_name: 'Ada Reader',
};

function firstPayment() {
  return {
    name: 'A first payment',
    description: 'Creates, confirms, captures and refunds a payment, and finds it in the list. For a sandbox: the card is a test card.',
    item: [
      step('payments_create', 'Create', { amount: 6540, currency: 'USD', capture_method: 'manual' }, [works, status('requires_payment_method')]),
      step('payments_confirm', 'Confirm', { payment_method: 'card', payment_method_data: { card } }, [works, status('requires_capture')]),
      step('payments_capture', 'Capture', { amount_to_capture: 4000 }, [works, status('partially_captured')]),
      step('refunds_create', 'Refund', { payment_id: '{{payment_id}}', amount: 1500 }, [works, status('succeeded')]),
      step('payments_list', 'List', undefined, [
        works, ['has it first', "pm.expect(body.data[0].payment_id).to.equal(pm.collectionVariables.get('payment_id'));"],
      ]),
    ],
  };
}

const options = { folderStrategy: 'Tags', requestParametersResolution: 'Example', exampleParametersResolution: 'Example' };
convert({ type: 'json', data: document }, options, (error, made) => {
  if (error || !made.result) throw error ?? new Error(made.reason);
  const collection = made.output[0].data;
  mendAll(collection.item);
  const operations = Object.values(document.paths).flatMap(Object.values).map((one) => one.operationId);
  const missing = operations.filter((id) => !all.has(id));
  if (missing.length > 0) throw new Error(`the collection lacks ${missing.join(', ')}`);
  collection.item.unshift(firstPayment());
  collection.variable.push(...VARIABLES.map((key) => ({ key, value: '' })));
  writeFileSync(output, JSON.stringify(collection, null, 1));
  console.log(`${all.size} operations`);
});
