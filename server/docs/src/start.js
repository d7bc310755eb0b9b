// Shows the document of this very server, and nothing that would call anybody else.
const address = (path) => new URL(path, document.baseURI).href;

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

async function show() {
  const answer = await fetch(address('openapi.json'));
  Scalar.createApiReference('#reference', {
    content: withoutExamplesOfOptions(await answer.json()),
    // Behind a proxy the server may not know how it is reached; this page does.
    servers: [{ url: address('.').replace(/\/$/, ''), description: 'This server' }],
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
}

show();
