import { appendFile, writeFile } from 'node:fs/promises';
import { loadQuietly, retryPolicyOf } from '../config';
import type { SubscriptionId } from '../domain/ids';
import { euros, formatMoney } from '../domain/money';
import { dueAt, addMonths } from '../domain/subscription/schedule';
import type { Terms } from '../domain/subscription/state';
import { DAY, HOUR, type Instant, LAST_INSTANT, toIso } from '../domain/time';
import { createProgressLog } from '../platform/log';
import { BadInputError, reaching } from '../process/command-error';
import type { LifeRecord } from '../simulation/life-record';
import { playScript } from '../simulation/play-script';
import { readLife } from '../simulation/read-life';
import { lifeDocument, closingLines, lifeTable } from '../simulation/report/text';
import { drawTimeline } from '../simulation/report/timeline';
import type { ScriptedEvent, Script } from '../simulation/script';
import { openSimulatedStack, type SimulatedStack } from '../simulation/simulated-stack';
import { drawProgress } from './api/progress';
import { print, printTable } from './output';
import {
  type Failure,
  isRetryable,
  type SimulateOptions,
  readSimulateOptions,
  type SimulateArguments,
} from './simulate-options';

/** The payer approves at the start; a day leaves time for that. */
const BEFORE_FIRST = DAY;
/**
 * How long before a cycle's due date the payer's bank changes its behaviour or the cycle is postponed, and how long
 * after the previous due date its amount is changed.
 */
const AHEAD = HOUR;
/** How long the simulation continues after the end: by then the last window has closed and all outcomes are final. */
const AFTER_END = 8 * DAY;

/** @throws BadInputError with every scripted event that lies outside the simulated period */
export function scriptOf(options: SimulateOptions): Script {
  const terms = termsOf(options);
  const until = simulatedUntil(options);
  const events = eventsOf(options, terms);
  const outside = events.filter(({ at }) => at < terms.startAt || at >= until);
  if (outside.length > 0) {
    const period = `${toIso(terms.startAt)} to ${toIso(until)}`;
    throw new BadInputError(
      outside.map(({ at, description }) => `${description}: ${toIso(at)} is outside the simulated period, ${period}`),
    );
  }
  return { terms, until, events };
}

function termsOf(options: SimulateOptions): Terms {
  const { repetition, firstPaymentAt, endAt, amountCents, onExhausted } = options;
  return {
    subscriptionId: 'simulated' as SubscriptionId,
    repetition,
    firstPaymentAt,
    endAt,
    onExhausted,
    startAt: options.startAt ?? firstPaymentAt - BEFORE_FIRST,
    consentAmount: euros(amountCents),
  };
}

function simulatedUntil({ years, endAt, firstPaymentAt }: SimulateOptions): Instant {
  const horizon = years === null ? Infinity : addMonths(firstPaymentAt, 12 * years);
  const end = endAt === null ? Infinity : endAt + AFTER_END;
  return Math.min(horizon, end, LAST_INSTANT);
}

function event(at: Instant, action: ScriptedEvent['action'], description: string): ScriptedEvent {
  return { at, action, description };
}

function eventsOf(options: SimulateOptions, terms: Terms): ScriptedEvent[] {
  const { cancelAt, payerCancelsAt } = options;
  return [
    ...options.failures.flatMap((failure) => failing(failure, terms)),
    ...options.skips.map((cycle) => event(terms.startAt, { kind: 'skip', cycle }, `skip cycle ${cycle}`)),
    ...options.postponements.map(({ cycle, until }) =>
      event(
        Math.max(terms.startAt, dueAt(terms, cycle) - AHEAD),
        { kind: 'postpone', cycle, until },
        `postpone cycle ${cycle}`,
      ),
    ),
    ...options.pauses.map(({ from, until }) => event(from, { kind: 'pause', until }, 'pause')),
    ...options.holds.map(({ from, until }) => event(from, { kind: 'hold', until }, 'hold')),
    ...options.amounts.map(({ cycle, cents }) => {
      const amount = euros(cents);
      const description = `from cycle ${cycle} on ${formatMoney(amount)}`;
      return event(dueAt(terms, cycle - 1) + AHEAD, { kind: 'amount', cycle, amount }, description);
    }),
    ...(cancelAt === null ? [] : [event(cancelAt, { kind: 'cancel' }, 'the merchant cancels')]),
    ...(payerCancelsAt === null
      ? []
      : [event(payerCancelsAt, { kind: 'payer_cancels' }, 'the payer cancels at the bank')]),
  ];
}

/** Prepares the simulated bank or network for the failing attempts. The bank recovers after the cycle, unless every cycle fails. */
function failing(failure: Failure, terms: Terms): ScriptedEvent[] {
  const { cycle, code, times } = failure;
  const description = `${cycle === null ? 'every cycle' : `cycle ${cycle}`} fails: ${code}`;
  const at = cycle === null ? terms.startAt : Math.max(terms.startAt, dueAt(terms, cycle) - AHEAD);
  if (code === 'lost_answer' || code === 'lost_request') {
    const fault = code === 'lost_answer' ? 'lost_answer' : 'swallowed';
    return [event(at, { kind: 'fault', fault, times }, description)];
  }
  const rejection = event(at, { kind: 'wallet', wallet: walletFor(failure) }, description);
  if (cycle === null) return [rejection];
  const recoversAt = dueAt(terms, cycle + 1) - AHEAD - 1;
  return [rejection, event(recoversAt, { kind: 'wallet', wallet: 'approves' }, `cycle ${cycle} has ended`)];
}

function walletFor({ code, times }: Failure): string {
  if (isRetryable(code)) return `insufficient-funds-${times === Infinity ? 'always' : times}`;
  return code === 'capture_failed' ? 'capture-fails' : 'final-rejection';
}

/** Simulates years of one subscription in seconds, with real components on a simulated clock, and shows the result. */
export async function runSimulate(given: SimulateArguments): Promise<void> {
  const script = scriptOf(readSimulateOptions(given));
  const { svg } = given;
  const unwritable = `the timeline cannot be written to ${svg ?? ''}`;
  // Tested before the simulation, which may take minutes.
  if (svg !== undefined) await reaching(unwritable, () => appendFile(svg, ''));
  const life = await simulate(script);
  if (svg !== undefined) {
    await reaching(unwritable, () => writeFile(svg, drawTimeline(life)));
    say(`timeline written to ${svg}`);
  }
  if (given.json === true) {
    print(JSON.stringify(lifeDocument(life), null, 2));
    return;
  }
  printTable(lifeTable(life));
  print();
  closingLines(life).forEach(print);
}

async function simulate(script: Script): Promise<LifeRecord> {
  const config = loadQuietly([]);
  const log = createProgressLog(config.LOG_LEVEL);
  say('starting PostgreSQL');
  const stack = await openSimulatedStack({
    startAt: script.terms.startAt,
    log,
    retryPolicy: retryPolicyOf(config),
  });
  const stopReporting = showProgress(stack, script);
  try {
    return await readLife(stack.ledger, script, await playScript(stack, script));
  } finally {
    stopReporting();
    await stack.stop();
  }
}

const EVERY = 1_000;

/** A bar on a terminal, nothing elsewhere. */
function showProgress({ clock }: SimulatedStack, { terms, until }: Script): () => void {
  const progress = drawProgress('days', Math.ceil((until - terms.startAt) / DAY), true);
  let shown = 0;
  const timer = setInterval(() => {
    const days = Math.floor((clock.now() - terms.startAt) / DAY);
    progress.advance(days - shown);
    shown = days;
  }, EVERY);
  return () => {
    clearInterval(timer);
    progress.stop();
  };
}

/** Standard output is for the result only. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
