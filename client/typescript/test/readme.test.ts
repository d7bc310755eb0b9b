import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const flat = (text: string) => text.split('\n').map((line) => line.trim()).filter(Boolean).join('\n');

test('each snippet of the README is in a program that the tests run', () => {
    const snippets = [...read('README.md').matchAll(/```(?:ts|js)\n([\s\S]*?)```/g)].map((match) => flat(match[1] ?? ''));
    assert.ok(snippets.length >= 6, `${snippets.length} snippets were found`);
    const programs = ['story/story.ts', 'test/bundle.test.ts'].map((path) => `\n${flat(read(path))}\n`);
    for (const snippet of snippets) {
        assert.ok(programs.some((program) => program.includes(`\n${snippet}\n`)), `no program has\n${snippet}`);
    }
});

test('each call of the guide for people who come from other clients is in a program that the tests run', () => {
    const guide = read('../../server/docs/guides/coming-from-elsewhere.md');
    const program = read('story/habits.ts');
    for (const origin of ['Stripe', 'Hyperswitch']) {
        const section = guide.split(/^## /m).find((one) => one.startsWith(`From ${origin}`)) ?? '';
        const rows = section.split('\n').filter((line) => /^\| [`c]/.test(line));
        const calls = rows.map((row) => row.split(' | ')[1] ?? '').filter((cell) => cell.startsWith('`'));
        assert.ok(calls.length >= 10, `${calls.length} calls of ${origin} were found`);
        for (const call of calls) assert.ok(program.includes(call.slice(1, -1)), `no program has ${call}`);
    }
});
