// Elements of the page. Texts become text nodes, so that none of them can be read as HTML.

type Child = Node | string | false | null | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element. An attribute that is `false` or undefined is left out. */
export function make<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Tag] {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
    }
    made.append(...children.filter((child): child is Node | string => child !== undefined && child !== null && child !== false && child !== ''));
    return made;
}

let last = 0;

/** Returns an id that no other element has. */
export function newId(): string {
    last += 1;
    return `f${last}`;
}

/** Puts values in the places of a text: `{name}`. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
    return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** Returns the value of a `<meta>` of this page. */
export function metaOf(name: string): string | undefined {
    return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined;
}
