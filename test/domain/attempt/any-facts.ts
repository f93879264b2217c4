import fc from 'fast-check';
import type { Attempt, Facts } from '../../../src/domain/attempt/attempt';
import type { SendState } from '../../../src/domain/send';
import {
  captured,
  debit,
  DUE,
  END,
  LEDGER,
  listing,
  NOW,
  own,
  ownRecords,
  permitting,
  refund,
  sent,
  shown,
  TRANSIT,
  UNREADABLE,
} from './facts-under-test';

/** Every state of a debit's send. */
export const STATES: readonly SendState[] = [
  ...(['sending', 'unknown', 'unresolved', 'pending', 'not_sent'] as const),
  ...(['successful', 'rejected_retryable', 'rejected', 'capture_failed'] as const),
];

const instant = fc.constantFrom(DUE - 1, DUE, NOW, END - TRANSIT - 1, END - TRANSIT, END - 1, END, END + 1);

/** What may differ from the facts that permit a send: each answer that the ledger and the service may give, or none. */
const differences = {
  now: instant,
  send: fc.option(
    fc.record({ state: fc.constantFrom(...STATES), adopted: fc.boolean() }).map((row) => sent({ id: 'aut_1', ...row })),
  ),
  reopened: fc.constantFrom('pending', 'decided', null),
  ledger: fc.option(
    fc
      .record({
        isStopped: fc.boolean(),
        isHalted: fc.boolean(),
        sends: fc.integer({ min: 0, max: 3 }),
        lastUnknownReal: fc.constantFrom(null, NOW),
        isAnswered: fc.boolean(),
      })
      .map((changes) => ({ ...LEDGER, ...changes })),
  ),
  consent: fc.constantFrom(
    null,
    { kind: 'granted' as const },
    { kind: 'pending' as const },
    { kind: 'consent_ended' as const, by: 'payer' as const, reason: null },
    UNREADABLE,
  ),
  list: fc.constantFrom(
    null,
    UNREADABLE,
    listing(),
    listing(shown('aut_1')),
    listing(shown('aut_1', { status: 'failed' })),
    { ...listing(), incomplete: 'more' },
    { ...listing(), clockLead: 61_000 },
    { ...listing(), clockLead: 60_000 },
  ),
  own: fc.constantFrom(
    null,
    ownRecords(),
    ownRecords(own('aut_1')),
    ownRecords(own('aut_2', { state: 'successful', reportedRealAt: 0 })),
    { ...ownRecords(), isOtherUnknown: true },
  ),
  takenIds: fc.constantFrom(null, [], ['aut_1']),
  captures: fc.constantFrom(null, UNREADABLE, listing(), listing(captured()), { ...listing(), incomplete: 'more' }),
  done: fc
    .subarray(['counted', 'reread', 'reopened', 'alert', 'list', 'failed_again'] as const)
    .map((all) => new Set(all)),
};

/** Facts around the edges of the window. Some permit a send, others differ from those in any number of points. */
export const anyFacts: fc.Arbitrary<Facts> = fc
  .subarray(Object.keys(differences))
  .chain((points) =>
    fc.record(Object.fromEntries(Object.entries(differences).filter(([name]) => points.includes(name)))),
  )
  .map((changes) => permitting(changes as Partial<Facts>));

/** An attempt, which is a debit or a refund. */
export const anyAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    isDebit: fc.boolean(),
    isRetry: fc.boolean(),
    settleOnly: fc.boolean(),
    parked: fc.boolean(),
    knownUnresolved: fc.boolean(),
  })
  .map(({ isDebit, ...changes }) => (isDebit ? debit(changes) : refund()));
