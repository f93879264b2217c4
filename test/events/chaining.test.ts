import type { Clock } from '../../src/platform/clock';
import { DAY } from '../../src/domain/time';
import { chainEntries } from '../../src/jobs/maintain-events';
import { createPool, insertEvent, listEvents, readChainWork, verifyAuditLog } from '../../src/ledger';
import { NOW, useLedger } from '../ledger/ledger-fixture';
import { recordingLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';

const ledger = useLedger();

test('a job chains new audit entries, and publishes the head on the next day, also as a line of the log', async () => {
  let now = NOW;
  const clock: Clock = { now: () => now, realNow: () => now, setting: null };
  const db = createPool({ databaseUrl: ledger.url, max: 2 });
  const { log, messages } = recordingLog();
  const chaining = chainEntries({ db, clock, logger: log });
  try {
    const entry = {
      subscriptionId: null,
      at: NOW,
      actor: 'ada',
      type: 'halt.started',
      data: { reason: 'a drill' },
    } as const;
    await insertEvent(ledger.pool, entry);
    const verified = () => verifyAuditLog(ledger.pool, null, () => undefined);
    await waitUntil('the entry has a link', async () => (await verified()).entries === 1);
    await waitUntil('the days are counted', async () => (await readChainWork(db)).publishedAt !== null);
    const { head } = await verified();

    now += DAY;
    await waitUntil('the head has left', () => messages.includes('audit.head'));
    const { items } = await listEvents(ledger.pool, { type: 'audit.head' }, { limit: 5, cursor: null });
    expect(items).toMatchObject([{ at: NOW + DAY, data: { entries: 1, head } }]);
    await waitUntil('the entry of the head has a link', async () => (await verified()).entries === 2);
    expect(messages.filter((message) => message === 'audit.head')).toHaveLength(1);
  } finally {
    await chaining.stop();
    await db.end();
  }
});

test('the job that chains audit entries logs a failure if the ledger cannot be reached, and can still be stopped', async () => {
  const db = createPool({ databaseUrl: 'postgresql://127.0.0.1:1/none', max: 1 });
  const { log, messages } = recordingLog();
  const clock: Clock = { now: () => NOW, realNow: () => NOW, setting: null };
  const chaining = chainEntries({ db, clock, logger: log });
  await waitUntil('the failure is logged', () => messages.includes('the audit log could not be chained'));
  await chaining.stop();
  await db.end();
});
