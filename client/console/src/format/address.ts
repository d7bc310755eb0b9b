/** Builds the address of a screen, as a tag of a template. Each value in it is encoded, so that none changes the path. */
export function address(parts: TemplateStringsArray, ...values: readonly string[]): string {
    return parts.reduce((built, part, index) => built + encodeURIComponent(values[index - 1] ?? '') + part);
}

/** Returns the value of a part of an address. A part that is encoded wrongly stands for itself. */
export function valueOf(part: string): string {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}
