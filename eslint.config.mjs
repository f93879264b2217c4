import tseslint from 'typescript-eslint';

const noAmbientTime = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'Business time comes from a Clock (src/clock.ts).',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Business time comes from a Clock (src/clock.ts).',
  },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: 'No ambient randomness: use node:crypto.',
  },
];

/** Workflow code is loaded once a thread: what one workflow wrote at the top of a module another one would read. */
const noModuleState = [
  "Program > VariableDeclaration[kind!='const']",
  "Program > ExportNamedDeclaration > VariableDeclaration[kind!='const']",
  // A collection that is empty at first is there to be filled.
  'Program > VariableDeclaration > VariableDeclarator > NewExpression[arguments.length=0]',
  'Program > ExportNamedDeclaration > VariableDeclaration > VariableDeclarator > NewExpression[arguments.length=0]',
].map((selector) => ({ selector, message: 'All workflows share this module: it must hold no state.' }));

export default tseslint.config(
  {
    ignores: ['dist/', 'node_modules/', 'coverage/', '**/*.cjs', '**/*.mjs', 'bin/', 'src/client/{api,operations}.ts'],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.deterministic.json',
          './tsconfig.node.json',
          './src/console/tsconfig.json',
          './test/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      'no-restricted-syntax': ['error', ...noAmbientTime],
      'max-lines': ['error', { max: 350 }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  {
    files: ['workflows/**', 'src/domain/**', 'src/contract/**'],
    rules: { 'no-restricted-syntax': ['error', ...noAmbientTime, ...noModuleState] },
  },
  // A browser has no Clock: what it shows goes by the API's, which starts from this one.
  { files: ['src/console/{client,format}.ts'], rules: { 'no-restricted-syntax': 'off' } },
  { files: ['src/clock.ts'], rules: { 'no-restricted-syntax': 'off' } },
  { files: ['examples/**'], rules: { 'no-console': 'off' } },
  { files: ['bench/**'], rules: { 'no-restricted-syntax': 'off', '@typescript-eslint/no-non-null-assertion': 'off' } },
  {
    files: ['test/**'],
    rules: {
      'max-lines': 'off',
      'no-restricted-syntax': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
);
