// Judges JSON by the type declarations of a package, by TypeScript's own checker.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { AnyText } from "./samples.mjs";

const F = ts.TypeFlags;

export class Types {
  // `source` is TypeScript that exports the clients as constants, and other types by name.
  constructor(folder, source) {
    const file = join(folder, "judged.ts");
    writeFileSync(file, source);
    const program = ts.createProgram([file], {
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.Node16,
      moduleResolution: ts.ModuleResolutionKind.Node16,
      lib: ["lib.es2022.d.ts"],
      types: ["node"],
    });
    const own = program.getSourceFile(file);
    const errors = ts.getPreEmitDiagnostics(program, own);
    if (errors.length > 0) {
      throw new Error(ts.formatDiagnostics(errors, { getCanonicalFileName: (name) => name, getCurrentDirectory: () => folder, getNewLine: () => "\n" }));
    }
    this.own = own;
    this.checker = program.getTypeChecker();
    this.exported = new Map(this.checker.getExportsOfModule(this.checker.getSymbolAtLocation(own)).map((symbol) => [symbol.name, symbol]));
  }

  // Returns the type that is exported by this name.
  named(name) {
    return this.checker.getDeclaredTypeOfSymbol(this.exported.get(name));
  }

  // Returns parameters and answer of `constant.resource.method`, of its longest form.
  method(path) {
    const [constant, ...members] = path.split(".");
    let type = this.checker.getTypeOfSymbol(this.exported.get(constant));
    for (const member of members) {
      const symbol = type.getProperty(member);
      if (symbol === undefined) throw new Error(`the client has no ${path}`);
      type = this.checker.getTypeOfSymbol(symbol);
    }
    const forms = type.getCallSignatures();
    const form = forms.reduce((best, next) => (next.parameters.length > best.parameters.length ? next : best));
    return {
      parameters: form.parameters.map((symbol) => this.checker.getTypeOfSymbol(symbol)),
      answer: this.checker.getAwaitedType(form.getReturnType()),
    };
  }

  // Lists the differences of a value from a type. A difference is about the nearest type with a name.
  differences(value, type) {
    const found = [];
    this.judge(value, type, { type: "", path: "" }, found);
    return found;
  }

  judge(value, type, at, found) {
    const say = (text) => found.push({ in: at.type, differs: at.path === "" ? text : `${at.path} ${text}` });
    if (type.flags & (F.Any | F.Unknown)) return;
    if (value === undefined) return;
    if (value instanceof AnyText) return this.takesText(type) ? undefined : say("is no text");
    if (type.isUnion()) return this.union(value, type, at, found);
    if (value === null) return type.flags & F.Null ? undefined : say("is null");
    if (type.flags & (F.Null | F.Undefined | F.Void)) return say("has a value");
    if (type.isStringLiteral()) return value === type.value ? undefined : say(`has the word ${JSON.stringify(value)}, which is not published`);
    if (type.isNumberLiteral()) return value === type.value ? undefined : say(`is ${value}, which is not published`);
    if (type.flags & F.BooleanLiteral) return String(value) === this.checker.typeToString(type) ? undefined : say(`is ${JSON.stringify(value)}`);
    if (type.flags & F.StringLike) return typeof value === "string" ? undefined : say("is no text");
    if (type.flags & F.NumberLike) return typeof value === "number" ? undefined : say("is no number");
    if (type.flags & F.BooleanLike) return typeof value === "boolean" ? undefined : say("is no boolean");
    if (this.checker.isArrayType(type)) {
      if (!Array.isArray(value)) return say("is no list");
      const [items] = this.checker.getTypeArguments(type);
      for (const item of value) this.judge(item, items, { ...at, path: `${at.path}[]` }, found);
      return;
    }
    if (type.symbol?.name === "Date") return Number.isNaN(Date.parse(value)) ? say("is no time") : undefined;
    if (Buffer.isBuffer(value)) return;
    if (typeof value !== "object" || Array.isArray(value)) return say("is no object");
    this.object(value, type, this.place(type, at), found);
  }

  object(value, type, at, found) {
    const below = (name) => (at.path === "" ? name : `${at.path}.${name}`);
    const say = (text) => found.push({ in: at.type, differs: text });
    const members = new Map(type.getProperties().map((symbol) => [symbol.name, symbol]));
    const others = type.getStringIndexType();
    for (const [name, member] of Object.entries(value)) {
      const symbol = members.get(name);
      const declared = symbol === undefined ? others : this.checker.getTypeOfSymbol(symbol);
      if (declared === undefined) say(`${below(name)} is not published`);
      else this.judge(member, declared, { ...at, path: below(symbol === undefined ? "{}" : name) }, found);
    }
    for (const [name, symbol] of members) {
      const isOptional = symbol.flags & (ts.SymbolFlags.Optional | ts.SymbolFlags.Method);
      // The client adds this member to an answer.
      if (!isOptional && !(name in value) && name !== "lastResponse") say(`lacks ${below(name)}`);
    }
  }

  // A union accepts a value by the type that its discriminator names, or else by the type that fits best.
  union(value, type, at, found) {
    const say = (text) => found.push({ in: at.type, differs: `${at.path} ${text}`.trim() });
    const isNothing = (one) => one.flags & (F.Null | F.Undefined);
    if (value === null) return type.types.some((one) => one.flags & F.Null) ? undefined : say("is null");
    let types = type.types.filter((one) => !isNothing(one));
    if (types.every((one) => one.isStringLiteral())) {
      return types.some((one) => one.value === value) ? undefined : say(`has the word ${JSON.stringify(value)}, which is not published`);
    }
    if (typeof value === "object" && !Array.isArray(value)) {
      let objects = types.filter((one) => one.flags & (F.Object | F.Intersection) && !this.checker.isArrayType(one));
      for (const name of Object.keys(value)) {
        const told = objects.map((one) => this.words(one, name));
        if (objects.length < 2 || told.some((words) => words === undefined)) continue;
        const fitting = objects.filter((_, index) => told[index].includes(value[name]));
        if (fitting.length === 0) return say(`${at.path === "" ? "" : "with "}${name} ${JSON.stringify(value[name])}, which is not published`);
        objects = fitting;
      }
      if (objects.length > 0) types = objects;
    }
    const tried = types.map((one) => {
      const own = [];
      this.judge(value, one, at, own);
      return own;
    });
    found.push(...tried.reduce((best, next) => (next.length < best.length ? next : best)));
  }

  takesText(type) {
    if (type.isUnion()) return type.types.some((one) => this.takesText(one));
    return Boolean(type.flags & (F.StringLike | F.Any | F.Unknown)) || type.symbol?.name === "Date";
  }

  // Returns the words of a member that has no other values.
  words(type, name) {
    const symbol = type.getProperty(name);
    if (symbol === undefined) return undefined;
    const declared = this.checker.getNonNullableType(this.checker.getTypeOfSymbol(symbol));
    const words = declared.isUnion() ? declared.types : [declared];
    return words.every((own) => own.isStringLiteral()) ? words.map((own) => own.value) : undefined;
  }

  // Returns the place within the nearest type that has a name.
  place(type, at) {
    const symbol = type.symbol ?? type.types?.[0]?.symbol;
    if (symbol === undefined || symbol.name.startsWith("__")) return at;
    const name = this.checker.getFullyQualifiedName(symbol).replace(/^".*"\./, "").replace(/^Stripe\./, "");
    return { type: name, path: "" };
  }
}
