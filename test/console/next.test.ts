import { instant, money } from '../../src/console/format';
import type { Life } from '../../src/console/views/subscription/life';
import { nextOf } from '../../src/console/views/subscription/next';
import { at, attempt, cycle, euros, life, noon, subscription, toCome } from './lives';

/** What the page says at noon of that day about what happens next: text, explanation and rule. */
const next = (more: Partial<Life>, day = 8, isHalted = false) => nextOf(life(more), noon(day), isHalted);

/** What the page says if cycle 1, which is due on the 8th, has the given state. */
const open = (more: Parameters<typeof cycle>[1], of: Parameters<typeof subscription>[0] = {}) =>
  next({ subscription: subscription(of), cycles: [cycle(0), cycle(1, more)] });

test.each([
  ['pending_consent', {}, 'Nothing is collected until the payer approves.', 6],
  ['consent_failed', {}, 'Nothing will be collected.', 6],
  ['cancelled', { cancelledBy: 'payer' }, 'Nothing more will be collected.', 7],
  ['cancelled', { cancelledBy: 'merchant' }, 'Nothing more will be collected.', 24],
  ['cancelled', {}, 'Nothing more will be collected.', 24],
  ['completed', {}, 'Nothing more will be collected.', 5],
] as const)('a subscription that is %s %j is shown with the text: %s', (status, more, says, rule) => {
  expect(next({ subscription: subscription({ status, ...more }) })).toMatchObject({ says, rule });
});

test('the reason shown for a cancelled subscription names who cancelled it, if known', () => {
  const why = (cancelledBy?: 'payer' | 'merchant') =>
    next({ subscription: subscription({ status: 'cancelled', ...(cancelledBy === undefined ? {} : { cancelledBy }) }) })
      .why;
  expect([why('payer'), why('merchant'), why()]).toEqual([
    'The payer cancelled it.',
    'The merchant cancelled it.',
    'The subscription is cancelled.',
  ]);
});

test('a cancelled subscription announces nothing, even with an unknown outcome', () => {
  const attempts = [attempt('unknown')];
  expect(open({ status: 'collecting', attempts }, { status: 'cancelled', cancelledBy: 'payer' }).rule).toBe(7);
});

test('a subscription that is being cancelled announces nothing, in any state', () => {
  const cancelling = {
    says: 'Being cancelled: nothing more is collected.',
    why: 'The payment service has not yet confirmed that the consent has ended.',
    rule: 24,
  };
  for (const status of ['active', 'paused', 'pending_consent'] as const) {
    const terms = { status, cancelling: true } as const;
    expect(next({ subscription: subscription(terms) }, 2)).toEqual(cancelling);
    expect(open({ status: 'dunning', attempts: [attempt('rejected_retryable')] }, terms)).toEqual(cancelling);
    expect(open({ status: 'collecting', attempts: [attempt('pending')] }, terms)).toEqual(cancelling);
  }
});

test.each([
  [
    'an operator has to decide',
    { status: 'unresolved', attempts: [attempt('unknown')] },
    /^Cycle 1 needs your decision/,
    18,
  ],
  [
    'an answer was lost',
    { status: 'collecting', attempts: [attempt('unknown')] },
    /^dueday is finding out whether cycle 1/,
    17,
  ],
  [
    'the bank has not decided',
    { status: 'collecting', attempts: [attempt('pending')] },
    /^The bank has not decided on cycle 1/,
    10,
  ],
] as const)(
  'an outcome that is not known yet is shown first, also while paused: %s',
  (_name, { status, attempts }, says, rule) => {
    for (const terms of [{}, { status: 'paused' } as const]) {
      const found = open({ status, attempts: [...attempts] }, terms);
      expect(found.says).toMatch(says);
      expect(found.rule).toBe(rule);
    }
  },
);

test('a refused attempt that is listed again decides what the page says is next, although a later one was refused (rule 36)', () => {
  const attempts = [attempt('pending'), attempt('rejected_retryable', { attempt: 1, payerNotifiedAt: at(8) })];
  expect(open({ status: 'dunning', attempts, nextAttemptAt: at(9) }).rule).toBe(10);
});

const paused = { status: 'paused' } as const;

test('a pause without an end lasts until the subscription is resumed', () => {
  // The schedule of a subscription that is paused without an end is empty.
  expect(next({ subscription: subscription(paused), coming: [] })).toEqual({
    says: 'Paused until you resume it.',
    why: 'Due dates during the pause are skipped for good.',
    rule: 23,
  });
});

test('a pause with an end is shown with the time at which the subscription resumes by itself', () => {
  const { says } = next({ subscription: subscription({ ...paused, pausedUntil: at(20) }) });
  expect(says).toBe(`Paused until ${instant(at(20))}. It then resumes by itself.`);
});

test('a pause names the cycle that waits', () => {
  const attempts = [attempt('rejected_retryable')];
  expect(open({ status: 'dunning', attempts }, paused).why).toMatch(/^Cycle 1 waits[.]/);
  expect(open({ status: 'scheduled', postponedUntil: at(10) }, paused).why).toMatch(/^Cycle 1 waits[.]/);
});

const held = subscription({ heldUntil: at(10) });
const says = `On hold: no attempt of cycle 1 begins before ${instant(at(10))}.`;

test('a hold stops the next due date, a due cycle and a retry, and says until when', () => {
  const why = `It is not skipped, and can be collected until ${instant(at(13))}.`;
  expect(next({ subscription: held }, 2)).toEqual({ says, why, rule: 16 });
  expect(open({ status: 'scheduled' }, held).says).toBe(says);
  expect(open({ status: 'dunning', attempts: [attempt('rejected_retryable')], nextAttemptAt: at(9) }, held).says).toBe(
    says,
  );
});

test('a hold that ends before the next attempt stops nothing', () => {
  const isHeld = (more: Parameters<typeof next>[0]) => next({ subscription: held, ...more }, 2).rule === 16;
  expect(isHeld({ cycles: [cycle(0), cycle(1, { status: 'scheduled', postponedUntil: at(9) })] })).toBe(true);
  expect(isHeld({ cycles: [cycle(0), cycle(1, { status: 'scheduled', postponedUntil: at(10) })] })).toBe(false);
  expect(isHeld({ coming: [toCome(2)] })).toBe(false);
  const retried = { status: 'dunning', attempts: [attempt('rejected_retryable')], nextAttemptAt: at(11) } as const;
  expect(open({ ...retried, attempts: [...retried.attempts] }, held).rule).toBe(13);
});

test('during a hold the page shows an unknown outcome first, not the hold', () => {
  expect(open({ status: 'collecting', attempts: [attempt('unknown')] }, held).rule).toBe(17);
});

const refused = attempt('rejected_retryable', { payerNotifiedAt: at(8) });

test('a cycle in dunning is retried at its time once the payer was notified', () => {
  const dunning = { status: 'dunning', attempts: [refused], nextAttemptAt: at(9), retryUntil: at(11) } as const;
  expect(open({ ...dunning, attempts: [refused] })).toEqual({
    says: `Retry 1 of cycle 1 at ${instant(at(9))}.`,
    why: `The payer was notified. The time for retries ends at ${instant(at(11))}.`,
    rule: 14,
  });
});

test('a retry whose notice the merchant’s webhook accepted does not say that the payer was notified', () => {
  const dunning = cycle(1, { status: 'dunning', attempts: [refused], nextAttemptAt: at(9) });
  const why = (more: Partial<Life['notices'][number]>) => {
    const notice = { type: 'payment.failed', cycle: 1, attempt: 0, channel: 'webhook', ...more };
    return next({ cycles: [dunning], notices: [notice as Life['notices'][number]] }).why;
  };
  expect(why({})).toBe('Your webhook accepted the notice to the payer.');
  for (const other of [{ channel: 'email' }, { cycle: 0 }, { attempt: 1 }, { type: 'cycle.failed' }] as const)
    expect(why(other)).toBe('The payer was notified.');
});

test('a retry that was not made at its time says so, and is late after an hour', () => {
  const retried = (nextAttemptAt: string) => open({ status: 'dunning', attempts: [refused], nextAttemptAt });
  const [minutes, hour] = ['2027-01-08T11:01:00.000Z', '2027-01-08T11:00:00.000Z'];
  expect(retried(minutes)).toMatchObject({
    says: `Retry 1 of cycle 1 is being sent; it was planned for ${instant(minutes)}.`,
    rule: 14,
  });
  expect(retried(hour)).toEqual({
    says: `Retry 1 of cycle 1 is late: it was planned for ${instant(hour)}.`,
    why: 'dueday sends it as soon as it can. Look for the cause in Needs attention.',
    rule: 43,
  });
});

test('while all sending is halted, the page says that the next attempt waits, and when its cycle is lost', () => {
  const coming = next({}, 2, true);
  expect(coming).toEqual({
    says: 'All sending is halted: cycle 1 is not collected before the halt is lifted.',
    why: `It is planned for ${instant(at(8))}. If the halt lasts beyond ${instant(at(13))}, the cycle is missed.`,
    rule: 16,
  });
  const dunning = cycle(1, { status: 'dunning', attempts: [refused], nextAttemptAt: at(9), retryUntil: at(11) });
  expect(next({ cycles: [dunning] }, 8, true).why).toBe(
    `It is planned for ${instant(at(9))}. If the halt lasts beyond ${instant(at(11))}, the cycle is failed.`,
  );
  const neverRefused = cycle(1, { status: 'collecting', attempts: [attempt('not_sent')] });
  expect(next({ cycles: [neverRefused] }, 8, true).why).toContain('the cycle is missed.');
  expect(next({ coming: [] }, 2, true).rule).toBe(5);
  expect(next({ subscription: subscription(paused) }, 2, true).rule).toBe(23);
});

test.each([
  ['the payer was not notified', [attempt('rejected_retryable')], at(9)],
  ['no time is set', [refused], undefined],
])('a cycle in dunning waits if %s', (_name, attempts, nextAttemptAt) => {
  const planned = nextAttemptAt === undefined ? {} : { nextAttemptAt };
  const { says, rule } = open({ status: 'dunning', attempts, ...planned });
  expect([says, rule]).toEqual(['Retry 1 of cycle 1 waits until the payer is notified.', 13]);
});

test('the next retry is numbered after the last attempt', () => {
  const attempts = [refused, { ...refused, attempt: 1 }, { ...refused, attempt: 2 }];
  expect(open({ status: 'dunning', attempts, nextAttemptAt: at(10) }).says).toMatch(/^Retry 3 /);
});

test('a cycle that is due and was not tried is shown as waiting for its first attempt, with the end of its collection window', () => {
  const waits = {
    says: 'Cycle 1 waits for its first attempt.',
    why: `It is due and can be collected until ${instant(at(13))}.`,
    rule: 3,
  };
  // Before its first attempt a cycle is in the ledger only if it was postponed.
  expect(next({}, 9)).toEqual(waits);
  expect(open({ status: 'scheduled', postponedUntil: at(8) })).toEqual(waits);
});

test('a cycle that is being tried is shown as collected now', () => {
  expect(open({ status: 'collecting', attempts: [attempt('not_sent')] }).says).toBe('Cycle 1 is collected now.');
});

test('a postponed cycle is collected at its later time, before and after its due date', () => {
  const postponed = { says: collects(1, 10), rule: 3, why: expect.stringContaining('was postponed') as string };
  expect(next({ coming: [{ ...toCome(1), postponedUntil: at(10) }, toCome(2)] }, 2)).toMatchObject(postponed);
  expect(open({ status: 'scheduled', postponedUntil: at(10) })).toMatchObject(postponed);
});

test('an earlier cycle of the schedule comes before a postponed one of the ledger', () => {
  const cycles = [cycle(0), cycle(2, { status: 'scheduled', postponedUntil: at(17) })];
  expect(next({ cycles, coming: [toCome(1)] }, 2).says).toBe(collects(1, 8));
});

test('a due cycle with a planned next attempt is shown with its time', () => {
  const attempts = [attempt('not_sent')];
  expect(open({ status: 'collecting', attempts, nextAttemptAt: at(9) }).says).toBe(
    `Cycle 1 is collected at ${instant(at(9))}.`,
  );
});

const collects = (number: number, day: number, more = '') =>
  `Cycle ${number} collects ${money(euros(1999))}${more} at ${instant(at(day))}.`;

test('the next cycle is named with its amount and date', () => {
  expect(next({}, 2)).toMatchObject({ says: collects(1, 8), rule: 1 });
});

test('a scheduled cycle of the ledger comes before the computed schedule', () => {
  const cycles = [cycle(0), cycle(1, { status: 'scheduled' })];
  expect(next({ cycles, coming: life().coming.slice(1) }, 2).says).toBe(collects(1, 8));
});

test('the next cycle is shown with “the new amount” only if a change of the amount applies from that cycle', () => {
  const change = (fromCycle: number) => ({
    pendingAmountChange: {
      amount: euros(1999),
      previousAmount: euros(999),
      fromCycle,
      effectiveAt: at(8),
      kind: 'increase' as const,
      countsAsIncrease: false,
      payerNotice: 'not_needed' as const,
    },
  });
  expect(next({ subscription: subscription(change(1)) }, 2).says).toBe(collects(1, 8, ', the new amount,'));
  expect(next({ subscription: subscription(change(2)) }, 2).says).toBe(collects(1, 8));
});

test('there are no further due dates if the subscription ends first', () => {
  expect(next({ coming: [] }, 2)).toMatchObject({ says: 'There are no further due dates.', rule: 5 });
});
