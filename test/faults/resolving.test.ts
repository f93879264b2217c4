import { randomUUID } from 'node:crypto';
import type { AuthorizationId } from '../../src/domain/ids';
import { DAY, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { Authorization, PaymentService } from '../../src/payment-service';
import { latestSend, type Pool, steer, type SteeringRequests } from '../../src/ledger';
import { AMOUNT, SETTLE, type Subscribed, useWorld, type World } from '../activities/activity-world';
import { hookedPool } from '../activities/crash-points';
import { listing, lists, listsEach } from '../activities/listing';

/** An operator resolves an attempt while an activity is asking the service. */

const holder = useWorld();
const POST = { method: 'POST', path: '/authorizations$' } as const;
const NO_IDS = { authorizationId: null, captureId: null };

type Word = SteeringRequests['resolve'];

/** Resolves the attempt as an operator does by the API. */
function resolve(world: World, { subscriptionId }: Subscribed, changes: Partial<Word> = {}, ledger?: Pool) {
  const { clock } = world;
  const word: Word = {
    ...{ cycle: 0, actor: 'ada', outcome: 'collected', evidence: 'statement of 3 March' },
    ...NO_IDS,
    ...changes,
  };
  const moment = { at: clock.now(), realAt: clock.realNow() };
  return steer(ledger ?? world.deps.ledger, 'resolve', subscriptionId, word, moment);
}

const RESOLVED = { kind: 'steered' };
const REFUSED = { kind: 'refused', refusal: { code: 'state_conflict' } };

/** Answers of a service that lists an authorization that matches no send, instead of its own records. */
const strangeList = ({ paymentId, dueAt }: Subscribed) =>
  lists<Authorization>(() => [
    {
      authorizationId: 'aut-strange' as AuthorizationId,
      paymentId,
      amount: euros(1),
      createdAt: dueAt,
      status: 'pending',
    },
  ]);

/** Creates a subscription whose attempt was sent, whose answer was lost, and whose list fits nothing. */
async function createUnresolved(world: World, kind: 'lost_answer' | 'swallowed' = 'lost_answer'): Promise<Subscribed> {
  const subscribed = await world.due();
  await leaveUnresolved(world, subscribed, 0, kind);
  return subscribed;
}

/** @param subscribed at the due date of the cycle */
async function leaveUnresolved(
  world: World,
  subscribed: Subscribed,
  cycle: number,
  kind: 'lost_answer' | 'swallowed' = 'lost_answer',
): Promise<void> {
  world.sandbox.faults.add({ kind, match: POST });
  const strange = strangeList(subscribed);
  const sentBefore = world.posts(subscribed);
  const { service } = listing(world, {
    authorizations: (answer) => (world.posts(subscribed) === sentBefore ? answer : strange(answer)),
  });
  const { result } = await world.collect(world.input(subscribed, { cycle }), { service });
  expect(result.kind).toBe('unresolved');
}

it('fault 34: an activity still asking after an operator has resolved the attempt reports it as collected, also if no id was named', async () => {
  const { world } = holder;
  const subscribed = await createUnresolved(world);
  expect(await resolve(world, subscribed)).toMatchObject(RESOLVED);
  world.clock.pass(MINUTE);
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'collected', ...NO_IDS, at: world.clock.now() - MINUTE });
  expect(await world.auditLog(subscribed)).not.toContain('attempt.rejected_finally');
});

it('fault 34: an activity still asking after an operator has resolved the attempt as failed reports RESOLVED_AS_FAILED, not a refusal by a bank', async () => {
  const { world } = holder;
  const subscribed = await createUnresolved(world);
  expect(await resolve(world, subscribed, { outcome: 'failed' })).toMatchObject(RESOLVED);
  world.clock.pass(MINUTE);
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'rejected', detail: 'RESOLVED_AS_FAILED', retryable: false });
  expect(await world.auditLog(subscribed)).not.toContain('attempt.rejected_finally');
});

it('fault 34: an activity still asking after an operator has resolved the attempt does not return the evidence', async () => {
  const { world } = holder;
  const subscribed = await createUnresolved(world);
  await resolve(world, subscribed, { outcome: 'failed' });
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'rejected', description: '' });
  expect(await world.sends(subscribed)).toMatchObject([{ description: 'statement of 3 March' }]);
});

const whileAsked = (world: World, subscribed: Subscribed, outcome: Word['outcome']) => async () => {
  await resolve(world, subscribed, { outcome });
};

it.each(['collected', 'failed'] as const)(
  'fault 34: an operator’s resolution as %s while the service is being asked counts, although the service lists the debit',
  async (outcome) => {
    const { world } = holder;
    const subscribed = await createUnresolved(world);
    const say = whileAsked(world, subscribed, outcome);
    const authorizations: Parameters<typeof listing>[1]['authorizations'] = async (answer) => {
      await say();
      return answer;
    };
    const { result } = await world.collect(world.input(subscribed), listing(world, { authorizations }));
    expect(result.kind).toBe(outcome === 'collected' ? 'collected' : 'rejected');
    expect(await world.sends(subscribed)).toMatchObject([{ resolvedBy: 'ada', authorizationId: null }]);
    const contradicted = await world.events(subscribed, 'attempt.contradicted');
    expect(contradicted).toHaveLength(outcome === 'collected' ? 0 : 1);
  },
);

it('fault 34: an operator’s resolution while the service is being asked counts, although the last check has found that nothing was made', async () => {
  const { world } = holder;
  const subscribed = await createUnresolved(world, 'swallowed');
  world.clock.pass(SETTLE);
  await world.collectOnce(world.input(subscribed));
  const say = whileAsked(world, subscribed, 'collected');
  let looked = false;
  const ledger = hookedPool(world.deps.ledger, {
    matches: /begin/,
    before: async () => {
      if (looked) return;
      looked = true;
      await say();
    },
  });
  const { result } = await world.collect(world.input(subscribed), { ledger });
  expect(looked).toBe(true);
  expect(result).toMatchObject({ kind: 'collected', ...NO_IDS });
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'successful', resolvedBy: 'ada' }]);
});

it('fault 34: an operator’s resolution while the service is being asked counts if an unexplained authorization had stopped the POST', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.deps.service.initiate(subscribed.paymentId, AMOUNT);
  const ofAnotherAmount = listing(world, { authorizations: listsEach({ amount: euros(1) }) });
  const stopped = await world.collect(world.input(subscribed), ofAnotherAmount);
  expect(stopped.result.kind).toBe('unresolved');
  const [foreign] = world.sandbox.payment(subscribed.paymentId).authorizations;
  const authorizationId = foreign?.authorizationId ?? null;
  const authorizations: Parameters<typeof listing>[1]['authorizations'] = async (answer) => {
    await resolve(world, subscribed, { authorizationId });
    return answer;
  };
  const { result } = await world.collect(world.input(subscribed), listing(world, { authorizations }));
  expect(result).toMatchObject({ kind: 'collected', authorizationId, captureId: null });
});

it.each(['collected', 'failed'] as const)(
  'fault 34: an operator’s resolution as %s while the service is being asked counts, although a frozen sender receives its answer',
  async (outcome) => {
    const { world } = holder;
    const subscribed = await world.due();
    const strange = strangeList(subscribed);
    const initiate: PaymentService['initiate'] = async (...call) => {
      const answer = await world.deps.service.initiate(...call);
      await world.collect(world.input(subscribed), listing(world, { authorizations: strange }));
      await resolve(world, subscribed, { outcome });
      return answer;
    };
    const { result } = await world.collect(world.input(subscribed), { service: world.service({ initiate }) });
    expect(result.kind).toBe(outcome === 'collected' ? 'collected' : 'rejected');
    expect(world.posts(subscribed)).toBe(1);
    const contradicted = await world.events(subscribed, 'attempt.contradicted');
    expect(contradicted).toHaveLength(outcome === 'collected' ? 0 : 1);
  },
);

it.each(['collected', 'failed'] as const)(
  'fault 34: an answer of the service before the operator’s resolution as %s counts, and only the answer is reported',
  async (outcome) => {
    const { world } = holder;
    const subscribed = await createUnresolved(world);
    const found = await world.collectOnce(world.input(subscribed));
    expect(found).toMatchObject({ type: 'pending' });
    expect(await resolve(world, subscribed, { outcome })).toMatchObject(REFUSED);
    const { result } = await world.collect(world.input(subscribed));
    expect(result).toMatchObject({ kind: 'collected', captureId: expect.any(String) });
    expect(await resolve(world, subscribed, { outcome })).toMatchObject(REFUSED);
    await world.expectLedgerEqual(subscribed, 1);
  },
);

it.each(['collected', 'failed'] as const)(
  'fault 34: an operator’s resolution as %s may be repeated if its answer was lost',
  async (outcome) => {
    const { world } = holder;
    const subscribed = await createUnresolved(world);
    expect(await resolve(world, subscribed, { outcome })).toMatchObject(RESOLVED);
    world.clock.pass(MINUTE);
    expect(await resolve(world, subscribed, { outcome })).toEqual({ kind: 'unchanged' });
    expect(await world.events(subscribed, 'cycle.resolved')).toHaveLength(1);
  },
);

it('fault 34: a resolution by another operator or with another outcome than the recorded one is refused', async () => {
  const { world } = holder;
  const subscribed = await createUnresolved(world);
  await resolve(world, subscribed);
  expect(await resolve(world, subscribed, { outcome: 'failed' })).toMatchObject(REFUSED);
  expect(await resolve(world, subscribed, { actor: 'bob' })).toMatchObject(REFUSED);
});

/** Creates a subscription whose cycle 0 was collected with its own ids, and whose cycle 1 is unresolved. */
async function secondUnresolved(world: World) {
  const subscribed = await world.due();
  await world.collect(world.input(subscribed));
  const dueAt = subscribed.dueAt + 28 * DAY;
  world.clock.passUntil(dueAt);
  await leaveUnresolved(world, { ...subscribed, dueAt }, 1);
  const first = await latestSend(world.deps.ledger, subscribed.subscriptionId, 0, 0);
  return { subscribed, first: first! };
}

it.each(['authorizationId', 'captureId'] as const)(
  'fault 34: a resolution that names the %s of another attempt is refused and names that attempt, and nothing is written',
  async (field) => {
    const { world } = holder;
    const { subscribed, first } = await secondUnresolved(world);
    const given = first[field]!;
    expect(await resolve(world, subscribed, { cycle: 1, [field]: given })).toMatchObject({
      kind: 'refused',
      refusal: { message: expect.stringContaining(`${field} ${given} belongs to cycle 0, attempt 0`) },
    });
    const row = await latestSend(world.deps.ledger, subscribed.subscriptionId, 1, 0);
    expect(row).toMatchObject({ state: 'unresolved', resolvedBy: null });
    const right = { authorizationId: randomUUID(), captureId: randomUUID() };
    expect(await resolve(world, subscribed, { cycle: 1, ...right })).toMatchObject(RESOLVED);
    const resolved = await latestSend(world.deps.ledger, subscribed.subscriptionId, 1, 0);
    expect(resolved).toMatchObject({ state: 'successful', resolvedBy: 'ada', ...right });
  },
);

it('fault 34: a resolution of a cycle with nothing unresolved is refused', async () => {
  const { world } = holder;
  const subscribed = await createUnresolved(world);
  expect(await resolve(world, subscribed, { cycle: 7 })).toMatchObject(REFUSED);
});

it('fault 34: a resolution that does not reach the ledger changes nothing and may be repeated', async () => {
  const { world } = holder;
  const subscribed = await createUnresolved(world);
  const connect = () => Promise.reject(new Error('PostgreSQL is away'));
  const ledger = Object.assign(Object.create(world.deps.ledger) as Pool, { connect });
  await expect(resolve(world, subscribed, {}, ledger)).rejects.toThrow('PostgreSQL is away');
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'unresolved', resolvedBy: null }]);
  expect(await resolve(world, subscribed)).toMatchObject(RESOLVED);
});

it('fault 34: a resolution is carried out once per request id, whatever a repeated request asks', async () => {
  const { world } = holder;
  const subscribed = await createUnresolved(world);
  expect(await resolve(world, subscribed, { requestId: 'one' })).toMatchObject(RESOLVED);
  await resolve(world, subscribed, { requestId: 'one', outcome: 'failed' });
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'successful' }]);
  expect(await world.events(subscribed, 'cycle.resolved')).toHaveLength(1);
});
