import { setTimeout as pause } from 'node:timers/promises';
import type { SimulatedStack } from '../../src/simulation/simulated-stack';
import { words } from './calendar';
import type { SharedTime } from './shared-time';

type Watched = Pick<SimulatedStack, 'ledger'>;

/** The progress of a run. */
export interface Progress {
  /** The number of steps that the lives have taken. */
  readonly steps: number;
  /** Business time. Epoch ms. */
  readonly now: number;
  /** How often the ledger has lent a connection. */
  readonly loans: number;
  /** Statements that run in the ledger; one that waits for a lock does not. */
  readonly running: number;
  /** Processor time that this process has used, ms. */
  readonly processor: number;
}

/** A run is stuck after this many checks in a row at which nothing ran, and nothing had been done since the previous check. */
const MAX_IDLE_CHECKS = 18;
/** Processor time without a step, after which a run is in a loop. Ms. */
const MAX_LOOP = 180_000;

/**
 * Distinguishes a run that hangs from one that gets no processor. Each check is a round trip through the event loop and the ledger,
 * which a process without a processor cannot complete either: whatever was ready to run at one check has run by the next.
 */
export class Watchdog {
  private idleChecks = 0;
  private last: Progress | null = null;
  private processorAtStep = 0;

  isStuck(progress: Progress): boolean {
    const { last } = this;
    this.last = progress;
    const isStep = last === null || progress.steps !== last.steps || progress.now !== last.now;
    if (isStep) this.processorAtStep = progress.processor;
    const isIdle = !isStep && progress.loans === last.loans && progress.running === 0;
    this.idleChecks = isIdle ? this.idleChecks + 1 : 0;
    return this.idleChecks >= MAX_IDLE_CHECKS || progress.processor - this.processorAtStep >= MAX_LOOP;
  }
}

/**
 * Prints the progress of a run until it is aborted.
 * @param pauseMs real ms between the end of a check and the next one
 * @returns the report on a run that hangs; null if it was aborted first
 */
export async function watch(
  stack: Watched,
  time: SharedTime,
  signal: AbortSignal,
  pauseMs: number,
): Promise<string | null> {
  const watchdog = new Watchdog();
  let [loans, ours] = [0, 0];
  const count = () => (loans += 1);
  stack.ledger.on('acquire', count);
  try {
    for (;;) {
      await pause(pauseMs, undefined, { signal });
      process.stderr.write(`${words(time.now())}: ${time.state}\n`);
      const hasFree = hasFreeConnection(stack);
      if (hasFree) ours += 1;
      const running = hasFree ? await countRunning(stack) : 0;
      const { user, system } = process.cpuUsage();
      const { steps } = time;
      const progress = { steps, now: time.now(), loans: loans - ours, running, processor: (user + system) / 1_000 };
      if (watchdog.isStuck(progress)) return await describeStuck(stack, time);
    }
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    stack.ledger.off('acquire', count);
  }
}

/** Whether a connection is free. Without one, a check would wait for the lives that it watches. */
function hasFreeConnection({ ledger }: Watched): boolean {
  return ledger.waitingCount === 0 && (ledger.idleCount > 0 || ledger.totalCount < ledger.options.max);
}

async function countRunning({ ledger }: Watched): Promise<number> {
  const { rows } = await ledger.query<{ running: number }>(
    `select count(*)::integer as running from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state = 'active'
       and wait_event_type is distinct from 'Lock'`,
  );
  return rows[0]?.running ?? 0;
}

async function describeStuck(stack: Watched, time: SharedTime): Promise<string> {
  const busy = time.busy.map(({ name, doing }) => `${name} does not wait: ${doing}`);
  const ledger = hasFreeConnection(stack) ? await describeLedger(stack) : ['the ledger has no free connection'];
  return [...busy, ...ledger, `stuck at ${words(time.now())}, ${time.state}`].join('\n');
}

/** What the ledger's connections do: a statement that waits for a lock holds a life up, too. */
async function describeLedger({ ledger }: Watched): Promise<readonly string[]> {
  const { rows } = await ledger.query<Record<string, unknown>>(
    `select state, wait_event_type, wait_event, now() - query_start as since, left(query, 200) as query
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
  );
  return [`the ledger: ${rows.length} connections in use`, ...rows.map((row) => JSON.stringify(row))];
}
