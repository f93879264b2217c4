import { listing } from './listing';
import { randomUUID } from 'node:crypto';
import type { AdoptInput, AdoptionResult } from '../../src/contract/activities';
import type { AdoptionFault } from '../../src/domain/subscription/adoption';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { getSubscription, insertImportDraft, type ImportDraft, readState } from '../../src/ledger';
import type { PaymentService } from '../../src/payment-service';
import { type Stop } from './activity-driver';
import { AMOUNT, PERSON, useWorld, type World } from './activity-world';

const test = useWorld();

/** A mandate that the service knows, granted without this program. */
async function granted(world: World, approve = true): Promise<PaymentId> {
  const now = world.clock.now();
  const answer = await world.deps.service.requestPayment({
    useCase: 'SUBSCRIPTION',
    amount: AMOUNT,
    returnURL: 'https://shop.example/back',
    billingAddress: PERSON,
    repetition: 'MONTHLY',
    startAt: now,
    firstPaymentAt: now + HOUR,
  });
  if (answer.kind !== 'accepted') throw new Error(answer.kind);
  if (approve) world.sandbox.payer(answer.value.paymentId).approve('approves');
  return answer.value.paymentId;
}

/** The draft of an import in the ledger, and what it says. */
async function ordered(world: World, paymentId: PaymentId, changes: Partial<AdoptInput> = {}): Promise<AdoptInput> {
  const subscriptionId = `sub_${randomUUID()}` as SubscriptionId;
  const now = world.clock.now();
  const terms = {
    subscriptionId,
    consentAmount: AMOUNT,
    startAt: now,
    firstPaymentAt: now + HOUR,
    endAt: null,
    ...({ repetition: 'MONTHLY', onExhausted: 'continue' } as const),
  };
  const input: AdoptInput = {
    subscriptionId,
    paymentId,
    terms,
    amount: AMOUNT,
    lastIncreaseAt: null,
    adoption: { consentAmount: null, collectFrom: now, actor: 'ops' },
    ...changes,
  };
  await insertImportDraft(world.deps.ledger, draftOf(world, input), { same: false, otherDraftedBeforeReal: 0 });
  return input;
}

function draftOf(world: World, { terms, paymentId, amount, lastIncreaseAt, adoption }: AdoptInput): ImportDraft {
  return {
    ...terms,
    paymentId,
    amount,
    adoption: { ...adoption, lastIncreaseAt },
    workflowId: `subscription/${terms.subscriptionId}`,
    payer: { email: PERSON.email, reference: null },
    billingAddress: PERSON,
    shippingAddress: null,
    replaces: null,
    warnings: [],
    createdAt: world.clock.now(),
    draftedRealAt: world.clock.realNow(),
  };
}

/** What became of the draft, by the ledger. */
async function adopt(world: World, input: AdoptInput, changes: Partial<PaymentService> = {}) {
  const service = world.service(changes);
  const { stops } = await world.driver.drive(() => world.activities({ service }).adoptConsent(world.reference(input)));
  return { stops, result: await resultOf(world, input) };
}

/** Null if there is no such draft. */
async function resultOf(world: World, { subscriptionId }: AdoptInput): Promise<AdoptionResult | null> {
  const { ledger, clock } = world.deps;
  const record = await getSubscription(ledger, subscriptionId);
  if (record !== null) {
    const { consentAmount, lastIncreaseAt, warnings } = record;
    const { collectedOnce } = await readState(ledger, subscriptionId, clock.now());
    return { kind: 'adopted', consentAmount, collectedOnce, lastIncreaseAt, warnings };
  }
  const { rows } = await ledger.query<{ answer: AdoptionResult | null }>(
    'select draft_answer as answer from subscriptions where subscription_id = $1',
    [subscriptionId],
  );
  return rows[0]?.answer ?? null;
}

const faultsOf = (result: AdoptionResult | null) =>
  result?.kind === 'refused' ? result.faults.map(({ path, message }: AdoptionFault) => `${path}: ${message}`) : [];

describe('adopting a consent granted elsewhere', () => {
  it('makes the draft an active subscription, without a POST', async () => {
    const { world } = test;
    const input = await ordered(world, await granted(world));
    const { result } = await adopt(world, input);
    expect(result).toEqual({
      kind: 'adopted',
      consentAmount: AMOUNT,
      collectedOnce: false,
      lastIncreaseAt: null,
      warnings: [],
    });
    const record = await getSubscription(world.deps.ledger, input.subscriptionId);
    expect(record).toMatchObject({ status: 'active', nextDueAt: input.terms.firstPaymentAt, consentAmount: AMOUNT });
    expect(await world.trail(input)).toEqual(['subscription.imported']);
    expect(world.requests.filter((each) => each.startsWith('POST')).slice(2)).toEqual([]);
  });

  it('run again answers the same, and asks nothing', async () => {
    const { world } = test;
    const input = await ordered(world, await granted(world));
    const first = await adopt(world, input);
    const asked = world.requests.length;
    world.clock.pass(MINUTE);
    expect((await adopt(world, input)).result).toEqual(first.result);
    expect(world.requests).toHaveLength(asked);
    expect(await world.trail(input)).toEqual(['subscription.imported']);
  });

  it('sees that the first payment was made elsewhere', async () => {
    const { world } = test;
    const paymentId = await granted(world);
    world.clock.pass(HOUR);
    await world.deps.service.initiate(paymentId, AMOUNT);
    world.clock.pass(MINUTE);
    const amount = euros(500);
    const early = { consentAmount: null, collectFrom: 0, actor: 'ops' };
    const input = await ordered(world, paymentId, { amount, adoption: early });
    expect((await adopt(world, input)).result).toMatchObject({ kind: 'adopted', collectedOnce: true });
  });

  it('refuses another amount where nothing has been collected', async () => {
    const { world } = test;
    const input = await ordered(world, await granted(world), { amount: euros(2000) });
    expect(faultsOf((await adopt(world, input)).result)).toEqual([
      expect.stringMatching(/^amount: expected 19.99 EUR/),
    ]);
    expect(await getSubscription(world.deps.ledger, input.subscriptionId)).toBeNull();
  });

  it('counts as collected before if the first due date was another’s, and lists its authorizations all the same', async () => {
    const { world } = test;
    const collectFrom = world.clock.now() + HOUR + 1;
    const adoption = { consentAmount: null, collectFrom, actor: 'ops' };
    const late = await ordered(world, await granted(world), { adoption });
    expect((await adopt(world, late)).result).toMatchObject({ kind: 'adopted', collectedOnce: true });
    expect(world.requests.filter((each) => each.includes('authorizations'))).toHaveLength(1);
  });

  it('is refused while the service does not list its authorizations completely', async () => {
    const { world } = test;
    const input = await ordered(world, await granted(world));
    const cut = listing(world, { authorizations: (answer) => ({ ...answer, incomplete: 'it says hasMore' }) });
    await world.driver.drive(() => world.activities(cut).adoptConsent(world.reference(input)));
    expect(await resultOf(world, input)).toMatchObject({
      kind: 'refused',
      faults: [{ path: 'paymentId', message: expect.stringContaining('it says hasMore') }],
    });
  });

  it.each([
    ['pending', async (world: World) => granted(world, false)],
    [
      'cancelled',
      async (world: World) => {
        const paymentId = await granted(world);
        world.sandbox.payer(paymentId).cancel();
        return paymentId;
      },
    ],
    [
      'failed',
      async (world: World) => {
        const paymentId = await granted(world, false);
        world.sandbox.payer(paymentId).decline();
        return paymentId;
      },
    ],
  ])('refuses a consent that is %s', async (status, paymentOf) => {
    const { world } = test;
    const input = await ordered(world, await paymentOf(world));
    expect(faultsOf((await adopt(world, input)).result)[0]).toContain(`successful; got one that is ${status}`);
    expect(await getSubscription(world.deps.ledger, input.subscriptionId)).toBeNull();
  });

  it('refuses a payment that the service does not know', async () => {
    const { world } = test;
    const input = await ordered(world, 'pay-nobodys' as PaymentId);
    const { result, stops } = await adopt(world, input);
    expect(faultsOf(result)[0]).toMatch(/^paymentId: expected a payment that the service knows; .*NOT_FOUND/);
    expect(stops).toEqual([]);
  });

  it('asks again for a little while where the service cannot be read', async () => {
    const { world } = test;
    const input = await ordered(world, await granted(world));
    world.sandbox.faults.add({ kind: 'error_before_commit', match: { path: '/consents$' } });
    const { result, stops } = await adopt(world, input);
    expect(stops.map(({ type }) => type)).toEqual(['service_unreadable']);
    expect(result?.kind).toBe('adopted');
  });

  it.each(['getConsent', 'listAuthorizations'] as const)('gives up where %s stays unreadable', async (call) => {
    const { world } = test;
    const input = await ordered(world, await granted(world));
    const unreadable = async () => ({ kind: 'unknown', reason: 'an HTML page' }) as const;
    const { result, stops } = await adopt(world, input, { [call]: unreadable });
    expect(result).toEqual({ kind: 'unavailable', reason: 'an HTML page' });
    const waited = stops.reduce((sum, { pause }: Stop) => sum + pause, 0);
    expect(waited).toBeGreaterThan(2 * SECOND);
    expect(waited).toBeLessThanOrEqual(8 * SECOND);
    expect(await getSubscription(world.deps.ledger, input.subscriptionId)).toBeNull();
  });

  it('gives up at once where the service asks to be left alone for longer', async () => {
    const { world } = test;
    const input = await ordered(world, await granted(world));
    const busy = async () => ({ kind: 'not_sent', reason: '429', retryAfterMs: 8_001 }) as const;
    const { result, stops } = await adopt(world, input, { getConsent: busy });
    expect([result?.kind, stops]).toEqual(['unavailable', []]);
  });

  it('leaves a draft that has replaced the one it asked about to be asked about itself', async () => {
    const { world } = test;
    const input = await ordered(world, await granted(world), { amount: euros(2000) });
    const listAuthorizations: PaymentService['listAuthorizations'] = async (paymentId) => {
      world.clock.pass(SECOND);
      const other = { ...draftOf(world, input), amount: AMOUNT, draftedRealAt: world.clock.realNow() };
      await insertImportDraft(world.deps.ledger, other, { same: true, otherDraftedBeforeReal: 0 });
      return world.deps.service.listAuthorizations(paymentId);
    };
    // Refused as it was asked about, which says nothing of the other.
    expect((await adopt(world, input, { listAuthorizations })).result).toBeNull();
    expect(await world.decide(input)).toMatchObject({ kind: 'adopt_consent' });
    expect((await adopt(world, input)).result).toMatchObject({ kind: 'adopted' });
    expect(await getSubscription(world.deps.ledger, input.subscriptionId)).toMatchObject({ amount: AMOUNT });
  });

  it('asks nothing where the draft is gone', async () => {
    const { world } = test;
    const input = await ordered(world, await granted(world));
    await world.deps.ledger.query('delete from subscriptions where subscription_id = $1', [input.subscriptionId]);
    const asked = world.requests.length;
    expect((await adopt(world, input)).result).toBeNull();
    expect(await world.decide(input)).toMatchObject({ kind: 'finish' });
    expect(world.requests).toHaveLength(asked);
  });
});
