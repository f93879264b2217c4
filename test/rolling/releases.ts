import type { Changes } from '../versions/release-copy';

/** The kind of step that the previous release does not know. */
export const NEW_KIND = 'linger';

const SUBSCRIPTION = 'workflows/subscription.js';
const INTERPRETER = 'workflows/interpreter.js';
const DECIDING = 'activities/decide.js';

/** Adds a column and an index while others write, as a release does. */
const MIGRATIONS = {
  '9001_rolling_column': 'alter table subscriptions add column rolled text;',
  '9002_rolling_index': 'create index concurrently subscriptions_rolled on subscriptions (rolled);',
};

/** Release B, in which a wait is a step of a new kind. */
export const WITH_NEW_KIND: Changes = {
  edits: [
    [DECIDING, 'kind: step.kind,', `kind: step.kind === 'wait' ? '${NEW_KIND}' : step.kind,`],
    [
      SUBSCRIPTION,
      'wait: async (step)',
      `${NEW_KIND}: (step) => this.stepHandlers.wait(step),\n        wait: async (step)`,
    ],
  ],
  migrations: MIGRATIONS,
};

/** Release C, whose interpreter shows each step after carrying it out, while earlier releases show it first. */
export const REORDERED: Changes = {
  edits: [
    [INTERPRETER, 'this.show(step);', 'const shown = step;'],
    [INTERPRETER, '?? this.waitForRelease)(step);', '?? this.waitForRelease)(step); this.show(shown);'],
  ],
  migrations: MIGRATIONS,
};
