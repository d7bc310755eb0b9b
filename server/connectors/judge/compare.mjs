// Compares a request of ours with the client's, member by member.

// These belong to a connection and not to a request.
const HOP = new Set(["host", "connection", "content-length", "transfer-encoding", "keep-alive"]);

export async function differences(ours, theirs) {
  const found = [];
  for (const part of ["method", "origin", "path"]) {
    if (ours[part] !== theirs[part]) found.push(`${part} ${ours[part]} is ${theirs[part]} of the client`);
  }
  compare("query", form(ours.query ?? ""), form(theirs.query), found);
  compare("header", headers(ours.headers), headers(theirs.headers), found);
  compare("body", await body(ours), await body(theirs), found);
  return found;
}

function compare(part, ours, theirs, found) {
  const names = new Set([...ours.keys(), ...theirs.keys()]);
  for (const name of names) {
    const shown = `${part} ${name.replace(/\[\d+\]/g, "[]")}`;
    if (!theirs.has(name)) found.push(`${shown} is ours only`);
    else if (!ours.has(name)) found.push(`${shown} is the client's only`);
    else if (ours.get(name) !== theirs.get(name)) found.push(`${shown} is another one of the client`);
  }
}

function headers(given) {
  const kept = Object.entries(given).filter(([name]) => !HOP.has(name));
  return new Map(kept.map(([name, value]) => [name, name === "content-type" ? essence(value) : value]));
}

function essence(type) {
  return type.split(";")[0].trim().toLowerCase();
}

function form(text) {
  return new Map(new URLSearchParams(text));
}

async function body({ headers, body }) {
  if (body.length === 0) return new Map();
  const type = headers["content-type"] ?? "";
  switch (essence(type)) {
    case "application/x-www-form-urlencoded":
      return form(body.toString());
    case "application/json": {
      const members = new Map();
      flatten(JSON.parse(body.toString()), "", members);
      return members;
    }
    case "multipart/form-data":
      return parts(type, body);
    default:
      return new Map([["of another type", body.toString()]]);
  }
}

function flatten(value, at, members) {
  if (Array.isArray(value)) value.forEach((item, index) => flatten(item, `${at}[${index}]`, members));
  else if (value !== null && typeof value === "object") {
    for (const [name, member] of Object.entries(value)) flatten(member, at === "" ? name : `${at}.${name}`, members);
  } else members.set(at, JSON.stringify(value));
}

async function parts(type, body) {
  const read = await new Response(body, { headers: { "content-type": type } }).formData();
  const members = new Map();
  for (const [name, value] of read) {
    if (typeof value === "string") members.set(name, value);
    else {
      members.set(name, await value.text());
      members.set(`${name} filename`, value.name);
      members.set(`${name} content-type`, value.type);
    }
  }
  return members;
}

// Reads the parts of a multipart body of ours, for a client that writes its own.
export async function readParts({ headers, body }) {
  const read = await new Response(body, { headers: { "content-type": headers["content-type"] } }).formData();
  return Object.fromEntries(read);
}
