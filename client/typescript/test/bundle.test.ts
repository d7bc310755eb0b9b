import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const client = fileURLToPath(new URL('../src/index.js', import.meta.url));

/** Returns the program that a browser loads. */
async function bundled(program: string): Promise<string> {
    const { outputFiles } = await build({
        stdin: { contents: program.replaceAll("'multirail'", JSON.stringify(client)), resolveDir: '.' },
        bundle: true,
        minify: true,
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        write: false,
        logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
}

const RETRIEVE = `
import { Client, paymentsRetrieve } from 'multirail';
const client = new Client({ baseUrl: 'https://pay.example', apiKey: 'pk_1' });
export const status = (id, client_secret) => paymentsRetrieve(client, id, { client_secret }).then((payment) => payment.status);
`;

test('a browser that only retrieves a payment loads less than 10 kB', async () => {
    const program = await bundled(RETRIEVE);
    const size = gzipSync(program).length;
    console.log(`# a page that retrieves a payment: ${program.length} bytes, ${size} compressed`);
    assert.ok(program.includes('/payments/{}'), 'the operation is in the bundle');
    assert.ok(size < 10_000, `${size} bytes`);
    for (const other of ['/refunds', '/payments/list', 'webhook-signature', 'Symbol.asyncIterator']) {
        assert.ok(!program.includes(other), `${other} is in the bundle`);
    }
});

test('the whole client in a browser', async () => {
    const program = await bundled(`export { Multirail } from 'multirail';`);
    console.log(`# the whole client: ${program.length} bytes, ${gzipSync(program).length} compressed`);
    assert.ok(program.includes('/refunds'));
    assert.ok(!/\bnode:|\brequire\(/.test(program), 'the bundle needs Node.js');
});
