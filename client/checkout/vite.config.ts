import { defineConfig } from 'vitest/config';

// The frame is a page with files of its own. The loader is one classic script, which `--mode loader` builds beside them.
const frame = {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rollupOptions: { input: 'frame.html' },
};
const loader = {
    outDir: 'dist',
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'es2022',
    lib: { entry: 'src/loader/main.ts', formats: ['iife' as const], name: 'multirailLoader', fileName: () => 'multirail.js' },
};

export default defineConfig(({ mode }) => ({
    // The server may stand below a path of a proxy, so that the page names its files by where it is.
    base: './',
    build: mode === 'loader' ? loader : frame,
    test: { environment: 'jsdom', include: ['test/**/*.test.ts'], setupFiles: ['test/setup.ts'], testTimeout: 30_000 },
}));
