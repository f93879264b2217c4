import { drawnLife, lifeOf, outcomeIn, type Answers, whyOf } from '../../src/console/views/subscription/life';
import { at, attempt, cycle, euros, life, noon, subscription, toCome } from './lives';

const NOW = noon(10);

type Notice = Answers['notices']['items'][number];
type Change = Answers['changes'][number]['items'][number];

function notice(more: Partial<Notice>): Notice {
  return {
    noticeId: 'msg_a',
    type: 'payment.failed',
    to: 'payer',
    state: 'delivered',
    subscriptionId: 'sub_a',
    createdAt: at(8),
    deliveredAt: at(9),
    deliveries: 1,
    data: {},
    ...more,
  };
}

function change(type: 'paused' | 'resumed' | 'cancelled', day: number, data: Change['data'] = {}): Change {
  return {
    id: day,
    at: at(day),
    actor: 'operator',
    keyId: null,
    type: `subscription.${type}`,
    text: '',
    rule: null,
    data,
    subscriptionId: 'sub_a',
  };
}

const page = <T>(...items: T[]) => ({ items, nextCursor: null });

const answers = (more: Partial<Answers> = {}): Answers => ({
  subscription: subscription(),
  cycles: page(),
  coming: page(),
  notices: page(),
  changes: [],
  ...more,
});

describe('lifeOf', () => {
  test('a failed debit is not called a refusal, although the API reports it as rejected', () => {
    expect(outcomeIn({ reason: 'capture_failed' }, { outcome: 'rejected' })).toBe('capture_failed');
    expect(outcomeIn({ reason: 'capture_failed' }, { outcome: 'rejected_retryable' })).toBe('rejected_retryable');
    expect(outcomeIn({ reason: undefined }, { outcome: 'rejected' })).toBe('rejected');
  });

  test('cycles, notices and changes are sorted by time', () => {
    const read = lifeOf(
      answers({
        cycles: page(cycle(2), cycle(1), cycle(0)),
        notices: page(notice({ noticeId: 'late' }), notice({ noticeId: 'early' })),
        changes: [page(change('paused', 20), change('paused', 2)), page(change('resumed', 4))],
      }),
    );
    expect(read.cycles.map((each) => each.cycle)).toEqual([0, 1, 2]);
    expect(read.notices.map(({ noticeId }) => noticeId)).toEqual(['early', 'late']);
    expect(read.changes.map((each) => each.at)).toEqual([at(2), at(4), at(20)]);
  });

  test('a started cycle is not listed among those to come', () => {
    const read = lifeOf(answers({ cycles: page(cycle(1), cycle(0)), coming: page(toCome(1), toCome(2)) }));
    expect(read.coming.map((each) => each.cycle)).toEqual([2]);
  });

  test.each([
    ['more', true],
    [null, false],
  ])('a life whose page of cycles has the next cursor %j has earlier cycles: %s', (nextCursor, hasEarlier) => {
    expect(lifeOf(answers({ cycles: { items: [], nextCursor } })).hasEarlier).toBe(hasEarlier);
  });
});

test('a drawn life has past and coming cycles, in epoch ms', () => {
  const drawn = drawnLife(life({ cycles: [cycle(0, { collectedAt: at(2) })] }), NOW);
  expect(drawn.cycles.map((each) => [each.cycle, each.status, each.dueAt, each.collectedAt])).toEqual([
    [0, 'collected', Date.parse(at(1)), Date.parse(at(2))],
    [1, 'scheduled', Date.parse(at(8)), null],
    [2, 'scheduled', Date.parse(at(15)), null],
  ]);
  expect(drawn).toMatchObject({ now: NOW, until: NOW, cancelled: null, pauses: [], notices: [] });
  expect(drawn.terms).toMatchObject({ repetition: 'WEEKLY', firstPaymentAt: Date.parse(at(1)) });
});

test('a drawn attempt has its notice, and shows a failed debit and not a refusal if the reason of its cycle says so', () => {
  const attempts = [attempt('rejected', { detail: 'CAPTURE', payerNotifiedAt: at(9) })];
  const [refused, failed] = drawnLife(
    life({
      coming: [],
      cycles: [
        cycle(0, { status: 'failed', reason: 'rejected', attempts }),
        cycle(1, { status: 'failed', reason: 'capture_failed', attempts }),
      ],
    }),
    NOW,
  ).cycles;
  expect(refused?.attempts).toEqual([
    {
      attempt: 0,
      send: 0,
      at: Date.parse(at(8)),
      outcome: 'rejected',
      detail: 'CAPTURE',
      noticeAt: Date.parse(at(9)),
    },
  ]);
  expect(failed?.attempts[0]?.outcome).toBe('capture_failed');
});

test('only delivered notices are drawn', () => {
  const notices = [notice({ cycle: 1, attempt: 0 }), notice({ state: 'pending', deliveredAt: null })];
  expect(drawnLife(life({ notices }), NOW).notices).toEqual([
    { at: Date.parse(at(9)), type: 'payment.failed', cycle: 1, attempt: 0 },
  ]);
});

test('a pause is drawn from the audit entry of its start to the audit entry of its end', () => {
  const changes = [change('paused', 2), change('resumed', 4, { at: at(4) }), change('paused', 9)];
  const { pauses } = drawnLife(life({ changes }), NOW);
  expect(pauses).toEqual([
    { from: Date.parse(at(2)), until: Date.parse(at(4)) },
    { from: Date.parse(at(9)), until: null },
  ]);
});

test.each([
  ['its planned end', at(20), Date.parse(at(20))],
  ['no end', undefined, null],
])('a current pause is drawn with %s', (_name, pausedUntil, until) => {
  const planned = pausedUntil === undefined ? {} : { pausedUntil };
  const paused = life({
    subscription: subscription({ status: 'paused', ...planned }),
    changes: [change('paused', 9)],
  });
  expect(drawnLife(paused, NOW).pauses).toEqual([{ from: Date.parse(at(9)), until }]);
});

test('a cancellation is drawn only if its audit entry and the party that cancelled are known', () => {
  const ended = (cancelledBy: 'payer' | undefined, changes: Change[]) => {
    const by = cancelledBy === undefined ? {} : { cancelledBy };
    return drawnLife(life({ subscription: subscription({ status: 'cancelled', ...by }), changes }), NOW).cancelled;
  };
  expect(ended('payer', [change('cancelled', 9)])).toEqual({ at: Date.parse(at(9)), by: 'payer' });
  expect(ended('payer', [])).toBeNull();
  expect(ended(undefined, [change('cancelled', 9)])).toBeNull();
});

test('a cycle that was tried at another amount starts a new step in the drawn amounts', () => {
  const attempts = [attempt('successful')];
  const cycles = [cycle(0, { attempts }), cycle(1, { attempts, amount: euros(2500) })];
  expect(drawnLife(life({ cycles, coming: [] }), NOW).amounts).toEqual([
    { cycle: 0, dueAt: Date.parse(at(1)), amount: euros(1999) },
    { cycle: 1, dueAt: Date.parse(at(8)), amount: euros(2500) },
  ]);
});

test('the first coming cycle of a pending change starts a new step in the drawn amounts', () => {
  const coming = [toCome(1), toCome(2), toCome(3)].map((each) => ({
    ...each,
    amount: euros(each.cycle < 2 ? 1999 : 2990),
  }));
  const cycles = [cycle(0, { attempts: [attempt('successful')] })];
  expect(drawnLife(life({ cycles, coming }), NOW).amounts).toEqual([
    { cycle: 0, dueAt: Date.parse(at(1)), amount: euros(1999) },
    { cycle: 2, dueAt: Date.parse(at(15)), amount: euros(2990) },
  ]);
});

test('a cycle that an operator recorded as failed does not say that the bank rejected it', () => {
  const attempts = [attempt('rejected', { resolvedBy: 'ops' })];
  const [drawn] = drawnLife(
    life({ cycles: [cycle(0, { status: 'failed', reason: 'rejected', attempts })] }),
    NOW,
  ).cycles;
  expect(drawn?.reason).toBe('an admin recorded that it was not debited');
});

test('a cycle that was paid by a debit of another system does not count this debit as a retry by dueday', () => {
  const attempts = [attempt('rejected_retryable'), attempt('successful', { attempt: 1, adopted: true })];
  expect(whyOf(cycle(0, { attempts, collectedAt: at(2) }))).toBe('paid by a debit that dueday found but did not send');
  expect(whyOf(cycle(0, { attempts: [attempt('successful', { attempt: 1 })] }))).toBe('retry 1, after a notice');
});
