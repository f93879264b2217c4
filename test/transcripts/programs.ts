import type { Terminal } from './terminal';

/** Commands that are programs of their own, each until Ctrl-C or its own end. */

const SIMULATED = '--repetition MONTHLY --first 2027-01-31T09:00:00Z --years 1 --amount-cents 1999';

/** Ports for programs that are started next to those that already run. */
const BESIDE = { ADMIN_PORT: '0', SANDBOX_PORT: '0', ADMIN_HOST: '127.0.0.1' };
/** Variables with encryption keys for what Temporal stores; the keys are used nowhere else. */
const SEALED = {
  CODEC_SERVER_KEY: 'a-key-of-at-least-32-characters-2',
  CODEC_SERVER_PORT: '0',
  PAYLOAD_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 'dueday').toString('base64')}`,
};
/** No variables: all servers are embedded. */
const NOTHING = {};

function says(text: string): (printed: string) => boolean {
  return (printed) => printed.includes(text);
}

/** Shows the programs that use the running stack. */
export async function showPrograms(terminal: Terminal): Promise<void> {
  await terminal.show('daemon', { until: says('worker started'), env: BESIDE });
  await terminal.show('worker', { until: says('worker started'), env: BESIDE });
  await terminal.show('api', { until: says('admin API on'), env: BESIDE });
  await terminal.show('sandbox', { until: says('sandbox payment service on'), env: BESIDE });
  await terminal.show('codec-server', { until: says('codec server on'), env: SEALED });
  await terminal.show('conformance --only flags');
}

/** Shows the programs that start everything that they need. */
export async function showStacks(terminal: Terminal): Promise<void> {
  await terminal.show(`simulate ${SIMULATED} --fail 3:insufficient_funds`, { env: NOTHING });
  await terminal.show('start', { until: says('Press Ctrl-C to stop.'), env: NOTHING });
  await terminal.show('demo', { lines: -17, env: NOTHING });
}
