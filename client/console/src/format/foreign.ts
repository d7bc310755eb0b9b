/** Returns a foreign text without the marks that change the direction of a text. */
export function plain(text: string): string {
    return text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').trim();
}

/** Returns a foreign text that can't change the direction of the sentence around it. */
export function isolated(text: string): string {
    const safe = plain(text);
    return `\u2068${safe.length > 60 ? `${safe.slice(0, 60)}…` : safe}\u2069`;
}
