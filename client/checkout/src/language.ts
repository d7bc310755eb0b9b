/** Returns the language of a tag, such as `de` of `de-CH`. Without a tag, or for `auto`, it is the browser's. */
export function primaryLanguage(locale: string | undefined): string {
    const tag = !locale || locale === 'auto' ? navigator.language : locale;
    const [language = ''] = tag.toLowerCase().split('-');
    return language;
}
