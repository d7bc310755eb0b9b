// The texts of the payer's language, of which a browser loads one.
import { primaryLanguage } from '../language.ts';
import type { Texts } from '../texts/en.ts';

const LANGUAGES: Readonly<Record<string, () => Promise<{ default: Texts }>>> = {
    de: () => import('../texts/de.ts'),
    en: () => import('../texts/en.ts'),
};
const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

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
