import fc from 'fast-check';
import { type Agreement, DAY, HOUR, MINUTE } from './calendar';
import * as command from './commands';
import type { Model } from './model';
import type { RealSubscription } from './real';

/** One life as fast-check generates it: what was agreed, how the payer answered, and what happened. Durations in ms. */
export interface Life {
  readonly agreement: Omit<Agreement, 'first' | 'end'>;
  /** The time from the consent to the first payment. */
  readonly lead: number;
  /** The time from the first payment to the agreed end. */
  readonly ends: number | null;
  readonly lasts: number;
  readonly answer: 'approve' | 'decline' | 'abort' | 'none';
  /** The commands; as text, those that were executed. */
  readonly commands: Iterable<fc.AsyncCommand<Model, RealSubscription>> & { toString(): string };
}

const YEAR = 365 * DAY;
const MAX_COMMANDS = 50;

const periodOf = (from: number, to: number) =>
  fc.integer({ min: Math.round(from / MINUTE), max: Math.round(to / MINUTE) }).map((each) => each * MINUTE);

const WALLETS = [
  ...['approves', 'approves', 'approves', 'insufficient-funds-once', 'insufficient-funds-2', 'insufficient-funds-3'],
  ...['insufficient-funds-4', 'insufficient-funds-always', 'rejected-late-once', 'rejected-with-id-once'],
  ...['final-rejection', 'capture-fails', 'slow-30', 'slow-200'],
];

/** Faults of a POST that take no real time and pass at once, so that none of them may cost a due date. */
const POST_FAULTS = [
  { kind: 'lost_answer' },
  { kind: 'swallowed' },
  { kind: 'error_after_commit', html: true },
  { kind: 'error_before_commit', html: true },
  { kind: 'malformed', variant: 'truncated' },
  { kind: 'malformed', variant: 'html' },
  { kind: 'rate_limit', retryAfter: 30 },
  { kind: 'rate_limit', retryAfter: null },
  { kind: 'forbidden' },
  { kind: 'unauthorized' },
] as const;
/** A worker that checks too soon counts a created debit as absent, and sends again. */
const LOST_AND_LISTED_LATE = [{ kind: 'lost_answer' }, { kind: 'late_listing', delayMs: 20_000 }] as const;
const GET_FAULTS = [
  { kind: 'error_before_commit', html: true, times: 3 },
  { kind: 'malformed', variant: 'wrong_types', times: 2 },
  { kind: 'swallowed', times: 2 },
  { kind: 'rate_limit', retryAfter: 5 },
] as const;

const postFault = fc
  .record({
    path: fc.constantFrom('authorizations', 'authorizations', 'authorizations', 'refunds'),
    spec: fc.constantFrom(...POST_FAULTS),
  })
  .map(({ path, spec }) => ({ method: 'POST', path, specs: [spec] }) as const);
const listedLate = fc.constant({ method: 'POST', path: 'authorizations', specs: LOST_AND_LISTED_LATE } as const);
const getFault = fc
  .record({
    path: fc.constantFrom('authorizations', 'consents', 'captures', 'refunds'),
    spec: fc.constantFrom(...GET_FAULTS),
  })
  .map(({ path, spec }) => ({ method: 'GET', path, specs: [spec] }) as const);

/** Limits of windows and retries with one step to either side; the third retry and its last chance. */
const OFFSETS = [-HOUR, -MINUTE, 0, MINUTE, HOUR, 24 * HOUR + MINUTE, 70 * HOUR, 72 * HOUR, 119 * HOUR, 121 * HOUR];

/** Down, up to the consent's amount again, above it, and some caps, two of them also exceeded by a cent. */
const wanted: fc.Arbitrary<command.Wanted> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0.2, 0.5, 0.9).map((share) => ({ share })) },
  { weight: 2, arbitrary: fc.constant({ share: 1 }) },
  { weight: 4, arbitrary: fc.constantFrom(1.01, 1.1, 1.5, 2).map((share) => ({ share })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((cents) => ({ cents })) },
  { weight: 1, arbitrary: fc.constantFrom(15_000, 15_001, 50_000, 50_001, 150_000).map((cents) => ({ cents })) },
);
const changeAmount = fc
  .record({ wanted, ahead: fc.constantFrom(0, 0, 1, 2) })
  .map((each) => new command.ChangeAmount(each.wanted, each.ahead));
const refund = fc
  .record({
    debitsAgo: fc.constantFrom(0, 0, 1, 4),
    part: fc.constantFrom(0.3, 0.5, 'rest' as const, 'too much' as const),
  })
  .map(({ debitsAgo, part }) => new command.Refund(debitsAgo, part));
const time = periodOf(MINUTE, 70 * DAY).map((ms) => new command.TimePasses(ms));
const dueDate = fc.constantFrom(...OFFSETS).map((offset) => new command.NextDueDate(offset));

const commands = fc.commands<Model, RealSubscription, false>(
  [
    ...[time, time, dueDate, dueDate, dueDate],
    fc.constantFrom(...WALLETS).map((wallet) => new command.WalletBecomes(wallet)),
    fc.constantFrom(...WALLETS).map((wallet) => new command.WalletBecomes(wallet)),
    postFault.map((fault) => new command.WireFails(fault)),
    listedLate.map((fault) => new command.WireFails(fault)),
    getFault.map((fault) => new command.WireFails(fault)),
    fc.oneof(fc.constant(null), periodOf(HOUR, 60 * DAY)).map((lasts) => new command.Pause(lasts)),
    fc.constant(new command.Resume()),
    periodOf(HOUR, 9 * DAY).map((lasts) => new command.Hold(lasts)),
    fc.constant(new command.LiftHold()),
    fc.nat({ max: 3 }).map((ahead) => new command.Skip(ahead)),
    fc
      .tuple(fc.nat({ max: 3 }), fc.constantFrom(0, 0.01, 0.4, 0.9))
      .map(([ahead, part]) => new command.Postpone(ahead, part)),
    fc.constant(new command.SkipStarted()),
    fc.constant(new command.RetryNow()),
    fc
      .tuple(fc.constantFrom(0, 0, 0, 2), fc.constantFrom(true, true, false), fc.boolean())
      .map(([nth, pays, waits]) => new command.PayByLink(nth, pays, waits)),
    ...[changeAmount, changeAmount, changeAmount, fc.constant(new command.WithdrawChange())],
    refund,
    fc.constantFrom(new command.MessengerGoes(), new command.MessengerComes(), new command.MessengerComes()),
    fc.constant(new command.Acknowledge()),
    // Drawn rarely, because little happens afterwards.
    fc
      .integer({ min: 1, max: 4 })
      .map((dice) =>
        dice === 1 ? new command.Cancel() : dice === 2 ? new command.PayerCancels() : new command.TimePasses(DAY),
      ),
  ],
  { maxCommands: MAX_COMMANDS, size: 'max', disableReplayLog: true },
);

export const life: fc.Arbitrary<Life> = fc
  .constantFrom('WEEKLY', 'MONTHLY', 'MONTHLY', 'MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY')
  .chain((repetition) =>
    fc.record({
      agreement: fc.record({
        repetition: fc.constant<Agreement['repetition']>(repetition),
        cents: fc.oneof(fc.integer({ min: 100, max: 20_000 }), fc.constantFrom(15_000, 50_000, 60_000)),
        onExhausted: fc.constantFrom('continue' as const, 'continue' as const, 'pause' as const, 'cancel' as const),
      }),
      lead: periodOf(HOUR, 40 * DAY),
      ends: fc.option(periodOf(DAY, 2 * YEAR), { freq: 3 }),
      // Weekly lives are shorter, because a year of weeks is as much work as several years of months.
      lasts: periodOf(YEAR, repetition === 'WEEKLY' ? 1.2 * YEAR : 3 * YEAR),
      answer: fc.constantFrom('decline', 'abort', 'none', ...Array.from({ length: 27 }, () => 'approve' as const)),
      commands,
    }),
  );
