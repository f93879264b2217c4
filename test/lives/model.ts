import type { PaymentId } from '../../src/domain/ids';
import { type Agreement, closeOf, cyclesBefore, dueOf, MINUTE } from './calendar';
import { HASTE, type Moment } from './moment';
import type { MoneyOrder } from './orders';
import type { AmountRequest } from './owed';

export interface ModelPause {
  readonly from: Moment;
  to: Moment | null;
  /** Who paused: the merchant, or dueday as agreed for exhausted retries. */
  readonly by: 'merchant' | 'dueday';
}

/** No attempt begins between `from` and `to`; no due date is skipped. */
export interface ModelHold {
  readonly holdId: string;
  readonly from: Moment;
  to: Moment;
}

/** What has been done to one subscription, and what is known of it. Nothing here is computed by the daemon's rules. */
export interface Model {
  readonly agreement: Agreement;
  /** Whether the payer granted the consent. */
  readonly granted: boolean;
  now: number;
  /** The end of the simulated life. */
  readonly until: number;
  /** When the previous step was checked. */
  before: number;
  readonly pauses: ModelPause[];
  readonly holds: ModelHold[];
  readonly skips: Map<number, Moment>;
  /** The cycles with a postponed first attempt, and until when. */
  readonly postponed: Map<number, number>;
  /** The merchant's cancellation, as accepted. */
  cancelled: Moment | null;
  payerCancelled: number | null;
  /** When the subscription was cancelled because its retries were exhausted. */
  exhausted: Moment | null;
  readonly wallets: { readonly at: number; readonly wallet: string }[];
  readonly outages: { readonly from: number; to: number | null }[];
  /** Changes of the amount, accepted. */
  readonly requests: AmountRequest[];
  readonly refunds: MoneyOrder[];
  /** Payments of links, by the cycle that they have paid. */
  readonly paid: Map<number, PaymentId>;
  /** The ledger's status at the last check. */
  status: string;
}

export function newModel(agreement: Agreement, granted: boolean, now: number, until: number): Model {
  return {
    agreement,
    granted,
    now,
    until,
    before: now,
    status: granted ? 'active' : 'consent_failed',
    pauses: [],
    holds: [],
    skips: new Map<number, Moment>(),
    postponed: new Map<number, number>(),
    cancelled: null,
    payerCancelled: null,
    exhausted: null,
    wallets: [{ at: now, wallet: 'approves' }],
    outages: [],
    requests: [],
    refunds: [],
    paid: new Map<number, PaymentId>(),
  };
}

export type Certainty = 'yes' | 'no' | 'perhaps';

/** Whether the subscription was paused at the instant. */
export function wasPaused(model: Model, instant: number): Certainty {
  const answers = model.pauses.map(({ from, to }): Certainty => {
    if (instant < from.earliest || (to !== null && instant >= to.latest)) return 'no';
    return instant >= from.latest && (to === null || instant < to.earliest) ? 'yes' : 'perhaps';
  });
  if (answers.includes('yes')) return 'yes';
  return answers.includes('perhaps') ? 'perhaps' : 'no';
}

/** When the subscription was cancelled, by either side; null while it continues. A completed one has no due date left. */
export function endOf({ cancelled, payerCancelled, exhausted }: Model): Moment | null {
  const ends = [
    cancelled,
    exhausted,
    payerCancelled === null ? null : { earliest: payerCancelled, latest: payerCancelled },
  ];
  const known = ends.filter((end) => end !== null);
  if (known.length === 0) return null;
  return {
    earliest: Math.min(...known.map(({ earliest }) => earliest)),
    latest: Math.min(...known.map(({ latest }) => latest)),
  };
}

export type Outcome = 'collected' | 'failed' | 'skipped' | 'missed' | 'none';

const ANY: readonly Outcome[] = ['collected', 'failed', 'skipped', 'none'];
/** A window shorter than this may end without an attempt: the transit margin and one fault can use it up. */
export const MIN_WINDOW = 30 * MINUTE;

/**
 * What may have become of a cycle whose window is over. Faults on the wire are few and pass: they never cost a date.
 * Only a hold can make a cycle `missed`: the daemon is never away here.
 */
export function outcomesOf(model: Model, cycle: number): readonly Outcome[] {
  const [due, close] = [dueOf(model.agreement, cycle), closeOf(model.agreement, cycle)];
  const outcomes = outcomesWithoutHolds(model, cycle);
  const holds = model.holds.filter(({ from, to }) => from.earliest < close && to.latest > due);
  const isTriable = outcomes.includes('collected') || outcomes.includes('failed');
  if (holds.length === 0) return outcomes;
  // A cancellation at the payer's bank is noticed by an attempt, which the hold stops.
  if (!isTriable) return model.payerCancelled === null ? outcomes : [...outcomes, 'missed'];
  const isWhole = holds.some(({ from, to }) => from.latest <= due - HASTE && to.earliest >= close);
  const others = outcomes.filter((each) => each !== 'collected' && each !== 'failed');
  return isWhole ? ['missed', ...others] : ['collected', 'failed', 'missed', ...others];
}

function outcomesWithoutHolds(model: Model, cycle: number): readonly Outcome[] {
  const { agreement } = model;
  const [due, close] = [dueOf(agreement, cycle), closeOf(agreement, cycle)];
  if (!model.granted) return ['none'];
  const end = endOf(model);
  if (end !== null && end.latest <= due) return ['none', 'skipped'];
  if (end !== null && end.earliest < close) return ANY;
  if (model.skips.has(cycle)) return ['skipped'];
  const atDue = wasPaused(model, due);
  if (atDue === 'yes') return ['skipped'];
  const isStopped = model.pauses.some(({ from, to }) => from.earliest < close && (to === null || to.latest > due));
  if (isStopped || atDue === 'perhaps') return ['collected', 'failed', 'skipped'];
  const start = model.postponed.get(cycle) ?? due;
  if (close - start < MIN_WINDOW) return ANY;
  return byWallet(model, start, close);
}

function byWallet({ wallets }: Model, due: number, close: number): readonly Outcome[] {
  const atDue = wallets.filter(({ at }) => at <= due - HASTE).at(-1)?.wallet ?? 'approves';
  const isConstant = !wallets.some(({ at }) => at > due - HASTE && at < close);
  if (!isConstant) return ['collected', 'failed'];
  if (atDue === 'approves' || atDue.startsWith('slow-')) return ['collected'];
  const neverPays = ['final-rejection', 'capture-fails', 'insufficient-funds-always'];
  return neverPays.includes(atDue) ? ['failed'] : ['collected', 'failed'];
}

/** What is wrong with the ledger's status after all that was done; null if it is possible. What the daemon did by itself is added to the model. */
export function explainStatus(model: Model, status: string): string | null {
  const was = model.status;
  model.status = status;
  switch (status) {
    case 'consent_failed':
      return model.granted ? 'consent_failed, though the payer granted it' : null;
    case 'completed':
      return explainCompletion(model);
    case 'cancelled':
      return explainEnd(model);
    case 'paused':
      return explainPause(model, was);
    case 'active':
      return explainActivity(model);
    default:
      return `status ${status}`;
  }
}

/** What is wrong with the status `completed`; null if no due date remains except those that were skipped by request. */
function explainCompletion({ agreement, now, skips }: Model): string | null {
  const toCome =
    agreement.end === null ? [NaN] : cyclesBefore(agreement, agreement.end).slice(cyclesBefore(agreement, now).length);
  return toCome.every((cycle) => skips.has(cycle)) ? null : 'completed, though due dates are to come';
}

function explainEnd(model: Model): string | null {
  if (endOf(model) !== null) return null;
  if (model.agreement.onExhausted !== 'cancel' || !rejectedBefore(model)) return 'cancelled without a reason';
  model.exhausted = { earliest: model.before, latest: model.now };
  return null;
}

function explainPause(model: Model, was: string): string | null {
  if (wasPaused(model, model.now) !== 'no') return null;
  // A pause with an end is lifted by a timer, which may fire right now.
  if (was === 'paused' && model.pauses.some(({ to }) => to !== null && Math.abs(to.latest - model.now) < HASTE))
    return null;
  if (model.agreement.onExhausted !== 'pause' || !rejectedBefore(model)) return 'paused without a reason';
  model.pauses.push({ from: { earliest: model.before, latest: model.now }, to: null, by: 'dueday' });
  return null;
}

/** What is wrong with the status `active`; null if it is possible. A cancellation at the bank shows at the next due date or check. */
function explainActivity(model: Model): string | null {
  if (model.cancelled !== null && model.now > model.cancelled.latest + HASTE) return 'active, though it was cancelled';
  return wasPaused(model, model.now) === 'yes' ? 'active, though it is paused' : null;
}

function rejectedBefore({ wallets }: Model): boolean {
  return wallets.some(({ wallet }) => wallet.startsWith('insufficient-funds') || wallet.startsWith('rejected-'));
}
