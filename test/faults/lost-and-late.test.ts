import type { Money } from '../../src/domain/money';
import { SECOND } from '../../src/domain/time';
import { SETTLE, type Subscribed, useWorld, type World } from '../activities/activity-world';
import { reachRetry } from '../activities/deliver-notice';
import { latePost } from '../activities/late-post';

const POST = { method: 'POST', path: '/authorizations$' } as const;

const holder = useWorld();

it.each([
  ['fault 6', 'lost', { kind: 'lost_answer' }],
  ['fault 6', 'a status 500', { kind: 'error_after_commit', status: 500 }],
  ['fault 6', 'a status 502 with an HTML page', { kind: 'error_after_commit', status: 502, html: true }],
  ['fault 6', 'a status 409 with an HTML page', { kind: 'error_after_commit', status: 409, html: true }],
  ['fault 12', 'truncated', { kind: 'malformed', variant: 'truncated' }],
  ['fault 12', 'an HTML page', { kind: 'malformed', variant: 'html' }],
  ['fault 12', 'of the wrong types', { kind: 'malformed', variant: 'wrong_types' }],
  ['fault 13', 'three megabytes long', { kind: 'huge', bytes: 3_000_000 }],
] as const)('%s: a debit whose answer is %s is found by GET, and made once', async (_row, _answer, fault) => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ ...fault, match: POST });
  const { result, steps } = await world.collect(world.input(subscribed));
  const [debit, ...more] = world.debits(subscribed);
  expect(result).toMatchObject({ kind: 'collected', authorizationId: debit?.authorizationId });
  expect(more).toEqual([]);
  expect(world.posts(subscribed)).toBe(1);
  expect(steps).toContain('settling');
  expect(await world.auditLog(subscribed)).toEqual(
    expect.arrayContaining(['attempt.sending', 'attempt.unknown', 'attempt.pending', 'attempt.successful']),
  );
});

it('fault 6: a rejection whose answer was lost is found by GET, and its record is the outcome', async () => {
  const { world } = holder;
  const subscribed = await world.due('insufficient-funds-once');
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'rejected', retryable: true, at: subscribed.dueAt });
  expect(world.posts(subscribed)).toBe(1);
});

it('fault 6: a debit whose answer was lost is not mistaken for an earlier refusal of the same amount', async () => {
  const { world } = holder;
  const subscribed = await world.due('insufficient-funds-once');
  await world.collect(world.input(subscribed));
  world.clock.pass(10 * SECOND);
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  await reachRetry(world, subscribed);
  const { result } = await world.collect(world.input(subscribed, { attempt: 1 }));
  expect(result).toMatchObject({ kind: 'collected', authorizationId: world.debits(subscribed)[0]?.authorizationId });
  expect(world.posts(subscribed)).toBe(2);
});

describe('collectPayment', () => {
  const slow = useWorld({ timeoutMs: 1_000 });

  it('fault 6: a POST that times out is found by GET, and debits once', async () => {
    const { world } = slow;
    const subscribed = await world.due();
    world.sandbox.faults.add({ kind: 'hang', match: POST });
    const { result } = await world.collect(world.input(subscribed));
    expect(result.kind).toBe('collected');
    expect(world.posts(subscribed)).toBe(1);
    expect(await world.auditLog(subscribed)).toContain('attempt.unknown');
  });
});

/** Real ms from the first send to the second, which follows once two checks have settled the first as never made. */
async function untilSentAgain(world: World, subscribed: Subscribed) {
  const [first, second] = await world.sends(subscribed);
  expect(first).toMatchObject({ send: 0, state: 'not_sent', absentChecks: 2 });
  expect(second).toMatchObject({ send: 1, attempt: 0 });
  return second!.sendingRealAt - first!.sendingRealAt;
}

it.each([
  ['by a closed connection', { kind: 'swallowed' }],
  ['by a 503 without a Failure', { kind: 'error_before_commit', status: 503, html: true }],
  ['by a 500 that says INTERNAL_ERROR', { kind: 'error_before_commit', status: 500 }],
] as const)(
  'fault 7: a POST that is lost %s is sent again after the settle time and two checks',
  async (_name, fault) => {
    const { world } = holder;
    const subscribed = await world.due();
    world.sandbox.faults.add({ ...fault, match: POST });
    const { result, stops } = await world.collect(
      world.input(subscribed),
      {},
      {
        onStop: ({ type }) => {
          if (type === 'outcome_unknown') expect(world.posts(subscribed)).toBe(1);
        },
      },
    );
    expect(result.kind).toBe('collected');
    expect(world.posts(subscribed)).toBe(2);
    expect(world.debits(subscribed)).toHaveLength(1);
    const elapsed = await untilSentAgain(world, subscribed);
    expect(elapsed).toBeGreaterThan(SETTLE);
    const asked = stops.filter(({ type }) => type === 'outcome_unknown').map(({ wait }) => wait);
    expect(Math.max(...asked)).toBeLessThanOrEqual(60 * SECOND);
    expect(asked.length).toBeLessThan(60);
  },
);

it('fault 8: a swallowed POST that arrives after the first GET that lists nothing is found, and not made again', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const authorizations = () => world.sandbox.payment(subscribed.paymentId).authorizations.length;
  const post = latePost((paymentId, amount: Money) => world.deps.service.initiate(paymentId, amount));
  const listed: number[] = [];
  const { result } = await world.collect(
    world.input(subscribed),
    { service: world.service({ initiate: post.make }) },
    {
      onStop: async ({ type }) => {
        if (type !== 'outcome_unknown') return;
        listed.push(authorizations());
        await post.arrive();
      },
    },
  );
  expect(listed).toEqual([0]);
  expect(result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
});

it.each([
  ['shortly before the settle time ends', SETTLE - 1],
  ['between the two checks', SETTLE + 1],
])('fault 8: a POST that is listed late, %s, is found, and not made again', async (_name, delayMs) => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'late_listing', delayMs, match: POST });
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const { result } = await world.collect(world.input(subscribed));
  expect(result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
});

it('fault 8: a debit that the service has accepted but lists late counts as pending until it is listed', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'late_listing', delayMs: 5_000, match: POST });
  const { result, stops } = await world.collect(world.input(subscribed));
  expect(result.kind).toBe('collected');
  expect(stops[0]).toMatchObject({ type: 'pending', message: expect.stringContaining('does not list it') });
  expect(world.posts(subscribed)).toBe(1);
});

it('fault 8: two checks that find nothing do not count as consecutive if a check in between has found another record', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const stranger = {
    authorizationId: 'aut_stranger',
    status: 'pending',
    createdAt: 0,
    amount: { value: 5, currency: 'EUR' },
  };
  let late = 0;
  const service = world.service({
    listAuthorizations: async (paymentId) => {
      const listed = await world.deps.service.listAuthorizations(paymentId);
      const [send] = await world.sends(subscribed);
      const settled = (send?.unknownSinceReal ?? Infinity) + SETTLE <= world.clock.realNow();
      if (settled) late += 1;
      return late === 2 ? ({ kind: 'accepted', value: [stranger] } as unknown as typeof listed) : listed;
    },
  });
  world.sandbox.faults.add({ kind: 'swallowed', match: POST });
  const first = await world.collect(world.input(subscribed), { service });
  expect(first.result).toEqual({ kind: 'unresolved', reason: 'the service lists aut_stranger, which do not fit' });
  const again = await world.driver.once(() => world.activities({ service }).collectPayment(world.input(subscribed)));
  expect(again).toMatchObject({ type: 'outcome_unknown' });
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'unresolved', absentChecks: 1 }]);
});
