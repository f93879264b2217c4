import { useWorld } from './activity-world';
import { reachRetry } from './deliver-notice';
import { listing, listsEach } from './listing';

const holder = useWorld();

it.each([
  ['insufficient-funds-once', 'in the answer, without an id', true],
  ['rejected-with-id-once', 'in the answer, with its id', true],
  ['rejected-late-once', 'in a later GET', true],
  ['final-rejection', 'final, in the answer', false],
])(
  'a rejection by the simulated wallet %s (%s) is recorded, and the attempt is not sent again',
  async (wallet, _where, retryable) => {
    const { world } = holder;
    const subscribed = await world.due(wallet);
    const { result } = await world.collect(world.input(subscribed));
    expect(result).toEqual({
      kind: 'rejected',
      at: subscribed.dueAt,
      sentAt: subscribed.dueAt,
      detail: retryable ? 'AUTHORIZATION_REJECTION_RETRYABLE' : 'AUTHORIZATION_REJECTION_FINAL',
      description: expect.stringMatching(/bank rejected/),
      retryable,
    });
    expect(world.debits(subscribed)).toEqual([]);
    expect((await world.collect(world.input(subscribed))).result).toEqual(result);
    expect(world.posts(subscribed)).toBe(1);
  },
);

it('a rejection is followed by a successful retry if it is retryable', async () => {
  const { world } = holder;
  const subscribed = await world.due('insufficient-funds-once');
  await world.collect(world.input(subscribed));
  await reachRetry(world, subscribed);
  const { result } = await world.collect(world.input(subscribed, { attempt: 1 }));
  expect(result.kind).toBe('collected');
  expect(world.debits(subscribed)).toHaveLength(1);
});

it('a rejection with an unknown detail is final, and the audit log reports it once, even if the attempt runs again', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const failure = { retryable: false, detail: 'NO_SUCH_WORD', description: 'none of ours', httpStatus: 422 };
  const deps = world.answering({ kind: 'rejected', failure });
  const { result } = await world.collect(world.input(subscribed), deps);
  expect(result).toMatchObject({ kind: 'rejected', detail: 'NO_SUCH_WORD', retryable: false });
  await world.collect(world.input(subscribed), deps);
  const auditLog = await world.auditLog(subscribed);
  expect(auditLog.filter((type) => type === 'attempt.rejected_finally')).toHaveLength(1);
});

it('a rejection without a detail is final', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const failed = listing(world, { authorizations: listsEach({ status: 'failed' }) });
  const { result } = await world.collect(world.input(subscribed), failed);
  expect(result).toMatchObject({ kind: 'rejected', detail: 'AUTHORIZATION_FAILED', retryable: false });
});

it('an authorization whose capture fails is reported as capture_failed and never authorized again', async () => {
  const { world } = holder;
  const subscribed = await world.due('capture-fails');
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'capture_failed', detail: 'INTERNAL_ERROR' });
  expect((await world.collect(world.input(subscribed))).result).toEqual(result);
  expect(world.posts(subscribed)).toBe(1);
});

it('CONSENT_NOT_VALID is a final rejection if the consent is still granted', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const failure = { retryable: false, detail: 'CONSENT_NOT_VALID', description: '', httpStatus: 409 };
  const { result } = await world.collect(world.input(subscribed), world.answering({ kind: 'rejected', failure }));
  expect(result).toMatchObject({ kind: 'rejected', detail: 'CONSENT_NOT_VALID' });
});
