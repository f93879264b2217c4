import { COLLECTION_WINDOW, REPETITIONS } from '../domain/subscription/schedule';
import type { OnExhausted } from '../domain/subscription/state';
import { HOUR, type Instant, isInstant, LAST_INSTANT, toIso } from '../domain/time';
import { BadInputError } from '../process/command-error';
import { centsOf } from './api/options';

/** The options of `dueday simulate` as typed. */
export interface SimulateArguments {
  readonly repetition?: string;
  readonly first?: string;
  readonly amountCents?: string;
  readonly years?: string;
  readonly start?: string;
  readonly end?: string;
  readonly onExhausted?: string;
  readonly fail?: readonly string[];
  readonly pause?: readonly string[];
  readonly skip?: readonly string[];
  readonly postpone?: readonly string[];
  readonly hold?: readonly string[];
  readonly amount?: readonly string[];
  readonly cancel?: string;
  readonly payerCancels?: string;
  readonly json?: boolean;
  readonly svg?: string;
}

const ON_EXHAUSTED = ['continue', 'pause', 'cancel'] as const satisfies readonly OnExhausted[];
const MAX_YEARS = 50;

/** A fault in one option's value. */
class Fault extends Error {}

/** The parsed options. Cycles count from 0. */
export type SimulateOptions = ReturnType<typeof readSimulateOptions>;

/** @throws BadInputError with every fault */
export function readSimulateOptions(given: SimulateArguments) {
  const faults: string[] = [];
  /** The value, or a stand-in that is never used because the faults are thrown. */
  const take = <T>(option: string, read: () => T, standIn: T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.push(`${option}: ${error.message}`);
      return standIn;
    }
  };
  const optional = <T>(option: string, text: string | undefined, read: (text: string) => T): T | null =>
    text === undefined ? null : take<T | null>(option, () => read(text), null);
  const each = <T>(option: string, texts: readonly string[] = [], read: (text: string) => T) =>
    texts.map((text) => optional(option, text, read)).filter((value) => value !== null);
  const consentAmounts = (given.amount ?? []).filter((text) => !text.includes(':'));
  const changes = (given.amount ?? []).filter((text) => text.includes(':'));
  const options = {
    repetition: take('--repetition', () => readChoice(given.repetition ?? '', REPETITIONS), 'MONTHLY'),
    firstPaymentAt: take('--first', () => readInstant(given.first ?? ''), 0),
    amountCents: take(
      given.amountCents === undefined ? '--amount' : '--amount-cents',
      () => readConsentAmount(given.amountCents, consentAmounts),
      1,
    ),
    /** Null: until `endAt`. */
    years: optional('--years', given.years, (text) => readCount(text, 1, MAX_YEARS)),
    startAt: optional('--start', given.start, readInstant),
    endAt: optional('--end', given.end, readInstant),
    onExhausted: take('--on-exhausted', () => readChoice(given.onExhausted ?? 'continue', ON_EXHAUSTED), 'continue'),
    failures: each('--fail', given.fail, readFailure),
    pauses: each('--pause', given.pause, readPause),
    skips: each('--skip', given.skip, (text) => readCount(text, 0, HIGHEST_CYCLE)),
    postponements: each('--postpone', given.postpone, readPostponement),
    holds: each('--hold', given.hold, readHold),
    amounts: each('--amount', changes, readChange),
    cancelAt: optional('--cancel', given.cancel, readInstant),
    payerCancelsAt: optional('--payer-cancels', given.payerCancels, readInstant),
  };
  if (faults.length === 0) faults.push(...faultsBetween(options));
  if (faults.length > 0) throw new BadInputError(faults);
  return options;
}

function readChoice<Choice extends string>(text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new Fault(`expected ${choices.join(', ')}; got ${quoted(text)}`);
  return choice;
}

/** The faults that only several options together show. */
function faultsBetween(options: SimulateOptions): string[] {
  const { firstPaymentAt, startAt, endAt, years } = options;
  const faults: string[] = [];
  if (years === null && endAt === null) faults.push('--years or --end: one of them is required');
  if (endAt === null && !isInstant(firstPaymentAt + COLLECTION_WINDOW)) {
    faults.push(`--first: must be at least ${COLLECTION_WINDOW / HOUR} hours before ${toIso(LAST_INSTANT)}`);
  }
  if (startAt !== null && startAt > firstPaymentAt) faults.push('--start: must not be after --first');
  if (endAt !== null && endAt <= firstPaymentAt) faults.push('--end: must be after --first');
  const twice = (option: string, named: readonly { readonly cycle: number | null }[]) => {
    const cycles = named.map(({ cycle }) => cycle);
    return cycles
      .filter((cycle, index) => cycles.indexOf(cycle) !== index)
      .map((cycle) => `${option}: ${cycle === null ? 'always' : `cycle ${cycle}`} is given twice`);
  };
  if (options.failures.length > 1 && options.failures.some(({ cycle }) => cycle === null)) {
    faults.push('--fail: always cannot be combined with another failure');
  }
  const skips = options.skips.map((cycle) => ({ cycle }));
  faults.push(...twice('--fail', options.failures), ...twice('--skip', skips));
  faults.push(...twice('--postpone', options.postponements), ...twice('--amount', options.amounts));
  const sorted = [...options.pauses].sort((a, b) => a.from - b.from);
  for (const [index, pause] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next !== undefined && (pause.until === null || pause.until > next.from)) {
      faults.push(`--pause: the pause from ${toIso(next.from)} starts within the previous one`);
    }
  }
  return faults;
}

/** How an attempt may fail, and what the simulator does. */
export const FAILURE_CODES = {
  insufficient_funds: 'the bank rejects it; it may be retried',
  transaction_limit: 'the bank rejects it; it may be retried',
  account_closed: 'the bank rejects it finally',
  capture_failed: 'it is authorized, but the debit fails',
  lost_answer: 'the debit is made, but its answer is lost',
  lost_request: 'the request never arrives',
} as const;
export type FailureCode = keyof typeof FAILURE_CODES;

const RETRYABLE: ReadonlySet<FailureCode> = new Set(['insufficient_funds', 'transaction_limit']);
const COUNTED: ReadonlySet<FailureCode> = new Set([...RETRYABLE, 'lost_request']);
const MAX_TIMES = 99;

export interface Failure {
  /** Null: every cycle. */
  readonly cycle: number | null;
  /** The number of failing attempts, counted from the cycle's first; Infinity for all of them. */
  readonly times: number;
  readonly code: FailureCode;
}

export function isRetryable(code: FailureCode): boolean {
  return RETRYABLE.has(code);
}

/** `3:insufficient_funds`, `3x2:insufficient_funds`, `3xalways:insufficient_funds`, `always:account_closed`. */
function readFailure(text: string): Failure {
  const [, where = '', times, code = ''] = /^(\d{1,5}|always)(?:x(\d{1,2}|always))?:(\w+)$/.exec(text) ?? [];
  if (where === '') {
    throw new Fault(
      `expected a failure such as 3:insufficient_funds, 3x2:…, 3xalways:… or always:…; got ${quoted(text)}`,
    );
  }
  if (!isFailureCode(code)) {
    throw new Fault(`expected one of ${Object.keys(FAILURE_CODES).join(', ')}; got ${quoted(code)} in ${text}`);
  }
  if (where === 'always' && !isRetryable(code) && code !== 'account_closed' && code !== 'capture_failed') {
    throw new Fault(`${code} applies to one cycle, such as 3:${code}; got ${quoted(text)}`);
  }
  if (times !== undefined && (where === 'always' || !COUNTED.has(code))) {
    throw new Fault(`${where === 'always' ? 'always' : code} takes no count; got ${quoted(text)}`);
  }
  if (times === '0' || (times === 'always' && !isRetryable(code))) {
    throw new Fault(`expected a count from 1 to ${MAX_TIMES}; got ${quoted(text)}`);
  }
  const cycle = where === 'always' ? null : Number(where);
  const count = times === 'always' || cycle === null ? Infinity : Number(times ?? 1);
  return { cycle, code, times: count };
}

function isFailureCode(text: string): text is FailureCode {
  return Object.hasOwn(FAILURE_CODES, text);
}

/** `2027-02-01..2027-03-15`, or `2027-02-01..` for a pause without an end. */
function readPause(text: string): { readonly from: Instant; readonly until: Instant | null } {
  const [first = '', last, more] = text.split('..');
  if (last === undefined || more !== undefined)
    throw new Fault(`expected a period such as 2027-02-01..2027-03-15; got ${quoted(text)}`);
  const from = readInstant(first);
  const until = last === '' ? null : readInstant(last);
  if (until !== null && until <= from) throw new Fault(`must end after it starts; got ${quoted(text)}`);
  return { from, until };
}

/** `2027-02-27..2027-03-02` */
function readHold(text: string): { readonly from: Instant; readonly until: Instant } {
  const { from, until } = readPause(text);
  if (until === null) throw new Fault(`a hold has an end, such as 2027-02-27..2027-03-02; got ${quoted(text)}`);
  return { from, until };
}

/** `3:2027-04-03T10:00:00Z` */
function readPostponement(text: string): { readonly cycle: number; readonly until: Instant } {
  const [, cycle = '', until = ''] = /^(\d+):(.+)$/.exec(text) ?? [];
  if (until === '')
    throw new Fault(`expected a cycle and an instant such as 3:2027-04-03T10:00:00Z; got ${quoted(text)}`);
  return { cycle: readCount(cycle, 0, HIGHEST_CYCLE), until: readInstant(until) };
}

const HIGHEST_CYCLE = 10_000;
const HIGHEST_AMOUNT = 100_000_000;

/** Must be given exactly once, in cents or in euros. */
function readConsentAmount(cents: string | undefined, euros: readonly string[]): number {
  const [amount, ...more] = [
    ...(cents === undefined ? [] : [readCount(cents, 1, HIGHEST_AMOUNT)]),
    ...euros.map((text) => readEuros(text, 'euros such as 19.99', text)),
  ];
  if (amount === undefined) throw new Fault('expected the consent amount, such as 19.99; got nothing');
  if (more.length > 0) throw new Fault('the consent amount is given twice');
  return amount;
}

/** `5:24.99`: from cycle 5 on 24.99 EUR. */
function readChange(text: string): { readonly cycle: number; readonly cents: number } {
  const expected = 'a cycle of at least 1 and an amount, such as 5:24.99';
  const [cycle = '', amount = '', more] = text.split(':');
  const number = DIGITS.test(cycle) ? Number(cycle) : NaN;
  if (more !== undefined || !isWithin(number, 1, HIGHEST_CYCLE)) {
    throw new Fault(`expected ${expected}; got ${quoted(text)}`);
  }
  return { cycle: number, cents: readEuros(amount, expected, text) };
}

function readEuros(euros: string, expected: string, text: string): number {
  const cents = centsOf(euros) ?? NaN;
  if (isWithin(cents, 1, HIGHEST_AMOUNT)) return cents;
  throw new Fault(`expected ${expected}; got ${quoted(text)}`);
}

const DIGITS = /^\d{1,12}$/;

function readCount(text: string, least: number, most: number): number {
  const value = DIGITS.test(text) ? Number(text) : NaN;
  if (isWithin(value, least, most)) return value;
  throw new Fault(`expected a whole number from ${least} to ${most}; got ${quoted(text)}`);
}

function isWithin(value: number | undefined, least: number, most: number): value is number {
  return value !== undefined && value >= least && value <= most;
}

const FORM = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** `2027-01-31T09:00:00.000Z`, with any offset; a date alone means midnight UTC. */
function readInstant(text: string): Instant {
  const day = FORM.exec(text)?.[1];
  const value = day === undefined ? NaN : Date.parse(text);
  // Date.parse reads 31 February as 3 March.
  const isReal = day !== undefined && !Number.isNaN(value) && new Date(`${day}T00:00Z`).toISOString().startsWith(day);
  if (isReal && isInstant(value)) return value;
  throw new Fault(`expected a date such as 2027-01-31T09:00:00.000Z or 2027-01-31; got ${quoted(text)}`);
}

function quoted(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text);
}
