// The npm package: it loads the loader from the merchant's own checkout, so that a page always has the script of its server.
import type { MultirailConstructor, MultirailInstance, MultirailOptions } from './types.ts';

export type * from './types.ts';

export interface LoadOptions extends MultirailOptions {
    /** The origin of the checkout, such as `https://pay.shop.example`. */
    origin: string;
    /** The nonce of a page whose policy asks for one. */
    nonce?: string;
}

interface Policies {
    createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): unknown };
}

const loads = new Map<string, Promise<MultirailConstructor>>();
/** The page's policy of this package, which may be made only once. It passes the address of a checkout's script. */
let policy: { createScriptURL(url: string): unknown } | undefined;

/**
 * Loads the script of the checkout once, and opens it with a publishable key. A page with Trusted Types has to allow the
 * policy `multirail`. It fails when the script can't be loaded, and may then be called again.
 */
export async function loadMultirail(publishableKey: string, options: LoadOptions): Promise<MultirailInstance> {
    const address = new URL('/checkout/v1/multirail.js', options.origin).href;
    let load = loads.get(address);
    if (!load) {
        load = loadScript(address, options.nonce);
        loads.set(address, load);
        load.catch(() => loads.delete(address));
    }
    return (await load)(publishableKey, options);
}

function loadScript(address: string, nonce: string | undefined): Promise<MultirailConstructor> {
    const known = window as Window & { trustedTypes?: Policies };
    if (known.Multirail) return Promise.resolve(known.Multirail);
    return new Promise((resolve, reject) => {
        const script = document.createElement('script');
        policy ??= known.trustedTypes?.createPolicy('multirail', {
            createScriptURL(url) {
                if (!/^https?:\/\/[^/]+\/checkout\/v1\/multirail\.js$/.test(url)) throw new TypeError('multirail: this is no script of a checkout.');
                return url;
            },
        });
        script.src = (policy ? policy.createScriptURL(address) : address) as string;
        script.async = true;
        if (nonce) script.nonce = nonce;
        script.addEventListener('load', () => (known.Multirail ? resolve(known.Multirail) : reject(new Error('multirail: the script has no checkout.'))));
        script.addEventListener('error', () => {
            script.remove();
            reject(new Error(`multirail: ${address} could not be loaded.`));
        });
        document.head.append(script);
    });
}
