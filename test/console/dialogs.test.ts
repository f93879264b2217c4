import { BULK_CHOICES } from '../../src/console/views/bulk/choices';
import {
  bulkTexts,
  haltTexts,
  liftTexts,
  REPLAY_TEXT,
  replayCountText,
  subscriptionsText,
} from '../../src/console/views/dialogs/installation';
import {
  captureText,
  leftToRefund,
  orderFollows,
  orderOf,
  refundText,
  releaseText,
} from '../../src/console/views/dialogs/money';
import {
  allowedTexts,
  cancelTexts,
  pauseTexts,
  resumeTexts,
  retryTexts,
  skippedText,
  skipText,
} from '../../src/console/views/dialogs/subscription';
import { effectOfPause } from '../../src/console/views/subscription/waiting';
import type { Consequence } from '../../src/console/parts/consequence';
import { chooseZone } from '../../src/console/format';
import { at, attempt, cycle, euros, life, noon, toCome } from './lives';

/** The texts of the dialogs for actions that move money or end something. */

beforeAll(() => chooseZone('utc'));

const plain = (texts: readonly Consequence[]) =>
  texts.map((each) => (typeof each === 'string' ? each : `*${each.grave}*${each.rest}`));

const inRetry = cycle(1, {
  status: 'dunning',
  attempts: [attempt('rejected_retryable')],
  retryUntil: at(11),
  nextAttemptAt: at(9),
  retriesLeft: 2,
});
const sent = cycle(1, { status: 'collecting', attempts: [attempt('pending')] });

describe('the dialog to cancel a subscription', () => {
  test('says what stops, that it is final, and how to give money back', () => {
    expect(plain(cancelTexts(life(), noon(1)))).toEqual([
      'Nothing more is collected from now on, and the consent is ended at the payment service.',
      '*This cannot be undone*: to collect again, the payer has to approve a new subscription.',
      'What was collected stays collected. To give it back, refund it at each cycle, now or later.',
      'No payment is on its way, so nothing can be debited afterwards.',
    ]);
  });

  test('names the cycle that gets no further attempt', () => {
    expect(plain(cancelTexts(life({ cycles: [inRetry], coming: [] }), noon(8)))[3]).toBe(
      'Cycle 1, due Jan 8, 2027, 9:00 AM, is open. It gets no further attempt.',
    );
  });

  test('warns of a debit that was already sent, with its amount', () => {
    expect(plain(cancelTexts(life({ cycles: [sent] }), noon(8))).at(-1)).toBe(
      '*A payment may still be collected*, because it was already sent: cycle 1, €19.99. dueday follows it and shows the outcome.',
    );
  });
});

describe('the dialog to pause a subscription', () => {
  test('says what becomes of a cycle in retry, and of what was sent', () => {
    expect(plain(pauseTexts(life({ cycles: [inRetry], coming: [] }), noon(8), effectOfPause))).toEqual([
      'Cycle 1, due Jan 8, 2027, 9:00 AM, is open. Its retries wait. If the pause ends before Jan 11, 2027, 9:00 AM, it can be retried. Otherwise it fails.',
      'No payment is on its way, so nothing can be debited afterwards.',
      'Later due dates do not move. You can resume at any time.',
    ]);
  });

  test('lists the payments that it skips, with their amounts', () => {
    const schedule = [toCome(1), toCome(2), toCome(3)];
    expect(skippedText(schedule, noon(1), null)).toEqual({
      says: 'Until you resume, due dates are skipped for good, starting with Jan 8, 2027, 9:00 AM.',
      each: [],
    });
    expect(skippedText(schedule, noon(1), noon(15))).toEqual({
      says: 'These payments are skipped for good and are not owed:',
      each: ['cycle 1, Jan 8, 2027, 9:00 AM, €19.99', 'cycle 2, Jan 15, 2027, 9:00 AM, €19.99'],
    });
    expect(skippedText(schedule, noon(1), noon(2)).says).toBe('No due date is skipped.');
    expect(skippedText([], noon(1), null).says).toBe('There are no further due dates.');
  });

  test('gives the number of further skipped payments as a minimum if all cycles that were read are skipped', () => {
    const soon = (n: number) => ({ ...toCome(1), cycle: n });
    const schedule = Array.from({ length: 8 }, (_, n) => soon(n));
    expect(skippedText(schedule, noon(1), noon(30)).each.at(-1)).toBe('at least 2 more');
    expect(skippedText([...schedule, toCome(4)], noon(1), noon(15)).each.at(-1)).toBe('2 more');
  });

  test('has a counterpart to resume, which says that skipped payments are not owed', () => {
    expect(plain(resumeTexts(life({ cycles: [inRetry], coming: [] }), noon(8)))).toEqual([
      'Due dates from now on are collected again. Due dates during the pause stay skipped and are not owed.',
      'Cycle 1, due Jan 8, 2027, 9:00 AM, is open. It continues if there is time left.',
    ]);
  });
});

test('the dialog to skip a cycle says that this is final', () => {
  expect(skipText(toCome(1))).toBe(
    '€19.99 due Jan 8, 2027, 9:00 AM is never collected and is not owed. This cannot be undone. Other cycles do not change.',
  );
});

test('the dialog to retry a cycle says how much is collected and when, and during a halt, until when it still can be', () => {
  expect(plain(retryTexts(inRetry, false))).toEqual([
    '€19.99 is collected now, or at the time you choose, instead of at Jan 9, 2027, 9:00 AM, but not earlier than a minute after the payer is notified of the failure. It uses one of the 2 retries left; the first attempt does not count as a retry. The retry is refused if no time is left.',
  ]);
  const [halted, when] = plain(retryTexts(inRetry, true));
  expect(halted).toBe(
    '*All sending is halted:* nothing is collected until the halt is lifted; if that is after Jan 11, 2027, 9:00 AM, this payment is never collected.',
  );
  expect(when).toMatch(/^€19.99 is collected once the halt is lifted, or at the time you choose/);
});

describe('the dialog to refund a payment', () => {
  const refund = (value: number, status: 'pending' | 'successful' | 'failed') => ({
    ...{ refundId: `ref_${value}`, amount: euros(value), status, reason: null, createdAt: at(9) },
  });

  test('offers at most the amount that is left after earlier refunds; failed refunds do not count', () => {
    const of = (...refunds: ReturnType<typeof refund>[]) => leftToRefund({ amount: euros(1999), refunds } as never);
    expect(of()).toEqual(euros(1999));
    expect(of(refund(500, 'successful'), refund(99, 'pending'), refund(1000, 'failed'))).toEqual(euros(1400));
    expect(of(refund(1999, 'successful')).value).toBe(0);
  });

  test('says that the payer gets at most this amount, and that the refund is final', () => {
    expect(refundText(euros(1400))).toBe('Money goes back to the payer, at most €14.00. It cannot be undone.');
  });
});

test('the dialog to capture a payment says how much can be captured and until when, and what happens to the rest', () => {
  const payment = { remaining: euros(8900), captureBy: at(9) };
  expect(captureText(payment, true)).toBe(
    'The payer’s account is debited. €89.00 can be captured, until Jan 9, 2027, 9:00 AM. Only one capture is possible: the rest is not debited.',
  );
  expect(captureText({ remaining: euros(8900) }, false)).toMatch(
    /captured[.] You can capture more afterwards, unless this is the final capture[.]$/,
  );
  expect(releaseText(payment)).toMatch(/^€89.00 is released to the payer without a debit[.] .* cannot be undone[.]$/);
});

test.each([
  ['capture_unresolved', 'capture', 'takes it twice'],
  ['refund_unresolved', 'refund', 'gives it back twice'],
] as const)('the dialog to resolve a %s item says what a wrong choice does, and what follows', (kind, what, twice) => {
  expect(orderOf({ kind })).toBe(what);
  expect(orderFollows(what, euros(2500))).toEqual({
    '': `Choose the outcome that the payment service’s own records show. A wrong choice loses money or ${twice}.`,
    successful: `The ${what} of €25.00 is recorded as made. Other orders of the payment continue.`,
    failed: `The ${what} of €25.00 is recorded as never made, and is not tried again. Other orders of the payment continue.`,
  });
});

test('after a refused amount, the dialog says which amount is allowed instead, and when more is allowed', () => {
  const refused = { rule: 'increase', highestAllowed: euros(2399), allowedFrom: at(20), newConsentRequired: false };
  expect(allowedTexts(refused)).toEqual([
    'At most €23.99 is allowed for this cycle.',
    'More is allowed from Jan 20, 2027, 9:00 AM.',
  ]);
  expect(allowedTexts({ ...refused, allowedFrom: undefined, newConsentRequired: true })).toEqual([
    'At most €23.99 is allowed for this cycle.',
    'For this amount the payer has to approve a new subscription.',
  ]);
  expect(allowedTexts({})).toEqual([]);
});

describe('the dialog to halt all sending', () => {
  const today = { atRisk: { amount: euros(5997), count: 3 } };

  test('says what stops, what is lost meanwhile, and what is at stake today', () => {
    expect(plain(haltTexts(today))).toEqual([
      'Nothing is debited, captured or refunded until the halt is lifted. The outcomes of payments already sent are still followed.',
      'Due dates do not move. A payment whose collection window ends during the halt is missed or, after a first attempt, failed.',
      '*€59.97 in 3 payments* is lost if it is not collected within 24 hours.',
    ]);
    expect(haltTexts(undefined)).toHaveLength(2);
    expect(haltTexts({ atRisk: { amount: euros(0), count: 0 } })).toHaveLength(2);
  });

  test('has a counterpart to lift the halt, which names the same amount at risk and says what is then sent', () => {
    expect(plain(liftTexts(today))).toEqual([
      '*€59.97 in 3 payments* is lost if it is not collected within 24 hours.',
      'Payments still within their collection window are sent within a minute. The others are missed or, after a first attempt, failed.',
    ]);
  });
});

describe('the dialog of a bulk action', () => {
  const dryRun = { amount: euros(123_456), counts: { active: 2 }, tokenValidUntil: at(9) };
  const says = (action: keyof typeof BULK_CHOICES, isTestClock = false) =>
    plain(bulkTexts({ ...dryRun, action }, BULK_CHOICES[action].means, isTestClock));

  test.each([
    ['pause', '€1,234.56 in total; those that fall due during the pause are not collected. '],
    ['cancel', '€1,234.56 in total, which is not collected. '],
    ['retry', '€1,234.56 in total. '],
    ['amount-change', '€1,234.56 in total. '],
  ] as const)('%s says what it means, and what becomes of the next payments', (action, amount) => {
    const [means, next, start] = says(action);
    expect(means).toBe(BULK_CHOICES[action].means);
    expect(next).toContain(amount);
    expect(start).toMatch(/^Start it before Jan 9, 2027, 9:00 AM[.] .* nothing is done/);
  });

  test('says how many subscriptions have ended, for which the action is refused', () => {
    const of = (action: keyof typeof BULK_CHOICES) =>
      plain(bulkTexts({ ...dryRun, counts: { active: 2, cancelled: 1, completed: 1 }, action }, '', false));
    expect(of('pause')[1]).toBe('*2 of them have ended*: the action is refused for them.');
    expect(of('acknowledge')[1]).toMatch(/^The next payments/);
  });

  test('says on a test clock that the time limit of the token is in real time', () => {
    expect(says('pause', true)[2]).toContain('9:00 AM (real time).');
  });

  test('marks only cancelling as grave, and says that it cannot be undone', () => {
    const grave = Object.entries(BULK_CHOICES).filter(([, { isGrave }]) => isGrave === true);
    expect(grave.map(([action]) => action)).toEqual(['cancel']);
    expect(BULK_CHOICES.cancel.means).toContain('This cannot be undone.');
  });

  test.each([
    [0, 'no subscription'],
    [1, 'one subscription'],
    [1204, '1,204 subscriptions'],
  ])('writes the number of %i subscriptions as “%s”', (total, text) => {
    expect(subscriptionsText(total)).toBe(text);
  });
});

test('the dialog to replay events says which events are sent, and how many', () => {
  expect(REPLAY_TEXT).toMatch(
    /^All events of the period that match the types of this endpoint and have not been delivered to it are sent/,
  );
  expect([replayCountText(1), replayCountText(1204)]).toEqual([
    'A replay started now would send 1 event.',
    'A replay started now would send 1,204 events.',
  ]);
});
