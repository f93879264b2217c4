import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';
import { samplesOf } from './signature-samples.mjs';

/** The console's build: `dist/console`, which the admin API serves at `/`. */
export default defineConfig({
  root: import.meta.dirname,
  // Environment variables must not reach the browser.
  envDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [
    {
      name: 'signature-samples',
      // Only the samples of the guide are part of the console.
      load: (id) =>
        id.endsWith('/docs/guides/integrate.md')
          ? `export default ${JSON.stringify(samplesOf(readFileSync(id, 'utf8')))}`
          : null,
    },
  ],
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
