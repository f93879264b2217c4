import { nextDailyAfter } from '../../src/domain/subscription/schedule';
import { DAY, HOUR, MINUTE, toIso } from '../../src/domain/time';
import { runDueday } from '../cli/dueday-process';
import { orphan } from '../faults/orphaned';
import { replaceInVain } from '../faults/replacing';
import { cancelInVain } from '../faults/unconfirmed';
import { arrivedOf, type Cycle, reconcile, sentOf } from './admin-api';
import { changeAmounts } from './amounts';
import { takeOver } from './import';
import { PERSONAL } from './order';
import { openStage } from './scenario';
import { ADMIN_KEY } from './world';
import { everythingInTemporal } from './temporal-records';

/**
 * Calendars: D0 is firstPaymentAt, D7 the next due date of a weekly subscription. `●` collected, `○` refused by the
 * bank, `✕` skipped, `✉` the payer is notified, `‖` paused, `▶` resumed, `■` over.
 */
const stage = openStage();
const { scenario, afterwards } = stage;

/**
 *   D-1        D0               D7       D8
 *   approved   ●  19.99         ●  19.99 ■ endAt: completed
 */
scenario(
  'a subscription is collected at firstPaymentAt and at each due date, and completed by its end',
  async (world) => {
    const life = await world.order({ name: 'weekly', cents: 1999, lasts: 8 * DAY });
    await life.approvedWith('approves');

    await life.collected(1);
    expect((await life.view()).nextDueAt).toBe(toIso(life.due(1)));
    const ended = await life.until('completed', ({ status }) => status === 'completed');

    expect(ended).toMatchObject({ standing: 'good', cyclesCollected: 2, nextDueAt: null });
    const cycles = await life.cycles();
    expect(cycles.map(({ dueAt, status }) => [dueAt, status])).toEqual([
      [toIso(life.due(0)), 'collected'],
      [toIso(life.due(1)), 'collected'],
    ]);
    expect(await life.told('subscription.completed')).toBe(1);
    await life.agrees();
  },
);

/**
 *   D-1        D0        +12 h      then         D7
 *   approved   ○  ✉      ● retry 1               ●
 */
scenario('a refused payment is retried after a notice, and collected', async (world) => {
  const life = await world.order({ name: 'once-short', cents: 2450, lasts: 3 * DAY });
  await life.approvedWith('insufficient-funds-once');

  await life.until('completed', ({ status }) => status === 'completed');

  const [cycle] = await life.cycles();
  expect(arrivedOf(cycle!.attempts)).toEqual([
    [0, 'rejected_retryable'],
    [1, 'successful'],
  ]);
  const [failed, retried] = sentOf(cycle!.attempts);
  const [notice] = world.receiver.told(life.id, 'payment.failed');
  expect(notice?.data).toMatchObject({ cycle: 0, attempt: 0, retriesLeft: 3, payer: { name: 'Quixotine Abendroth' } });
  expect(notice!.at).toBeLessThanOrEqual(Date.parse(failed!.payerNotifiedAt!));
  expect(Date.parse(failed!.payerNotifiedAt!) + MINUTE).toBeLessThanOrEqual(Date.parse(retried!.at));
  const [firstAt, secondAt] = life.sentFor(0);
  expect(secondAt! - firstAt!).toBeGreaterThanOrEqual(12 * HOUR);
  await life.agrees();
});

/**
 *   D-1        D0   +12 h  +24 h  +36 h   then
 *   approved   ○ ✉  ○ ✉    ○ ✉    ○       ‖ onExhausted: pause
 */
scenario('a subscription pauses when every retry was refused, if onExhausted says so', async (world) => {
  const life = await world.order({ name: 'exhausted', cents: 3100, onExhausted: 'pause' });
  await life.approvedWith('insufficient-funds-always');

  const paused = await life.until('paused', ({ status }) => status === 'paused');

  expect(paused).toMatchObject({ standing: 'past_due', cyclesCollected: 0 });
  expect(paused.pausedUntil).toBeUndefined();
  const [cycle] = await life.cycles();
  expect(cycle).toMatchObject({ status: 'failed' });
  expect(sentOf(cycle!.attempts).map(({ outcome }) => outcome)).toEqual(Array(4).fill('rejected_retryable'));
  expect(await life.told('cycle.failed')).toBe(1);
  expect(life.sentFor(0)).toHaveLength(4);
  expect(await life.told('payment.failed', 4)).toBe(4);
  await life.agrees();
});

/**
 *   D-3        D0      D2           then       D7    D8
 *   approved   →       ○  ✉         ● retry    ●     ■     postponed to D2
 */
scenario(
  'a postponed cycle is first tried at the time that the payer asked for, and the due dates remain',
  async (world) => {
    const life = await world.order({ name: 'postponed', cents: 1750, lead: 3 * DAY, lasts: 8 * DAY });
    await life.approvedWith('insufficient-funds-once');
    const until = life.due(0) + 2 * DAY;

    const path = `/v1/subscriptions/${life.id}/cycles/0/postpone`;
    const { body } = await world.admin.post<Cycle>(path, { until: toIso(until), reason: 'paid on the 3rd' });
    const dates = { dueAt: toIso(life.due(0)), postponedUntil: toIso(until) };
    expect(body).toMatchObject({ cycle: 0, status: 'scheduled', ...dates });
    await life.until('completed', ({ status }) => status === 'completed');

    const [first, second] = await life.cycles();
    const [failed] = sentOf(first!.attempts);
    expect(Date.parse(failed!.at)).toBeGreaterThanOrEqual(until);
    expect(first).toMatchObject({ status: 'collected', ...dates });
    expect(second).toMatchObject({ status: 'collected', dueAt: toIso(life.due(1)) });
    await life.agrees();
  },
);

/**
 *   D-3        D0      D2       D7    D8
 *   approved   →       ●        ●     ■     on hold from before D0 until D2
 */
scenario('a subscription on hold over a due date is collected once the hold has ended', async (world) => {
  const life = await world.order({ name: 'held', cents: 1650, lead: 3 * DAY, lasts: 8 * DAY });
  await life.approvedWith('approves');
  const until = life.due(0) + 2 * DAY;

  const hold = { filter: { q: life.id }, until: toIso(until), reason: 'wrong price list' };
  const held = await world.admin.post('/v1/holds', hold);
  expect(held).toMatchObject({ status: 201, body: { matched: 1, state: 'in_force', firstWindowLostAt: null } });
  await life.until('completed', ({ status }) => status === 'completed');

  await life.cyclesEnd('collected', 'collected');
  const [first, second] = await life.cycles();
  expect(Date.parse(sentOf(first!.attempts)[0]!.at)).toBeGreaterThanOrEqual(until);
  expect([first!.dueAt, second!.dueAt]).toEqual([toIso(life.due(0)), toIso(life.due(1))]);
  await life.agrees();
});

/**
 *   D-3        D0      D1      D7    D8
 *   approved ‖ ✕       ▶       ●     ■
 */
scenario(
  'a subscription paused over a due date and resumed skips that date and collects the next one',
  async (world) => {
    const life = await world.order({ name: 'paused', cents: 1200, lead: 3 * DAY, lasts: 8 * DAY });
    await life.approvedWith('approves');
    const paused = await life.steer('pause', { reason: 'holidays' });
    expect(paused).toMatchObject({ status: 200, body: { status: 'paused' } });

    await world.reach(life.due(0) + DAY);
    const resumed = await life.steer('resume', { reason: 'back home' });
    expect(resumed).toMatchObject({ status: 200, body: { status: 'active' } });

    await life.until('completed', ({ status }) => status === 'completed');
    await life.cyclesEnd('skipped', 'collected');
    expect(life.sentFor(0)).toEqual([]);
    expect(await life.told('subscription.paused')).toBe(1);
    expect(await life.told('subscription.resumed')).toBe(1);
    await life.agrees();
  },
);

/**
 *   D-3                  D0      D7 = until   D8
 *   approved ‖ until D7  ✕       ▶ ●          ■
 */
scenario('a pause with an end ends automatically, and what is due at its end is collected', async (world) => {
  const life = await world.order({ name: 'until', cents: 1300, lead: 3 * DAY, lasts: 8 * DAY });
  await life.approvedWith('approves');
  const until = toIso(life.due(1));
  const paused = await life.steer('pause', { until });
  expect(paused).toMatchObject({ status: 200, body: { status: 'paused', pausedUntil: until } });

  const ended = await life.until('completed', ({ status }) => status === 'completed');

  expect(ended.cyclesCollected).toBe(1);
  await life.cyclesEnd('skipped', 'collected');
  await life.agrees();
});

/**
 *   D-1        D0   then
 *   approved   ●    ■ the merchant cancels; the consent is gone at the service
 */
scenario('a cancellation by the merchant ends the consent at once, and asking again changes nothing', async (world) => {
  const life = await world.order({ name: 'merchant-cancels', cents: 1550 });
  await life.approvedWith('approves');
  await life.collected(1);

  const cancelled = await life.cancelled('the shop closes');

  expect(cancelled).toMatchObject({ cancelledBy: 'merchant', nextDueAt: null });
  expect(life.atService.consent).toMatchObject({ result: 'cancelled', reason: 'cancelled_by_merchant' });
  const again = await life.steer('cancel', { reason: 'to be sure' });
  expect(again).toMatchObject({ status: 200, body: cancelled });
  expect(await life.steer('pause')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  expect(await life.told('subscription.cancelled')).toBe(1);
  await life.agrees();
});

/**
 *   D-1                       D0
 *   not answered yet: ■       nothing
 */
scenario('a payer cannot approve a subscription that was cancelled meanwhile', async (world) => {
  const life = await world.order({ name: 'cancelled-early', cents: 1600 });

  expect(await life.cancelled()).toMatchObject({ cancelledBy: 'merchant' });
  expect(life.atService.consent.result).toBe('cancelled');
  const page = await fetch(`${world.sandboxUrl}/payer/${life.paymentId}/approve`, {
    method: 'POST',
    redirect: 'manual',
  });
  expect(page.status).toBe(303);
  expect(life.atService.consent.result).toBe('cancelled');
  await world.reach(life.due(0) + DAY);
  expect(life.atService.authorizations).toEqual([]);
  expect((await life.view()).status).toBe('cancelled');
  await life.agrees();
});

/**
 *   D-1        D0   then                          D7   03:00 of the next day   D14
 *   approved   ●    the payer cancels at the bank ✕    ■ the daily check        nothing
 */
scenario(
  'the daily check ends a subscription that the payer has cancelled at the bank, days before it falls due',
  async (world) => {
    // The daily check reads a consent once per due date, a week ahead: skipping a date gives the payer time after the first debit.
    const firstPaymentAt = nextDailyAfter(world.clock.now() + 2 * DAY) + HOUR;
    const life = await world.order({ name: 'payer-cancels', cents: 899, firstPaymentAt });
    await life.approvedWith('approves');
    expect(await life.steer('cycles/1/skip')).toMatchObject({ status: 200 });
    await life.collected(1);
    await life.payer('cancel');

    const ended = await life.until('cancelled', ({ status }) => status === 'cancelled');

    expect(ended).toMatchObject({ cancelledBy: 'payer', cyclesCollected: 1, nextDueAt: null });
    const cancelled = (await life.auditLog()).find(({ type }) => type === 'subscription.cancelled');
    expect(cancelled!.at).toBeLessThan(life.due(2));
    expect(await life.statuses()).toEqual(['collected', 'skipped']);
    expect(life.sentFor(1)).toEqual([]);
    expect(life.sentFor(2)).toEqual([]);
    expect(await life.told('subscription.cancelled')).toBe(1);
    await life.agrees();
  },
);

/**
 *   D-1        D0
 *   declined ■ nothing
 */
scenario('a subscription ends if the payer declines, and the merchant is notified', async (world) => {
  const life = await world.order({ name: 'declined', cents: 700 });
  await life.payer('decline');
  expect(await life.steer('consent-check')).toMatchObject({ status: 200 });

  await life.until('consent_failed', ({ status }) => status === 'consent_failed');
  expect(await life.view()).toMatchObject({ consent: { status: 'failed' } });
  expect(await life.told('consent.failed')).toBe(1);
  await world.reach(life.due(0) + DAY);
  expect(await life.cycles()).toEqual([]);
  expect(life.atService.authorizations).toEqual([]);
  expect(await life.steer('cancel')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  await life.agrees();
});

// These scenarios wait for the same weeks.
describe('amounts', () => changeAmounts(stage));
describe('workflows that are lost', () => orphan(stage));
describe('replacements', () => replaceInVain(stage));
describe('cancellations', () => cancelInVain(stage));
describe('imports', () => takeOver(stage));

afterwards('no scenario has debited a payer that the ledger does not know', async ({ admin, lives, sandbox }) => {
  const { body } = await admin.get<{ items: { paymentId: string }[] }>('/v1/subscriptions?limit=200');
  const known = new Set(body.items.map(({ paymentId }) => paymentId));
  expect(sandbox.debits().length).toBeGreaterThan(0);
  expect(sandbox.debits().filter(({ paymentId }) => !known.has(paymentId))).toEqual([]);
  for (const life of lives) await life.agrees();
});

afterwards('the reconciliation asks the service about every life, and finds no difference', async (world) => {
  const { compared, report } = await reconcile(world.admin, world.clock.now() - 60 * DAY, world.clock.now() + DAY);
  expect(report).toMatchObject({ items: [], nextCursor: null });
  expect(compared).toBeGreaterThanOrEqual(world.lives.length);
});

afterwards('the standard verifier accepts the signature of every notice', async ({ receiver }) => {
  expect(receiver.deliveries.length).toBeGreaterThan(0);
  expect(receiver.forged).toEqual([]);
});

afterwards('names, streets and e-mail addresses of payers are nowhere in Temporal', async (world) => {
  const records = await everythingInTemporal(world.temporal, world.taskQueue);
  const workflows = records.map(({ workflowId }) => workflowId);
  expect(workflows).toEqual(expect.arrayContaining(world.lives.map(({ id }) => `subscription/${id}`)));
  for (const { workflowId, text } of records) {
    // The searched text can be read: it contains the subscription's id.
    expect(text.includes(workflowId.slice(workflowId.indexOf('/') + 1))).toBe(true);
    for (const word of Object.values(PERSONAL)) expect([workflowId, text.match(word)]).toEqual([workflowId, null]);
  }
});

afterwards('names, streets and e-mail addresses of payers are nowhere in the log, nor any secret', async (world) => {
  const log = world.daemon.stdout() + world.daemon.stderr();
  const secrets = Object.entries(world.env).flatMap(([name, value]) => (/SECRET|KEY/.test(name) ? [value] : []));
  expect(secrets.length).toBeGreaterThan(2);
  // The log is complete: at the most verbose level it contains each call.
  expect(world.daemon.log().filter(({ msg }) => msg === 'payment service call').length).toBeGreaterThan(50);
  for (const word of Object.values(PERSONAL)) expect(log.match(word)).toBeNull();
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  expect(/bearer \S/i.exec(log)).toBeNull();
});

afterwards("dueday transactions --csv equals the simulator's own record of debits, cent for cent", async (world) => {
  const views = await Promise.all(world.lives.map((life) => life.view()));
  const over = views.filter(({ status }) => ['completed', 'cancelled'].includes(status)).map((each) => each.paymentId);
  const { url } = await world.daemon.says('admin API on ');
  const period = ['--from', '2027-01-01T00:00:00Z', '--to', '2028-01-01T00:00:00Z'];
  const asked = ['transactions', ...period, '--type', 'debit', '--status', 'successful', '--csv'];
  const { code, stdout, stderr } = await runDueday(asked, { DUEDAY_URL: url!, DUEDAY_KEY: ADMIN_KEY });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [header = '', ...lines] = stdout.split('\r\n').slice(0, -1);
  const names = header.split(',');
  const debits = lines.map((line) => {
    const cells = line.split(',');
    const cell = (name: string) => cells[names.indexOf(name)];
    return [cell('paymentId')!, cell('authorizationId'), cell('captureId'), Number(cell('amount'))] as const;
  });
  const record = world.sandbox.debits().filter(({ status }) => status === 'successful');
  const own = record.map((each) => [each.paymentId, each.authorizationId, each.captureId, each.amount.value] as const);
  const ofLivesThatAreOver = (all: typeof own) => all.filter(([paymentId]) => over.includes(paymentId)).toSorted();
  expect(ofLivesThatAreOver(debits as typeof own)).toEqual(ofLivesThatAreOver(own));
  expect(ofLivesThatAreOver(own).length).toBeGreaterThan(5);
});
