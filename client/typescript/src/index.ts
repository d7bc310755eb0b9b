export type {
    AnyOptions,
    Bytes,
    Call,
    CallOptions,
    ConnectedMerchantOption,
    KeyOption,
    ProfileOption,
    ProgramOption,
} from './call.js';
export { Client } from './client.js';
export {
    AbortedError,
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionError,
    type ErrorCode,
    InvalidRequestError,
    MultirailError,
    NotFoundError,
    NotSentError,
    PermissionError,
    RateLimitError,
    ServerError,
    TimeoutError,
    UnreadableAnswerError,
} from './errors.js';
export type { Fetch } from './exchange.js';
export type { KnownErrorCode } from './generated/codes.js';
export * from './generated/operations.js';
export type * from './generated/resources.js';
export type * from './generated/types.gen.js';
export { Multirail, Multirail as default } from './multirail.js';
export type { ClientOptions } from './options.js';
export { Paged, type Paging } from './pages.js';
export { type ResponseInfo, responseOf } from './responses.js';
export type { Clock, Random } from './runtime.js';
export { VERSION } from './version.js';
export {
    constructEvent,
    WebhookError,
    type WebhookEvent,
    type WebhookHeaders,
    type WebhookOptions,
    type WebhookReason,
} from './webhooks.js';
