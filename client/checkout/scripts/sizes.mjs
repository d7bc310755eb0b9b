// The sizes of the built checkout, compressed as the server sends them: the loader at most 12 kB, the frame with one language at most 60.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LOADER = 12_000;
const FRAME = 60_000;
const dist = new URL('../dist/', import.meta.url);
const read = (name) => readFileSync(new URL(name, dist));
const sizeOf = (names) => [...names].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);

/** Returns the built files that a script loads at once, itself among them. */
function loadedBy(name, seen = new Set()) {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const [, other] of read(name).toString().matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) loadedBy(`assets/${other}`, seen);
    return seen;
}

const html = read('frame.html').toString();
const entries = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name]) => name);
const frame = new Set(['frame.html', ...entries.flatMap((name) => (name.endsWith('.js') ? [...loadedBy(name)] : [name]))]);
const scripts = [...frame].filter((name) => name.endsWith('.js'));
const lazy = new Set(scripts.flatMap((name) => [...read(name).toString().matchAll(/import\(["'`]\.\/([^"'`]+\.js)["'`]\)/g)].map(([, other]) => `assets/${other}`)));
// The frame speaks one language. The longest counts.
const [texts] = [...lazy].filter((name) => /\/[a-z]{2}-/.test(name)).sort((one, other) => sizeOf([other]) - sizeOf([one]));
if (!texts) throw new Error('no texts were found in the built files');
const rows = [['loader', sizeOf(['multirail.js']), LOADER], ['frame', sizeOf([...frame, texts]), FRAME]];
let isTooLarge = false;
for (const [name, size, most] of rows) {
    isTooLarge ||= size > most;
    console.log(`${(size / 1000).toFixed(1).padStart(7)} kB of ${most / 1000}  ${name}${size > most ? '  TOO LARGE' : ''}`);
}
if (isTooLarge) process.exit(1);
