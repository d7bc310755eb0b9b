import { describe, expect, it } from 'vitest';
import { editable, money, parseAmount, toDecimal } from '../src/format/money.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ').replaceAll('\u202f', ' ');

describe('amounts', () => {
    it('have the decimals of their currency', () => {
        expect(plain(money(6540, 'EUR', 'en'))).toBe('65.40 EUR');
        expect(plain(money(6540, 'JPY', 'en'))).toBe('6,540 JPY');
        expect(plain(money(12345, 'KWD', 'de'))).toBe('12,345 KWD');
        expect(plain(money(123456, 'CLF', 'en'))).toBe('12.3456 CLF');
        // The browser's own table gives these currencies other decimals than the service.
        expect(plain(money(1000, 'ISK', 'en'))).toBe('10.00 ISK');
        expect(plain(money(1000, 'HUF', 'de'))).toBe('10,00 HUF');
    });

    it('stay exact where a number would not', () => {
        expect(plain(money(9_007_199_254_740_993n, 'USD', 'en'))).toBe('90,071,992,547,409.93 USD');
        expect(toDecimal(-5, 'USD')).toBe('-0.05');
    });

    it('are read as people type them', () => {
        expect(parseAmount('65.40', 'EUR')).toBe(6540);
        expect(parseAmount(' 65,4 ', 'EUR')).toBe(6540);
        expect(parseAmount('0.29', 'USD')).toBe(29);
        expect(parseAmount('12.345', 'KWD')).toBe(12345);
        expect(parseAmount('6540', 'JPY')).toBe(6540);
    });

    it('are refused if they could mean something else', () => {
        for (const text of ['', 'abc', '-1', '1.234', '1.234,50', '1 000', '1e3', '0x10', '9999999999999', '١٢']) expect(parseAmount(text, 'EUR'), text).toBeUndefined();
        expect(parseAmount('65.4', 'JPY')).toBeUndefined();
    });

    it('are read again as they are offered', () => {
        for (const locale of ['en', 'de']) for (const [amount, currency] of [[6540, 'EUR'], [7, 'KWD'], [99, 'JPY']] as const) expect(parseAmount(editable(amount, currency, locale), currency)).toBe(amount);
    });
});
