import { setTimeout as pause } from 'node:timers/promises';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import { arrivedOf, type ProblemBody, reconcile, type Subscription } from '../scenarios/admin-api';
import type { Life } from '../scenarios/life';
import { orderOf } from '../scenarios/order';
import { openStage } from '../scenarios/scenario';
import { SPEED, type World } from '../scenarios/world';
import { residentBytes, watchMemory } from '../support/memory';
import { untilAtRest, untilEnded, untilNextCycle } from './workflow-ends';
import { againAfterTermination, resetBeforeCollecting, startBeside } from './workflow-misuse';

/**
 * Calendars as in scenarios/lives.test.ts, all lived side by side: D0 is firstPaymentAt. Both channels to payers exist;
 * no mail server listens.
 */
const { scenario, afterwards } = openStage({
  env: {
    SMTP_URL: 'smtp://127.0.0.1:1',
    NOTICE_FROM: 'Billing <billing@shop.example>',
    PAYMENT_SERVICE_TIMEOUT_MS: '4000',
    // Not shorter: on a busy machine a send might miss its deadline, which is 80 % of this.
    PAYMENT_SERVICE_SETTLE_SECONDS: '2',
  },
});

/**
 *   D-1        D0   +12 h (planned)   D2                 then
 *   approved   ○    messenger down    ✉ accepted at last ● retry 1, not before
 */
scenario('fault 16: a retry waits until its notice is delivered, however late', async (world) => {
  const life = await world.order({ name: 'unnotified', cents: 2750, lasts: 5 * DAY });
  world.receiver.outOfOrder(life.id, life.due(0) + 2 * DAY);
  await life.approvedWith('insufficient-funds-once');

  await life.until('completed', ({ status }) => status === 'completed');

  const deliveries = world.receiver.deliveries.filter(
    ({ type, data }) => type === 'payment.failed' && data.subscriptionId === life.id,
  );
  expect(deliveries.length).toBeGreaterThan(1);
  expect(new Set(deliveries.map(({ webhookId }) => webhookId)).size).toBe(1);
  expect(deliveries.map(({ accepted }) => accepted)).toEqual(
    deliveries.map((_, index) => index === deliveries.length - 1),
  );
  const [, retriedAt] = life.sentFor(0);
  expect(retriedAt!).toBeGreaterThanOrEqual(deliveries.at(-1)!.at + MINUTE);
  expect(await life.statuses()).toEqual(['collected']);
  await life.agrees();
});

/**
 *   D-1        D0                                then
 *   approved   ● the answer is lost on the way   found by asking; nothing is sent again
 */
scenario('fault 6: a debit whose answer was lost is found by GET, not sent again', async (world) => {
  const life = await world.order({ name: 'lost-answer', cents: 2222, lasts: 3 * DAY });
  const fault = life.spoilNextDebit('lost_answer');
  await life.approvedWith('approves');

  await life.until('completed', ({ status }) => status === 'completed');

  expect(fault.taken).toBe(1);
  expect(arrivedOf((await life.cycles())[0]!.attempts)).toEqual([[0, 'successful']]);
  expect(life.atService.authorizations).toHaveLength(1);
  await life.agrees();
});

/**
 *   D-1        D0                    settled as absent
 *   approved   the request is lost   ● sent once more, the same attempt
 */
scenario('fault 7: a request that never arrived is sent once more after the settle time', async (world) => {
  const life = await world.order({ name: 'swallowed', cents: 1111, lasts: 3 * DAY });
  const fault = life.spoilNextDebit('swallowed');
  await life.approvedWith('approves');

  await life.until('completed', ({ status }) => status === 'completed');

  expect(fault.taken).toBe(1);
  const [cycle] = await life.cycles();
  expect(cycle!.attempts.length).toBeGreaterThan(1);
  expect(arrivedOf(cycle!.attempts)).toEqual([[0, 'successful']]);
  expect(life.atService.authorizations).toHaveLength(1);
  await life.agrees();
});

/**
 *   D-1        D0                                               then
 *   approved   ● 100 MB, a gzip bomb of 1 GB, a byte a second   found by asking
 */
scenario('fault 13: debits whose answers never end are found by GET, and memory does not grow', async (world) => {
  const kinds = ['huge', 'gzip_bomb', 'slow_body'] as const;
  const lives = await Promise.all(
    kinds.map(async (kind, index) => {
      const life = await world.order({ name: kind.replace('_', '-'), cents: 1300 + index, lasts: 6 * DAY });
      const fault = life.spoilNextDebit(kind);
      return { life: await life.approvedWith(), fault };
    }),
  );
  await world.reach(lives[0]!.life.due(0) - 4 * HOUR);
  const before = await residentBytes(world.daemon.pid);
  const memory = watchMemory(world.daemon.pid);

  for (const { life } of lives) await life.collected(1);

  memory.stop();
  expect(memory.most()).toBeGreaterThan(0);
  // Other scenarios in this process need some memory, too; but it must not hold any of the three answers.
  expect(memory.most() - before).toBeLessThan(90_000 * 1024);
  for (const { life, fault } of lives) {
    expect(fault.taken).toBe(1);
    expect(arrivedOf((await life.cycles())[0]!.attempts)).toEqual([[0, 'successful']]);
    expect(life.atService.authorizations).toHaveLength(1);
    await life.agrees();
  }
});

/**
 *   D-1        D0   the workflow is reset to before that
 *   approved   ●    the row answers
 */
scenario('fault 20: a workflow reset to before its collection collects nothing again', async (world) => {
  const life = await (await world.order({ name: 'reset', cents: 1401 })).approvedWith();
  await life.collected(1);
  await resetBeforeCollecting(world.temporal, `subscription/${life.id}`);
  expect(life.atService.authorizations).toHaveLength(1);
  await life.agrees();
});

/**
 *   D-1        D0   the workflow is terminated and started again from its beginning
 *   approved   ●    the row answers
 */
scenario('fault 20: a workflow terminated and started again collects nothing again', async (world) => {
  const life = await (await world.order({ name: 'terminated', cents: 1402 })).approvedWith();
  await life.collected(1);
  await againAfterTermination(world.temporal, `subscription/${life.id}`);
  expect(life.atService.authorizations).toHaveLength(1);
  await life.agrees();
});

/**
 *   D-1                             D0
 *   approved, a second workflow     ● once
 */
scenario('fault 20: two workflows of one subscription, due in the same instant, make one debit', async (world) => {
  const life = await world.order({ name: 'twofold', cents: 1403, lead: 2 * DAY });
  await life.approvedWith();
  await startBeside(world.temporal, `subscription/${life.id}`);
  await life.collected(1);
  await Promise.all([life.id, `${life.id}/again`].map((id) => untilNextCycle(world.temporal, `subscription/${id}`)));
  expect(life.sentFor(0)).toHaveLength(1);
  await life.agrees();
});

/** Real ms before (negative) or after the due date; requests close to it race the timer. */
const OFFSETS = [-200, 0, 15, 200];

async function atOffset(world: World, life: Life, cycle: number, offset: number): Promise<void> {
  await pause(Math.max(0, (life.due(cycle) - world.clock.now()) / SPEED + offset));
}

/**
 *   D-1        D0 ‖ in the same instant
 *   approved   ● or waits, and collected once resumed
 */
scenario(
  'fault 23: a pause in the instant of the due date comes before or after the debit, as in the audit log',
  async (world) => {
    const lead = 3 * DAY;
    const lives = await Promise.all(
      OFFSETS.map(async (_offset, index) =>
        (await world.order({ name: 'racing-pause', cents: 1500 + index, lead })).approvedWith(),
      ),
    );
    await Promise.all(
      lives.map(async (life, index) => {
        await atOffset(world, life, 0, OFFSETS[index]!);
        expect(await life.steer('pause', { reason: 'just now' })).toMatchObject({ status: 200 });
        const sentBefore = life.atService.authorizations.length;
        await untilAtRest(world.temporal, `subscription/${life.id}`, /\*\*paused\*\*/);
        const auditLog = (await life.auditLog()).map(({ type }) => type);
        const sends = auditLog.filter((type) => type === 'attempt.sending').length;
        expect(auditLog).toContain('subscription.paused');
        // Whatever was sent was started before the pause took effect; after the answer to the pause nothing new is started.
        if (sends === 0) expect(life.atService.authorizations).toEqual([]);
        else expect(auditLog.indexOf('attempt.sending')).toBeLessThan(auditLog.indexOf('subscription.paused'));
        expect(sends).toBeGreaterThanOrEqual(sentBefore);
        expect(await life.steer('resume', { reason: 'go on' })).toMatchObject({ status: 200 });
        if (sentBefore === 1 || OFFSETS[index]! >= 0) await life.collected(1);
        await life.agrees();
      }),
    );
  },
);

/**
 *   D-1        D0 ■ in the same instant
 *   approved   ● or nothing
 */
scenario(
  'fault 23: a cancellation in the instant of the due date comes before or after the debit, as in the audit log',
  async (world) => {
    const lead = 3 * DAY + 6 * HOUR;
    const lives = await Promise.all(
      OFFSETS.map(async (_offset, index) =>
        (await world.order({ name: 'racing-cancel', cents: 1600 + index, lead })).approvedWith(),
      ),
    );
    await Promise.all(
      lives.map(async (life, index) => {
        await atOffset(world, life, 0, OFFSETS[index]!);
        const { status } = await life.steer('cancel', { reason: 'just now' });
        const sentBefore = life.atService.authorizations.length;
        expect([200, 202]).toContain(status);
        await untilEnded(world.temporal, `subscription/${life.id}`);
        const { authorizations } = life.atService;
        const auditLog = (await life.auditLog()).map(({ type }) => type);
        const sendsAt = auditLog.flatMap((type, at) => (type === 'attempt.sending' ? [at] : []));
        // After 200 the consent has ended, and nothing is on the wire. After 202, what was started before the cancellation may be.
        if (status === 200) expect(authorizations).toHaveLength(sentBefore);
        for (const at of sendsAt) expect(at).toBeLessThan(auditLog.indexOf('subscription.cancel_requested'));
        expect(authorizations.length).toBeLessThanOrEqual(Math.min(1, sendsAt.length));
        await life.agrees();
      }),
    );
  },
);

/**
 *   D-1        D0        D7 △ in the same instant
 *   approved   ●  20.00  ●  20.00 or 10.00
 */
scenario(
  'fault 23: a reduction in the instant of the due date counts for that date or the next, as the answer says',
  async (world) => {
    const lives = await Promise.all(
      OFFSETS.map(async () => (await world.order({ name: 'racing-change', cents: 2000 })).approvedWith()),
    );
    await Promise.all(
      lives.map(async (life, index) => {
        await life.collected(1);
        await atOffset(world, life, 1, OFFSETS[index]!);
        const { status, body } = await world.admin.post<{ fromCycle: number }>(
          `/v1/subscriptions/${life.id}/amount-changes`,
          {
            amount: { value: 1000, currency: 'EUR' },
          },
        );
        expect(status).toBe(200);
        await life.collected(2);
        expect(life.atService.debits.map(({ amount }) => amount.value)).toEqual([
          2000,
          body.fromCycle === 1 ? 1000 : 2000,
        ]);
        await life.agrees();
      }),
    );
  },
);

/**
 *   one order, sent twice at once       D0
 *   and once more with another body     ●  once
 */
scenario(
  'fault 24: an order sent twice at once creates one subscription, and is refused with another body',
  async (world) => {
    const { subscriptionId, ...order } = orderOf({ name: 'at-once', cents: 1777 }, world.clock.now());
    const key = `order-of-${subscriptionId}`;
    const send = (body: object) => world.admin.post<Subscription & ProblemBody>('/v1/subscriptions', body, key);
    const other = { ...order, amount: { value: 1778, currency: 'EUR' } };

    const answers = await Promise.all([send(order), send(order)]);
    for (const { status, body } of answers) {
      if (status !== 201)
        expect({ status, body }).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
    }
    const again = await send(order);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([201, 'true']);
    expect(await send(other)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    // The same call answers with what is known by then: the consent may have been checked meanwhile.
    const unchecked = ({ consent, ...body }: Subscription) => ({ ...body, consent: { ...consent, checkedAt: null } });
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => unchecked(body));
    expect(made).toContainEqual(unchecked(again.body));
    expect(world.sandbox.payments().filter(({ amount }) => [1777, 1778].includes(amount.value))).toHaveLength(1);
  },
);

afterwards('after every fault the ledger has each debit, and there is one per cycle', async ({ lives, sandbox }) => {
  const debits = sandbox.debits().filter(({ status }) => status === 'successful');
  expect(new Set(debits.map(({ paymentId, cycle }) => `${paymentId}/${cycle}`)).size).toBe(debits.length);
  expect(debits.length).toBeGreaterThan(10);
  for (const life of lives) await life.agrees();
});

afterwards('the reconciliation asks the service about every life, and finds no difference', async (world) => {
  const { compared, report } = await reconcile(world.admin, world.clock.now() - 60 * DAY, world.clock.now() + DAY);
  expect(report).toMatchObject({ items: [] });
  expect(compared).toBeGreaterThanOrEqual(world.lives.length);
});
