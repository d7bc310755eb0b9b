// Promises that the sources keep: no HTML from texts, no storage, the same texts in each language.
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import de from '../src/texts/de.ts';
import en from '../src/texts/en.ts';

const files = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? files(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
const sources = files('src').filter((name) => /\.(ts|css)$/.test(name));
const built = files('dist').filter((name) => /\.(js|html|css)$/.test(name));

/** What Trusted Types or a policy with a nonce would stop, and what a frame without storage must not use. */
const FORBIDDEN =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc|\beval\(|new Function|setAttribute\(['"`]style|\.style\.cssText|localStorage|sessionStorage|indexedDB|document\.cookie/;

describe('the sources and the built files', () => {
    it.each([...sources, ...built])('%s makes no HTML from text, and stores nothing', (name) => {
        expect(FORBIDDEN.exec(readFileSync(name, 'utf8'))?.[0]).toBeUndefined();
    });

    it('have no inline script or style in the frame’s page', () => {
        const html = readFileSync('frame.html', 'utf8') + readFileSync('dist/frame.html', 'utf8');
        expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
    });

    it('of the loader know nothing of the frame’s code', () => {
        const loader = files('src/loader').map((name) => readFileSync(name, 'utf8')).join('\n');
        expect(loader).not.toMatch(/from '\.\.\/(frame|texts)\//);
    });
});

describe('the README', () => {
    it('takes a payment with 15 lines of HTML', () => {
        const [, html = ''] = /```html\n([^]*?)\n```/.exec(readFileSync('README.md', 'utf8')) ?? [];
        expect(html).toContain('confirmPayment');
        expect(html.split('\n').length).toBeLessThanOrEqual(15);
    });
});

/** Returns the paths of all texts, with their places for values. */
function shape(texts: object, path = ''): string[] {
    return Object.entries(texts).flatMap(([name, value]: [string, unknown]) =>
        typeof value === 'string' ? [`${path}${name} ${(value.match(/\{\w+\}/g) ?? []).sort().join('')}`] : shape(value as object, `${path}${name}.`),
    );
}

describe('the texts', () => {
    it('are the same in each language, and none is empty', () => {
        expect(shape(de)).toEqual(shape(en));
        expect(JSON.stringify([en, de])).not.toContain('""');
    });

    it('are all used', () => {
        const code = sources.filter((name) => !name.includes('/texts/')).map((name) => readFileSync(name, 'utf8')).join('\n');
        const unused = Object.keys(en).filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
        expect(unused).toEqual([]);
    });
});
