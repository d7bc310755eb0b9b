// The words that the document doesn't spell out: resources, cursors, and lists without pages. All clients have the same.
import { readFileSync } from 'node:fs';

const names = JSON.parse(readFileSync(new URL('../../names.json', import.meta.url), 'utf8'));

/** The beginnings of operation ids. The longest that fits is the resource; the rest of the id is the method. */
export const RESOURCES = names.resources;

/** Lists by cursor: the parameter for the next page, for the page before it, and the member of an item that it takes. */
export const CURSORS = names.cursors;

/** Operations with a limit whose answer is one page: the saved methods of one customer, and portions of the audit log. */
export const UNPAGED = names.unpaged;
