import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { type Ledgers, openLedgers, ping, shareOut } from '../../src/ledger';
import { ownMetrics } from '../../src/process/observation/observation';
import { createTelemetry } from '../../src/platform/metrics';
import { order } from '../admin/order';
import { type AdminUnderTest, startAdmin } from '../admin/admin-under-test';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';

let admin: AdminUnderTest;
let ledgers: Ledgers;
let app: FastifyInstance;
beforeAll(async () => {
  admin = await startAdmin();
  ledgers = openLedgers({ databaseUrl: admin.database.url, shares: shareOut(20, { works: true, serves: true }) });
  app = await admin.another({ db: ledgers.steering, reading: ledgers.reading });
});
afterAll(async () => {
  await app.close();
  await ledgers.close();
  await admin.stop();
});

const VIEWERS = 60;
const search = () => admin.call('GET', '/v1/subscriptions?q=ada', { role: 'viewer', on: app });
const post = (path: string, body: unknown) => admin.call('POST', `/v1/subscriptions${path}`, { body, on: app });

/** Locks the search words during the work: only searches read them, so that only searches never end meanwhile. */
async function holdingWords(work: () => Promise<void>): Promise<void> {
  const holder = await admin.db.connect();
  try {
    await holder.query('begin; lock table subscription_words in access exclusive mode');
    await work();
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

/** Starts sixty callers who search again as soon as they are answered. @returns a function that stops them and returns the answers */
function beginSearching(): () => Promise<readonly LightMyRequestResponse[]> {
  const answers: LightMyRequestResponse[] = [];
  let hungry = true;
  const viewers = Array.from({ length: VIEWERS }, async () => {
    while (hungry) answers.push(await search());
  });
  return async () => {
    hungry = false;
    await Promise.all(viewers);
    return answers;
  };
}

/** Reads the metrics of the whole ledger, as `/metrics` does. */
function countLedger(): Promise<string> {
  const { collecting, steering, reading } = ledgers;
  const telemetry = createTelemetry({ collecting, steering, reading });
  return ownMetrics({ ledgers, clock: admin.clock, log: silentLog(), telemetry }, true)();
}

test('fault 42: sixty searches that never end delay neither collections nor operators’ requests nor the metrics', async () => {
  await post('', order({ subscriptionId: 'sub_a' }));
  await holdingWords(async () => {
    const endSearching = beginSearching();
    await waitUntil('the readers have no connection left', () => ledgers.reading.waitingCount > VIEWERS / 2);

    await ping(ledgers.collecting);
    expect(await countLedger()).toContain('\ndueday_ledger_up 1\n');
    expect((await post('/sub_a/acknowledge', { reason: 'seen' })).statusCode).toBe(200);
    expect(ledgers.reading.idleCount).toBe(0);

    const answers = await endSearching();
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 503));
    expect(new Set(answers.map((answer) => answer.json<{ code: string }>().code))).toEqual(new Set(['not_ready']));
    expect(new Set(answers.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['5']));
    expect(new Set(answers.map((answer) => answer.json<{ detail: string }>().detail))).toEqual(
      new Set([
        'Too many concurrent reads. Try again in a few seconds.',
        'The query took too long. Narrow it, or try again later.',
      ]),
    );
  });
  expect((await search()).statusCode).toBe(200);
});
