import { ApiError, TimeoutError } from 'multirail';
import { describe, expect, it } from 'vitest';
import { closeKey, keyOf, withKey } from '../src/api/keys.ts';
import { memberOf, refusalOf } from '../src/api/refusal.ts';

const error = (status: number, code: string, message: string): ApiError =>
    new ApiError('refunds_create', { status, code, errorType: 'invalid_request', message, requestId: 'r1', isOutcomeUnknown: false });

describe('refusals', () => {
    it('keep the server’s sentence and lose what the client adds', () => {
        expect(refusalOf(error(400, 'IR_04', 'Missing required parameter: amount'))).toMatchObject({ kind: 'invalid', message: 'Missing required parameter: amount', requestId: 'r1' });
    });

    it('are shown at the member that they name', () => {
        const members = ['amount', 'reason', 'payment_id', 'payment'];
        const named = (message: string, code = 'IR_06'): string | undefined => memberOf(refusalOf(error(422, code, message)), members);
        expect(named('`reason` is too long')).toBe('reason');
        expect(named('payment_id is no id')).toBe('payment_id');
        expect(named('The refund exceeds what is left', 'IR_13')).toBe('amount');
        expect(named('amount_to_capture is wrong')).toBeUndefined();
    });

    it('differ by what to do', () => {
        const kind = (status: number, code: string): string => refusalOf(error(status, code, '')).kind;
        expect([kind(401, 'IR_17'), kind(403, 'IR_22'), kind(404, 'HE_02'), kind(422, 'HE_00'), kind(429, 'MR_03'), kind(503, 'HE_00'), kind(500, 'HE_00'), kind(400, 'CE_08')]).toEqual([
            'ended', 'role', 'missing', 'busy', 'slow', 'slow', 'failed', 'processor',
        ]);
        expect(refusalOf(new TimeoutError('refunds_create', 1, true))).toMatchObject({ kind: 'offline', isOutcomeUnknown: true });
    });
});

describe('idempotency keys', () => {
    it('stay with an action until its outcome is known', () => {
        const first = keyOf('refund', { amount: 1 });
        expect(keyOf('refund', { amount: 1 })).toBe(first);
        expect(keyOf('refund', { amount: 2 })).not.toBe(first);
        closeKey('refund', { amount: 1 });
        expect(keyOf('refund', { amount: 1 })).not.toBe(first);
    });

    it('are kept by an unknown outcome only', async () => {
        const keys: string[] = [];
        for (const outcome of [new TimeoutError('refunds_create', 1, true), error(400, 'IR_06', ''), undefined, undefined]) {
            const call = (key: string): Promise<void> => {
                keys.push(key);
                return outcome ? Promise.reject(outcome) : Promise.resolve();
            };
            await withKey('refund', { amount: 3 }, call).catch(() => undefined);
        }
        expect(keys[1]).toBe(keys[0]);
        expect(new Set(keys).size).toBe(3);
    });
});
