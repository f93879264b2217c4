import { randomUUID } from 'node:crypto';
import { NO_COUNTING } from '../../activities/dependencies';
import type { ResolveInput } from '../../src/contract/activities';
import { broughtBy } from '../../src/contract/requests';
import type { AuthorizationId } from '../../src/domain/ids';
import { DAY, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { Authorization, PaymentService } from '../../src/payment-service';
import { applyChange, beginSend, latestSend, putRequest, recordOutcome } from '../../src/ledger';
import { AMOUNT, SETTLE, type Subscribed, useWorld, type World } from '../activities/activity-world';
import { hookedPool } from '../activities/crash-points';
import { listing, lists, listsEach } from '../activities/listing';

/** A person's word on an attempt, and an activity that was asking the service meanwhile. */

const test = useWorld();
const POST = { method: 'POST', path: '/authorizations$' } as const;
const NO_IDS = { authorizationId: null, captureId: null };

function word({ subscriptionId, paymentId, dueAt }: Subscribed, changes: Partial<ResolveInput> = {}): ResolveInput {
  return {
    subscriptionId,
    paymentId,
    cycle: 0,
    attempt: 0,
    amount: AMOUNT,
    dueAt,
    nextDueAt: dueAt + 28 * DAY,
    actor: 'ada',
    outcome: 'collected',
    evidence: 'statement of 3 March',
    ...NO_IDS,
    ...changes,
  };
}

const known = (world: World, subscribed: Subscribed) => world.settling(subscribed, { knownUnresolved: true });

/** The service lists an authorization that fits nothing, in place of what it has. */
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

/** Sent, the answer lost, and the service's list fits nothing. */
async function unresolved(world: World, kind: 'lost_answer' | 'swallowed' = 'lost_answer'): Promise<Subscribed> {
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind, match: POST });
  const strange = strangeList(subscribed);
  const { service } = listing(world, {
    authorizations: (answer) => (world.posts(subscribed) === 0 ? answer : strange(answer)),
  });
  const { result } = await world.collect(world.input(subscribed), { service });
  expect(result.kind).toBe('unresolved');
  return subscribed;
}

/** As the workflow writes it. */
async function showUnresolved({ deps, clock }: World, { subscriptionId, dueAt, collectBy }: Subscribed): Promise<void> {
  const cycle = { cycle: 0, dueAt, collectBy, amount: AMOUNT, status: 'unresolved' } as const;
  const change = { subscriptionId, key: 'unresolved', at: clock.now(), actor: 'dueday', events: [], cycle };
  await applyChange(deps.ledger, change);
}

describe('fault 34: an activity that asks on after a person has resolved the attempt', () => {
  it('tells that it was collected, where no id was named', async () => {
    const { world } = test;
    const subscribed = await unresolved(world);
    const resolved = await world.activities().resolveAttempt(word(subscribed));
    world.clock.pass(MINUTE);
    const { result } = await world.collect(known(world, subscribed));
    expect(result).toMatchObject({ kind: 'collected', ...NO_IDS, at: world.clock.now() - MINUTE });
    expect(result).toMatchObject(resolved);
    expect(await world.trail(subscribed)).not.toContain('attempt.rejected_finally');
  });

  it('tells that it failed, which is no refusal by a bank, in the words of the first answer', async () => {
    const { world } = test;
    const subscribed = await unresolved(world);
    const resolved = await world.activities().resolveAttempt(word(subscribed, { outcome: 'failed' }));
    world.clock.pass(MINUTE);
    const { result } = await world.collect(known(world, subscribed));
    expect(result).toMatchObject({ kind: 'rejected', detail: 'RESOLVED_AS_FAILED', retryable: false });
    expect(result).toEqual(resolved);
    expect(await world.trail(subscribed)).not.toContain('attempt.rejected_finally');
  });

  it('shows nobody but the merchant what was written as evidence', async () => {
    const { world } = test;
    const subscribed = await unresolved(world);
    const resolved = await world.activities().resolveAttempt(word(subscribed, { outcome: 'failed' }));
    expect(resolved).toMatchObject({ kind: 'rejected', description: '' });
    expect(await world.sends(subscribed)).toMatchObject([{ description: 'statement of 3 March' }]);
  });
});

describe('fault 34: a person’s word that comes while the service is being asked', () => {
  const whileAsked = (world: World, subscribed: Subscribed, outcome: ResolveInput['outcome']) => async () => {
    await world.activities().resolveAttempt(word(subscribed, { outcome }));
  };

  it.each(['collected', 'failed'] as const)('as %s counts, though the service lists the debit', async (outcome) => {
    const { world } = test;
    const subscribed = await unresolved(world);
    const say = whileAsked(world, subscribed, outcome);
    const authorizations: Parameters<typeof listing>[1]['authorizations'] = async (answer) => {
      await say();
      return answer;
    };
    const { result } = await world.collect(known(world, subscribed), listing(world, { authorizations }));
    expect(result.kind).toBe(outcome === 'collected' ? 'collected' : 'rejected');
    expect(await world.sends(subscribed)).toMatchObject([{ resolvedBy: 'ada', authorizationId: null }]);
    const contradicted = await world.events(subscribed, 'attempt.contradicted');
    expect(contradicted).toHaveLength(outcome === 'collected' ? 0 : 1);
  });

  it('counts, though the last look has settled that nothing was made', async () => {
    const { world } = test;
    const subscribed = await unresolved(world, 'swallowed');
    world.clock.pass(SETTLE);
    await world.collectOnce(known(world, subscribed));
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
    const { result } = await world.collect(known(world, subscribed), { ledger });
    expect(looked).toBe(true);
    expect(result).toMatchObject({ kind: 'collected', ...NO_IDS });
    expect(await world.sends(subscribed)).toMatchObject([{ state: 'successful', resolvedBy: 'ada' }]);
  });

  it('counts where an authorization that no send explains had stopped the POST', async () => {
    const { world } = test;
    const subscribed = await world.due();
    await world.deps.service.initiate(subscribed.paymentId, AMOUNT);
    const ofAnotherAmount = listing(world, { authorizations: listsEach({ amount: euros(1) }) });
    const stopped = await world.collect(world.input(subscribed), ofAnotherAmount);
    expect(stopped.result.kind).toBe('unresolved');
    await showUnresolved(world, subscribed);
    const [foreign] = world.sandbox.payment(subscribed.paymentId).authorizations;
    const authorizationId = foreign?.authorizationId ?? null;
    const authorizations: Parameters<typeof listing>[1]['authorizations'] = async (answer) => {
      await world.activities().resolveAttempt(word(subscribed, { authorizationId }));
      return answer;
    };
    const { result } = await world.collect(known(world, subscribed), listing(world, { authorizations }));
    expect(result).toMatchObject({ kind: 'collected', authorizationId, captureId: null });
  });

  it.each(['collected', 'failed'] as const)(
    'as %s counts, though a frozen sender hears its answer',
    async (outcome) => {
      const { world } = test;
      const subscribed = await world.due();
      const strange = strangeList(subscribed);
      const initiate: PaymentService['initiate'] = async (...call) => {
        const answer = await world.deps.service.initiate(...call);
        await world.collect(world.input(subscribed), listing(world, { authorizations: strange }));
        await world.activities().resolveAttempt(word(subscribed, { outcome }));
        return answer;
      };
      const { result } = await world.collect(world.input(subscribed), { service: world.service({ initiate }) });
      expect(result.kind).toBe(outcome === 'collected' ? 'collected' : 'rejected');
      expect(world.posts(subscribed)).toBe(1);
      const contradicted = await world.events(subscribed, 'attempt.contradicted');
      expect(contradicted).toHaveLength(outcome === 'collected' ? 0 : 1);
    },
  );
});

describe('fault 34: the service’s answer that comes before the person’s word', () => {
  it.each(['collected', 'failed'] as const)('stands against %s, and is told alone', async (outcome) => {
    const { world } = test;
    const subscribed = await unresolved(world);
    const found = await world.collectOnce(known(world, subscribed));
    expect(found).toMatchObject({ type: 'pending' });
    expect(await world.activities().resolveAttempt(word(subscribed, { outcome }))).toEqual({ kind: 'stands' });
    const { result } = await world.collect(known(world, subscribed));
    expect(result).toMatchObject({ kind: 'collected', captureId: expect.any(String) });
    expect(await world.activities().resolveAttempt(word(subscribed, { outcome }))).toEqual({ kind: 'stands' });
    await world.expectLedgerEqual(subscribed, 1);
  });
});

describe('fault 34: a person’s word', () => {
  it.each(['collected', 'failed'] as const)(
    'as %s is the same again where its worker died before anybody heard',
    async (outcome) => {
      const { world } = test;
      const subscribed = await unresolved(world);
      const first = await world.activities().resolveAttempt(word(subscribed, { outcome }));
      world.clock.pass(MINUTE);
      expect(await world.activities().resolveAttempt(word(subscribed, { outcome }))).toEqual(first);
      expect(await world.events(subscribed, 'cycle.resolved')).toHaveLength(1);
    },
  );

  it('of another kind than the one that stands is too late', async () => {
    const { world } = test;
    const subscribed = await unresolved(world);
    await world.activities().resolveAttempt(word(subscribed));
    expect(await world.activities().resolveAttempt(word(subscribed, { outcome: 'failed' }))).toEqual({
      kind: 'stands',
    });
    expect(await world.activities().resolveAttempt(word(subscribed, { actor: 'bob' }))).toEqual({ kind: 'stands' });
  });

  /** Cycle 0 collected under its own ids, cycle 1 unresolved. */
  async function secondUnresolved(world: World) {
    const subscribed = await world.due();
    await world.collect(world.input(subscribed));
    const dueAt = subscribed.dueAt + 28 * DAY;
    world.clock.passUntil(dueAt);
    const { ledger } = world.deps;
    const begun = await beginSend(ledger, {
      ...subscribed,
      cycle: 1,
      attempt: 0,
      amount: AMOUNT,
      dueAt,
      collectBy: dueAt + 5 * DAY,
      at: world.clock.now(),
      realAt: world.clock.realNow(),
      knownIds: [],
      owner: 'worker-1',
    });
    if (begun.kind !== 'started') throw new Error(`not started: ${begun.kind}`);
    const unclear = { state: 'unresolved', reason: 'two fit' } as const;
    await recordOutcome(ledger, begun.send, unclear, world.clock.now(), { type: 'attempt.unresolved', data: {} });
    const first = await latestSend(ledger, subscribed.subscriptionId, 0, 0);
    return { subscribed, dueAt, first: first! };
  }

  it.each(['authorizationId', 'captureId'] as const)(
    'that names an %s of another attempt is told whose it is, and nothing is written',
    async (field) => {
      const { world } = test;
      const { subscribed, dueAt, first } = await secondUnresolved(world);
      const wrong = word(subscribed, { cycle: 1, dueAt, [field]: first[field] });
      expect(await world.activities().resolveAttempt(wrong)).toEqual({
        kind: 'stands',
        taken: { field, given: first[field], cycle: 0, attempt: 0 },
      });
      const row = await latestSend(world.deps.ledger, subscribed.subscriptionId, 1, 0);
      expect(row).toMatchObject({ state: 'unresolved', resolvedBy: null });
      const right = { authorizationId: randomUUID(), captureId: randomUUID() };
      const resolved = await world.activities().resolveAttempt(word(subscribed, { cycle: 1, dueAt, ...right }));
      expect(resolved).toMatchObject({ kind: 'collected', ...right });
    },
  );

  it('that the ledger’s own rules refuse is not repeated for ever', async () => {
    const { world } = test;
    const subscribed = await unresolved(world);
    const wrong = word(subscribed, { attempt: 7 });
    await expect(world.activities().resolveAttempt(wrong)).rejects.toMatchObject({
      nonRetryable: true,
      type: 'ledger_refuses',
      message: expect.stringMatching(/^the ledger refuses what resolveAttempt has to write: SQLSTATE /),
    });
  });

  it('that a fault keeps from the ledger is repeated: nothing of it is the ledger’s refusal', async () => {
    const { world } = test;
    const subscribed = await unresolved(world);
    const connect = () => Promise.reject(new Error('PostgreSQL is away'));
    const ledger = Object.assign(Object.create(world.deps.ledger) as typeof world.deps.ledger, { connect });
    const failing = world.activities({ ledger }).resolveAttempt(word(subscribed));
    await expect(failing).rejects.toMatchObject({ message: 'PostgreSQL is away' });
    await expect(failing).rejects.not.toHaveProperty('nonRetryable');
  });

  const asked = { actor: 'ada', reason: 'the payer has sent the statement' };
  const standing = (world: World, { subscriptionId }: Subscribed) =>
    latestSend(world.deps.ledger, subscriptionId, 0, 0);

  it('behind which no request of the API stands is not written, and counted', async () => {
    const { world } = test;
    const subscribed = await unresolved(world);
    const counted: string[] = [];
    const counting = { ...NO_COUNTING, recordUnrecorded: (verb: string) => void counted.push(verb) };
    const forged = word(subscribed, { request: broughtBy('resolve', asked), key: 'update-1' });
    expect(await world.activities({ counting }).resolveAttempt(forged)).toEqual({
      kind: 'unrecorded',
      why: 'it names no request of the admin API',
    });
    expect(counted).toEqual(['resolve']);
    expect(await standing(world, subscribed)).toMatchObject({ state: 'unresolved', resolvedBy: null });
  });

  it('uses up its request: another word by the same request is not written', async () => {
    const { world } = test;
    const subscribed = await unresolved(world);
    const request = broughtBy(
      'resolve',
      await putRequest(world.deps.ledger, subscribed.subscriptionId, 'resolve', asked),
    );
    const resolve = (changes: Partial<ResolveInput>) =>
      world.activities().resolveAttempt(word(subscribed, { request, key: 'update-1', ...changes }));
    expect(await resolve({})).toMatchObject({ kind: 'collected' });
    expect(await resolve({ outcome: 'failed' })).toEqual({ kind: 'unrecorded', why: 'its request is used up' });
    expect(await standing(world, subscribed)).toMatchObject({ state: 'successful' });
  });

  it.each([
    ['no request', { key: 'update-1' }],
    ['a request without its key', { request: broughtBy('resolve', asked) }],
  ])('that an earlier release ordered, with %s, is written', async (_with, changes) => {
    const { world } = test;
    const subscribed = await unresolved(world);
    expect(await world.activities().resolveAttempt(word(subscribed, changes))).toMatchObject({ kind: 'collected' });
  });
});
