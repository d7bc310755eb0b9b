// Makes values from a schema of `peer.yaml`. Together they have all of its members and words, or, if `isShort`, no texts and numbers
// that it doesn't require.

// A text that may be any word.
export class AnyText {
  toJSON() {
    return "any text";
  }
}

export function samples(schema, document, isShort = false, above = []) {
  if (schema.$ref !== undefined) {
    if (above.includes(schema.$ref)) return [];
    return samples(resolved(schema, document), document, isShort, [...above, schema.$ref]);
  }
  const within = (inner) => samples(inner, document, isShort, above);
  // An id, or the whole object.
  if (schema["x-expandable"] !== undefined) return [new AnyText(), ...within(schema["x-expandable"])];
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.flatMap(within);
  if (schema.allOf !== undefined) return within(joined(schema, document));
  if (schema.enum !== undefined) return schema.enum.filter((word) => word !== null);
  switch (schema.type) {
    case "object":
      return objects(isShort ? shortened(schema, document) : schema, within);
    case "array": {
      const items = schema.items === undefined ? [] : within(schema.items);
      return [items];
    }
    case "string":
      return [new AnyText()];
    case "integer":
    case "number":
      return [1];
    case "boolean":
      return [true];
    case undefined:
      return [];
    default:
      throw new Error(`no peer.yaml has the type ${schema.type}`);
  }
}

function objects({ properties = {}, additionalProperties }, within) {
  const members = Object.entries(properties).map(([name, member]) => [name, within(member)]);
  if (typeof additionalProperties === "object") members.push(["any name", within(additionalProperties)]);
  const filled = members.filter(([, values]) => values.length > 0);
  const count = Math.max(1, ...filled.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, index) => Object.fromEntries(filled.map(([name, values]) => [name, values[Math.min(index, values.length - 1)]])));
}

// Returns an object's schema with the members of the other objects that it names.
function joined({ allOf, ...own }, document) {
  const all = [...allOf.map((one) => resolved(one, document)), own];
  return { type: "object", properties: Object.assign({}, ...all.map(({ properties }) => properties)), required: all.flatMap(({ required = [] }) => required) };
}

// Returns an object's schema without optional members that have no members of their own.
function shortened({ properties = {}, required = [], ...others }, document) {
  const kept = Object.entries(properties).filter(([name, member]) => required.includes(name) || ["object", "array", undefined].includes(resolved(member, document).type));
  return { ...others, properties: Object.fromEntries(kept) };
}

export function resolved(schema, document) {
  return schema.$ref === undefined ? schema : schema.$ref.slice(2).split("/").reduce((at, name) => at[name], document);
}
