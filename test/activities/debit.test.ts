import type { ServiceRecord } from '../../src/domain/attempt/attempt';
import { dueAt as dueAtOfCycle } from '../../src/domain/subscription/schedule';
import { DAY, toIso } from '../../src/domain/time';
import { knownAuthorizations } from '../../src/ledger';
import type { Authorization, ServiceResult } from '../../src/payment-service';
import { AMOUNT, type Subscribed, useWorld, type World } from './activity-world';
import { createDebit, createStarted } from './debits';
import { reachRetry } from './deliver-notice';
import { bankRefusing, createRefusedTwice, revivedOf } from './refused-debits';
import { refusing } from './refusing';

/** The single steps of an attempt: what each reads from and writes to the ledger and the service. */

const holder = useWorld();

const listedAs = (world: World, id: string, status: ServiceRecord['status'] = 'pending'): ServiceRecord => ({
  id,
  status,
  createdAt: world.clock.now(),
  amount: AMOUNT,
});

const dueAtOf = ({ dueAt }: Subscribed, cycle: number) =>
  dueAtOfCycle({ firstPaymentAt: dueAt, repetition: 'MONTHLY', endAt: null }, cycle);

it.each([
  ['a first attempt', 0, 3],
  ['a retry', 1, 4],
])('%s reserves permits for its calls at once: those before the POST and the POST', async (_which, attempt, calls) => {
  const { world } = holder;
  const { debit } = await createDebit(world, await world.due(), { attempt });
  expect(debit.calls).toBe(calls);
});

it('an attempt sends nothing before it has read the consent', async () => {
  const { world } = holder;
  const { debit } = await createDebit(world, await world.due());
  await expect(debit.begin([])).rejects.toThrow('no POST without a successful consent answer');
});

it.each([
  ['its planned time if the clock of this machine is behind', DAY],
  ['the current time otherwise', -DAY],
])('a send is recorded at %s', async (_when, ahead) => {
  const { world } = holder;
  const subscribed = await world.due();
  const now = world.clock.now();
  const { debit } = await createDebit(world, subscribed, { plannedAt: now + ahead });
  await debit.readConsent();
  expect(await debit.begin([])).toMatchObject({ kind: 'started' });
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'sending', at: Math.max(now, now + ahead) }]);
});

it('a retry without a delivered notice is not sent, and the log says so', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const message = 'a retry without a delivered notice was not sent';
  await world.collect(world.input(subscribed), bankRefusing(world, 'auth-first'));
  expect(world.loggedAs(message)).toEqual([]);
  const { debit } = await createDebit(world, subscribed, { attempt: 1 });
  await debit.readConsent();
  expect(await debit.begin([])).toEqual({ kind: 'no_notice' });
  const { subscriptionId } = subscribed;
  expect(world.loggedAs(message)).toMatchObject([{ subscriptionId, cycle: 0, attempt: 1 }]);
});

it('any other refusal of a send is not logged as a missing notice', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { debit } = await createDebit(world, subscribed, { revision: -1 });
  await debit.readConsent();
  expect(await debit.begin([])).toEqual({ kind: 'stopped' });
  expect(world.loggedAs('a retry without a delivered notice was not sent')).toEqual([]);
});

const ACCEPTED = { kind: 'unknown', reason: 'cut' } as ServiceResult<Authorization>;

it.each([
  ['is recorded for a planned send', 5, ACCEPTED, [5]],
  ['is not recorded if nothing was sent', 5, { kind: 'not_sent', reason: 'fenced' } as const, []],
  ['is not recorded if nothing was planned', undefined, ACCEPTED, []],
])('the lateness of a POST %s', async (_what, late, answer, expected) => {
  const { world } = holder;
  const subscribed = await world.due();
  const recorded: number[] = [];
  const counting = { ...world.deps.counting, recordLateness: (ms: number) => void recorded.push(ms) };
  const permitted: (boolean | undefined)[] = [];
  const service = world.service({
    initiate: async (_payment, _amount, options) => {
      permitted.push(options?.beforeSend?.());
      world.clock.pass(1_000);
      return answer;
    },
  });
  const planned = late === undefined ? {} : { plannedAt: world.clock.now() - late };
  const { debit } = await createDebit(world, subscribed, planned, { counting, service });
  await debit.post(() => true);
  expect(recorded).toEqual(expected);
  await debit.post(() => false);
  expect(permitted).toEqual([true, false]);
});

it('the outcome of a send is written once: a second outcome is not written', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const [one, other] = [await createDebit(world, subscribed), await createDebit(world, subscribed)];
  await one.debit.readConsent();
  await one.debit.begin([]);
  const { send } = await other.debit.readSend();
  const refused = { state: 'refused', detail: 'D', description: 'no', retryable: false } as const;
  expect(await one.debit.settle(send!, refused)).toBe(true);
  expect(await other.debit.settle(send!, refused)).toBe(false);
});

it('an authorization is adopted once, and not again by a later attempt', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const made = listedAs(world, 'auth-foreign');
  const { debit } = await createDebit(world, subscribed);
  expect(await debit.adopt(made)).toBe(true);
  expect(await debit.adopt(made)).toBe(false);
});

it('the authorizations of a cycle are only those of its own attempts', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.collect(world.input(subscribed));
  world.clock.passUntil(subscribed.dueAt + 31 * DAY);
  await world.collect(world.input(subscribed, { cycle: 1 }));
  const { debit } = await createDebit(world, subscribed, { cycle: 1 });
  const { known, ofCycle } = await debit.readOwn();
  expect(known).toMatchObject([{ cycle: 0 }, { cycle: 1 }]);
  expect(ofCycle).toEqual([known[1]]);
});

describe('an accepted answer', () => {
  it.each([
    ['pending', false],
    ['successful', true],
  ] as const)('that is %s makes the attempt pending; authorized: %p', async (status, authorized) => {
    const { world } = holder;
    const subscribed = await world.due();
    const { debit, send } = await createStarted(world, subscribed);
    expect(await debit.settle(send, { state: 'accepted', made: listedAs(world, 'auth-new', status) })).toBe(true);
    expect(await world.sends(subscribed)).toMatchObject([
      { state: 'pending', authorizationId: 'auth-new', authorized },
    ]);
  });

  it('that names a refused authorization of the same cycle makes the attempt pending under this id (rule 38)', async () => {
    const { world } = holder;
    const subscribed = await world.due();
    await world.collect(world.input(subscribed), bankRefusing(world, 'auth-first'));
    await reachRetry(world, subscribed);
    const { debit, send } = await createStarted(world, subscribed, { attempt: 1 });
    await debit.settle(send, { state: 'accepted', made: listedAs(world, 'auth-first') });
    const [, retry] = await world.sends(subscribed);
    expect(retry).toMatchObject({ attempt: 1, state: 'pending', authorizationId: 'auth-first' });
  });

  it.each([
    ['a successful authorization', null],
    ['a refused authorization', 'auth-first'],
  ])('that names %s of another cycle makes the attempt unresolved, and is kept (rule 38)', async (_which, refused) => {
    const { world } = holder;
    const subscribed = await world.due();
    const final = { retryable: false, detail: 'ACCOUNT_CLOSED', description: '', httpStatus: 422 };
    const value = { authorizationId: refused, createdAt: world.clock.now(), amount: AMOUNT, status: 'failed' } as never;
    const bank = refused === null ? {} : world.answering({ kind: 'rejected', failure: final, value });
    await world.collect(world.input(subscribed), bank);
    const [first] = await knownAuthorizations(world.deps.ledger, subscribed.paymentId);
    const { id } = first!;
    const dueAt = dueAtOf(subscribed, 1);
    world.clock.passUntil(dueAt);
    const cycle = { cycle: 1, dueAt, collectBy: dueAt + 5 * DAY, sendBefore: dueAt + 5 * DAY };
    const { debit, send } = await createStarted(world, subscribed, cycle);
    const made = listedAs(world, id);
    await debit.settle(send, { state: 'accepted', made });
    const [row] = await world.sends(subscribed, 1);
    expect(row).toMatchObject({ state: 'unresolved' });
    const { createdAt, amount, status } = made;
    expect(JSON.parse(row!.acceptedAnswer!)).toEqual({
      authorizationId: id,
      createdAt: toIso(createdAt),
      amount,
      status,
    });
    const reason = `the service accepted it as ${id}, which belongs to cycle 0, attempt 0`;
    expect(await world.events(subscribed, 'attempt.unresolved')).toMatchObject([{ data: { cycle: 1, reason } }]);
  });

  it('that the ledger refuses to store is kept as it came, once (rules 38, 43)', async () => {
    const { world } = holder;
    const subscribed = await world.due();
    const { debit, send } = await createStarted(world, subscribed);
    const made = listedAs(world, 'auth-new');
    await refusing(world, 'attempts', 'authorization_id is null', async () => {
      expect(await debit.settle(send, { state: 'accepted', made })).toBe(true);
      const [row] = await world.sends(subscribed);
      expect(row).toMatchObject({ state: 'unresolved', acceptedAnswer: JSON.stringify(made) });
      const reason = expect.stringMatching(/^the ledger refused to store what the service accepted: SQLSTATE 23514/);
      expect(await world.events(subscribed, 'attempt.unresolved')).toMatchObject([{ data: { reason } }]);
      await expect(debit.settle(send, { state: 'accepted', made })).rejects.toThrow('refused_by_the_test');
    });
  });
});

describe('a refused authorization that is listed again', () => {
  it('is followed beside the attempt if it belongs to another cycle', async () => {
    const { world } = holder;
    const subscribed = await createRefusedTwice(world);
    const { debit } = await createDebit(world, subscribed, { cycle: 1 });
    const seen = await debit.reopen(revivedOf({ id: 'auth-second' }));
    expect(seen).toEqual({ kind: 'reopened', cycle: 0, attempt: 1, amount: AMOUNT });
    expect(await world.revision(subscribed)).toBe(debit.input.revision);
    expect(await debit.reopen(revivedOf({ id: 'auth-unknown' }))).toBeNull();
    const states = (await knownAuthorizations(world.deps.ledger, subscribed.paymentId)).map(({ id, state }) => [
      id,
      state,
    ]);
    expect(Object.fromEntries(states)).toEqual({ 'auth-first': 'rejected_retryable', 'auth-second': 'pending' });
  });

  it('is refused again with its first reason', async () => {
    const { world } = holder;
    const subscribed = await createRefusedTwice(world);
    const { debit } = await createDebit(world, subscribed, { attempt: 1 });
    await debit.reopen(revivedOf({ id: 'auth-second' }));
    const { send } = await debit.readSend();
    expect(await debit.settle(send!, { state: 'refused_again' })).toBe(true);
    expect(debit.row.record).toMatchObject({ state: 'rejected_retryable', attempt: 1 });
  });

  it('is followed first, by the attempt itself, if it belongs to the same cycle', async () => {
    const { world } = holder;
    const subscribed = await createRefusedTwice(world);
    const { debit, reopened } = await createDebit(world, subscribed, { attempt: 1 });
    await debit.pollReopened();
    expect(reopened).toEqual([]);
    expect(await debit.reopen(revivedOf({ id: 'auth-first' }))).toBeNull();
    await debit.pollReopened();
    expect(reopened).toMatchObject([{ cycle: 0, attempt: 0, state: 'pending' }]);
  });
});
