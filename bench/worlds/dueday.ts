import { type Config, loadConfig } from '../../src/config';
import { SUBSCRIPTION_WORKFLOW } from '../../src/contract/messages';
import type { Step, SubscriptionInput } from '../../src/contract/steps';
import {
  DUEDAY_REPETITION,
  DUEDAY_STANDING,
  DUEDAY_STATUS,
  subscriptionWorkflowId,
} from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { HOUR, toIso } from '../../src/domain/time';
import { readMachine, sizesOf, type WorkerSizes } from '../../src/process/worker-sizes';
import { eachOf } from '../../test/support/each-of';
import { type Batch, clockVariable, type Contender, nameOf, realOf, WEEK } from './contender';
import { startProgram } from './program';
import type { World } from './world';

export const CENTS = 1999;
const QUEUE = 'billing';
const CLIENTS = 50;
const ROWS_PER_STATEMENT = 1000;

/** A retry after a day, and no transit margin: on a fast clock a minute is shorter than any timer. */
const POLICY = { offsets: [24 * HOUR], transit: 0, gap: 6 * HOUR };

/** Whether rows measure attempts within workflow tasks: `COLLECT_IN_PLACE=true npm run bench -- cycle`. */
const IN_PLACE = process.env['COLLECT_IN_PLACE'] === 'true';

/** The variables set for dueday's processes; all others have their defaults. */
export function variablesOf(world: World): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: world.databaseUrl,
    TEMPORAL_ADDRESS: world.temporalAddress,
    PAYMENT_SERVICE_BASE_URL: world.serviceUrl,
    PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
    PAYMENT_SERVICE_CLIENT_ID: 'bench',
    PAYMENT_SERVICE_CLIENT_SECRET: 'bench-secret',
    COLLECT_IN_PLACE: String(IN_PLACE),
    ...(world.clock === null ? {} : { TEST_CLOCK: clockVariable(world.clock), PAYMENT_SERVICE_TRANSIT_SECONDS: '0' }),
  };
}

/** The sizes that dueday chooses on this machine by default. */
export function defaultSizes(): WorkerSizes & Pick<Config, 'DATABASE_POOL_SIZE'> {
  const config = loadConfig({});
  return { ...sizesOf(config, readMachine()), DATABASE_POOL_SIZE: config.DATABASE_POOL_SIZE };
}

/** @param isInPlace whether attempts are made within workflow tasks */
export function createDueday(world: World, isInPlace = IN_PLACE): Contender {
  return {
    async startWorker(env = {}) {
      const program = startProgram('bin/dueday.js', ['worker'], {
        ...variablesOf(world),
        COLLECT_IN_PLACE: String(isInPlace),
        ...env,
      });
      await program.says('worker started');
      // On a fast clock the daily work would never stop.
      if (world.clock !== null) await world.client.workflow.getHandle('housekeeping').terminate();
      return program;
    },
    async begin(batch) {
      const payerId = await insertPayer(world);
      let starting: Promise<void> = Promise.resolve();
      // The workflows of one part are started while the rows of the next are inserted.
      for (let from = 0; from < batch.count; from += ROWS_PER_STATEMENT) {
        const count = Math.min(ROWS_PER_STATEMENT, batch.count - from);
        await Promise.all([insertRows(world, batch, { payerId, from, count }), starting]);
        starting = eachOf(count, CLIENTS, (index) => startWorkflow(world, batch, from + index, isInPlace));
      }
      await starting;
    },
    async collected(batch) {
      const { rows } = await world.ledger.query<{ count: number; last: number | null }>(
        `select count(*), max(collected_at) as last from cycles where subscription_id like $1 and status = 'collected'`,
        [`${batch.prefix}-%`],
      );
      return { count: rows[0]?.count ?? 0, lastAt: realOf(world, rows[0]?.last ?? 0) };
    },
    workflowId: (batch, index) => subscriptionWorkflowId(nameOf(batch, index) as SubscriptionId),
  };
}

async function insertPayer({ ledger }: World): Promise<string> {
  const { rows } = await ledger.query<{ payer_id: string }>(
    `insert into payers (payer_id, reference) values (gen_random_uuid(), 'bench') returning payer_id`,
  );
  return rows[0]!.payer_id;
}

interface Part {
  readonly payerId: string;
  readonly from: number;
  readonly count: number;
}

/**
 * Inserts the rows of a part of the batch as they are after creation and the payers' consent. Cycles before the batch's first
 * one count as collected elsewhere.
 */
async function insertRows({ ledger }: World, batch: Batch, { payerId, from, count }: Part): Promise<void> {
  const { prefix, word = 'at-once', firstDueAt, cycle = 0 } = batch;
  await ledger.query(
    `insert into subscriptions (
       subscription_id, payer_id, payment_id, workflow_id, repetition, consent_amount, amount, start_at, first_payment_at,
       next_due_at, on_exhausted, status, consent_status, consent_requested_real_at, created_at, drafted_real_at,
       retry_policy, spread, collect_from, collected_elsewhere
     )
     select $1 || '-' || n, $2, 'pay-' || $1 || '-' || $3 || '-' || n, 'subscription/' || $1 || '-' || n, 'WEEKLY', $4, $4,
       $5, $5, $9, 'continue', 'active', 'successful', now(), $5, now(), $6, 0, case when $10 then $9::timestamptz end,
       nullif($10, false)
     from generate_series($7::integer, $8::integer) n`,
    [
      ...[prefix, payerId, word, CENTS, toIso(firstPaymentOf(batch)), JSON.stringify(POLICY)],
      ...[from, from + count - 1, toIso(firstDueAt), cycle > 0],
    ],
  );
}

function firstPaymentOf({ firstDueAt, cycle = 0 }: Batch): number {
  return firstDueAt - cycle * WEEK;
}

async function startWorkflow(world: World, batch: Batch, index: number, isInPlace: boolean): Promise<void> {
  const subscriptionId = nameOf(batch, index) as SubscriptionId;
  const input: SubscriptionInput = { subscriptionId, clock: world.clock, step: untilDue(batch, isInPlace) };
  await world.client.workflow.start(SUBSCRIPTION_WORKFLOW, {
    workflowId: subscriptionWorkflowId(subscriptionId),
    taskQueue: QUEUE,
    args: [input],
    ...(batch.wokenWhenDue === true ? { startDelay: batch.firstDueAt - Date.now() } : {}),
    staticSummary: 'WEEKLY 19.99 EUR',
    typedSearchAttributes: [
      { key: DUEDAY_STATUS, value: 'active' },
      { key: DUEDAY_STANDING, value: 'good' },
      { key: DUEDAY_REPETITION, value: 'WEEKLY' },
    ],
  });
}

/** The step of a subscription with consent that waits for the batch's first cycle. */
function untilDue({ firstDueAt, cycle = 0 }: Batch, isInPlace: boolean): Step {
  const then = { cycle, attempt: 0 };
  const summary = `wait until ${toIso(firstDueAt)} (due)`;
  const on = isInPlace ? ({ on: 'here' } as const) : {};
  return { kind: 'wait', revision: 0, until: firstDueAt, then, ...on, summary, details: '' };
}
