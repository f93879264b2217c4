import { DAY, dueOf, HOUR, MINUTE } from './calendar';
import { brokenInvariants } from './invariants';
import { AGREEMENT, attempt, authorization, FIRST, model, type Sample, seen, SOON } from './seen-sample';

/** The campaign `lives` judges the daemon by these checks; each must report the fault that it is meant for. */

it('the invariant check accepts a cycle collected on its due date', () => {
  const sample = {
    authorizations: [authorization(FIRST)],
    attempts: [attempt(FIRST, 'successful')],
    debits: [{ captureId: `cap_${FIRST}`, status: 'successful', cents: 1999 }],
    cycles: [{ cycle: 0, status: 'collected' }],
  };
  expect(brokenInvariants(model(FIRST + 10 * DAY), seen(sample))).toEqual([]);
});

const broken = (sample: Sample, of = model(SOON)) => brokenInvariants(of, seen(sample)).join('\n');

it('the invariant check reports two debits of one cycle, even if the second is still pending', () => {
  const authorizations = [authorization(FIRST), authorization(FIRST + 1000, 'pending')];
  expect(broken({ authorizations })).toContain('cycle 0 was debited twice');
});

it('the invariant check reports a POST a millisecond before the due date, and one at the end of the window', () => {
  const outside = 'outside of its window';
  expect(broken({ authorizations: [authorization(FIRST - 1, 'failed')] })).toContain(outside);
  expect(broken({ authorizations: [authorization(FIRST + 120 * HOUR, 'failed')] })).toContain(outside);
  expect(broken({ authorizations: [authorization(FIRST + 120 * HOUR - 1, 'failed')] })).not.toContain(outside);
});

it('the invariant check reports a POST during a pause, but not one after the pause has ended', () => {
  const moment = (at: number) => ({ earliest: at, latest: at });
  const paused = (to: number | null) =>
    model(SOON, { pauses: [{ from: moment(FIRST - DAY), to: to === null ? null : moment(to), by: 'merchant' }] });
  const sample = { authorizations: [authorization(FIRST)] };
  expect(broken(sample, paused(null))).toContain('while paused');
  expect(broken(sample, paused(FIRST - HOUR))).not.toContain('while paused');
});

it('the invariant check reports a POST during a hold, but not one at the end of the hold', () => {
  const from = { earliest: FIRST - DAY, latest: FIRST - DAY };
  const onHold = (to: number) => model(SOON, { holds: [{ holdId: 'hold', from, to: { earliest: to, latest: to } }] });
  const sample = { authorizations: [authorization(FIRST)] };
  expect(broken(sample, onHold(FIRST + 1))).toContain('while on hold');
  expect(broken(sample, onHold(FIRST))).not.toContain('while on hold');
});

it('the invariant check reports a cycle that is missed although no hold overlaps its window, and one that is collected although a hold covers it', () => {
  const from = { earliest: FIRST - DAY, latest: FIRST - DAY };
  const onHold = (to: number) =>
    model(FIRST + 10 * DAY, { holds: [{ holdId: 'hold', from, to: { earliest: to, latest: to } }] });
  const cycle = (status: string) => ({ cycles: [{ cycle: 0, status, reason: 'as it is' }] });
  const notOne = 'expected';
  expect(broken(cycle('missed'), onHold(FIRST))).toContain(notOne);
  expect(broken(cycle('missed'), onHold(FIRST + DAY))).not.toContain(notOne);
  expect(broken(cycle('collected'), onHold(FIRST + 120 * HOUR - 1))).not.toContain(notOne);
  expect(broken(cycle('collected'), onHold(FIRST + 120 * HOUR))).toContain(notOne);
  expect(broken(cycle('missed'), onHold(FIRST + 120 * HOUR))).not.toContain(notOne);
});

it('the invariant check reports a POST after either side has cancelled, for a skipped cycle, and without a consent', () => {
  const sample = { authorizations: [authorization(FIRST)] };
  const moment = { earliest: FIRST - HOUR, latest: FIRST - HOUR };
  expect(broken(sample, model(SOON, { cancelled: moment }))).toContain('after the end');
  expect(broken(sample, model(SOON, { payerCancelled: FIRST - HOUR }))).toContain('after the end');
  expect(broken(sample, model(SOON, { skips: new Map([[0, moment]]) }))).toContain('though it was to be skipped');
  expect(broken(sample, model(SOON, { granted: false }))).toContain('without a consent');
});

it('the invariant check reports a retry without a notice at least a minute before it, a retry after 72 hours, and a fourth retry', () => {
  const made = (...hours: number[]) => hours.map((each) => authorization(FIRST + each * HOUR, 'failed'));
  const told = (at: number) => [{ attempt: 0, at }];
  const retried = FIRST + 24 * HOUR;
  expect(broken({ authorizations: made(0, 24) })).toContain('without a notice');
  expect(broken({ authorizations: made(0, 24), told: told(retried - MINUTE + 1) })).toContain('without a notice');
  expect(broken({ authorizations: made(0, 24), told: told(FIRST - 1) })).toContain('without a notice');
  expect(broken({ authorizations: made(0, 24), told: told(retried - MINUTE) })).not.toContain('without a notice');
  expect(broken({ authorizations: made(0, 72.01) })).toContain('72 h after');
  expect(broken({ authorizations: made(0, 72) })).not.toContain('72 h after');
  expect(broken({ authorizations: made(0, 1, 2, 3, 4) })).toContain('was tried 5 times');
});

it('the invariant check reports a POST while another outcome is unknown', () => {
  const next = attempt(FIRST + HOUR, 'successful', { attempt: 1 });
  const doubtful = attempt(FIRST, 'unknown', { outcomeAt: null });
  expect(broken({ attempts: [doubtful, next] })).toContain('was sent while cycle 0 was unknown');
  expect(broken({ attempts: [attempt(FIRST, 'not_sent'), next] })).not.toContain('was sent while');
});

it('the invariant check reports a debit or a refusal that the ledger lacks, and a debit that only the ledger has', () => {
  expect(broken({ authorizations: [authorization(FIRST)] })).toContain('the ledger lacks aut_');
  expect(broken({ authorizations: [authorization(FIRST, 'failed')] })).toContain('the ledger lacks a refusal');
  expect(broken({ attempts: [attempt(FIRST, 'successful')] })).toContain('the service does not');
  const other = { captureId: `cap_${FIRST}`, status: 'successful', cents: 1998 };
  expect(broken({ attempts: [attempt(FIRST, 'successful')], debits: [other] })).toContain('the service does not');
});

it('the invariant check reports a due date without an outcome, or with an outcome that is not possible', () => {
  const over = FIRST + 121 * HOUR;
  expect(broken({}, model(over))).toContain('is none; expected collected');
  expect(broken({}, model(over - 1))).toBe('');
  expect(broken({ cycles: [{ cycle: 0, status: 'missed', reason: 'window_closed' }] }, model(over))).toContain(
    'is missed',
  );
  const refused = model(over, { wallets: [{ at: FIRST - DAY, wallet: 'insufficient-funds-always' }] });
  expect(broken({ cycles: [{ cycle: 0, status: 'collected' }] }, refused)).toContain('expected failed');
  const skipping = model(over, { skips: new Map([[0, { earliest: FIRST - DAY, latest: FIRST - DAY }]]) });
  expect(broken({ cycles: [{ cycle: 0, status: 'collected' }] }, skipping)).toContain('expected skipped');
});

it('the invariant check reports an amount that was not requested', () => {
  const authorizations = [{ ...authorization(FIRST), amount: 1998 }];
  expect(broken({ authorizations })).toContain('cycle 0 was tried with 1998 cents; expected 1999');
});

it('the invariant check reports a paid link without a debit, with two debits, and one whose cycle was also collected or is past due', () => {
  expect(broken({ paid: [[0, ['successful']]] })).not.toContain('link');
  expect(broken({ paid: [[0, ['failed']]] })).toContain('debited 0 times');
  expect(broken({ paid: [[0, ['successful', 'successful']]] })).toContain('debited 2 times');
  const debits = [{ captureId: 'cap_1', status: 'successful', cents: 1999, cycle: 0 }];
  expect(broken({ paid: [[0, ['successful']]], debits })).toContain('paid by a link, and collected');
  const standing = 'past_due';
  expect(broken({ paid: [[0, ['successful']]], standing })).toContain('paid by a link, and is past due');
  expect(broken({ paid: [[0, ['successful']]], standing }, model(FIRST + 40 * DAY))).not.toContain('is past due');
});

it('the invariant check reports a refund that was not ordered, and one made twice', () => {
  const refund = { refundId: 'ref_1', captureId: 'cap_1', amount: 500, result: 'successful' } as const;
  const ordered = model(SOON, { refunds: [{ captureId: 'cap_1', cents: 500 }] });
  expect(broken({ refunds: [refund] })).toContain('which was not ordered');
  expect(broken({ refunds: [refund] }, ordered)).toBe('');
  expect(broken({ refunds: [refund, refund] }, ordered)).toContain('which was not ordered');
});

it('the invariant check reports the end of a cycle without a reason, and a needless refusal', () => {
  expect(broken({ cycles: [{ cycle: 0, status: 'failed' }] })).toContain('without a reason');
  expect(broken({ refusals: ['INTERVAL_NOT_MATCHED'] })).toContain('refused needlessly: INTERVAL_NOT_MATCHED');
});

it('the invariant check counts its calendar from the first payment', () => {
  const dates = [0, 1, 2, 3].map((cycle) => new Date(dueOf(AGREEMENT, cycle)).toISOString().slice(0, 10));
  expect(dates).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']);
});
