// The npm package: it loads the script of the checkout once, on a page with a nonce and Trusted Types, too.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadMultirail } from '../src/index.ts';

afterEach(() => {
    delete (window as { trustedTypes?: unknown }).trustedTypes;
    delete window.Multirail;
});

const scripts = () => [...document.head.querySelectorAll('script')];

describe('loadMultirail', () => {
    it('loads the script of the shop’s own checkout, and may try again', async () => {
        const policies: string[] = [];
        const createPolicy = (name: string, rules: object) => {
            policies.push(name);
            return rules;
        };
        Object.assign(window, { trustedTypes: { createPolicy } });
        const options = { origin: 'https://pay.example', nonce: 'n1', profile: 'pro_1' };
        const failed = loadMultirail('pk_snd_1', options);
        const [script] = scripts();
        expect([script?.src, script?.nonce]).toEqual(['https://pay.example/checkout/v1/multirail.js', 'n1']);
        script?.dispatchEvent(new Event('error'));
        await expect(failed).rejects.toThrow('could not be loaded');
        await vi.waitFor(() => expect(scripts()).toEqual([]));

        const both = Promise.all([loadMultirail('pk_snd_1', options), loadMultirail('pk_snd_2', options)]);
        expect(scripts()).toHaveLength(1);
        const opened: unknown[] = [];
        window.Multirail = (key, given) => ({ key, given, opened: opened.push(key) }) as never;
        scripts()[0]?.dispatchEvent(new Event('load'));
        expect(await both).toMatchObject([{ key: 'pk_snd_1', given: options }, { key: 'pk_snd_2' }]);
        expect(policies).toEqual(['multirail']);
    });
});
