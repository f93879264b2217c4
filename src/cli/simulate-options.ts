import { REPETITIONS, type Repetition } from '../domain/subscription/schedule';
import type { OnExhausted } from '../domain/subscription/state';
import { type Instant, toIso } from '../domain/time';
import { BadInputError } from '../process/command-error';

/** What was typed after `dueday simulate`, as it was typed. */
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
  readonly amount?: readonly string[];
  readonly cancel?: string;
  readonly payerCancels?: string;
  readonly json?: boolean;
  readonly svg?: string;
}

/** What it means. Cycles count from 0. */
export interface SimulateOptions {
  readonly repetition: Repetition;
  readonly firstPaymentAt: Instant;
  readonly amountCents: number;
  /** Null: until the end. */
  readonly years: number | null;
  readonly startAt: Instant | null;
  readonly endAt: Instant | null;
  readonly onExhausted: OnExhausted;
  readonly failures: readonly Failure[];
  readonly pauses: readonly Pause[];
  readonly skips: readonly number[];
  readonly amounts: readonly AmountChange[];
  readonly cancelAt: Instant | null;
  readonly payerCancelsAt: Instant | null;
}

const ON_EXHAUSTED = ['continue', 'pause', 'cancel'] as const satisfies readonly OnExhausted[];
const MOST_YEARS = 50;

/** @throws BadInputError with every fault */
export function readSimulateOptions(given: SimulateArguments): SimulateOptions {
  const faults: string[] = [];
  /** The value, or a stand-in that is never used, as the faults are thrown. */
  const take = <T>(option: string, reading: Reading<T>, standIn: T): T => {
    if (!isFault(reading)) return reading.value;
    faults.push(`${option}: ${reading.fault}`);
    return standIn;
  };
  const optional = <T>(option: string, text: string | undefined, read: (text: string) => Reading<T>): T | null =>
    text === undefined ? null : take<T | null>(option, read(text), null);
  const each = <T>(option: string, texts: readonly string[] | undefined, read: (text: string) => Reading<T>): T[] =>
    (texts ?? []).flatMap((text) => {
      const value = take<T | null>(option, read(text), null);
      return value === null ? [] : [value];
    });
  const options: SimulateOptions = {
    repetition: take('--repetition', readChoice(given.repetition ?? '', REPETITIONS), 'MONTHLY'),
    firstPaymentAt: take('--first', readInstant(given.first ?? ''), 0),
    amountCents: take('--amount-cents', readCount(given.amountCents ?? '', 1, HIGHEST_AMOUNT), 1),
    years: optional('--years', given.years, (text) => readCount(text, 1, MOST_YEARS)),
    startAt: optional('--start', given.start, readInstant),
    endAt: optional('--end', given.end, readInstant),
    onExhausted: take('--on-exhausted', readChoice(given.onExhausted ?? 'continue', ON_EXHAUSTED), 'continue'),
    failures: each('--fail', given.fail, readFailure),
    pauses: each('--pause', given.pause, readPause),
    skips: each('--skip', given.skip, (text) => readCount(text, 0, HIGHEST_CYCLE)),
    amounts: each('--amount', given.amount, readAmount),
    cancelAt: optional('--cancel', given.cancel, readInstant),
    payerCancelsAt: optional('--payer-cancels', given.payerCancels, readInstant),
  };
  if (faults.length === 0) faults.push(...faultsBetween(options));
  if (faults.length > 0) throw new BadInputError(faults);
  return options;
}

function readChoice<Choice extends string>(text: string, choices: readonly Choice[]): Reading<Choice> {
  const choice = choices.find((each) => each === text);
  return choice === undefined
    ? { fault: `expected ${choices.join(', ')}; got ${text === '' ? 'nothing' : JSON.stringify(text)}` }
    : { value: choice };
}

/** The faults that only several options together show. */
function faultsBetween(options: SimulateOptions): string[] {
  const { firstPaymentAt, startAt, endAt, years } = options;
  const faults: string[] = [];
  if (years === null && endAt === null) faults.push('--years or --end: one of them is needed');
  if (startAt !== null && startAt > firstPaymentAt) faults.push('--start: must not be after --first');
  if (endAt !== null && endAt <= firstPaymentAt) faults.push('--end: must be after --first');
  const twice = (option: string, cycles: readonly (number | null)[]) =>
    cycles
      .filter((cycle, index) => cycles.indexOf(cycle) !== index)
      .map((cycle) => `${option}: ${cycle === null ? 'always' : `cycle ${cycle}`} is named twice`);
  if (options.failures.length > 1 && options.failures.some(({ cycle }) => cycle === null)) {
    faults.push('--fail: always leaves no room for another');
  }
  faults.push(
    ...twice(
      '--fail',
      options.failures.map(({ cycle }) => cycle),
    ),
  );
  faults.push(
    ...twice('--skip', options.skips),
    ...twice(
      '--amount',
      options.amounts.map(({ cycle }) => cycle),
    ),
  );
  const sorted = [...options.pauses].sort((a, b) => a.from - b.from);
  for (const [index, pause] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next !== undefined && (pause.until === null || pause.until > next.from)) {
      faults.push(`--pause: the one from ${toIso(next.from)} begins within the one before`);
    }
  }
  return faults;
}

/** How an attempt may fail, and what the simulator does for it. */
export const FAILURE_CODES = {
  insufficient_funds: 'the bank rejects it, and it may be retried',
  transaction_limit: 'the bank rejects it, and it may be retried',
  account_closed: 'the bank rejects it for good',
  capture_failed: 'it is authorized, and the debit fails',
  lost_answer: 'the debit is made and its answer lost',
  lost_request: 'the request never arrives',
} as const;
export type FailureCode = keyof typeof FAILURE_CODES;

const RETRYABLE: ReadonlySet<FailureCode> = new Set(['insufficient_funds', 'transaction_limit']);
const COUNTED: ReadonlySet<FailureCode> = new Set([...RETRYABLE, 'lost_request']);
const MOST_TIMES = 99;

export interface Failure {
  /** Null: every cycle. */
  readonly cycle: number | null;
  /** Attempts that fail, from the cycle's first on; Infinity for all of them. */
  readonly times: number;
  readonly code: FailureCode;
}

export interface Pause {
  readonly from: Instant;
  readonly until: Instant | null;
}

export interface AmountChange {
  readonly cycle: number;
  readonly cents: number;
}

export function isRetryable(code: FailureCode): boolean {
  return RETRYABLE.has(code);
}

/** `3:insufficient_funds`, `3x2:insufficient_funds`, `3xalways:insufficient_funds`, `always:account_closed`. */
export function readFailure(text: string): Reading<Failure> {
  const [, where = '', times, code = ''] = /^(\d{1,5}|always)(?:x(\d{1,2}|always))?:(\w+)$/.exec(text) ?? [];
  if (where === '') {
    return { fault: `expected such as 3:insufficient_funds, 3x2:…, 3xalways:… or always:…; got ${quoted(text)}` };
  }
  if (!isFailureCode(code)) {
    return { fault: `expected one of ${Object.keys(FAILURE_CODES).join(', ')}; got ${quoted(code)} in ${text}` };
  }
  if (where === 'always' && !isRetryable(code) && code !== 'account_closed' && code !== 'capture_failed') {
    return { fault: `${code} happens to a cycle, such as 3:${code}; got ${quoted(text)}` };
  }
  if (times !== undefined && (where === 'always' || !COUNTED.has(code))) {
    return { fault: `${where === 'always' ? 'always' : code} takes no count; got ${quoted(text)}` };
  }
  if (times === '0' || (times === 'always' && !isRetryable(code))) {
    return { fault: `expected a count from 1 to ${MOST_TIMES}; got ${quoted(text)}` };
  }
  const cycle = where === 'always' ? null : Number(where);
  const count = times === 'always' || cycle === null ? Infinity : Number(times ?? 1);
  return { value: { cycle, code, times: count } };
}

function isFailureCode(text: string): text is FailureCode {
  return Object.hasOwn(FAILURE_CODES, text);
}

/** `2027-02-01..2027-03-15`, or `2027-02-01..` for a pause without an end. */
export function readPause(text: string): Reading<Pause> {
  const [first = '', last, more] = text.split('..');
  if (last === undefined || more !== undefined)
    return { fault: `expected such as 2027-02-01..2027-03-15; got ${quoted(text)}` };
  const from = readInstant(first);
  const until: Reading<Instant | null> = last === '' ? { value: null } : readInstant(last);
  if (isFault(from)) return from;
  if (isFault(until)) return until;
  if (until.value !== null && until.value <= from.value)
    return { fault: `must end after it begins; got ${quoted(text)}` };
  return { value: { from: from.value, until: until.value } };
}

const HIGHEST_CYCLE = 10_000;
const HIGHEST_AMOUNT = 100_000_000;

/** `5:2499`: from cycle 5 on 24.99 EUR. */
export function readAmount(text: string): Reading<AmountChange> {
  const [cycleText = '', centsText = '', more] = text.split(':');
  const cycle = readCount(cycleText, 1, HIGHEST_CYCLE);
  const cents = readCount(centsText, 1, HIGHEST_AMOUNT);
  if (more !== undefined || isFault(cycle) || isFault(cents)) {
    return { fault: `expected a cycle from 1 on and its cents, such as 5:2499; got ${quoted(text)}` };
  }
  return { value: { cycle: cycle.value, cents: cents.value } };
}

/** A typed value, or what is wrong with it. */
export type Reading<T> = { readonly value: T } | { readonly fault: string };

export function isFault<T>(reading: Reading<T>): reading is { readonly fault: string } {
  return 'fault' in reading;
}

export function readCount(text: string, least: number, most: number): Reading<number> {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most
    ? { value }
    : { fault: `expected a whole number from ${least} to ${most}; got ${quoted(text)}` };
}

const FORM = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** `2027-01-31T09:00:00.000Z`, any offset; a date alone is its midnight in UTC. */
export function readInstant(text: string): Reading<Instant> {
  const day = FORM.exec(text)?.[1];
  const value = day === undefined ? NaN : Date.parse(text);
  // Date.parse takes the 31st of February for the 3rd of March.
  const isReal = day !== undefined && !Number.isNaN(value) && new Date(`${day}T00:00Z`).toISOString().startsWith(day);
  return isReal
    ? { value }
    : { fault: `expected a date such as 2027-01-31T09:00:00.000Z or 2027-01-31; got ${quoted(text)}` };
}

export function quoted(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text);
}
