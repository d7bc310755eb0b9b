// The texts of the payer's language, of which a browser loads one.
import { primaryLanguage } from '../language.ts';
import type { Texts } from '../texts/en.ts';

export const LANGUAGES: Readonly<Record<string, () => Promise<{ default: Texts }>>> = {
    ar: () => import('../texts/ar.ts'),
    cs: () => import('../texts/cs.ts'),
    da: () => import('../texts/da.ts'),
    de: () => import('../texts/de.ts'),
    el: () => import('../texts/el.ts'),
    en: () => import('../texts/en.ts'),
    es: () => import('../texts/es.ts'),
    fi: () => import('../texts/fi.ts'),
    fr: () => import('../texts/fr.ts'),
    he: () => import('../texts/he.ts'),
    hu: () => import('../texts/hu.ts'),
    it: () => import('../texts/it.ts'),
    ja: () => import('../texts/ja.ts'),
    nb: () => import('../texts/nb.ts'),
    nl: () => import('../texts/nl.ts'),
    pl: () => import('../texts/pl.ts'),
    pt: () => import('../texts/pt.ts'),
    ro: () => import('../texts/ro.ts'),
    sv: () => import('../texts/sv.ts'),
    tr: () => import('../texts/tr.ts'),
};
const RIGHT_TO_LEFT = new Set(['ar', 'he']);

/** Returns the language of a tag, or of the browser; English where there are no texts in it. */
export function languageOf(locale: string | undefined): string {
    const language = primaryLanguage(locale);
    return language in LANGUAGES ? language : 'en';
}

/** Loads the texts of a language, and tells the page which one it speaks. */
export async function speak(language: string): Promise<Texts> {
    const load = LANGUAGES[language] ?? LANGUAGES['en'];
    if (!load) throw new Error('English is missing');
    const { default: texts } = await load();
    document.documentElement.lang = language;
    document.documentElement.dir = RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
    return texts;
}
