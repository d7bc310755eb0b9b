import type { KnownErrorCode } from './generated/codes.js';

/** The code of the service's error. A newer server, or another one with this interface, may have further codes. */
export type ErrorCode = KnownErrorCode | (string & {});

/** The parent of all errors of this client. Texts and members of errors hold no keys and no card data. */
export abstract class MultirailError extends Error {
    // Every class writes its name out, because minifiers rename classes.
    override name = 'MultirailError';
    /** The id of the operation in the document, such as `payments_confirm`. */
    readonly operation: string;
    /** True if the same call may succeed later. The client has already retried harmless calls. */
    readonly isRetryable: boolean = false;
    /**
     * True if the call may have taken effect although it failed. Retrieve the object, or repeat the call with the same
     * idempotency key. Without a key of your own, a repetition has a new key and may take effect twice.
     */
    readonly isOutcomeUnknown: boolean = false;

    constructor(operation: string, message: string) {
        super(`${operation}: ${message}`);
        this.operation = operation;
    }
}

/** The parts of an error answer. */
export interface Refusal {
    readonly status: number;
    readonly code: string;
    readonly errorType: string;
    readonly message: string;
    readonly requestId: string | undefined;
    readonly isOutcomeUnknown: boolean;
}

/** The service refused the call, or failed. A declined card is no error: it is a payment that is `failed`. */
export class ApiError extends MultirailError {
    override name = 'ApiError';
    /** The HTTP status. One code can come with several. */
    readonly status: number;
    /** The error for programs. */
    readonly code: ErrorCode;
    /** The party that has to act: `invalid_request`, `api`, `connector`, `blocked`. Words may be added. */
    readonly errorType: string;
    /** The id of the request in the server's log. */
    readonly requestId: string | undefined;
    override readonly isRetryable: boolean;
    override readonly isOutcomeUnknown: boolean;

    constructor(operation: string, refusal: Refusal) {
        super(operation, `${refusal.message} (${refusal.code}, HTTP ${refusal.status})`);
        this.status = refusal.status;
        this.code = refusal.code;
        this.errorType = refusal.errorType;
        this.requestId = refusal.requestId;
        this.isRetryable = isPassing(refusal.status) || isBusy(refusal.status, refusal.code) || isClaimed(refusal.status, refusal.code);
        this.isOutcomeUnknown = refusal.isOutcomeUnknown;
    }
}

/** The request has to change (400, 405, 413, 415, 422), or its object is busy (422 `HE_00`). */
export class InvalidRequestError extends ApiError {
    override name = 'InvalidRequestError';
}

/** The key or token is missing, wrong or lapsed (401). */
export class AuthenticationError extends ApiError {
    override name = 'AuthenticationError';
}

/** The user's role doesn't allow the call (403). */
export class PermissionError extends ApiError {
    override name = 'PermissionError';
}

/** The object or address doesn't exist (404). */
export class NotFoundError extends ApiError {
    override name = 'NotFoundError';
}

/** Another request is still being worked on (409). */
export class ConflictError extends ApiError {
    override name = 'ConflictError';
}

/** The calls come too fast (429). */
export class RateLimitError extends ApiError {
    override name = 'RateLimitError';
}

/** The server failed, or could not work (500 and above). */
export class ServerError extends ApiError {
    override name = 'ServerError';
}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
};

/** Returns the error of a status. */
export function apiError(operation: string, refusal: Refusal): ApiError {
    const kind = BY_STATUS[refusal.status] ?? (refusal.status >= 500 ? ServerError : InvalidRequestError);
    return new kind(operation, refusal);
}

/** The server could not be reached, or its answer broke off. The address is left out: it can hold a client secret. */
export class ConnectionError extends MultirailError {
    override name = 'ConnectionError';
    /** The word of the runtime for the reason, such as `ECONNREFUSED`. */
    readonly reason: string | undefined;
    override readonly isRetryable = true;
    override readonly isOutcomeUnknown: boolean;

    constructor(operation: string, reason: string | undefined, isOutcomeUnknown: boolean) {
        super(operation, `the server could not be reached, or its answer broke off${reason ? ` (${reason})` : ''}`);
        this.reason = reason;
        this.isOutcomeUnknown = isOutcomeUnknown;
    }
}

/** No try was answered within its time limit. */
export class TimeoutError extends MultirailError {
    override name = 'TimeoutError';
    override readonly isRetryable = true;
    override readonly isOutcomeUnknown: boolean;

    constructor(operation: string, milliseconds: number, isOutcomeUnknown: boolean) {
        super(operation, `no answer within ${milliseconds} ms`);
        this.isOutcomeUnknown = isOutcomeUnknown;
    }
}

/** The signal of the caller ended the call. Its name is `AbortError`, as everywhere on the web. */
export class AbortedError extends MultirailError {
    override name = 'AbortError';
    override readonly isOutcomeUnknown: boolean;

    constructor(operation: string, isOutcomeUnknown: boolean) {
        super(operation, 'the caller ended the call');
        this.isOutcomeUnknown = isOutcomeUnknown;
    }
}

/** The answer isn't one of this API. It came from a proxy, or from another server. */
export class UnreadableAnswerError extends MultirailError {
    override name = 'UnreadableAnswerError';
    readonly status: number;
    readonly requestId: string | undefined;
    override readonly isRetryable: boolean;
    override readonly isOutcomeUnknown: boolean;

    constructor(operation: string, answer: { status: number; requestId: string | undefined; isOutcomeUnknown: boolean }) {
        super(operation, `the answer can't be read (HTTP ${answer.status})`);
        this.status = answer.status;
        this.requestId = answer.requestId;
        this.isRetryable = isPassing(answer.status);
        this.isOutcomeUnknown = answer.isOutcomeUnknown;
    }
}

/** The call was not sent, because something in it is missing or can't be sent. */
export class NotSentError extends MultirailError {
    override name = 'NotSentError';
    constructor(operation: string, reason: string) {
        super(operation, `not sent, because ${reason}`);
    }
}

/** Returns whether a status ends by itself. */
export function isPassing(status: number): boolean {
    return [408, 429, 502, 503, 504].includes(status);
}

/** Returns whether another call holds the object. With status 500 the same code means that the server failed. */
export function isBusy(status: number, code: string): boolean {
    return status === 422 && code === 'HE_00';
}

/** Returns whether the first request with this idempotency key is still being worked on. */
export function isClaimed(status: number, code: string): boolean {
    return status === 409 && code === 'MR_02';
}
