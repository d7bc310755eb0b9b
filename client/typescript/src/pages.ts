import type { AnyOptions, Call } from './call.js';
import type { Client } from './client.js';
import { UnreadableAnswerError } from './errors.js';

/** The page size of an iteration, which every list allows. */
const PAGE_SIZE = 50;

/** The way from one page of a list to the next. */
export interface Paging {
    /** The part of the request that holds the page. */
    in: 'query' | 'body';
    /** The member that counts the items to skip. */
    offset?: string;
    /** The member for the cursor of the next page. */
    after?: string;
    /** The member for the cursor of the page before. */
    before?: string;
    /** The member of an item that is its cursor. */
    key?: string;
    /** The member of a page that holds its items. Otherwise the page is a list. */
    items?: string;
}

/**
 * A list. Await it for the page that the request asks for, or iterate over all items: each further page is requested when
 * its first item is. Items that are added meanwhile can shift a list by offset, so that an item occurs twice.
 */
export class Paged<Page extends object, Item extends object> implements PromiseLike<Page>, AsyncIterable<Item> {
    readonly #client: Client;
    readonly #call: Call;
    readonly #paging: Paging;
    readonly #options: AnyOptions | undefined;
    #page: Promise<Page> | undefined;

    constructor(client: Client, call: Call, paging: Paging, options?: AnyOptions) {
        this.#client = client;
        this.#call = call;
        this.#paging = paging;
        this.#options = options;
    }

    /** Requests the page. Several callbacks share one request. */
    then<Done = Page, Failed = never>(
        done?: ((page: Page) => Done | PromiseLike<Done>) | null,
        failed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
    ): Promise<Done | Failed> {
        this.#page ??= this.#client.request<Page>(this.#call, this.#options);
        return this.#page.then(done, failed);
    }

    /** Requests the page, and handles a failure. */
    catch<Failed = never>(failed: (error: unknown) => Failed | PromiseLike<Failed>): Promise<Page | Failed> {
        return this.then(undefined, failed);
    }

    /** Requests the page, and runs a function at the end. */
    finally(end: () => void): Promise<Page> {
        return this.then().finally(end);
    }

    /** Iterates over the pages. Without a `limit` a page has 50 items. */
    async *pages(): AsyncGenerator<Page, void, undefined> {
        const { before } = this.#paging;
        const request: Record<string, unknown> = { ...this.#given() };
        const limit = (request['limit'] ??= PAGE_SIZE);
        const isBackwards = before !== undefined && isSet(request[before]);
        for (;;) {
            const call = { ...this.#call, [this.#paging.in]: { ...request } };
            const page = await this.#client.request<Page>(call, this.#options);
            const items = this.#items(page);
            yield page;
            // A page that isn't full is the last one.
            if (items.length === 0 || items.length < Number(limit)) return;
            this.#turn(request, items, isBackwards);
        }
    }

    /** Iterates over all items. With `ending_before` it goes from that item towards newer ones. */
    async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
        const { before } = this.#paging;
        const isBackwards = before !== undefined && isSet(this.#given()[before]);
        for await (const page of this.pages()) {
            const items = this.#items(page);
            yield* isBackwards ? [...items].reverse() : items;
        }
    }

    /** Returns the first items, at most this many. */
    async toArray(most: number): Promise<Item[]> {
        const items: Item[] = [];
        if (most < 1) return items;
        for await (const item of this) {
            items.push(item);
            if (items.length >= most) break;
        }
        return items;
    }

    #given(): Record<string, unknown> {
        return (this.#call[this.#paging.in] ?? {}) as Record<string, unknown>;
    }

    #items(page: Page): Item[] {
        const { items } = this.#paging;
        const found: unknown = items === undefined ? page : (page as Record<string, unknown>)[items];
        if (!Array.isArray(found)) throw this.#unreadable();
        return found as Item[];
    }

    /** Sets the request to the next page. */
    #turn(request: Record<string, unknown>, items: Item[], isBackwards: boolean): void {
        const { offset, after, before, key } = this.#paging;
        if (offset !== undefined) {
            request[offset] = Number(request[offset] ?? 0) + items.length;
            return;
        }
        const member = isBackwards ? before : after;
        const last = items.at(isBackwards ? 0 : -1) as Record<string, unknown>;
        const cursor = key === undefined ? undefined : last[key];
        // The same page would be requested endlessly.
        if (member === undefined || !isSet(cursor) || request[member] === cursor) throw this.#unreadable();
        request[member] = cursor;
    }

    #unreadable(): UnreadableAnswerError {
        return new UnreadableAnswerError(this.#call.operation, { status: 200, requestId: undefined, isOutcomeUnknown: false });
    }
}

function isSet(value: unknown): boolean {
    return value !== undefined && value !== null;
}
