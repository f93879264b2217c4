import { dueAt, firstCycleFrom, addMonths } from '../domain/subscription/schedule';
import type { SubscriptionId } from '../domain/ids';
import { DAY, HOUR, type Instant, SECOND, toIso } from '../domain/time';
import { euros, formatMoney } from '../domain/money';
import type { Terms } from '../domain/subscription/state';
import type { Happening, Script } from '../simulation/script';
import { BadInputError } from './command-error';
import { type Failure, isRetryable } from './simulate-happenings';
import type { SimulateOptions } from './simulate-options';

/** The payer approves at the start; a day is room for it. */
const BEFORE_FIRST = DAY;
/** The payer's bank changes its mind this long before the due date. */
const AHEAD = HOUR;
/** Past the end everything is final: the last window, and what was pending. */
const AFTER_END = 8 * DAY;

/** @throws BadInputError with every happening that lies outside of what is watched */
export function scriptOf(options: SimulateOptions): Script {
  const terms = termsOf(options);
  const until = watchedUntil(options);
  const happenings = happeningsOf(options, terms).map((each) => ({ ...each, at: asideOfDueDate(terms, each.at) }));
  const outside = happenings.filter(({ at }) => at < terms.startAt || at >= until);
  if (outside.length > 0) {
    const span = `${toIso(terms.startAt)} to ${toIso(until)}`;
    throw new BadInputError(
      outside.map(({ at, says }) => `${says}: ${toIso(at)} is outside of what is watched, ${span}`),
    );
  }
  return { terms, until, happenings };
}

/** What happens in the very millisecond of a due date comes after it, as the time-skipping server can take but one at a time. */
const ASIDE = 2 * SECOND;

function asideOfDueDate(terms: Terms, at: Instant): Instant {
  return dueAt(terms, firstCycleFrom(terms, at)) === at ? at + ASIDE : at;
}

function termsOf(options: SimulateOptions): Terms {
  const { repetition, firstPaymentAt, endAt, amountCents, onExhausted } = options;
  return {
    subscriptionId: 'simulated' as SubscriptionId,
    ...{ repetition, firstPaymentAt, endAt, onExhausted },
    startAt: options.startAt ?? firstPaymentAt - BEFORE_FIRST,
    consentAmount: euros(amountCents),
  };
}

function watchedUntil({ years, endAt, firstPaymentAt }: SimulateOptions): Instant {
  const horizon = years === null ? Infinity : addMonths(firstPaymentAt, 12 * years);
  const end = endAt === null ? Infinity : endAt + AFTER_END;
  return Math.min(horizon, end);
}

function happeningsOf(options: SimulateOptions, terms: Terms): Happening[] {
  const start = terms.startAt;
  const optional = (at: Instant | null, deed: Happening['deed'], says: string): Happening[] =>
    at === null ? [] : [{ at, deed, says }];
  return [
    ...options.failures.flatMap((failure) => failing(failure, terms)),
    ...options.skips.map((cycle): Happening => ({
      at: start,
      deed: { kind: 'skip', cycle },
      says: `skip cycle ${cycle}`,
    })),
    ...options.pauses.map(({ from, until }): Happening => ({
      at: from,
      deed: { kind: 'pause', until },
      says: 'pause',
    })),
    ...options.amounts.map(({ cycle, cents }): Happening => {
      const amount = euros(cents);
      const says = `from cycle ${cycle} on ${formatMoney(amount)}`;
      return { at: dueAt(terms, cycle - 1) + AHEAD, deed: { kind: 'amount', cycle, amount }, says };
    }),
    ...optional(options.cancelAt, { kind: 'cancel' }, 'the merchant cancels'),
    ...optional(options.payerCancelsAt, { kind: 'payer_cancels' }, 'the payer cancels at the bank'),
  ];
}

/** The simulated bank, or the network, made ready for a cycle; afterwards all is well again. */
function failing(failure: Failure, terms: Terms): Happening[] {
  const { cycle, code, times } = failure;
  const says = `${cycle === null ? 'every cycle' : `cycle ${cycle}`} fails: ${code}`;
  const at = cycle === null ? terms.startAt : Math.max(terms.startAt, dueAt(terms, cycle) - AHEAD);
  if (code === 'lost_answer' || code === 'lost_request') {
    const fault = code === 'lost_answer' ? 'lost_answer' : 'swallowed';
    return [{ at, deed: { kind: 'fault', fault, times }, says }];
  }
  const happening: Happening = { at, deed: { kind: 'wallet', wallet: walletFor(failure) }, says };
  if (cycle === null) return [happening];
  const healed = dueAt(terms, cycle + 1) - AHEAD - 1;
  return [happening, { at: healed, deed: { kind: 'wallet', wallet: 'approves' }, says: `cycle ${cycle} is over` }];
}

function walletFor({ code, times }: Failure): string {
  if (isRetryable(code)) return `insufficient-funds-${times === Infinity ? 'always' : times}`;
  return code === 'capture_failed' ? 'capture-fails' : 'final-rejection';
}
