/** Who may import whom. Each folder of ours may reach only what its row names. */
const ours = '^(src|workflows|activities|test|bench)/';
const rows = {
  '^src/domain/': ['src/domain/'],
  '^src/contract/': ['src/contract/', 'src/domain/'],
  '^workflows/': ['workflows/', 'src/domain/', 'src/contract/'],
  '^activities/': [
    'activities/',
    'src/domain/',
    'src/contract/',
    'src/payment-service/',
    'src/ledger/',
    'src/notices/',
    'src/clock',
    'src/log',
    'src/telemetry',
    'src/tracing/',
  ],
  '^src/payment-service/': [
    'src/payment-service/',
    'src/domain/',
    'src/clock',
    'src/log',
    'src/telemetry',
    'src/tracing/',
  ],
  '^src/tracing/': ['src/tracing/', 'src/domain/', 'src/log'],
  '^src/ledger/': ['src/ledger/', 'src/domain/', 'src/contract/', 'src/clock', 'src/log', 'src/tracing/'],
  '^src/notices/': ['src/notices/', 'src/domain/', 'src/contract/', 'src/clock', 'src/log', 'src/lookup'],
  '^src/events/': ['src/events/', 'src/domain/', 'src/clock', 'src/log', 'src/lookup'],
  '^src/gateway/': ['src/gateway/', 'src/domain/', 'src/contract/', 'src/ledger/', 'src/clock', 'src/log'],
  '^src/jobs/': ['src/jobs/', 'src/gateway/', 'src/domain/', 'src/events/', 'src/ledger/', 'src/clock', 'src/log'],
  '^src/admin/': [
    'src/admin/',
    'src/contract/',
    'src/domain/',
    'src/gateway/',
    'src/jobs/',
    'src/ledger/',
    'src/payment-service/',
    'src/secret-box',
    'src/clock',
    'src/log',
    'src/telemetry',
    'src/tracing/',
  ],
  '^src/console/': ['src/console/', 'src/client/', 'src/contract/', 'src/domain/', 'src/simulation/'],
  '^src/sandbox/': ['src/sandbox/', 'src/config', 'src/log', 'src/clock'],
  '^src/conformance/': ['src/conformance/', 'src/config', 'src/log', 'src/clock'],
  '^src/embedded/': ['src/embedded/', 'src/log'],
  '^src/simulation/': [
    'src/simulation/',
    'src/embedded/',
    'src/sandbox/',
    'activities/',
    'src/ledger/',
    'src/payment-service/',
    'src/notices/',
    'src/contract/',
    'src/domain/',
    'src/clock',
    'src/log',
  ],
};

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'only-commands-know-commands',
      severity: 'error',
      from: { pathNot: '^(src/cli|test|bench)/' },
      to: { path: '^src/cli/' },
    },
    ...Object.entries(rows).map(([from, allowed]) => ({
      name: `${from.replace(/[\^/]/g, ' ').trim()} imports only what its row names`,
      severity: 'error',
      from: { path: from },
      to: { path: ours, pathNot: allowed.map((path) => `^${path}`) },
    })),
    {
      // What the campaigns expect is written from the reference alone: a rule of ours that is wrong must not agree with
      // itself. Names of ids, and arithmetic of instants, money and the test clock decide nothing.
      name: 'campaigns-know-no-rule-of-ours',
      severity: 'error',
      from: { path: '^test/(lives|chaos|torture|contradictions)/' },
      to: {
        path: ['^src/domain/', '^workflows/', '^activities/'],
        pathNot: '^src/domain/(ids|time|money)[.]ts$',
      },
    },
    {
      name: 'deterministic-code-has-no-io',
      severity: 'error',
      from: { path: '^(src/domain|src/contract|workflows)/' },
      to: { dependencyTypes: ['core', 'npm'], pathNot: 'node_modules/@temporalio/(workflow|common)/' },
    },
    {
      name: 'domain-imports-no-library',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['npm', 'core'] },
    },
    {
      // The ledger decides, so that a rule can change on any day. Those of one-time payments and of the daily work still know
      // when something is due.
      name: 'workflows-know-no-rule',
      severity: 'error',
      from: { path: '^workflows/', pathNot: '^workflows/(payment|housekeeping)[.]ts$' },
      to: { path: '^src/domain/', pathNot: '^src/domain/(ids|time|money)[.]ts$' },
    },
    {
      name: 'only-ledger-knows-sql',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/', pathNot: '^src/(ledger|embedded)/' },
      to: { path: 'node_modules/(pg|node-pg-migrate)/' },
    },
    {
      name: 'only-tracing-knows-opentelemetry',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/', pathNot: '^src/(tracing/|log[.]ts$)' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'only-what-stands-outside-calls-out',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/', pathNot: '^src/(payment-service|notices|events|conformance)/' },
      to: { path: 'node_modules/undici/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    exclude: { path: '^dist/' },
  },
};
