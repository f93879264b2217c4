import { type Instant, toIso } from '../domain/time';
import { REPETITIONS, type Repetition } from '../domain/subscription/schedule';
import type { OnExhausted } from '../domain/subscription/state';
import { BadInputError } from './command-error';
import { type AmountChange, type Failure, type Pause, readAmount, readFailure, readPause } from './simulate-happenings';
import { isFault, readCount, readInstant, type Reading } from './simulate-values';

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
const HIGHEST_CYCLE = 10_000;
const HIGHEST_AMOUNT = 100_000_000;

/** @throws BadInputError with every fault */
export function readSimulateOptions(given: SimulateArguments): SimulateOptions {
  const faults: string[] = [];
  /** The value, or a stand-in that nobody sees, as the faults are thrown. */
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
    repetition: take('--repetition', readWord(given.repetition ?? '', REPETITIONS), 'MONTHLY'),
    firstPaymentAt: take('--first', readInstant(given.first ?? ''), 0),
    amountCents: take('--amount-cents', readCount(given.amountCents ?? '', 1, HIGHEST_AMOUNT), 1),
    years: optional('--years', given.years, (text) => readCount(text, 1, MOST_YEARS)),
    startAt: optional('--start', given.start, readInstant),
    endAt: optional('--end', given.end, readInstant),
    onExhausted: take('--on-exhausted', readWord(given.onExhausted ?? 'continue', ON_EXHAUSTED), 'continue'),
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

function readWord<Word extends string>(text: string, words: readonly Word[]): Reading<Word> {
  const word = words.find((each) => each === text);
  return word === undefined
    ? { fault: `expected ${words.join(', ')}; got ${text === '' ? 'nothing' : JSON.stringify(text)}` }
    : { value: word };
}

/** What only several options together can tell. */
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
