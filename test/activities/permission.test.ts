import type { AuthorizationId } from '../../src/domain/ids';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { knownAuthorizations } from '../../src/ledger';
import type { PaymentService } from '../../src/payment-service';
import { FROZEN, type Subscribed, useWorld, type World } from './activity-world';
import { reachRetry } from './deliver-notice';
import { listing, lists, listsEach } from './listing';

const holder = useWorld();

function openAgain(world: World, { paymentId }: Subscribed): void {
  world.sandbox.faults.clear();
  expect(world.sandbox.payment(paymentId).consent.result).toBe('successful');
}

it.each([
  ['cannot be read', { kind: 'error_before_commit', status: 503, html: true }],
  ['is answered by something that is not a consent', { kind: 'malformed', variant: 'wrong_types' }],
  ['is refused with 404', { kind: 'error_before_commit', status: 404, detail: 'NOT_FOUND' }],
  ['is refused with 403', { kind: 'forbidden' }],
] as const)(
  'a consent that %s permits no POST, is reported once, and is read again within the window (rule 7)',
  async (_name, fault) => {
    const { world } = holder;
    const subscribed = await world.due();
    world.sandbox.faults.add({ ...fault, times: 3, match: { method: 'GET', path: '/consents$' } });
    const { result, stops } = await world.collect(
      world.input(subscribed),
      {},
      {
        onStop: ({ type }) => {
          if (type === 'service_unreadable') expect(world.posts(subscribed)).toBe(0);
        },
      },
    );
    expect(result.kind).toBe('collected');
    expect(stops.filter(({ type }) => type === 'service_unreadable')).toHaveLength(3);
    expect((await world.auditLog(subscribed)).filter((type) => type === 'consent.unreadable')).toHaveLength(1);
  },
);

it('a consent that is pending again permits no POST', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  let left = 2;
  const service = world.service({
    getConsent: async (paymentId) => {
      const answer = await world.deps.service.getConsent(paymentId);
      if (answer.kind !== 'accepted' || left === 0) return answer;
      left -= 1;
      return { kind: 'accepted', value: { ...answer.value, status: 'pending' } };
    },
  });
  const { result, stops } = await world.collect(world.input(subscribed), { service });
  expect(result.kind).toBe('collected');
  expect(stops.slice(0, 2)).toMatchObject([{ type: 'service_unreadable' }, { type: 'service_unreadable' }]);
  expect(stops.map(({ type }) => type)).not.toContain('fault');
  expect((await world.auditLog(subscribed)).filter((type) => type === 'consent.unreadable')).toHaveLength(1);
});

it('if a consent stays unreadable until the window closes, nothing is sent', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.clock.passUntil(subscribed.collectBy - 3 * MINUTE);
  world.sandbox.faults.add({
    kind: 'error_before_commit',
    times: 1000,
    match: { method: 'GET', path: '/consents$' },
  });
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toEqual({ kind: 'window_closed' });
  expect(world.clock.now()).toBe(subscribed.collectBy);
  expect(world.posts(subscribed)).toBe(0);
});

it('a consent cancelled by the payer ends the subscription as cancelled by the payer', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.payer(subscribed.paymentId).cancel();
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toEqual({ kind: 'consent_ended', by: 'payer', reason: 'cancelled_by_payer' });
  expect(await world.sends(subscribed)).toEqual([]);
});

it('a consent that dueday deleted ends the subscription as cancelled by the merchant', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.patch(subscribed, { stoppedBy: 'cancel' });
  await world.driver.drive(() => world.activities().cancelConsent(world.reference(subscribed)));
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'consent_ended', by: 'merchant' });
  expect(world.posts(subscribed)).toBe(0);
});

it('a consent is read right before a retry too', async () => {
  const { world } = holder;
  const subscribed = await world.due('insufficient-funds-once');
  await world.collect(world.input(subscribed));
  await reachRetry(world, subscribed);
  world.sandbox.payer(subscribed.paymentId).cancel();
  const { result } = await world.collect(world.input(subscribed, { attempt: 1 }));
  expect(result).toMatchObject({ kind: 'consent_ended', by: 'payer' });
  expect(world.posts(subscribed)).toBe(1);
});

it('a retry sends nothing if the payer was not notified of the failure before it, whatever the workflow says', async () => {
  const { world } = holder;
  const subscribed = await world.due('insufficient-funds-once');
  await world.collect(world.input(subscribed));
  world.clock.pass(25 * HOUR);
  const forged = world.input(subscribed, { attempt: 1 });
  expect(await world.collect(forged)).toMatchObject({ result: { kind: 'stopped' }, stops: [] });
  expect(await world.decide(subscribed)).toMatchObject({ kind: 'wait', until: subscribed.dueAt + 72 * HOUR });
  expect(world.posts(subscribed)).toBe(1);
  expect(await world.sends(subscribed)).toHaveLength(1);

  await reachRetry(world, subscribed);
  expect((await world.collect(forged)).result.kind).toBe('collected');
  expect(world.debits(subscribed)).toHaveLength(1);
});

it('a retry sends nothing if the cycle has no attempt at all', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { result } = await world.collect(world.input(subscribed, { attempt: 3 }));
  expect(result).toEqual({ kind: 'stopped' });
  expect(world.posts(subscribed)).toBe(0);
});

it.each([
  ['of a cycle that is not due yet', { cycle: 1 }],
  ['of a cycle that will never come', { cycle: 1_000_000 }],
  ['with a number that no attempt has', { attempt: -1 }],
])('an attempt %s sends nothing', async (_name, forged) => {
  const { world } = holder;
  const subscribed = await world.due();
  expect((await world.collect(world.input(subscribed, forged))).result).toEqual({ kind: 'stopped' });
  expect(world.posts(subscribed)).toBe(0);
  expect(await world.decide(subscribed)).toMatchObject({ kind: 'collect', attempt: { cycle: 0, attempt: 0 } });
});

it.each([
  ['without a transit margin', 0],
  ['with a transit margin of a minute', 60 * SECOND],
])('the collection window permits a POST 1 ms before its limit but not at it, %s', async (_name, transit) => {
  const { world } = holder;
  const frozen = { ...FROZEN, policy: { ...FROZEN.policy, transit } };
  const subscribed = await world.due('approves', {}, frozen);
  world.clock.passUntil(subscribed.collectBy - transit - 1);
  expect((await world.collect(world.input(subscribed))).result.kind).toMatch(/collected|pending/);
  expect(world.posts(subscribed)).toBe(1);

  const late = await world.due('approves', {}, frozen);
  world.clock.passUntil(late.collectBy - transit);
  expect((await world.collect(world.input(late))).result).toEqual({ kind: 'window_closed' });
  expect(world.posts(late)).toBe(0);
  expect(await world.sends(late)).toEqual([]);
});

it('the collection window is checked right before the first byte: a POST that waited past its limit is not sent', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const input = world.input(subscribed);
  world.clock.passUntil(subscribed.collectBy - 1);
  const initiate: PaymentService['initiate'] = (...call) => {
    world.clock.pass(1);
    return world.deps.service.initiate(...call);
  };
  const { result, stops } = await world.collect(input, { service: world.service({ initiate }) });
  expect(result).toEqual({ kind: 'window_closed' });
  expect(stops).toMatchObject([{ type: 'not_sent', message: 'fenced' }]);
  expect(world.posts(subscribed)).toBe(0);
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'not_sent', reason: 'fenced' }]);
});

it('the wait before the next try ends with the collection window at the latest, however long the service asks to wait', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.clock.passUntil(subscribed.collectBy - 10 * SECOND);
  world.sandbox.faults.add({
    kind: 'rate_limit',
    retryAfter: 3600,
    match: { method: 'POST', path: '/authorizations$' },
  });
  const { result, stops } = await world.collect(world.input(subscribed));
  expect(stops).toMatchObject([{ type: 'not_sent', wait: 10 * SECOND }]);
  expect(result).toEqual({ kind: 'window_closed' });
});

it.each(['pause', 'cancel'] as const)(
  'a request to %s that is recorded before an attempt stops it without a call',
  async (stoppedBy) => {
    const { world } = holder;
    const subscribed = await world.due();
    await world.patch(subscribed, { stoppedBy });
    const asked = world.requests.length;
    expect((await world.collect(world.input(subscribed))).result).toEqual({ kind: 'stopped' });
    expect(world.requests).toHaveLength(asked);
  },
);

it('a pause between the checks and the row stops the attempt', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const service = world.service({
    listAuthorizations: async (paymentId) => {
      const listed = await world.deps.service.listAuthorizations(paymentId);
      await world.patch(subscribed, { stoppedBy: 'pause' });
      return listed;
    },
  });
  expect(await world.collect(world.input(subscribed), { service })).toMatchObject({
    result: { kind: 'stopped' },
    stops: [],
  });
  expect(await world.sends(subscribed)).toEqual([]);
  expect(world.posts(subscribed)).toBe(0);
});

it('a pause after the row does not stop that send: the debit is made and reported', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const initiate: PaymentService['initiate'] = async (...call) => {
    await world.patch(subscribed, { stoppedBy: 'pause' });
    return world.deps.service.initiate(...call);
  };
  const { result } = await world.collect(world.input(subscribed), { service: world.service({ initiate }) });
  expect(result.kind).toBe('collected');
});

/**
 * Makes a debit that the service knows and the ledger lacks, as after a restore from an old copy or by another program with the
 * same credentials.
 */
async function foreignDebit(world: World, subscribed: Subscribed): Promise<string> {
  const made = await world.deps.service.initiate(subscribed.paymentId, { value: 1999, currency: 'EUR' });
  if (made.kind !== 'accepted') throw new Error(made.kind);
  return made.value.authorizationId;
}

it('an authorization that the ledger lacks stops the POST, and is polled until its outcome is clear', async () => {
  const { world } = holder;
  const subscribed = await world.due('rejected-late-once');
  const id = await foreignDebit(world, subscribed);
  const input = world.input(subscribed);
  const ofAnotherAmount = listing(world, { authorizations: listsEach({ amount: euros(1) }) });
  const { result } = await world.collect(input, ofAnotherAmount);
  expect(result).toEqual({ kind: 'unresolved', reason: `the service lists ${id}, which the ledger lacks` });

  // Once the bank has rejected the authorization, it only records a refusal, and no longer stops the POST.
  world.sandbox.settle(subscribed.paymentId);
  expect((await world.collect(input)).result).toEqual({ kind: 'absent' });
  expect(world.posts(subscribed)).toBe(1);
  openAgain(world, subscribed);
  expect((await world.collect(input)).result.kind).toBe('collected');
  expect(world.debits(subscribed)).toHaveLength(1);
});

it('an authorization that the ledger lacks stops a POST that is repeated because the previous one was not sent, and the reason names each such authorization', async () => {
  const other = 'aut-other' as AuthorizationId;
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'forbidden', match: { method: 'POST', path: '/authorizations$' } });
  await world.collectOnce(world.input(subscribed));
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'not_sent' }]);
  const id = await foreignDebit(world, subscribed);
  const deps = listing(world, {
    authorizations: lists((all) => all.flatMap((each) => [each, { ...each, authorizationId: other }])),
  });
  const { result } = await world.collect(world.input(subscribed), deps);
  const reason = `the service lists ${id}, ${other}, which the ledger lacks`;
  expect(result).toEqual({ kind: 'unresolved', reason });
});

it('an authorization that the ledger lacks is reported once as unresolved, then polled at growing intervals', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await foreignDebit(world, subscribed);
  const input = world.input(subscribed);
  const ofAnotherAmount = listing(world, { authorizations: listsEach({ amount: euros(1) }) });
  expect((await world.collect(input, ofAnotherAmount)).result.kind).toBe('unresolved');
  const waits: number[] = [];
  const onStop = ({ type, wait }: { type: string; wait: number }) => {
    expect(type).toBe('outcome_unknown');
    waits.push(wait);
  };
  await expect(world.collect(input, ofAnotherAmount, { maxRuns: 60, onStop })).rejects.toThrow(
    'no answer after 60 runs',
  );
  expect(waits).toEqual([...waits].sort((one, other) => one - other));
  expect(waits.at(-1)).toBe(HOUR);
  expect(world.posts(subscribed)).toBe(1);
});

it('an authorization that the ledger lacks stops nothing if it belongs to an earlier cycle', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await foreignDebit(world, subscribed);
  world.clock.passUntil(subscribed.dueAt + 28 * DAY);
  const { result } = await world.collect(world.input(subscribed, { cycle: 1 }));
  expect(result.kind).toBe('collected');
  expect((await knownAuthorizations(world.deps.ledger, subscribed.paymentId)).map(({ id }) => id)).toHaveLength(1);
});

it('nothing is sent while the list of authorizations cannot be read, and an alert is raised once', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'malformed', times: 3, match: { method: 'GET', path: '/authorizations$' } });
  const { result, stops } = await world.collect(world.input(subscribed));
  expect(stops.slice(0, 3).map(({ type }) => type)).toEqual(Array(3).fill('service_unreadable'));
  expect(result.kind).toBe('collected');
  expect((await world.auditLog(subscribed)).filter((type) => type === 'authorizations.unreadable')).toHaveLength(1);
});
