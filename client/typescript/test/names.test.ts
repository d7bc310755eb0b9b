import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

// Payment methods whose own name has a number.
const METHODS = /^Przelewy24/;

test('no generated name has a number', () => {
    const files = ['types.gen.ts', 'operations.ts', 'resources.ts'];
    const text = files.map((name) => readFileSync(new URL(`../../src/generated/${name}`, import.meta.url), 'utf8')).join('\n');
    const names = [...text.matchAll(/^export (?:type|function|class) (\w+)/gm)].map((match) => match[1] ?? '');
    assert.ok(names.length > 1000, `${names.length} names were found`);
    const numbered = names.filter((name) => /\d/.test(name) && !METHODS.test(name));
    assert.deepEqual(numbered, []);
});
