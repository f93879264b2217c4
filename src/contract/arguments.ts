import type { ChangeRequest } from '../domain/subscription/amount-request';
import type {
  AmountChangeRequest,
  AttemptRef,
  CycleRequest,
  PauseRequest,
  ReplacementNews,
  Request,
  ResolveRequest,
} from './messages';
import type { CaptureInput } from './payments';

/** What stands where an argument of a workflow could not be read: it comes from a person, or needs a key that is missing. */
export interface Unreadable {
  readonly unreadable: string;
}

/** @param why for people */
export function unreadable(why: string): Unreadable {
  return { unreadable: why };
}

/** Why one of these arguments could not be read; null where all could. */
export function whyUnreadable(args: readonly unknown[]): string | null {
  return args.find(isUnreadable)?.unreadable ?? null;
}

function isUnreadable(value: unknown): value is Unreadable {
  if (!isRecord(value)) return false;
  const [name, ...others] = Object.keys(value);
  return name === 'unreadable' && others.length === 0 && typeof value['unreadable'] === 'string';
}

/** One field of what is sent to a workflow. */
interface Field {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

type Fields<T> = { readonly [K in keyof Required<T>]: Field };

/** What a message to a workflow has to be: people can send anything from Temporal's Web UI and command line. */
export interface MessageShape<T> {
  /** As `update pause`. */
  readonly name: string;
  readonly fields: Fields<T>;
}

/** What is wrong with the argument of a message: field, expectation and value; null where nothing is. */
export function faultIn({ name, fields }: MessageShape<unknown>, argument: unknown): string | null {
  if (!isRecord(argument)) return `${name} takes an object; got ${shown(argument)}`;
  const [wrong] = Object.entries<Field>(fields).filter(([field, { fits }]) => !fits(argument[field]));
  if (wrong === undefined) return null;
  const [field, { expected }] = wrong;
  return `${name}: ${field} must be ${expected}; got ${shown(argument[field])}`;
}

const LONGEST_SHOWN = 100;

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, LONGEST_SHOWN);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wholeNumber(least: number, most: number, what = 'a whole number'): Field {
  return {
    expected: `${what} from ${least} to ${most}`,
    fits: (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  };
}

function oneOf(...texts: readonly string[]): Field {
  return { expected: texts.join(' or '), fits: (value) => texts.some((each) => each === value) };
}

function orNull({ expected, fits }: Field): Field {
  return { expected: `${expected}, or null`, fits: (value) => value === null || fits(value) };
}

function optional({ expected, fits }: Field): Field {
  return { expected: `${expected}, or left out`, fits: (value) => value === undefined || fits(value) };
}

/** As far as JavaScript's dates reach. */
const LAST_INSTANT = 8.64e15;
/** Weekly, these are nineteen hundred years. */
const LAST_CYCLE = 100_000;

const TEXT: Field = { expected: 'a text', fits: (value) => typeof value === 'string' };
const FLAG: Field = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
const COUNT = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const CYCLE = wholeNumber(0, LAST_CYCLE);
const INSTANT = wholeNumber(0, LAST_INSTANT, 'an instant in epoch milliseconds');
const DURATION = wholeNumber(0, LAST_INSTANT, 'milliseconds');
const MONEY: Field = {
  expected: 'an amount such as {"value":1999,"currency":"EUR"}',
  fits: (value) => isRecord(value) && COUNT.fits(value['value']) && value['currency'] === 'EUR',
};
const ATTEMPT_REF: MessageShape<AttemptRef> = { name: 'attempt', fields: { cycle: CYCLE, attempt: COUNT } };
const ATTEMPT: Field = {
  expected: 'an attempt such as {"cycle":3,"attempt":0}',
  fits: (value) => faultIn(ATTEMPT_REF, value) === null,
};

const BY = { actor: TEXT, keyId: optional(orNull(TEXT)), requestId: optional(TEXT), onRecord: optional(TEXT) };
const REQUEST: Fields<Request> = {
  ...BY,
  reason: orNull(TEXT),
  revision: optional(COUNT),
  settled: optional(ATTEMPT),
};
const CHANGE: Fields<ChangeRequest> = { amount: MONEY, fromCycle: orNull(CYCLE), announceAhead: DURATION };

const update = <T>(name: string, fields: Fields<T>): MessageShape<T> => ({ name: `update ${name}`, fields });

export const PAUSE = update<PauseRequest>('pause', { ...REQUEST, until: orNull(INSTANT) });
export const RESUME = update<Request>('resume', REQUEST);
export const CANCEL = update<Request>('cancel', REQUEST);
export const SKIP = update<CycleRequest>('skipCycle', { ...REQUEST, cycle: CYCLE });
export const RETRY = update<CycleRequest>('retryCycle', { ...REQUEST, cycle: CYCLE });
export const CHANGE_AMOUNT = update<AmountChangeRequest>('changeAmount', { ...REQUEST, ...CHANGE });
export const CHECK_CONSENT = update<Request>('checkConsent', REQUEST);
export const WITHDRAW_CHANGE = update<Request>('withdrawChange', REQUEST);
export const ACKNOWLEDGE = update<Request>('acknowledge', REQUEST);
export const RESOLVE = update<ResolveRequest>('resolveCycle', {
  ...BY,
  cycle: CYCLE,
  outcome: oneOf('collected', 'failed'),
  evidence: TEXT,
  authorizationId: orNull(TEXT),
  captureId: orNull(TEXT),
});
export const CAPTURE = update<CaptureInput>('capture', {
  orderId: TEXT,
  paymentId: TEXT,
  amount: MONEY,
  finalCapture: FLAG,
  orderedAt: INSTANT,
  captureBy: INSTANT,
  transit: DURATION,
});
export const REPLACEMENT: MessageShape<ReplacementNews> = {
  name: 'signal replacement',
  fields: { by: TEXT, from: INSTANT, stage: oneOf('requested', 'granted', 'ended') },
};
export const JUDGE_CHANGE: MessageShape<ChangeRequest> = { name: 'query judgeChange', fields: CHANGE };
