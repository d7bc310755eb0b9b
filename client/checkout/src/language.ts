/** Tags of browsers whose language has another name here: Norwegian of both forms, and the former tag of Hebrew. */
const OTHER_NAMES: Readonly<Record<string, string>> = { iw: 'he', nn: 'nb', no: 'nb' };

/** Returns the language of a tag, such as `de` of `de-CH`. Without a tag, or for `auto`, it is the browser's. */
export function primaryLanguage(locale: string | undefined): string {
    const tag = !locale || locale === 'auto' ? navigator.language : locale;
    const [language = ''] = tag.toLowerCase().split('-');
    return OTHER_NAMES[language] ?? language;
}
