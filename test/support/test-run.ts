/** What the global set-up brought up, for every test file to use. */
export interface TestRun {
  /** PostgreSQL's maintenance database, from which others are made. */
  serverUrl: string;
  /** Database with the ledger's schema, cloned for each test file. */
  templateDatabase: string;
  /** File with the workflows as one bundle, for `Worker.create({ workflowBundle: { codePath } })`. */
  workflowBundlePath: string;
  /** Temporal's development server, shared by the run: give task queues and workflow ids names of your own. */
  temporalAddress: string;
  /** Program for `existing-path`. */
  timeSkippingServerPath: string;
}

const VARIABLE = 'DUEDAY_TEST_RUN';

/** Called in the global set-up; jest's workers inherit the environment. */
export function publishTestRun(run: TestRun): void {
  process.env[VARIABLE] = JSON.stringify(run);
}

export function testRun(): TestRun {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('The global set-up of the tests has not run');
  return JSON.parse(text) as TestRun;
}
