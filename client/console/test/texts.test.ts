import { describe, expect, it } from 'vitest';
import { de } from '../src/texts/de.ts';
import { en } from '../src/texts/en.ts';
import { preferredLanguage, wordOf } from '../src/texts/index.tsx';

/** Returns the paths of all texts. */
function paths(value: unknown, path = ''): string[] {
    if (typeof value !== 'object' || value === null) return [path];
    return Object.entries(value).flatMap(([name, inner]) => paths(inner, `${path}/${name}`));
}

describe('texts', () => {
    it('exist in both languages', () => {
        expect(paths(de).sort()).toEqual(paths(en).sort());
    });

    it('are not empty', () => {
        for (const texts of [en, de]) expect(JSON.stringify(texts)).not.toContain('""');
    });

    it('follow the browser’s languages', () => {
        expect(preferredLanguage(['fr-FR', 'de-AT', 'en'])).toBe('de');
        expect(preferredLanguage(['fr'])).toBe('en');
    });

    it('show new words of the contract in a readable form', () => {
        expect(wordOf(en.words.payment, 'waits_for_moon')).toBe('waits for moon');
        expect(wordOf(en.words.payment, 'toString')).toBe('toString');
    });
});
