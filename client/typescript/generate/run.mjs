// Generates src/generated from the published document. `--check` writes nothing and fails if a file is stale.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { codes } from './codes.mjs';
import { model } from './model.mjs';
import { operations, resources } from './print.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const document = join(here, '../../../openapi/openapi.yaml');
const folder = join(here, '../src/generated');

/** Writes all files into a folder. openapi-ts writes the types, and its reading of the document gives the rest. */
async function generate(into) {
    const [context] = await createClient({
        input: document,
        output: { path: into, entryFile: false },
        plugins: ['@hey-api/typescript'],
        logs: { level: 'silent' },
    });
    const read = model(context.ir);
    writeFileSync(join(into, 'operations.ts'), operations(read));
    writeFileSync(join(into, 'resources.ts'), resources(read));
    writeFileSync(join(into, 'codes.ts'), codes(context.spec));
}

function texts(of) {
    return new Map(readdirSync(of).map((name) => [name, readFileSync(join(of, name), 'utf8')]));
}

/** Returns the names of files that differ between two folders. */
function stale(committed, fresh) {
    const names = new Set([...committed.keys(), ...fresh.keys()]);
    return [...names].filter((name) => committed.get(name) !== fresh.get(name)).sort();
}

if (process.argv.includes('--check')) {
    const scratch = mkdtempSync(join(tmpdir(), 'multirail-generated-'));
    try {
        const into = join(scratch, 'generated');
        await generate(into);
        const files = stale(texts(folder), texts(into));
        if (files.length > 0) {
            const place = relative(process.cwd(), folder);
            console.error(`stale in ${place}: ${files.join(', ')}; run \`npm run generate\` and commit the result`);
            process.exitCode = 1;
        }
    } finally {
        rmSync(scratch, { recursive: true });
    }
} else {
    await generate(folder);
}
