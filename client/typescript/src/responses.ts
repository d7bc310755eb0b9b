/** The parts of a response beside its body. */
export interface ResponseInfo {
    /** The HTTP status. */
    readonly status: number;
    /** The id of the request in the server's log. */
    readonly requestId: string | undefined;
    /** True if this is the stored answer of an earlier request with the same idempotency key. */
    readonly isReplayed: boolean;
}

const known = new WeakMap<object, ResponseInfo>();

/** Stores the parts of a response beside its body. @internal */
export function keepResponse(answer: unknown, info: ResponseInfo): void {
    if (typeof answer === 'object' && answer !== null) known.set(answer, info);
}

/** Returns the response from which an object or a page was read. Copies of an object have none. */
export function responseOf(answer: object): ResponseInfo | undefined {
    return known.get(answer);
}
