// Runs page.ts in Chromium against the sandbox, and prints what it told. The page is bundled as a shop would do it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { Multirail } from 'multirail';

const LONGEST_WAIT = 90_000;
const { MULTIRAIL_URL: baseUrl, MULTIRAIL_API_KEY: apiKey, MULTIRAIL_PUBLISHABLE_KEY: publishableKey } = process.env;

const bundled = { bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', write: false };
const { outputFiles: [page] } = await build({ entryPoints: ['page.js'], ...bundled });
const retrieves = "export { Client, paymentsRetrieve } from 'multirail';";
const { outputFiles: [least] } = await build({ stdin: { contents: retrieves, resolveDir: '.' }, ...bundled });
const size = gzipSync(least.contents).length;
assert.ok(size < 10_000, `a page that only retrieves a payment loads ${size} bytes`);

const multirail = new Multirail({ baseUrl, apiKey });
const { payment_id: paymentId, client_secret: clientSecret } = await multirail.payments.create({ amount: 6540, currency: 'USD' });
const given = { baseUrl, publishableKey, apiKey, paymentId, clientSecret };
const files = {
    '/': ['text/html', '<!doctype html><title>A shop</title><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', page.contents],
    '/given': ['application/json', JSON.stringify(given)],
};

const server = createServer(async (request, response) => {
    if (request.url === '/done') {
        const pieces = [];
        for await (const piece of request) pieces.push(piece);
        response.end();
        server.emit('done', JSON.parse(Buffer.concat(pieces).toString()));
        return;
    }
    const [type, body] = files[request.url] ?? [];
    response.writeHead(type ? 200 : 404, { 'content-type': type ?? 'text/plain' }).end(body ?? '');
});
await once(server.listen(0, '127.0.0.1'), 'listening');

const folder = mkdtempSync(join(tmpdir(), 'multirail-page-'));
const address = `http://127.0.0.1:${server.address().port}/`;
// Chromium refuses its own sandbox to root, as which CI runs it.
const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${folder}`, address];
const chromium = spawn('chromium', options, { stdio: 'ignore' });
try {
    const ended = once(chromium, 'exit').then(([code]) => assert.fail(`Chromium ended with ${code}`));
    const [chapters] = await Promise.race([once(server, 'done', { signal: AbortSignal.timeout(LONGEST_WAIT) }), ended]);
    for (const [chapter, end] of chapters) console.log(`${chapter.padEnd(9)} ${end}`);
    assert.deepEqual(chapters, [
        ['retrieve', '6540 USD is requires_payment_method'],
        ['confirm', 'succeeded'],
        ['refusal', '400 IR_09'],
        ['secret', 'a secret key is refused'],
    ]);
    console.log(`size      ${size} bytes compressed for a page that retrieves a payment`);
} finally {
    const gone = once(chromium, 'exit');
    if (chromium.exitCode === null && chromium.kill()) await gone.catch(() => {});
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
