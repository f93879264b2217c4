import { HARMLESS } from './harmless';
import { always, before, COLLECTED, type Expected, inCycle, type Kind } from './kind';

const C = 'collected';
const allCollected = (...items: string[]): Expected => ({ cycles: [C, C, C, C, C], items });

const HARMFUL: readonly Kind[] = [
  {
    name: 'refused as retryable, then successful',
    why: 'found before the retry; the payer had been notified of a failure (rule 36)',
    prepared: [inCycle(1, { kind: 'refused_then_successful', delayMs: 3_000, named: true })],
    expected: allCollected('contradiction:1'),
    lostAnswer: null,
  },
  {
    name: 'refused as retryable without an id, then successful',
    why: 'an authorization that is listed and was created after the attempt started is its debit (rules 36, 39)',
    prepared: [inCycle(1, { kind: 'refused_then_successful', delayMs: 3_000 })],
    expected: allCollected('contradiction:1'),
    lostAnswer: null,
  },
  {
    name: 'refused for good, then successful',
    why: 'the cycle had ended and is collected late (rule 36)',
    prepared: [
      inCycle(1, {
        kind: 'refused_then_successful',
        delayMs: 5_000,
        named: true,
        detail: 'AUTHORIZATION_REJECTION_FINAL',
      }),
    ],
    expected: allCollected('contradiction:1'),
    lostAnswer: null,
  },
  {
    name: 'refused by GET while its capture books',
    why: 'a successful capture under a refused authorization, seen twice (rule 37); the daily comparison differs, too',
    prepared: [inCycle(1, { kind: 'refused_while_booking' })],
    expected: allCollected('authorization_state', 'contradiction:1'),
    lostAnswer: { inCycle: 3 },
  },
  {
    name: 'refused for good by GET while its capture books',
    why: 'a successful capture under a refused authorization, seen twice (rule 37); the daily comparison differs, too',
    prepared: [inCycle(1, { kind: 'refused_while_booking', detail: 'AUTHORIZATION_REJECTION_FINAL' })],
    expected: allCollected('authorization_state', 'contradiction:1'),
    lostAnswer: { inCycle: 3 },
  },
  {
    name: 'successful, then failed, while its capture books',
    why: 'what was once successful never becomes failed: the captures decide (rule 37); the daily comparison differs, too',
    wallet: 'slow-8',
    prepared: [inCycle(1, { kind: 'success_withdrawn', delayMs: 1_000 })],
    expected: allCollected('authorization_state', 'contradiction:1'),
    lostAnswer: { inCycle: 3 },
  },
  {
    name: 'a retry that opens the same authorization again',
    why: 'it is that authorization, followed again (rules 36, 38)',
    wallet: 'rejected-with-id-once',
    prepared: [inCycle(1, { kind: 'same_id' }, 1)],
    expected: allCollected('contradiction:1'),
    lostAnswer: null,
  },
  {
    name: 'one id for every POST',
    why: 'an id of another cycle makes the cycle unresolved, and nothing later is sent (rules 18, 38); the ledger lacks its capture',
    prepared: [always({ kind: 'same_id', as: 'first', times: null })],
    expected: { cycles: [C, 'unresolved', 'none', 'none', 'none'], items: ['debit_unknown', 'unresolved:1'] },
    lostAnswer: null,
  },
  {
    name: 'an id of another cycle',
    why: 'an id of another cycle makes the cycle unresolved, and nothing later is sent (rules 18, 38); the ledger lacks its capture',
    prepared: [inCycle(3, { kind: 'same_id', as: 'other_cycle' })],
    expected: { cycles: [C, C, C, 'unresolved', 'none'], items: ['debit_unknown', 'unresolved:3'] },
    lostAnswer: { inCycle: 1 },
  },
  {
    name: 'one id for every refund',
    why: 'a refund is made once, and one that cannot be distinguished waits for an operator (rule 38); one amount is listed for both',
    prepared: [
      always({ kind: 'same_id', as: 'first', times: null, match: { on: 'refunds' } }),
      { beforeCycle: 1, refundCents: 300 },
      { beforeCycle: 2, refundCents: 200 },
    ],
    expected: allCollected('refund_amount', 'refund_unresolved:1'),
    lostAnswer: null,
  },
  {
    name: 'a list of the oldest two, silently',
    why: 'the captures show what the list omits: the debit of an answered POST, and that a lost one must not be sent again (rule 39)',
    prepared: [always({ kind: 'list_cut' })],
    expected: { cycles: [C, C, C, 'missed', 'missed'], items: ['list_incomplete'] },
    lostAnswer: {
      inCycle: 2,
      expected: { cycles: [C, C, 'unresolved', 'none', 'none'], items: ['debit_unknown', 'unresolved:2'] },
    },
  },
  ...(['has_more', 'next_cursor', 'total', 'endless_link', 'foreign_link'] as const).map((says): Kind => ({
    name: `a list that says there is more: ${says}`,
    why: 'an incomplete list permits no POST, and alerts (rule 39)',
    prepared: [always({ kind: 'list_cut', keeps: 'newest', says })],
    expected: { cycles: [C, C, C, 'missed', 'missed'], items: ['list_incomplete'] },
    lostAnswer: { inCycle: 1 },
  })),
  {
    name: 'an empty list, though ids were named',
    why: 'it lacks what the service has reported, permits no POST, and alerts (rule 39)',
    prepared: [before(2, { kind: 'list_empty' })],
    expected: { cycles: [C, C, 'missed', 'missed', 'missed'], items: ['list_incomplete'] },
    lostAnswer: { inCycle: 1 },
  },
  {
    name: 'a list that lags longer than the settle time',
    why: 'what was handed over comes back, and its item closes (rules 18, 41)',
    prepared: [before(1, { kind: 'list_lag', delayMs: 15_000 })],
    expected: COLLECTED,
    lostAnswer: { inCycle: 2 },
  },
  {
    name: 'collected elsewhere, 40 hours early',
    why: 'adopted: the amount is that of the cycle (rule 40)',
    prepared: [{ beforeCycle: 2, elsewhere: { hoursBefore: 40, cents: 1999 } }],
    expected: COLLECTED,
    lostAnswer: { inCycle: 3 },
  },
  {
    name: 'collected elsewhere, another amount',
    why: 'any other amount makes it unresolved, and nothing later is sent (rules 18, 40); the ledger lacks that debit',
    prepared: [{ beforeCycle: 2, elsewhere: { hoursBefore: 40, cents: 1500 } }],
    expected: { cycles: [C, C, 'unresolved', 'none', 'none'], items: ['debit_unknown', 'unresolved:2'] },
    lostAnswer: { inCycle: 1 },
  },
  {
    name: 'a mandate that was collected 66 hours early, imported',
    why: 'adopted: not collected again (rule 40, fault 51)',
    imported: { pastCycles: 3 },
    prepared: [{ beforeCycle: 0, elsewhere: { hoursBefore: 66, cents: 1999 } }],
    expected: { cycles: [C, C], items: [] },
    lostAnswer: null,
  },
  {
    name: 'pending, then no longer listed',
    why: 'an operator has it as unlisted, and later cycles continue (rule 41)',
    prepared: [inCycle(1, { kind: 'vanishing', delayMs: 2_000 })],
    expected: { cycles: [C, 'collecting', C, C, C], items: ['unlisted:1'] },
    lostAnswer: { inCycle: 3 },
  },
  {
    name: 'a new status word on an old record',
    why: 'an unknown status on a final record changes nothing about what is sent, and is one difference (rule 41)',
    prepared: [inCycle(0, { kind: 'new_status', afterMinutes: 2_880 })],
    expected: allCollected('authorization_state'),
    lostAnswer: { inCycle: 2 },
  },
  {
    name: 'a cancellation that is refused',
    why: 'an operator has it as unconfirmed; nothing more is collected (rule 41)',
    prepared: [before(3, { kind: 'cancellation_refused', status: 409 }), { beforeCycle: 3, cancel: true }],
    expected: { cycles: [C, C, C, 'none', 'none'], items: ['cancellation_unconfirmed'] },
    lostAnswer: { inCycle: 1 },
  },
  {
    name: 'a cancellation that is ignored',
    why: 'an operator has it as unconfirmed; nothing more is collected (rule 41)',
    prepared: [before(3, { kind: 'cancellation_ignored' }), { beforeCycle: 3, cancel: true }],
    expected: { cycles: [C, C, C, 'none', 'none'], items: ['cancellation_unconfirmed'] },
    lostAnswer: null,
  },
  {
    name: 'a consent that is gone after its cancellation',
    why: 'it confirms a cancellation of ours (rule 41)',
    prepared: [before(3, { kind: 'consent_gone', status: 410 }), { beforeCycle: 3, cancel: true }],
    expected: { cycles: [C, C, C, 'none', 'none'], items: [] },
    lostAnswer: null,
  },
  {
    name: 'a consent that is gone',
    why: 'collection waits, and the subscription never ends (rule 41); its item ends with the last cycle',
    prepared: [before(2, { kind: 'consent_gone', status: 404 })],
    expected: { cycles: [C, C, 'missed', 'missed', 'missed'], items: [], closedItems: ['consent_unreadable'] },
    lostAnswer: { inCycle: 1 },
  },
  {
    name: 'a date past the year 9999, in answer and list',
    why: 'an accepted answer that cannot be stored as it came leaves the cycle unresolved (rules 38, 43)',
    prepared: [inCycle(1, { kind: 'far_date' })],
    expected: { cycles: [C, 'unresolved', 'none', 'none', 'none'], items: ['unresolved:1'] },
    lostAnswer: null,
  },
];

/** The expected result of each kind, which follows from the rules alone and was written before any run. */
export const KINDS: readonly Kind[] = [
  ...HARMLESS.map((kind): Kind => ({ ...kind, isHarmless: true, expected: COLLECTED })),
  ...HARMFUL,
];
