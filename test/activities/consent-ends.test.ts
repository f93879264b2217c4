import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import type { PaymentId } from '../../src/domain/ids';
import { type AttentionItem, getSubscription, listAttention } from '../../src/ledger';
import type { Consent, PaymentService, ServiceResult } from '../../src/payment-service';
import { SETTLE, type Subscribed, useWorld, type World } from './activity-world';
import { consentResult } from './consent-result';
import { listing, noAnswer } from './listing';
import { follow, createRequested, SINGLE } from './payment-world';

const holder = useWorld();
const outlasting = useWorld({ sandbox: { brokenRules: ['consent-session'] } });

const SESSION = 10 * MINUTE;
const DELETE = { method: 'DELETE', path: '/consents$' } as const;
const GET = { method: 'GET', path: '/consents$' } as const;
const FAULT = 'error_before_commit' as const;
const NOT_FOUND = { kind: FAULT, status: 404, detail: 'NOT_FOUND' };

async function items(world: World, id: string): Promise<readonly AttentionItem[]> {
  const { items: open } = await listAttention(world.deps.ledger, {}, { limit: 100, cursor: null });
  return open.filter(({ subscriptionId, paymentId }) => subscriptionId === id || paymentId === id);
}

const kinds = async (world: World, id: string) => (await items(world, id)).map(({ kind }) => kind);

function deletes(world: World, { paymentId }: { readonly paymentId: PaymentId }): number {
  return world.requests.filter((each) => each === `DELETE /${paymentId}/consents`).length;
}

function gets(world: World, { paymentId }: { readonly paymentId: PaymentId }): number {
  return world.requests.filter((each) => each === `GET /${paymentId}/consents`).length;
}

async function startCancelling(world: World, subscribed: Subscribed): Promise<void> {
  const cancellation = { at: world.clock.now(), actor: 'ops', reason: null };
  await world.patch(subscribed, { stoppedBy: 'cancel', cancellation });
}

const cancel = (world: World, subscribed: Subscribed, service?: PaymentService) => async () => {
  const activities = world.activities(service === undefined ? {} : { service });
  await activities.cancelConsent(world.reference(subscribed));
  return { by: (await getSubscription(world.deps.ledger, subscribed.subscriptionId))?.cancelledBy };
};

it.each([
  ['409', { kind: FAULT, status: 409, detail: 'STATE_CONFLICT' }],
  ['422', { kind: FAULT, status: 422, detail: 'INVALID_REQUEST' }],
  ['422 and an HTML page', { kind: FAULT, status: 422, html: true }],
  ['403', { kind: 'forbidden' as const }],
])('a cancellation refused with %s is handed to an operator at once, until it is confirmed', async (_name, fault) => {
  const { world } = holder;
  const subscribed = await world.due();
  await startCancelling(world, subscribed);
  world.sandbox.faults.add({ ...fault, times: 2, match: DELETE });
  const seen: string[][] = [];
  const { result } = await world.driver.drive(cancel(world, subscribed), {
    onStop: async () => void seen.push(await kinds(world, subscribed.subscriptionId)),
  });
  expect(seen).toEqual(Array(2).fill(['cancellation_unconfirmed']));
  expect(result).toEqual({ by: 'merchant' });
  expect(await kinds(world, subscribed.subscriptionId)).toEqual([]);
});

it('a cancellation that is always refused is eventually retried hourly, not every minute', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await startCancelling(world, subscribed);
  world.sandbox.faults.add({ kind: FAULT, status: 409, detail: 'STATE_CONFLICT', times: 10_000, match: DELETE });
  const from = world.clock.realNow();
  const waits: number[] = [];
  const stopAfter = { maxRuns: 120, onStop: ({ wait }: { wait: number }) => void waits.push(wait) };
  await expect(world.driver.drive(cancel(world, subscribed), stopAfter)).rejects.toThrow('no answer after 120 runs');
  expect(world.clock.realNow() - from).toBeGreaterThan(2 * DAY);
  expect(waits).toEqual([...waits].sort((one, other) => one - other));
  expect(waits.at(-1)).toBe(HOUR);
});

it.each([
  ['answered with 503', { kind: FAULT, status: 503, html: true }],
  ['swallowed', { kind: 'swallowed' as const }],
])(
  'a cancellation whose DELETE is %s is handed to an operator after four settle times, not earlier',
  async (_name, fault) => {
    const { world } = holder;
    const subscribed = await world.due();
    await startCancelling(world, subscribed);
    world.sandbox.faults.add({ ...fault, times: 10_000, match: DELETE });
    const from = world.clock.realNow();
    const first: number[] = [];
    await world.driver.drive(cancel(world, subscribed), {
      onStop: async (_stop, runs) => {
        const isOpen = (await kinds(world, subscribed.subscriptionId)).length > 0;
        if (isOpen) first.push(world.clock.realNow() - from);
        else expect(world.clock.realNow() - from).toBeLessThan(4 * SETTLE);
        if (isOpen || runs > 300) world.sandbox.faults.clear();
      },
    });
    expect(first).toHaveLength(1);
    expect(first[0]).toBeGreaterThanOrEqual(4 * SETTLE);
  },
);

it.each([
  ['404 with NOT_FOUND', NOT_FOUND],
  ['410', { kind: FAULT, status: 410, html: true }],
])('a cancellation is confirmed if both DELETE and GET are answered with %s', async (_name, gone) => {
  const { world } = holder;
  const subscribed = await world.due();
  await startCancelling(world, subscribed);
  world.sandbox.faults.add({ ...gone, times: 2, match: { path: '/consents$' } });
  const { result, stops } = await world.driver.drive(cancel(world, subscribed));
  expect([result, stops]).toEqual([{ by: 'merchant' }, []]);
  const record = await getSubscription(world.deps.ledger, subscribed.subscriptionId);
  expect(record?.consent).toMatchObject({ status: 'cancelled', reason: 'not_found' });
});

it('a cancellation is not confirmed by a 404 with an HTML page, which may come from a proxy', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await startCancelling(world, subscribed);
  world.sandbox.faults.add({ kind: FAULT, status: 404, html: true, times: 2, match: { path: '/consents$' } });
  const { stops } = await world.driver.drive(cancel(world, subscribed));
  expect(stops).toHaveLength(1);
});

/** A service that gives no reason why a consent has ended. */
function withoutReason(world: World): PaymentService {
  return world.service({
    getConsent: async (paymentId): Promise<ServiceResult<Consent>> => {
      const answer = await world.deps.service.getConsent(paymentId);
      return answer.kind === 'accepted' ? { ...answer, value: { ...answer.value, reason: undefined } } : answer;
    },
  });
}

it.each([
  ['gives the payer as the reason', false],
  ['gives no reason', true],
])(
  'a subscription whose cancellation is refused counts as cancelled by the payer if the payer cancels meanwhile and the service %s',
  async (_name, isSilent) => {
    const { world } = holder;
    const subscribed = await world.due();
    await startCancelling(world, subscribed);
    world.sandbox.faults.add({ kind: FAULT, status: 409, detail: 'STATE_CONFLICT', times: 10, match: DELETE });
    const service = isSilent ? withoutReason(world) : world.deps.service;
    const { result } = await world.driver.drive(cancel(world, subscribed, service), {
      onStop: (_stop, runs) => {
        if (runs === 2) world.sandbox.payer(subscribed.paymentId).cancel();
      },
    });
    expect(result).toEqual({ by: 'payer' });
  },
);

it('a cancellation whose DELETE was carried out, but whose answer was lost, counts as the merchant’s if no reason is given', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await startCancelling(world, subscribed);
  world.sandbox.faults.add({ kind: 'lost_answer', match: DELETE });
  world.sandbox.faults.add({ kind: FAULT, status: 503, match: GET });
  world.sandbox.faults.add({ kind: FAULT, status: 409, detail: 'STATE_CONFLICT', times: 10, match: DELETE });
  const { result, stops } = await world.driver.drive(cancel(world, subscribed, withoutReason(world)));
  expect(stops).toHaveLength(1);
  expect(result).toEqual({ by: 'merchant' });
});

it.each([
  ['404 with NOT_FOUND', NOT_FOUND],
  ['410', { kind: FAULT, status: 410, html: true }],
  ['an HTML page', { kind: FAULT, status: 500, html: true }],
  ['an unknown form', { kind: 'malformed' as const, variant: 'wrong_types' as const }],
])(
  'collection waits and an operator is notified after the settle time if the consent of an active subscription is answered with %s, until it can be read',
  async (_name, fault) => {
    const { world } = holder;
    const subscribed = await world.due();
    const { subscriptionId } = subscribed;
    world.sandbox.faults.add({ ...fault, times: 10_000, match: GET });
    const from = world.clock.realNow();
    let isReadable = false;
    const { result } = await world.collect(
      world.input(subscribed),
      {},
      {
        onStop: async () => {
          if (isReadable) return;
          expect(world.posts(subscribed)).toBe(0);
          const isOpen = (await kinds(world, subscriptionId)).length > 0;
          expect(isOpen).toBe(world.clock.realNow() - from >= SETTLE);
          if (!isOpen) return;
          expect(await items(world, subscriptionId)).toMatchObject([
            {
              kind: 'consent_unreadable',
              ledger: { state: 'active' },
              service: { detail: expect.stringMatching(/./) },
            },
          ]);
          world.sandbox.faults.clear();
          isReadable = true;
        },
      },
    );
    expect(result.kind).toBe('collected');
    expect(await kinds(world, subscriptionId)).toEqual([]);
    expect(await getSubscription(world.deps.ledger, subscriptionId)).toMatchObject({
      status: 'active',
      stoppedBy: null,
    });
    await world.expectLedgerEqual(subscribed, 1);
  },
);

it('no operator is notified if the consent of an active subscription is unreadable once or the service cannot be reached', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const check = (service = world.deps.service) =>
    world.driver.drive(() => world.activities({ service }).checkConsent(subscribed));
  world.sandbox.faults.add({ ...NOT_FOUND, match: GET });
  await check();
  await check();
  world.sandbox.faults.add({ ...NOT_FOUND, match: GET });
  world.clock.pass(SETTLE);
  await check();
  const away = world.service({ getConsent: async () => ({ kind: 'not_sent', reason: 'connection refused' }) });
  await check(away);
  world.clock.pass(2 * SETTLE);
  await check(away);
  expect(await kinds(world, subscribed.subscriptionId)).toEqual([]);
  world.sandbox.faults.add({ ...NOT_FOUND, match: GET });
  await check();
  expect(await kinds(world, subscribed.subscriptionId)).toEqual(['consent_unreadable']);
  await check();
  expect(await kinds(world, subscribed.subscriptionId)).toEqual([]);
});

it('collection waits and an operator is notified after the settle time if the consent of an active subscription is pending again, until it is granted', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const service = world.service({
    getConsent: async () => ({ kind: 'accepted', value: { paymentId: subscribed.paymentId, status: 'pending' } }),
  });
  const from = world.clock.realNow();
  while (world.clock.realNow() - from <= SETTLE) {
    expect(await kinds(world, subscribed.subscriptionId)).toEqual([]);
    const stop = await world.collectOnce(world.input(subscribed), { service });
    expect(stop).toMatchObject({ type: 'service_unreadable' });
    world.clock.pass(MINUTE);
  }
  await world.driver.drive(() => world.activities({ service }).checkConsent(subscribed));
  expect(await kinds(world, subscribed.subscriptionId)).toEqual(['consent_unreadable']);
  await world.driver.drive(() => world.activities().checkConsent(subscribed));
  expect(await kinds(world, subscribed.subscriptionId)).toEqual([]);
});

it('the consent that an attempt has read is stored even if nothing is sent', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.clock.pass(MINUTE);
  const askedAt = world.clock.now();
  const stop = await world.collectOnce(world.input(subscribed), listing(world, { authorizations: noAnswer }));
  expect(stop).toMatchObject({ type: 'service_unreadable' });
  expect((await getSubscription(world.deps.ledger, subscribed.subscriptionId))?.consent).toMatchObject({
    status: 'successful',
    checkedAt: askedAt,
  });
});

it('the cycle ends with its window, and the subscription stays active, if the consent is unreadable after CONSENT_NOT_VALID', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const failure = { retryable: false, detail: 'CONSENT_NOT_VALID', description: '', httpStatus: 409 };
  let isRefused = false;
  const service = world.service({
    initiate: async () => {
      isRefused = true;
      return { kind: 'rejected', failure };
    },
    getConsent: async (paymentId) =>
      isRefused
        ? { kind: 'unknown', reason: 'an HTML page', httpStatus: 500 }
        : world.deps.service.getConsent(paymentId),
  });
  const onStop = async ({ type }: { readonly type: string }, runs: number) => {
    expect(type).toBe('service_unreadable');
    if (runs === 1) world.clock.pass(SETTLE);
    if (runs !== 2) return;
    expect(await kinds(world, subscribed.subscriptionId)).toEqual(['consent_unreadable']);
    world.clock.passUntil(subscribed.collectBy);
  };
  const { result, stops } = await world.collect(world.input(subscribed), { service }, { onStop });
  expect(result).toMatchObject({ kind: 'rejected', detail: 'CONSENT_NOT_VALID' });
  expect(stops).toHaveLength(2);
  expect(await getSubscription(world.deps.ledger, subscribed.subscriptionId)).toMatchObject({ status: 'active' });
});

const waiting = (world: World, subscribed: Subscribed) => async () => {
  await world.activities().awaitConsent(world.reference(subscribed));
  return consentResult(world, subscribed);
};

it('a cancellation after a refused DELETE counts as the payer’s if the consent was granted meanwhile', async () => {
  const { world } = outlasting;
  const subscribed = await world.requested();
  const { subscriptionId, paymentId } = subscribed;
  world.clock.pass(SESSION);
  world.sandbox.faults.add({ kind: FAULT, status: 409, detail: 'STATE_CONFLICT', times: 1, match: DELETE });
  world.sandbox.faults.add({ kind: FAULT, status: 503, html: true, times: 1, match: DELETE });
  const { result } = await world.driver.drive(waiting(world, subscribed), {
    onStop: async (_stop, runs) => {
      expect(await kinds(world, subscriptionId)).toEqual(['cancellation_unconfirmed']);
      if (runs === 2) world.sandbox.payer(paymentId).approve();
    },
  });
  expect(result).toEqual({ kind: 'granted' });
  expect(await kinds(world, subscriptionId)).toEqual([]);
  world.sandbox.payer(paymentId).cancel();
  const silent = world.service({
    getConsent: async () => ({ kind: 'accepted', value: { paymentId, status: 'cancelled' } }),
  });
  await world.driver.drive(() => world.activities({ service: silent }).checkConsent(subscribed));
  expect(await consentResult(world, subscribed)).toMatchObject({ kind: 'cancelled', by: 'payer' });
});

it('a consent that the payer has not answered counts as failed if it no longer exists at the end of its session, once its DELETE is answered', async () => {
  const { world } = outlasting;
  const subscribed = await world.requested();
  world.sandbox.faults.add({ ...NOT_FOUND, times: 3, match: { path: '/consents$' } });
  const early = await world.driver.once(waiting(world, subscribed));
  expect(early).toMatchObject({ type: 'service_unreadable' });
  world.clock.pass(SESSION);
  const { result } = await world.driver.drive(waiting(world, subscribed));
  expect(result).toEqual({ kind: 'failed', reason: 'timeout' });
  expect(deletes(world, subscribed)).toBe(1);
});

it('a consent that the payer has not answered is handed to an operator after four settle times if it cannot be deleted', async () => {
  const { world } = outlasting;
  const subscribed = await world.requested();
  world.clock.pass(SESSION);
  world.sandbox.faults.add({ kind: FAULT, status: 503, html: true, times: 10_000, match: DELETE });
  const { result } = await world.driver.drive(waiting(world, subscribed), {
    onStop: async () => {
      const late = world.clock.realNow() - subscribed.requestedRealAt - SESSION >= 4 * SETTLE;
      expect(await kinds(world, subscribed.subscriptionId)).toEqual(late ? ['cancellation_unconfirmed'] : []);
      if (late) world.sandbox.faults.clear();
    },
  });
  expect(result).toEqual({ kind: 'failed', reason: 'timeout' });
  expect(await kinds(world, subscribed.subscriptionId)).toEqual([]);
});

it('a consent is handed to an operator an hour after its session if it cannot be read, and is then polled hourly', async () => {
  const { world } = holder;
  const subscribed = await world.requested();
  world.sandbox.payer(subscribed.paymentId).approve();
  world.sandbox.faults.add({ kind: FAULT, status: 503, html: true, times: 10_000, match: GET });
  let hourly = 0;
  const { result } = await world.driver.drive(waiting(world, subscribed), {
    onStop: async ({ wait }) => {
      const late = world.clock.realNow() >= subscribed.requestedRealAt + SESSION + HOUR;
      expect(await kinds(world, subscribed.subscriptionId)).toEqual(late ? ['consent_unsettled'] : []);
      expect(wait).toBeLessThanOrEqual(late ? HOUR : MINUTE);
      if (late) expect(wait).toBe(HOUR);
      if (late && (hourly += 1) === 5) world.sandbox.faults.clear();
    },
  });
  expect(result).toEqual({ kind: 'granted' });
  expect(await kinds(world, subscribed.subscriptionId)).toEqual([]);
});

it.each(['pending', 'unreadable'])(
  'the consent of a one-time payment that stays %s is handed to an operator an hour after its session, and then polled hourly',
  async (stays) => {
    const { world } = outlasting;
    const payment = await createRequested(world, SINGLE);
    const { paymentId } = payment;
    const from = world.clock.realNow();
    if (stays === 'unreadable') world.sandbox.faults.add({ ...NOT_FOUND, times: 10_000, match: GET });
    let asked = 0;
    const { result } = await follow(world, payment, {
      onStop: async ({ wait }) => {
        const age = world.clock.realNow() - from;
        const late = age >= SESSION + HOUR;
        expect(await kinds(world, paymentId)).toEqual(late ? ['consent_unsettled'] : []);
        if (late) expect(wait).toBe(HOUR);
        if (late) asked += 1;
        if (age < 2 * DAY) return;
        world.sandbox.faults.clear();
        world.sandbox.payer(paymentId).approve();
      },
    });
    expect(asked).toBeLessThanOrEqual(50);
    expect(gets(world, { paymentId })).toBeLessThan(400);
    expect(result.show?.status).not.toBe('pending_consent');
    expect(await kinds(world, paymentId)).toEqual([]);
  },
);
