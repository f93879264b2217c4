import type { Changes } from '../versions/release-copy';

/** The workflow of a subscription takes one more step at each turn: of the new release, only where it began no turn before. */
const TURN = 'while (await life.goOn()) {';
const STEP = 'await (0, workflow_1.sleep)(1);';
export const PATCH = 'rolling-b';

const FILE = 'workflows/subscription/subscription.js';

/** Adds a column and an index beside who writes, as a release does. */
const MIGRATIONS = {
  '9001_rolling_column': 'alter table subscriptions add column rolled text;',
  '9002_rolling_index': 'create index concurrently subscriptions_rolled on subscriptions (rolled);',
};

/** B: its workflows go a new way, and histories of the release before are repeated. */
export const PATCHED: Changes = {
  edits: [[FILE, TURN, `${TURN} if ((0, workflow_1.patched)('${PATCH}')) ${STEP}`]],
  migrations: MIGRATIONS,
};

/** C: the same without asking which way a history went. */
export const UNPATCHED: Changes = { edits: [[FILE, TURN, `${TURN} ${STEP}`]], migrations: MIGRATIONS };
