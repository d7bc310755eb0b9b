// The sizes of the built console, compressed as the server sends them: the shell at most 150 kB, any screen with the shell at most 250.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const SHELL = 150_000;
const SCREEN = 250_000;
const dist = new URL('../dist/', import.meta.url);
const read = (name) => readFileSync(new URL(`assets/${name}`, dist));

/** Returns the built files that a file loads at once, itself among them. */
function loadedBy(name, seen = new Set()) {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const [, other] of read(name).toString().matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) loadedBy(other, seen);
    return seen;
}

const sizeOf = (names) => [...names].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);
const html = readFileSync(new URL('index.html', dist)).toString();
const entries = [...html.matchAll(/(?:src|href)="\/console\/assets\/([^"]+)"/g)].map(([, name]) => name);
const shell = new Set(entries.flatMap((name) => (name.endsWith('.js') ? [...loadedBy(name)] : [name])));
const lazy = new Set([...shell].filter((name) => name.endsWith('.js')).flatMap((name) => [...read(name).toString().matchAll(/import\(["'`]\.\/([^"'`]+\.js)["'`]\)/g)].map(([, other]) => other)));
// The shell speaks one language. The longest counts.
const texts = [...lazy].filter((name) => /^(en|de)-/.test(name)).sort((one, other) => sizeOf([other]) - sizeOf([one]));
if (texts.length === 0) throw new Error('no texts were found in the built files');
shell.add(texts[0]);
for (const name of texts) lazy.delete(name);
const rows = [['shell', sizeOf(shell), SHELL], ...[...lazy].sort().map((name) => [name, sizeOf(new Set([...shell, ...loadedBy(name)])), SCREEN])];
if (lazy.size === 0) throw new Error('no screens were found in the built files');
let isTooLarge = false;
for (const [name, size, most] of rows) {
    isTooLarge ||= size > most;
    console.log(`${(size / 1000).toFixed(1).padStart(7)} kB of ${most / 1000}  ${name}${size > most ? '  TOO LARGE' : ''}`);
}
if (isTooLarge) process.exit(1);
