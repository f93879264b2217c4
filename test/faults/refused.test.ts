import { useWorld, type World } from '../activities/activity-world';

const holder = useWorld();
const POST = { method: 'POST', path: '/authorizations$' } as const;

function typesOf(stops: readonly { readonly type: string }[]): string[] {
  return [...new Set(stops.map(({ type }) => type))];
}

it.each([400, 404, 409, 422])(
  'fault 10: a POST that is refused readably with status %i is never repeated',
  async (status) => {
    const { world } = holder;
    const subscribed = await world.due();
    world.sandbox.faults.add({ kind: 'error_before_commit', status, detail: 'NO_SUCH_WORD', match: POST });
    const { result } = await world.collect(world.input(subscribed));
    expect(result).toMatchObject({ kind: 'rejected', detail: 'NO_SUCH_WORD', retryable: false });
    expect((await world.collect(world.input(subscribed))).result).toEqual(result);
    expect(world.posts(subscribed)).toBe(1);
    const auditLog = await world.auditLog(subscribed);
    expect(auditLog.filter((type) => type === 'attempt.rejected_finally')).toHaveLength(1);
    await world.expectLedgerEqual(subscribed, 0);
  },
);

it.each([400, 404, 409, 422])(
  'fault 10: an HTML page with status %i leaves the outcome unknown: dueday asks the service, and then sends the debit again',
  async (status) => {
    const { world } = holder;
    const subscribed = await world.due();
    world.sandbox.faults.add({ kind: 'error_before_commit', status, html: true, match: POST });
    const { result } = await world.collect(world.input(subscribed));
    expect(result.kind).toBe('collected');
    expect(world.posts(subscribed)).toBe(2);
    expect((await world.sends(subscribed)).map(({ state }) => state)).toEqual(['not_sent', 'successful']);
    expect(await world.auditLog(subscribed)).toContain('attempt.unknown');
    await world.expectLedgerEqual(subscribed, 1);
  },
);

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

it('fault 15: a consent that is withdrawn between GET and POST is read, and its end is reported with the refusal that revealed it', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { result } = await world.collect(world.input(subscribed), cancelledBeforePost(world));
  expect(result).toEqual({
    kind: 'consent_ended',
    by: 'payer',
    reason: 'cancelled_by_payer',
    refusal: {
      at: subscribed.dueAt,
      sentAt: subscribed.dueAt,
      detail: 'CONSENT_NOT_VALID',
      description: expect.any(String),
      retryable: false,
    },
  });
  expect(world.debits(subscribed)).toEqual([]);
});

it('fault 15: an attempt whose consent is withdrawn between GET and POST waits until the consent can be read', async () => {
  const { world } = holder;
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

it.each([401, 403, 429].flatMap((status) => [true, false].map((committed) => [status, committed] as const)))(
  'fault 9: a POST answered %i AUTHORIZATION_REJECTION_RETRYABLE (committed: %s) is a retryable refusal and is not repeated',
  async (status, committed) => {
    const { world } = holder;
    const subscribed = await world.due(committed ? 'insufficient-funds-once' : 'approves');
    const kind = committed ? 'error_after_commit' : 'error_before_commit';
    world.sandbox.faults.add({ kind, status, detail: 'AUTHORIZATION_REJECTION_RETRYABLE', match: POST });
    const { result } = await world.collect(world.input(subscribed));
    expect(result).toMatchObject({ kind: 'rejected', detail: 'AUTHORIZATION_REJECTION_RETRYABLE', retryable: true });
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, 0);
  },
);

it.each([
  ['fault 9', '429 with Retry-After', { kind: 'rate_limit', retryAfter: 120 }, 120_000],
  ['fault 9', '429 without Retry-After', { kind: 'rate_limit', retryAfter: null }, 500],
  ['fault 10', '403', { kind: 'forbidden' }, 500],
  ['fault 11', '401 twice', { kind: 'unauthorized', times: 2 }, 500],
] as const)(
  '%s: a POST answered with %s waits, uses up no attempt, alerts once and succeeds',
  async (_row, _name, fault, wait) => {
    const { world } = holder;
    const subscribed = await world.due();
    world.sandbox.faults.add({ ...fault, match: { method: 'POST', path: '/authorizations$' } });
    const { result, stops } = await world.collect(world.input(subscribed));
    expect(result.kind).toBe('collected');
    expect(stops[0]).toMatchObject({ type: 'not_sent', wait });
    expect(await world.sends(subscribed)).toMatchObject([
      { attempt: 0, send: 0, state: 'not_sent' },
      { attempt: 0, send: 1, state: 'successful' },
    ]);
    expect((await world.auditLog(subscribed)).filter((type) => type === 'attempt.not_sent')).toHaveLength(2);
    expect(world.debits(subscribed)).toHaveLength(1);
  },
);

it('fault 10: a POST that is answered with 403 again and again alerts once and is repeated at growing intervals', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'forbidden', times: 12, match: { method: 'POST', path: '/authorizations$' } });
  const { stops } = await world.collect(world.input(subscribed));
  const waits = stops.filter(({ type }) => type === 'not_sent').map(({ wait }) => wait);
  expect(waits).toHaveLength(12);
  expect(waits).toEqual([...waits].sort((one, other) => one - other));
  expect(waits.at(-1)).toBeGreaterThan(500);
  const sends = await world.sends(subscribed);
  const auditLog = await world.auditLog(subscribed);
  // The audit log has one entry for each send that failed, and one alert.
  expect(auditLog.filter((type) => type === 'attempt.not_sent')).toHaveLength(sends.length - 1 + 1);
});

it.each([
  ['the consent', '/consents$', 'service_unreadable'],
  ['the pre-send check', '/authorizations$', 'service_unreadable'],
  ['the captures', '/captures$', 'pending'],
])('fault 9: Retry-After of a GET of %s is respected', async (_name, path, type) => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 90, match: { method: 'GET', path } });
  const { result, stops } = await world.collect(world.input(subscribed));
  expect(result.kind).toBe('collected');
  expect(stops.filter(({ wait }) => wait === 90_000)).toMatchObject([{ type }]);
  expect(typesOf(stops)).toContain(type);
});
