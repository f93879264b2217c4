import { DAY, HOUR, SECOND } from '../../src/domain/time';
import { createPool } from '../../src/ledger';
import { adminApiOf, openGround, placeOrder } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';

/** Longer than a stopping daemon waits for requests before it also stops its worker (src/process/daemon.ts). */
const DEBIT_TAKES = 9 * SECOND;
const CREATION_TAKES = 3 * SECOND;

/** Reads audit entries about attempts from the ledger itself, because no API runs any more. */
async function attemptEntries(databaseUrl: string, subscriptionId: string): Promise<readonly string[]> {
  const db = createPool({ databaseUrl, max: 1 });
  try {
    const { rows } = await db.query<{ type: string }>(
      `select type from events where subscription_id = $1 and type like 'attempt.%' order by id`,
      [subscriptionId],
    );
    return rows.map(({ type }) => type);
  } finally {
    await db.end();
  }
}

test('fault 25: a daemon that is asked to stop while it starts ends its worker and exits with 0', async () => {
  const ground = await openGround();
  try {
    const { url } = await ground.openSandbox();
    const daemon = ground.start('daemon', { PAYMENT_SERVICE_BASE_URL: url });
    // From here on the daemon's worker takes tasks; its release is not current yet, and its admin API is not up yet.
    await daemon.says('Worker state changed');

    expect(await daemon.stop()).toEqual({ code: 0, signal: null });

    expect(daemon.log().at(-1)?.msg).toBe('stopped');
  } finally {
    await ground.close();
  }
});

test('fault 25: a daemon that is asked to stop answers the creation in progress, records the outcome of the debit and exits with 0', async () => {
  const ground = await openGround();
  try {
    const { sandbox, url } = await ground.openSandbox();
    const slow = (ms: number, path: string) =>
      sandbox.faults.add({ kind: 'delay', delayMs: ms, match: { method: 'POST', path } });
    const daemon = ground.start('daemon', {
      PAYMENT_SERVICE_BASE_URL: url,
      PAYMENT_SERVICE_TIMEOUT_MS: '20000',
      // Not shorter: on a busy machine a send might miss its deadline, which is 80 % of this.
      PAYMENT_SERVICE_SETTLE_SECONDS: '5',
    });
    const { receiver } = ground;
    const surroundings = { admin: await adminApiOf(daemon), sandbox, sandboxUrl: url, receiver };
    const order = (name: string, lead: number) => placeOrder(surroundings, ground.clock, { name, cents: 2000, lead });
    const debited = await order('debited', 30 * HOUR);
    slow(DEBIT_TAKES, `^/${debited.paymentId}/authorizations$`);
    await debited.approvedWith();
    slow(CREATION_TAKES, '^/payments$');
    const isMade = () => debited.atService.authorizations.length === 1;
    await waitUntil('the debit is made, and not answered yet', isMade);
    const created = order('created', 30 * DAY);
    await waitUntil('the creation is asked for', () => sandbox.faults.list().every(({ taken }) => taken === 1));

    const ended = daemon.stop();

    expect(await created).toMatchObject({ paymentId: expect.any(String) });
    expect(await ended).toEqual({ code: 0, signal: null });
    // It may have been booked before the end, too.
    const entries = await attemptEntries(ground.database.url, debited.id);
    expect(entries.slice(0, 2)).toEqual(['attempt.sending', 'attempt.pending']);
  } finally {
    await ground.close();
  }
});
