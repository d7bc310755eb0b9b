import { AbortedError, ApiError, ConnectionError, MultirailError, TimeoutError } from 'multirail';

/** A failed call as a screen shows it. */
export interface Refusal {
    kind: 'ended' | 'role' | 'missing' | 'busy' | 'slow' | 'invalid' | 'processor' | 'offline' | 'failed' | 'aborted';
    /** The server's sentence; empty if there was no answer. */
    message: string;
    code: string;
    requestId: string | undefined;
    /** True if the call may have taken effect. */
    isOutcomeUnknown: boolean;
}

/** Returns what a failed call means. */
export function refusalOf(error: unknown): Refusal {
    const base = { message: '', code: '', requestId: undefined, isOutcomeUnknown: error instanceof MultirailError && error.isOutcomeUnknown };
    if (error instanceof AbortedError) return { ...base, kind: 'aborted' };
    if (error instanceof ConnectionError || error instanceof TimeoutError) return { ...base, kind: 'offline' };
    if (!(error instanceof ApiError)) return { ...base, kind: 'failed' };
    const { code, requestId } = error;
    return { ...base, kind: kindOf(error), message: sentence(error), code, requestId };
}

function kindOf({ status, code }: ApiError): Refusal['kind'] {
    if (status === 401 && code === 'IR_17') return 'ended';
    if (status === 403) return 'role';
    if (status === 404) return 'missing';
    if (status === 429 || status === 503) return 'slow';
    if (status >= 500) return 'failed';
    if (code === 'HE_00' || code === 'MR_02') return 'busy';
    return code.startsWith('CE_') ? 'processor' : 'invalid';
}

/** Returns the server's own sentence, without the operation and the code that the client's errors add. */
function sentence(error: ApiError): string {
    const start = `${error.operation}: `;
    const end = ` (${error.code}, HTTP ${error.status})`;
    const { message } = error;
    return message.startsWith(start) && message.endsWith(end) ? message.slice(start.length, -end.length) : message;
}

/** The member that a code concerns where its sentence names none. */
const MEMBER_OF_CODE: Readonly<Record<string, string>> = { IR_13: 'amount', UR_37: 'totp', UR_39: 'recovery_code', UR_38: 'totp', UR_07: 'email', HE_01: 'connector_label' };

/** Returns the member of a form that a refusal names. The longest name wins: `payment_id` before `payment`. */
export function memberOf(refusal: Refusal, members: readonly string[]): string | undefined {
    // The advice about an unknown outcome has no place at a field.
    if (refusal.isOutcomeUnknown) return undefined;
    const named = members
        .filter((member) => new RegExp(`(^|[^a-z_])${member}($|[^a-z_])`).test(refusal.message))
        .sort((one, other) => other.length - one.length)[0];
    if (named) return named;
    const implied = MEMBER_OF_CODE[refusal.code];
    return implied !== undefined && members.includes(implied) ? implied : undefined;
}
