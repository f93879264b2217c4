/** What the global set-up brought up, for every test file to use. */
export interface TestRun {
  /** PostgreSQL with a database that holds the ledger's schema, cloned for each test file. */
  database: { serverUrl: string; templateDatabase: string };
  /** File with the workflows as one bundle. */
  workflowBundle: { codePath: string };
  /** Temporal's development server, shared by the run. */
  temporal: { address: string };
  /** The program of Temporal's time-skipping server, which each test file starts for itself. */
  timeSkippingServer: { path: string };
}

/** A part that could not be brought up fails the tests that ask for it, and no others. */
export type Outcomes = { [Part in keyof TestRun]: { ready: TestRun[Part] } | { fault: string } };

const VARIABLE = 'DUEDAY_TEST_RUN';

/** Called in the global set-up; jest's workers inherit the environment. */
export function publishTestRun(outcomes: Outcomes): void {
  process.env[VARIABLE] = JSON.stringify(outcomes);
}

/** @throws if the part could not be brought up, with the reason. */
export function partOfRun<Part extends keyof TestRun>(part: Part): TestRun[Part] {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('The global set-up of the tests has not run');
  const outcome = (JSON.parse(text) as Outcomes)[part];
  if ('fault' in outcome) throw new Error(`The global set-up could not bring up ${part}: ${outcome.fault}`);
  return outcome.ready;
}
