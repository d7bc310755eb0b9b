// The classic script that a shop's page loads. It defines `Multirail` and <multirail-checkout>.
import type { MultirailConstructor } from '../types.ts';
import { defineElement } from './custom_element.ts';
import { Checkout } from './checkout.ts';

// Only while it is first run does a script know its own address.
const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';

/** Returns the address of the frame: at a given origin, else where this script is from. */
function frameOf(origin: string | undefined): string {
    if (origin) return new URL('/checkout/v1/frame', origin).href;
    if (own) return new URL('../v1/frame', own).href;
    throw new Error('multirail: name the origin of the checkout, since the script has no address.');
}

/** Opens a checkout, with or without `new`. */
const open: MultirailConstructor = function open(publishableKey, options = {}) {
    return new Checkout(publishableKey, options, frameOf(options.origin));
};

// A page that has loaded the script twice keeps the first.
window.Multirail ??= open;
defineElement(window.Multirail);
