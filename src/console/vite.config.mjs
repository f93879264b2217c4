import { defineConfig } from 'vite';

/** The console's build: `dist/console`, which the admin API serves at `/`. */
export default defineConfig({
  root: import.meta.dirname,
  // Environment variables must not reach the browser.
  envDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // A data: URL would need a looser policy than default-src 'self'.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
