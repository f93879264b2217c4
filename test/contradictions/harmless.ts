import { always, eachCycle, inCycle, type Kind } from './kind';

/** Deviations without any effect: every date must be collected, and no item may open. */
export const HARMLESS: readonly Omit<Kind, 'isHarmless' | 'expected'>[] = [
  {
    name: 'a list 5 s late',
    why: 'a list may lag by less than the settle time (rule 39)',
    prepared: [always({ kind: 'list_lag', delayMs: 5_000 })],
  },
  {
    name: 'a list with the newest first',
    why: 'the order of the list has no meaning (rule 39)',
    prepared: [always({ kind: 'list_newest_first' })],
  },
  {
    name: 'a list of the last 10 only',
    why: 'it has the newest authorization reported as pending or successful (rule 39); refused ones fill it up',
    wallet: 'insufficient-funds-2',
    prepared: [always({ kind: 'list_cut', keeps: 'newest', count: 10 })],
  },
  {
    name: 'a list of the last 90 days',
    why: 'PAYMENT_SERVICE_LIST_DAYS says so (rule 39)',
    isOfListDays: true,
    prepared: [always({ kind: 'list_days', days: 90 })],
  },
  {
    name: 'a list without refused ones',
    why: 'the absence of a refused authorization means nothing (rule 36)',
    wallet: 'rejected-with-id-once',
    prepared: [always({ kind: 'list_without_refused' })],
  },
  {
    name: 'POSTs answering 503 for an hour',
    why: 'no debit was made, and a fresh send follows inside the window (rules 17, 39)',
    prepared: eachCycle({ kind: 'outage', minutes: 60 }),
    lostAnswer: null,
  },
  {
    name: 'a list in pages that are linked',
    why: 'such a link is followed on the same origin (rule 39)',
    prepared: [always({ kind: 'list_cut', says: 'link' })],
  },
  {
    name: 'answers without an id',
    why: 'the outcome is unknown and found by GET (rule 17)',
    prepared: [1, 3].map((cycle) => inCycle(cycle, { kind: 'unstorable_answer', variant: 'no_id' })),
    lostAnswer: null,
  },
  {
    name: 'ids too long for any field, in the answer alone',
    why: 'the outcome is unknown and found by GET (rule 17)',
    prepared: [1, 3].map((cycle) => inCycle(cycle, { kind: 'unstorable_answer', variant: 'long_id' })),
    lostAnswer: null,
  },
  {
    name: 'refused, pending, refused again',
    why: 'dunning continues where it was (rule 36)',
    prepared: [inCycle(1, { kind: 'refused_then_failed', delayMs: 2_000, pendingMs: 3_000, named: true })],
    lostAnswer: null,
  },
];
