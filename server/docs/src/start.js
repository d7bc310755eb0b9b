// Shows the document of this very server, and nothing that would call anybody else.
const address = (path) => new URL(path, document.baseURI).href;
// Behind a proxy the server may not know how it is reached; this page does.
const base = address('.').replace(/\/$/, '');
// Fetched while the viewer is.
const described = fetch(address('openapi.json')).then((answer) => answer.json());

// The viewer sends each parameter that has an example, also those that may be left out: an example's profile would then be
// looked for, and not be found.
function withoutExamplesOfOptions(described) {
  const at = (reference) => reference.split('/').slice(1).reduce(
    (value, part) => value[part.replaceAll('~1', '/').replaceAll('~0', '~')], described);
  const inOperations = Object.values(described.paths).flatMap(
    (path) => [path, ...Object.values(path)].flatMap((one) => one.parameters ?? []));
  for (const parameter of [...Object.values(described.components.parameters ?? {}), ...inOperations]) {
    if (parameter.$ref || parameter.required) continue;
    const { example, ...schema } = parameter.schema.$ref ? at(parameter.schema.$ref) : parameter.schema;
    parameter.schema = schema;
    delete parameter.example;
  }
  return described;
}

// The value of the first example, or nothing.
function example(described, content) {
  const at = (reference) => reference.split('/').slice(1).reduce(
    (value, part) => value[part.replaceAll('~1', '/').replaceAll('~0', '~')], described);
  const [first] = Object.values(content?.examples ?? {});
  return first?.$ref ? at(first.$ref).value : first?.value;
}

// The viewer writes samples in many languages, but none in TypeScript: here the answer has its type, as openapi-typescript makes it.
function typeScript(described, path, method, operation) {
  const at = (reference) => reference.split('/').slice(1).reduce((value, part) => value[part], described);
  const parameters = (operation.parameters ?? []).map((one) => (one.$ref ? at(one.$ref) : one)).filter((one) => one.required);
  const name = (parameter) => parameter.name.toLowerCase().replace(/^x-/, '').replaceAll('-', '_');
  const header = (name, value) => `    '${name}': ${value},`;
  const schemes = (operation.security ?? []).flatMap(Object.keys);
  const keys = { bearer: ['authorization', '`Bearer ${token}`'], sdk_authorization: ['authorization', 'authorization'] };
  const headers = schemes.slice(0, 1).map((scheme) => header(...(keys[scheme] ?? ['api-key', 'key'])));
  headers.push(...parameters.filter((one) => one.in === 'header').map((one) => header(one.name.toLowerCase(), name(one))));
  const asked = parameters.filter((one) => one.in === 'query').map((one) => `${one.name}=\${${name(one)}}`);
  const [kind] = Object.keys(operation.requestBody?.content ?? {});
  const body = example(described, operation.requestBody?.content?.['application/json']);
  const isFile = kind && kind !== 'application/json';
  if (body || isFile) headers.push(header('content-type', `'${kind}'`));
  const lines = [
    `const answer = await fetch(\`${base}${path.replaceAll('{', '${')}${asked.length ? `?${asked.join('&')}` : ''}\`, {`,
    `  method: '${method.toUpperCase()}',`,
    ...(headers.length ? ['  headers: {', ...headers, '  },'] : []),
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`] : []),
    ...(isFile ? ['  body: file, // a Blob, or its bytes'] : []),
    '});',
  ];
  if (!operation.responses['200'].content?.['application/json']) return [...lines, 'const text = await answer.text();'].join('\n');
  const type = `paths['${path}']['${method}']['responses']`;
  return [
    `// npx openapi-typescript ${base}/openapi.yaml --output multirail.ts`, "import type { paths } from './multirail';", '',
    ...lines, `type Answers = ${type};`,
    "if (!answer.ok) throw await answer.json() as Answers['4XX']['content']['application/json'];",
    "const result = await answer.json() as Answers['200']['content']['application/json'];",
  ].join('\n');
}

function withTypeScript(described) {
  for (const [path, item] of Object.entries(described.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const source = typeScript(described, path, method, operation);
      operation['x-codeSamples'] = [{ lang: 'typescript', label: 'TypeScript', source }];
    }
  }
  return described;
}

// The viewer shows, and finds, what stands in the document: the request that is sent to merchants under the name that later versions
// of OpenAPI have for it, and the guides as headings that lead to them.
function withWebhooksAndGuides(described) {
  described.webhooks = described['x-webhooks'];
  described.info.description += document.getElementById('guides').textContent;
  return described;
}

async function show() {
  Scalar.createApiReference('#reference', {
    content: withWebhooksAndGuides(withTypeScript(withoutExamplesOfOptions(await described))),
    servers: [{ url: base, description: 'This server' }],
    agent: { disabled: true },
    mcp: { disabled: true },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    documentDownloadType: 'none',
    hideClientButton: true,
    hideModels: true,
    hiddenClients: {
      c: true, clojure: true, csharp: true, dart: true, fsharp: true, http: true, kotlin: true, objc: true, ocaml: true,
      powershell: true, r: true, swift: true,
    },
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false,
  });
  // The viewer takes an empty element. What the page said before stands beside it.
  document.getElementById('first').remove();
}

// The viewer comes after this script, and what the page says by itself is painted first.
document.addEventListener('DOMContentLoaded', () => {
  show().catch(() => {
    const loading = document.getElementById('loading');
    if (loading) loading.textContent = 'The reference could not be loaded. Please try again.';
  });
});
