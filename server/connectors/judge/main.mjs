// Judges the recorded exchanges of one connector: node main.mjs NAME RECORDED CONNECTORS

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HttpsProxyAgent } from "https-proxy-agent";
import { parse } from "yaml";
import { differences } from "./compare.mjs";
import { explain } from "./explained.mjs";
import { Recorder } from "./recorder.mjs";
import { resolved, samples } from "./samples.mjs";
import { Types } from "./walk.mjs";

const [name, recorded, connectors] = process.argv.slice(2);
const judge = await import(`./${name}.mjs`);
const folder = join(connectors, "src", name);
const document = parse(readFileSync(join(folder, "peer.yaml"), "utf8"));
const operations = new Map(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => ["get", "post", "put", "patch", "delete"].includes(method))
      .map((method) => [`${method.toUpperCase()} ${path}`, new URL((item.servers ?? document.servers)[0].url).origin]),
  ),
);

const file = join(recorded, `${name}.jsonl`);
if (!existsSync(file)) fail(`${file} is missing: run the suite with MULTIRAIL_TEST_JUDGE first`);
const lines = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const exchanges = lines.filter((line) => line.operation !== undefined);
const notices = lines.filter((line) => line.notice !== undefined).map((line) => line.notice);

const found = new Map();
const add = (one, example) => {
  const key = `${one.in}: ${one.differs}`;
  if (!found.has(key)) found.set(key, { ...one, example });
};

const types = new Types(import.meta.dirname, judge.TYPES);
const recorder = await Recorder.start(process.env.JUDGE_CERTIFICATE, process.env.JUDGE_KEY);
const agent = new HttpsProxyAgent(`http://127.0.0.1:${recorder.port}`);

judgeDocument();
const asked = new Set();
for (const exchange of exchanges) await judgeExchange(exchange);
for (const operation of operations.keys()) {
  if (!asked.has(operation)) add({ in: operation, differs: "is never asked by the suite", isRequest: true });
}
for (const operation of Object.keys(judge.METHODS)) {
  if (!operations.has(operation)) add({ in: operation, differs: "is not in peer.yaml", isRequest: true });
}
for (const notice of notices) judgeNotice(notice);
if (exchanges.length === 0 || notices.length === 0) fail(`${file} has ${exchanges.length} exchanges and ${notices.length} notices`);
recorder.close();

const { unexplained, stale } = explain(join(folder, "judged.yaml"), [...found.values()], document);
for (const one of unexplained) {
  console.error(`${name}: ${one.in}: ${one.differs}${one.example === undefined ? "" : `   (${one.example})`}`);
}
for (const one of stale) console.error(`${name}: judged.yaml explains what isn't so: ${one.in}: ${one.differs}`);
if (unexplained.length + stale.length > 0) fail(`${unexplained.length} differences without a reason, ${stale.length} reasons without a difference`);
console.log(`${name}: ${exchanges.length} exchanges of ${asked.size} operations and ${notices.length} notices judged, ${found.size} differences explained`);

// Judges all that `peer.yaml` allows, which is more than the suite asks.
function judgeDocument() {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { requestBody, responses }] of Object.entries(item)) {
      const operation = `${method.toUpperCase()} ${path}`;
      const row = judge.METHODS[operation];
      if (row === undefined) continue;
      const { parameters, answer } = types.method(`${name}.${row[0]}`);
      const sent = requestBody?.content ?? {};
      // The client takes files in its own form; recorded requests show them.
      const schema = (sent["application/json"] ?? sent["application/x-www-form-urlencoded"])?.schema;
      const place = path.split("{").length - 1;
      const values = schema === undefined ? [] : [...samples(schema, document), ...samples(schema, document, true)];
      for (const value of values) addAll(operation, types.differences(value, parameters[place]), `peer.yaml, ${operation}`);
      for (const [status, response] of Object.entries(responses)) {
        const content = resolved(response, document).content?.["application/json"];
        for (const value of content === undefined ? [] : samples(content.schema, document)) {
          const [part, type] = /^[45]/.test(status) ? refused(value) : [value, answer];
          if (part === null) continue;
          // Answers have more members than those that are read.
          const own = types.differences(part, type).filter(({ differs }) => !differs.startsWith("lacks "));
          addAll(operation, own, `peer.yaml, ${operation} ${status}`);
        }
      }
    }
  }
}

function addAll(place, differences, example) {
  for (const one of differences) add({ ...one, in: one.in || place }, example);
}

async function judgeExchange({ operation, method, path, query, headers, body, read, status, answer }) {
  asked.add(operation);
  const example = `${method} ${path} ${status}`;
  const row = judge.METHODS[operation];
  if (row === undefined) return add({ in: operation, differs: "has no method of the client", isRequest: true }, example);
  const [call, argumentsOf] = row;
  const ours = { method, origin: operations.get(operation), path, query, headers, body: Buffer.from(body) };
  // Clients may change their arguments: each use has its own.
  const own = () => argumentsOf({ ...structuredClone(read), body: structuredClone(read.body) ?? undefined }, ours);
  judgeTypes(operation, call, await own(), status, answer, example);

  // A client is always given a key, so that a request without one differs.
  const key = method === "GET" ? undefined : (headers[judge.KEY_HEADER] ?? "the judge's own key");
  const client = judge.connect(agent, ours, status);
  const names = call.split(".");
  const target = names.slice(0, -1).reduce((at, member) => at[member], client);
  const given = [...(await own()), ...judge.options(ours, key)];
  const theirs = await recorder.record(status, answer, () => target[names.at(-1)](...given));
  if (theirs.requests.length !== 1) {
    return add({ in: operation, differs: `${theirs.requests.length} requests of the client: ${theirs.error?.message}`, isRequest: true }, example);
  }
  for (const differs of await differences(ours, theirs.requests[0])) add({ in: operation, differs, isRequest: true }, example);
  if (theirs.accepts !== status < 400) {
    add({ in: operation, differs: `the client ${theirs.accepts ? "accepts" : "refuses"} the answer ${status}: ${theirs.error?.message}` }, example);
  }
}

function judgeTypes(operation, call, own, status, answer, example) {
  const { parameters, answer: answered } = types.method(`${name}.${call}`);
  own.forEach((value, index) => addAll(operation, types.differences(value, parameters[index]), example));
  const [part, type] = status < 400 ? [answer, answered] : refused(answer);
  if (part !== null) addAll(operation, types.differences(part, type), example);
}

function refused(answer) {
  const [part, type] = judge.refusal(answer);
  return part === null ? [null] : [part, types.named(type)];
}

function judgeNotice(notice) {
  const { believes, forged } = judge.notices;
  if (believes !== undefined && !believes(notice)) add({ in: "notices", differs: "the client does not believe a notice" }, notice.body);
  if (believes?.(forged(notice))) add({ in: "notices", differs: "the client believes a forged notice" }, notice.body);
  for (const [part, type] of judge.notices.read(notice)) {
    addAll("notices", types.differences(part, types.named(type)), notice.body.slice(0, 120));
  }
}

function fail(message) {
  console.error(`${name}: ${message}`);
  process.exit(1);
}
