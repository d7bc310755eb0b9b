// The languages: each has all texts with the same gaps, and a payer of any tag gets one of them.
import { beforeEach, describe, expect, it } from 'vitest';
import { LANGUAGES, languageOf, speak } from '../src/frame/texts.ts';
import { WORDS, wordsIn } from '../src/loader/words.ts';
import english from '../src/texts/en.ts';
import { open, user } from './frame.ts';
import { Server, offers } from './server.ts';

/** Returns the texts by their paths, without the mandates whose wording may stay English. */
const flat = (texts: unknown): [string, string][] => all(texts).filter(([path]) => !/^\/mandates\/(ach|bacs|becs)\//.test(path));

function all(value: unknown, path = ''): [string, string][] {
    if (typeof value === 'string') return [[path, value]];
    return Object.entries(value as object).flatMap(([name, inner]) => all(inner, `${path}/${name}`));
}

const gaps = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
const others = Object.keys(LANGUAGES).filter((language) => language !== 'en');

beforeEach(() => {
    new Server().offered = offers('credit', 'sepa');
});

describe('the languages', () => {
    it('are twenty, the same for the page and the frame', () => {
        expect(Object.keys(LANGUAGES)).toHaveLength(20);
        expect(Object.keys(WORDS)).toEqual(Object.keys(LANGUAGES));
    });

    it.each(others)('have all texts with the same gaps: %s', async (language) => {
        const texts = new Map(flat(await speak(language)));
        let same = 0;
        for (const [path, text] of flat(english)) {
            const translated = texts.get(path);
            expect(translated?.trim(), path).toBeTruthy();
            expect(gaps(translated ?? ''), path).toEqual(gaps(text));
            if (translated === text) same += 1;
        }
        expect(texts.size).toBe(flat(english).length);
        // Names such as IBAN stay.
        expect(same).toBeLessThan(texts.size / 10);
    });

    it('are found by any tag of a browser', () => {
        expect(['de-CH', 'nn-NO', 'no', 'iw', 'pt-BR', 'zh-Hant', 'x'].map(languageOf)).toEqual(['de', 'nb', 'nb', 'he', 'pt', 'en', 'en']);
        expect(wordsIn('fr-CA').pay).toBe('Payer');
        expect(wordsIn('zh').pay).toBe('Pay');
    });

    it('show a mandate of a British account in English, which screen readers are told', async () => {
        const server = new Server();
        server.offered = offers('bacs');
        const frame = await open({ locale: 'ja' });
        const mandate = frame.root.querySelector('.mandate');
        expect([mandate?.getAttribute('lang'), mandate?.getAttribute('dir')]).toEqual(['en', 'ltr']);
        expect(mandate?.textContent).toContain('Direct Debit Guarantee');
        expect(frame.text).toContain('口座名義人');
    });

    it.each(['ar', 'he'])('are written from right to left, and numbers from left to right: %s', async (language) => {
        const frame = await open({ locale: language });
        expect([document.documentElement.lang, document.documentElement.dir]).toEqual([language, 'rtl']);
        const number = frame.root.querySelector<HTMLInputElement>('input[autocomplete=cc-number]');
        expect(number?.dir).toBe('ltr');
        await user.type(number as HTMLInputElement, '4242424242424242');
        expect(number?.value).toBe('4242 4242 4242 4242');
        await frame.ask({ type: 'update', locale: 'en' });
        expect(document.documentElement.dir).toBe('ltr');
    });
});
