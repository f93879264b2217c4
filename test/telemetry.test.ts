import { openLedgers } from '../src/ledger';
import { createTelemetry } from '../src/platform/metrics';
import { HOUR, MINUTE } from '../src/domain/time';
import { useLedger } from './ledger/ledger-fixture';
import { waitUntil } from './support/wait-until';

const ledger = useLedger();

/** The lines of one metric, without its name. */
function linesOf(page: string, name: string): string[] {
  return page.split('\n').flatMap((line) => (line.startsWith(name) ? [line.slice(name.length)] : []));
}

test('each pool reports how many connections it has, uses and may have, and how many wait for one', async () => {
  const ledgers = openLedgers({ databaseUrl: ledger.url, shares: { collecting: 1, steering: 2, reading: 1 } });
  const { collecting, steering } = ledgers;
  const { registry } = createTelemetry({ collecting, steering });
  const shown = async (name: string) => linesOf(await registry.metrics(), `dueday_database_connections${name}`);
  expect(await shown('_max')).toEqual(['{pool="collecting"} 1', '{pool="steering"} 2']);
  expect(await shown('{')).toEqual(['pool="collecting"} 0', 'pool="steering"} 0']);
  const held = await collecting.connect();
  await steering.query('select');
  const waiting = collecting.query('select');
  expect(await shown('{')).toEqual(['pool="collecting"} 1', 'pool="steering"} 1']);
  expect(await shown('_used')).toEqual(['{pool="collecting"} 1', '{pool="steering"} 0']);
  expect(await shown('_wanted')).toEqual(['{pool="collecting"} 1', '{pool="steering"} 0']);
  held.release();
  await waiting;
  await waitUntil('nothing is used', async () => (await shown('_used'))[0] === '{pool="collecting"} 0');
  expect(await shown('_wanted')).toEqual(['{pool="collecting"} 0', '{pool="steering"} 0']);
  await ledgers.close();
});

test('the lateness of attempts is reported in seconds of business time, in buckets from a second to five days', async () => {
  const { registry, recordLateness } = createTelemetry({});
  for (const late of [-1, MINUTE, MINUTE + 1, 121 * HOUR]) recordLateness(late);
  const buckets = linesOf(await registry.metrics(), 'dueday_attempt_lateness_seconds');
  for (const bucket of ['"1"} 1', '"15"} 1', '"60"} 2', '"300"} 3', '"432000"} 3', '"+Inf"} 4']) {
    expect(buckets).toContain(`_bucket{le=${bucket}`);
  }
  expect(buckets).toContain('_count 4');
});

test('attempts are counted by their outcome', async () => {
  const { registry, recordAttempt } = createTelemetry({});
  for (const outcome of ['pending', 'successful', 'pending']) recordAttempt(outcome);
  expect(linesOf(await registry.metrics(), 'dueday_attempts_total')).toEqual([
    '{outcome="pending"} 2',
    '{outcome="successful"} 1',
  ]);
});
