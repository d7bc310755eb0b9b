import { fileURLToPath } from 'node:url';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** The id by which React Aria recognizes that the page has its rule, so that it adds no inline style. */
const PRESSABLE = 'react-aria-pressable-style';

/** Gives the stylesheet the id that keeps React Aria from adding a style element, which the page's policy forbids. */
function pressableStyle(): Plugin {
    return {
        name: 'pressable-style',
        transformIndexHtml: {
            order: 'post',
            handler: (html) => html.replace('<link rel="stylesheet"', `<link id="${PRESSABLE}" rel="stylesheet"`),
        },
    };
}

/** Clears React Aria's live region without `innerHTML`, which Trusted Types forbid. */
function trustedTypes(): Plugin {
    return {
        name: 'trusted-types',
        transform(code, id) {
            if (!/[\\/]react-aria[\\/]/.test(id) || !code.includes(".innerHTML = ''")) return null;
            return { code: code.replaceAll(".innerHTML = ''", '.replaceChildren()'), map: null };
        },
    };
}

export default defineConfig({
    base: '/console/',
    plugins: [{ ...optimizeLocales.vite({ locales: ['en-US', 'de-DE'] }), enforce: 'pre' }, trustedTypes(), pressableStyle()],
    resolve: { alias: { multirail: fileURLToPath(new URL('../typescript/src/index.ts', import.meta.url)) } },
    build: {
        assetsDir: 'assets',
        assetsInlineLimit: 0,
        cssCodeSplit: false,
        modulePreload: { polyfill: false },
        target: 'es2022',
        rollupOptions: {
            // React Server Components are not used, so their marks mean nothing here.
            onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
        },
    },
    test: { environment: 'jsdom', include: ['test/**/*.test.{ts,tsx}'], setupFiles: ['test/setup.ts'], testTimeout: 60_000 },
});
