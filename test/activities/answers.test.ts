import type { Authorization, ServiceResult } from '../../src/payment-service';
import { useWorld, type World } from './activity-world';

const test = useWorld();

function typesOf(stops: readonly { readonly type: string }[]): string[] {
  return [...new Set(stops.map(({ type }) => type))];
}

/** The service answers the next POST with this instead of being asked. */
function answering(world: World, answer: ServiceResult<Authorization>) {
  return { service: world.service({ initiate: async () => answer }) };
}

describe('a rejection', () => {
  it.each([
    ['insufficient-funds-once', 'in the answer, without an id', true],
    ['rejected-with-id-once', 'in the answer, with its id', true],
    ['rejected-late-once', 'in a later GET', true],
    ['final-rejection', 'in the answer, for good', false],
  ])('of the wallet %s, %s', async (wallet, _where, retryable) => {
    const { world } = test;
    const subscribed = await world.due(wallet);
    const { result } = await world.collect(world.input(subscribed));
    expect(result).toEqual({
      kind: 'rejected',
      at: subscribed.dueAt,
      detail: retryable ? 'AUTHORIZATION_REJECTION_RETRYABLE' : 'AUTHORIZATION_REJECTION_FINAL',
      description: expect.stringMatching(/bank rejected/),
      retryable,
    });
    expect(world.debits(subscribed)).toEqual([]);
    expect((await world.collect(world.input(subscribed))).result).toEqual(result);
    expect(world.posts(subscribed)).toBe(1);
  });

  it('that may be retried is followed by a retry that succeeds', async () => {
    const { world } = test;
    const subscribed = await world.due('insufficient-funds-once');
    await world.collect(world.input(subscribed));
    const { result } = await world.collect(world.input(subscribed, { attempt: 1 }));
    expect(result.kind).toBe('collected');
    expect(world.debits(subscribed)).toHaveLength(1);
  });

  it('for good is told to people once, wherever it was read', async () => {
    const { world } = test;
    const subscribed = await world.due();
    const failure = { retryable: false, detail: 'NO_SUCH_WORD', description: 'none of ours', httpStatus: 422 };
    const deps = answering(world, { kind: 'rejected', failure });
    const { result } = await world.collect(world.input(subscribed), deps);
    expect(result).toMatchObject({ kind: 'rejected', detail: 'NO_SUCH_WORD', retryable: false });
    await world.collect(world.input(subscribed), deps);
    const trail = await world.trail(subscribed);
    expect(trail.filter((type) => type === 'attempt.rejected_finally')).toHaveLength(1);
  });

  it('whose detail is missing is final', async () => {
    const { world } = test;
    const subscribed = await world.due();
    const listAuthorizations: World['deps']['service']['listAuthorizations'] = async (paymentId) => {
      const listed = await world.deps.service.listAuthorizations(paymentId);
      if (listed.kind !== 'accepted') return listed;
      return { kind: 'accepted', value: listed.value.map((each) => ({ ...each, status: 'failed' as const })) };
    };
    const { result } = await world.collect(world.input(subscribed), { service: world.service({ listAuthorizations }) });
    expect(result).toMatchObject({ kind: 'rejected', detail: 'AUTHORIZATION_FAILED', retryable: false });
  });
});

it('an authorization whose capture fails is told as such, and never authorized again', async () => {
  const { world } = test;
  const subscribed = await world.due('capture-fails');
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'capture_failed', detail: 'INTERNAL_ERROR' });
  expect((await world.collect(world.input(subscribed))).result).toEqual(result);
  expect(world.posts(subscribed)).toBe(1);
});

describe('CONSENT_NOT_VALID', () => {
  /** The payer withdraws the consent after the GET that permitted the POST. */
  function cancelledBeforePost(world: World) {
    return {
      service: world.service({
        initiate: (paymentId, amount, options) => {
          world.sandbox.payer(paymentId).cancel();
          return world.deps.service.initiate(paymentId, amount, options);
        },
      }),
    };
  }

  it('has the consent asked, whose end is told with the refusal that told of it', async () => {
    const { world } = test;
    const subscribed = await world.due();
    const { result } = await world.collect(world.input(subscribed), cancelledBeforePost(world));
    expect(result).toEqual({
      kind: 'consent_ended',
      by: 'payer',
      reason: 'cancelled_by_payer',
      refusal: {
        at: subscribed.dueAt,
        detail: 'CONSENT_NOT_VALID',
        description: expect.any(String),
        retryable: false,
      },
    });
    expect(world.debits(subscribed)).toEqual([]);
  });

  it('waits until the consent can be read', async () => {
    const { world } = test;
    const subscribed = await world.due();
    const deps = cancelledBeforePost(world);
    let refused = false;
    const initiate: typeof deps.service.initiate = async (...call) => {
      const answer = await deps.service.initiate(...call);
      refused = true;
      return answer;
    };
    let left = 2;
    const getConsent: typeof deps.service.getConsent = async (paymentId) => {
      if (!refused || left === 0) return deps.service.getConsent(paymentId);
      left -= 1;
      return { kind: 'unknown', reason: 'unreadable answer with status 502' };
    };
    const service = { ...deps.service, initiate, getConsent };
    const { result, stops } = await world.collect(world.input(subscribed), { service });
    expect(result).toMatchObject({ kind: 'consent_ended', by: 'payer' });
    expect(stops.map(({ type }) => type)).toEqual(['service_unreadable', 'service_unreadable']);
  });

  it('with a consent that is granted all the same is a final rejection', async () => {
    const { world } = test;
    const subscribed = await world.due();
    const failure = { retryable: false, detail: 'CONSENT_NOT_VALID', description: '', httpStatus: 409 };
    const { result } = await world.collect(world.input(subscribed), answering(world, { kind: 'rejected', failure }));
    expect(result).toMatchObject({ kind: 'rejected', detail: 'CONSENT_NOT_VALID' });
  });
});

describe('a POST that was not sent', () => {
  it.each([
    ['429 with Retry-After', { kind: 'rate_limit', retryAfter: 120 }, 120_000],
    ['429 without', { kind: 'rate_limit', retryAfter: null }, 500],
    ['403', { kind: 'forbidden' }, 500],
    ['401, twice', { kind: 'unauthorized', times: 2 }, 500],
  ] as const)('%s: waits, uses up no attempt, alerts once and succeeds', async (_name, fault, pause) => {
    const { world } = test;
    const subscribed = await world.due();
    world.sandbox.faults.add({ ...fault, match: { method: 'POST', path: '/authorizations$' } });
    const { result, stops } = await world.collect(world.input(subscribed));
    expect(result.kind).toBe('collected');
    expect(stops[0]).toMatchObject({ type: 'not_sent', pause });
    expect(await world.sends(subscribed)).toMatchObject([
      { attempt: 0, send: 0, state: 'not_sent' },
      { attempt: 0, send: 1, state: 'successful' },
    ]);
    expect((await world.trail(subscribed)).filter((type) => type === 'attempt.not_sent')).toHaveLength(2);
    expect(world.debits(subscribed)).toHaveLength(1);
  });

  it('alerts once however often it happens, and slows down', async () => {
    const { world } = test;
    const subscribed = await world.due();
    world.sandbox.faults.add({ kind: 'forbidden', times: 12, match: { method: 'POST', path: '/authorizations$' } });
    const { stops } = await world.collect(world.input(subscribed));
    const pauses = stops.filter(({ type }) => type === 'not_sent').map(({ pause }) => pause);
    expect(pauses).toHaveLength(12);
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
    expect(pauses.at(-1)).toBeGreaterThan(500);
    const sends = await world.sends(subscribed);
    const trail = await world.trail(subscribed);
    // One event for each send in vain, and one alert.
    expect(trail.filter((type) => type === 'attempt.not_sent')).toHaveLength(sends.length - 1 + 1);
  });
});

describe('Retry-After of a GET', () => {
  it.each([
    ['the consent', '/consents$', 'service_unreadable'],
    ['the look before the leap', '/authorizations$', 'service_unreadable'],
    ['the captures', '/captures$', 'pending'],
  ])('of %s is kept', async (_name, path, type) => {
    const { world } = test;
    const subscribed = await world.due();
    world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 90, match: { method: 'GET', path } });
    const { result, stops } = await world.collect(world.input(subscribed));
    expect(result.kind).toBe('collected');
    expect(stops.filter(({ pause }) => pause === 90_000)).toMatchObject([{ type }]);
    expect(typesOf(stops)).toContain(type);
  });
});
