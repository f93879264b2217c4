import { setTimeout as pause } from 'node:timers/promises';
import { HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { createPool, type Pool } from '../../src/ledger';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import type { Program } from '../processes/program';
import type { Check, Say } from '../support/campaign';
import { unlessAborted } from '../support/interruption';
import { fill, type Rows, rowsFor, START } from './rows';
import { type Asked, type SlowService, startSlowService } from './service';

export interface DaysOrder {
  readonly subscriptions: number;
}

/** Real ms within which both jobs must have done everything, two kills included. */
const MAX_DURATION = 30 * MINUTE;
const TIMEOUT = HOUR;
const LOOK_EVERY = SECOND / 10;
const TOLD_EVERY = 30 * SECOND;
/** The share of a job after which the worker is killed. */
const KILLED_AT = 0.3;
/** The most calls that one kill may repeat: those of the batch that was under way. */
const REPEATED_BY_KILL = 100;
const LANES = 16;

/** Everything that one run uses. */
interface Stage {
  readonly stack: ProcessStack;
  readonly service: SlowService;
  readonly db: Pool;
  readonly rows: Rows;
  readonly worker: Program;
  readonly say: Say;
}

/**
 * Plays a day with real processes.
 * @param signal ends the campaign early, in order
 * @returns a check of each promise
 */
export async function days({ subscriptions }: DaysOrder, signal: AbortSignal, say: Say): Promise<readonly Check[]> {
  const rows = rowsFor(subscriptions);
  const stack = await openProcessStack({ startAt: START, speed: 1, env: { LOG_LEVEL: 'info' } });
  const service = await startSlowService(rows.lastPaymentId);
  const db = createPool({ databaseUrl: stack.databaseUrl, max: 2 });
  try {
    return await unlessAborted(signal, () => playOn({ stack, service, db, rows, say }));
  } finally {
    await db.end();
    await stack.close();
    service.stop();
  }
}

async function playOn(stage: Omit<Stage, 'worker'>): Promise<readonly Check[]> {
  const { stack, service, rows, say } = stage;
  await fill(stack.databaseUrl, rows);
  say(`${rows.subscriptions} subscriptions and ${rows.payments} one-time payments are in the ledger`);
  const clock = `${new Date(START).toISOString()}@${new Date().toISOString()}x1`;
  const env = { TEST_CLOCK: clock, PAYMENT_SERVICE_BASE_URL: service.url };
  const took = await playDay({ ...stage, worker: stack.program('worker', 'worker', env) });
  const metrics = await readMetrics(stage, env);
  return [...(await judge(stage)), ...judgeMetrics(metrics), took];
}

async function playDay(stage: Stage): Promise<Check> {
  const { service, rows, worker, say } = stage;
  const startedAt = performance.now();
  const all = rows.subscriptions + rows.payments;
  await worker.start();
  await reach(stage, 'consents', ({ consents }) => consents >= KILLED_AT * rows.subscriptions);
  await killAndStart(stage);
  await reach(stage, 'payments', ({ payments }) => payments >= KILLED_AT * all);
  await killAndStart(stage);
  await reach(stage, 'the end of both', async () => (await finished(stage)) === 2);
  const minutes = (performance.now() - startedAt) / MINUTE;
  say(`both are done; the service was asked ${JSON.stringify(service.asked())}`);
  return {
    name: `both jobs have done everything within ${MAX_DURATION / MINUTE} minutes`,
    holds: minutes * MINUTE <= MAX_DURATION,
    found: `${minutes.toFixed(1)} minutes, both kills and what noticing them takes included`,
  };
}

async function reach(
  { service, say }: Stage,
  what: string,
  isThere: (asked: Asked) => boolean | Promise<boolean>,
): Promise<void> {
  const timesOutAt = performance.now() + TIMEOUT;
  let told = performance.now();
  while (!(await isThere(service.asked()))) {
    if (performance.now() > timesOutAt) throw new Error(`after an hour still waiting for ${what}`);
    if (performance.now() > told + TOLD_EVERY) {
      const { consents, payments } = service.asked();
      say(`${consents} consents asked for, ${payments} payments compared`);
      told = performance.now();
    }
    await pause(LOOK_EVERY);
  }
}

async function killAndStart({ worker, service, say }: Stage): Promise<void> {
  await worker.kill();
  const { consents, payments } = service.asked();
  say(`the worker is killed at ${consents} consents and ${payments} payments`);
  await worker.start();
}

async function finished({ db }: Stage): Promise<number> {
  return count(db, `select count(*) as count from daily_checks where name <> 'workflows' and finished_at is not null`);
}

async function count(db: Pool, text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await db.query<{ count: number }>(text, values);
  return rows[0]?.count ?? NaN;
}

/** Reads the metrics of an API that is started on the same ledger. */
async function readMetrics({ stack }: Pick<Stage, 'stack'>, env: Readonly<Record<string, string>>): Promise<string> {
  const api = stack.program('api', 'api', env);
  await api.start();
  const page = await (await fetch(`http://127.0.0.1:${stack.env['ADMIN_PORT'] ?? ''}/metrics`)).text();
  await api.stop();
  return page;
}

async function judge({ db, rows, service }: Omit<Stage, 'worker'>): Promise<readonly Check[]> {
  const asked = service.asked();
  const { subscriptions, payments, lastPaymentId } = rows;
  const all = subscriptions + payments;
  const looked = await count(db, 'select count(*) as count from subscriptions where consent_checked_for = next_due_at');
  const compared = await count(db, 'select count(*) as count from comparisons where run_id is not null');
  const oneTime = await count(
    db,
    `select count(*) as count from comparisons where run_id is not null and position like '~%'`,
  );
  const { rows: open } = await db.query<{ kind: string; payment_id: string }>(
    `select kind, payment_id from attention_items where source = 'difference' and closed_real_at is null`,
  );
  const told = await count(
    db,
    `select count(*) as count from events where payment_id = $1 and type = 'reconciliation.difference'`,
    [lastPaymentId],
  );
  const [again, comparedAgain] = [asked.consentCalls - asked.consents, asked.paymentCalls - asked.payments];
  return [
    check('every consent is asked for', looked === subscriptions, `${looked} of ${subscriptions}`),
    check('every payment is compared', compared === all, `${compared} of ${all}`),
    check('one-time payments too', oneTime === payments, `${oneTime} of ${payments}`),
    check(
      'the planted difference in the last one-time payment is found, and no other',
      open.length === 1 && open[0]?.payment_id === lastPaymentId && told === 1,
      `${open.map(({ kind, payment_id: id }) => `${kind} in ${id}`).join(', ') || 'none'}; ${told} in its audit log`,
    ),
    check('a kill costs no more consents than were under way', again <= REPEATED_BY_KILL, `${again} asked for twice`),
    check(
      'a kill costs no more comparisons than were under way',
      // A payment that differs is compared twice.
      comparedAgain <= REPEATED_BY_KILL + 1,
      `${comparedAgain} compared twice`,
    ),
    check(`never more than ${LANES} calls at once`, asked.mostAtOnce <= LANES, `${asked.mostAtOnce} at most`),
    check('nothing is sent', asked.writes === 0, `${asked.writes} calls that write`),
  ];
}

function judgeMetrics(page: string): readonly Check[] {
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? NaN);
  const oldest = value('dueday_oldest_uncompared_seconds');
  const ageOf = (name: string) => value(`dueday_daily_check_age_seconds\\{check="${name}"\\}`);
  const differences = value('dueday_ledger_differences');
  const ages = [ageOf('consents'), ageOf('payments')];
  return [
    check(
      'the oldest comparison is of this day',
      oldest * SECOND <= TIMEOUT,
      `dueday_oldest_uncompared_seconds ${oldest}`,
    ),
    check(
      'both checks have finished today',
      ages.every((age) => age * SECOND <= TIMEOUT),
      `dueday_daily_check_age_seconds ${ages.join(' and ')}`,
    ),
    check('one open difference is counted', differences === 1, `dueday_ledger_differences ${differences}`),
  ];
}

function check(name: string, holds: boolean, found: string): Check {
  return { name, holds, found };
}
