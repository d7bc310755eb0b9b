// Reads `judged.yaml`: the differences that have a reason.
//
//     - in: POST /v1/payment_intents      an operation, "every request", a published type, "notices", or a list of these
//       differs: header accept is ours only      one, or a list
//       why: ...
//     - in: PaymentIntent
//       lacks: [created]                  short for: differs: lacks created
//       why: ...
//     - in: Charge
//       lacks: what nobody reads          every member that peer.yaml names nowhere
//       why: ...

import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { resolved } from "./samples.mjs";

const EVERY = "every request";
const UNREAD = "what nobody reads";

// Returns the differences without a reason, and the reasons without a difference.
export function explain(file, found, document) {
  const read = namesIn(document);
  const reasons = parse(readFileSync(file, "utf8")).flatMap(reasonsOf);
  const unexplained = found.filter((one) => {
    const fitting = reasons.filter((reason) => isAbout(reason, one) && explains(reason, one, read));
    for (const reason of fitting) reason.isUsed = true;
    return fitting.length === 0;
  });
  return { unexplained, stale: reasons.filter((reason) => !reason.isUsed) };
}

function isAbout(reason, one) {
  return reason.in === one.in || (reason.in === EVERY && one.isRequest);
}

function explains(reason, one, read) {
  if (reason.differs !== `lacks ${UNREAD}`) return reason.differs === one.differs;
  const [verb, member] = one.differs.split(" ");
  return verb === "lacks" && !read.has(member.split(".").at(-1));
}

function reasonsOf(entry, index) {
  const { in: places, differs = [], lacks = [], why, ...others } = entry;
  const unknown = Object.keys(others);
  if (unknown.length > 0) throw new Error(`entry ${index + 1} has ${unknown}`);
  if (typeof why !== "string" || why.split(" ").length < 3) throw new Error(`entry ${index + 1} gives no reason`);
  const all = [differs].flat().concat([lacks].flat().map((name) => `lacks ${name}`));
  return [places].flat().flatMap((place) => all.map((differs) => ({ in: place, differs, isUsed: false })));
}

// Returns the names of all members in the answers of `peer.yaml`.
function namesIn(document) {
  const names = new Set();
  const seen = new Set();
  const visit = (value) => {
    if (value === null || typeof value !== "object" || seen.has(value)) return;
    seen.add(value);
    if (value.$ref !== undefined) return visit(resolved(value, document));
    for (const name of Object.keys(value.properties ?? {})) names.add(name);
    Object.values(value).forEach(visit);
  };
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) visit(operation.responses);
  }
  return names;
}
