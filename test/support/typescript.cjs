/** `node -r test/support/typescript.cjs file.ts`: lets a child process of a test run our source as it is, without a build before. */
const { transformSync } = require('@swc/core');
const { readFileSync } = require('node:fs');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
    swcrc: false,
  });
  module._compile(code, filename);
};
