import fc from 'fast-check';
import { type Calendar, dueAt, REPETITIONS } from '../../src/domain/subscription/schedule';
import { DAY, HOUR, type Instant, MINUTE } from '../../src/domain/time';
import { retryGap, type RetryPolicy } from '../../src/domain/subscription/retries';
import type { Answer, Message, Outage, Script } from './life-script';
import { at, termsOf } from './subscription-under-test';

const FIRST_CYCLES = 6;

/** Durations, many of which are at a limit of the rules or a millisecond beside it. */
const lengths = fc.oneof(
  fc
    .tuple(fc.constantFrom(0, MINUTE, HOUR, DAY, 3 * DAY, 5 * DAY, 7 * DAY, 31 * DAY), fc.integer({ min: -1, max: 1 }))
    .map(([length, beside]) => Math.max(1, length + beside)),
  fc.integer({ min: 1, max: 10 * DAY }),
);

const quick = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: lengths });

const truths = fc.constantFrom<(Answer & { kind: 'lost' })['truth'][]>(
  ...(['approved', 'refused', 'refused_finally', 'capture_failed', 'consent_gone', 'nothing', 'nothing'] as const),
);

const answers: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('approved' as const), finalAfter: quick }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('refused' as const),
      retryable: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
      finalAfter: quick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('capture_failed' as const), finalAfter: quick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unreachable' as const), lasts: lengths }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('lost' as const),
      truth: truths,
      settledAfter: lengths,
      unresolvedAfter: fc.option(lengths),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stranger' as const), explainedAfter: lengths }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'consent_not_valid' as const }) },
);

/** Instants at due dates, a millisecond beside them, or some time after them. */
function instants(calendar: Calendar): fc.Arbitrary<Instant> {
  const offsets = fc.oneof(fc.constantFrom(-1, 0, 0, 0, 1), lengths);
  return fc
    .tuple(fc.nat(FIRST_CYCLES), offsets)
    .map(([n, offset]) => Math.max(calendar.firstPaymentAt - DAY, dueAt(calendar, n) + offset));
}

function messages(calendar: Calendar): fc.Arbitrary<Message> {
  const when = instants(calendar);
  const kinds = <K extends Message['kind']>(kind: K) => ({ at: when, kind: fc.constant(kind) });
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ ...kinds('pause'), lasts: fc.option(lengths) }) },
    { weight: 6, arbitrary: fc.record(kinds('resume')) },
    { weight: 1, arbitrary: fc.record({ ...kinds('cancel'), confirmedAfter: lengths }) },
    { weight: 1, arbitrary: fc.record({ ...kinds('payer_cancels'), isSeen: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record(kinds('retry_now')) },
    { weight: 1, arbitrary: fc.record(kinds('acknowledge')) },
  );
}

function outages(calendar: Calendar): fc.Arbitrary<Outage[]> {
  const one = fc.tuple(instants(calendar), lengths).map(([from, lasts]) => ({ from, to: from + lasts }));
  return fc.array(one, { maxLength: 3 }).map(apart);
}

/** Sorts outages, and drops those that begin before an earlier one has ended. */
function apart(outages: Outage[]): Outage[] {
  const sorted = [...outages].sort((a, b) => a.from - b.from);
  return sorted.filter((each, n) => sorted.slice(0, n).every((earlier) => earlier.to < each.from));
}

const policies: fc.Arbitrary<RetryPolicy> = fc
  .record({
    gap: fc.constantFrom(0, HOUR, 6 * HOUR),
    offsets: fc.oneof(
      fc.constant([24 * HOUR, 48 * HOUR, 71 * HOUR]),
      fc
        .uniqueArray(fc.integer({ min: 1, max: 72 * HOUR }), { minLength: 1, maxLength: 3 })
        .map((offsets) => offsets.sort((a, b) => a - b)),
    ),
    transit: fc.constantFrom(0, MINUTE, HOUR),
  })
  .map((policy) => ({ ...policy, gap: retryGap(policy.offsets, policy.gap) }));

/** A subscription of up to seven cycles and everything that may happen to it. */
export const anyScript: fc.Arbitrary<Script> = fc
  .record({
    firstPaymentAt: fc.integer({ min: at('2027-01-01'), max: at('2029-12-31') }),
    repetition: fc.constantFrom(...REPETITIONS),
    lastCycle: fc.nat(FIRST_CYCLES),
    endsAfterLast: lengths,
    onExhausted: fc.constantFrom('continue', 'pause', 'cancel'),
  })
  .chain(({ lastCycle, endsAfterLast, onExhausted, ...calendar }) => {
    const open: Calendar = { ...calendar, endAt: null };
    const endAt = Math.min(dueAt(open, lastCycle) + endsAfterLast, dueAt(open, lastCycle + 1));
    return fc.record<Script>({
      terms: fc.constant(termsOf({ ...calendar, startAt: calendar.firstPaymentAt, endAt, onExhausted })),
      policy: policies,
      spread: fc.constantFrom(0, 0, HOUR, 5 * DAY),
      grantedAt: fc.constantFrom(-DAY, 0, HOUR, 6 * DAY).map((offset) => calendar.firstPaymentAt + offset),
      answers: fc.array(answers, { maxLength: 20 }),
      notices: fc.array(fc.option(quick, { freq: 6 }), { maxLength: 20 }),
      outages: outages(open),
      messages: fc.array(messages(open), { maxLength: 8 }),
    });
  });
