import { Client, Connection } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';
import { DUEDAY_STATUS, subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { MINUTE, SECOND } from '../../src/domain/time';
import { runDueday } from '../cli/dueday-process';
import type { Check, Say } from '../support/campaign';
import type { Made } from '../storm/stack-in-storm';
import { waitUntil } from '../support/wait-until';
import type { Creation } from './people';
import type { Stage } from './stage';

/**
 * Real ms within which everything due must be collected, and within which Temporal's index must contain the last
 * change.
 */
const DRAIN_TIMEOUT = 15 * MINUTE;
const INDEX_TIMEOUT = MINUTE;

export interface StormRun {
  /** Due subscriptions that no caller paused or cancelled. */
  readonly left: readonly Made[];
  /** Subscriptions that callers paused or cancelled. */
  readonly targets: readonly Made[];
  readonly creations: readonly Creation[];
  /** Real ms from the last answer to a caller until all was collected; null if that took too long. */
  readonly drainedIn: number | null;
}

/** @returns real ms from its call until all is collected and nothing is under way; null if that lasts too long */
export async function untilDrained({ storm }: Stage, left: readonly Made[], say: Say): Promise<number | null> {
  const startedAt = performance.now();
  let saidAt = startedAt;
  while (performance.now() - startedAt < DRAIN_TIMEOUT) {
    const collected = await storm.countCollected(left);
    const { rows } = await storm.db.query<{ open: number }>(
      `select count(*) as open from attempts where state in ('sending', 'pending', 'unknown', 'unresolved')`,
    );
    if (collected === left.length && rows[0]?.open === 0) return performance.now() - startedAt;
    if (performance.now() - saidAt >= 10 * SECOND) {
      saidAt = performance.now();
      say(`${collected} of ${left.length} are collected`);
    }
    await pause(SECOND / 2);
  }
  return null;
}

/** Compares the service's own records, the ledger and Temporal. */
export async function judge(stage: Stage, run: StormRun): Promise<readonly Check[]> {
  return [
    ...debits(stage, run),
    await onePaymentEach(stage, run),
    await reconciled(stage),
    await sameInTemporal(stage),
  ];
}

function debits({ storm }: Stage, { left, targets, drainedIn }: StormRun): readonly Check[] {
  const { sandbox } = storm.stack;
  const countsOf = (all: readonly Made[]) =>
    all.map(({ id, paymentId }) => {
      const made = sandbox.payment(paymentId).debits;
      return { id, debits: made.length, booked: made.filter(({ status }) => status === 'successful').length };
    });
  const other = countsOf(left).filter(({ debits: all, booked }) => all !== 1 || booked !== 1);
  const stopped = countsOf(targets);
  const twice = stopped.filter(({ debits: all }) => all > 1);
  const before = stopped.filter(({ debits: all }) => all === 1).length;
  const within =
    drainedIn === null ? 'not drained' : `drained ${Math.round(drainedIn / SECOND)} s after the last answer`;
  return [
    {
      name: 'what was due and not stopped is debited once',
      holds: drainedIn !== null && other.length === 0,
      found: `${left.length - other.length} of ${left.length}, ${within}${namesOf(other)}`,
    },
    {
      name: 'what was stopped is debited once at most',
      holds: twice.length === 0,
      found: `${before} of ${targets.length} once, before their stop${namesOf(twice)}`,
    },
  ];
}

function namesOf(wrong: readonly { readonly id: string; readonly debits: number }[]): string {
  return wrong.map(({ id, debits: times }) => `; ${id}: ${times} debits`).join('');
}

/** Checks that each subscription has one payment, also one that two requests created. */
async function onePaymentEach({ storm }: Stage, { left, targets, creations }: StormRun): Promise<Check> {
  const { rows } = await storm.db.query<{ subscription_id: string; payment_id: string }>(
    'select subscription_id, payment_id from subscriptions',
  );
  const told = [...left, ...targets, ...creations];
  const recorded = new Map(rows.map((row) => [row.subscription_id, row.payment_id]));
  const differ = told.filter(({ id, paymentId }) => recorded.get(id) !== paymentId).map(({ id }) => id);
  const payments = new Set(rows.map((row) => row.payment_id));
  const foreign = storm.stack.sandbox.debits().filter(({ paymentId }) => !payments.has(paymentId));
  return {
    name: 'each id has one subscription and one payment, which callers were given',
    holds: differ.length === 0 && payments.size === rows.length && foreign.length === 0,
    found: `${told.length} answered, ${rows.length} subscriptions, ${payments.size} payments, ${foreign.length} debits of others${differ.map((id) => `; ${id} differs`).join('')}`,
  };
}

/** Compares the ledger with the service's records, by `dueday reconcile`. */
async function reconciled({ storm }: Stage): Promise<Check> {
  const { code, stdout, stderr } = await runDueday(['reconcile'], storm.stack.env);
  const last = (stdout + stderr).trim().split('\n').at(-1) ?? '';
  return { name: 'dueday reconcile finds no difference', holds: code === 0, found: last };
}

/** Checks that each subscription that has not ended has one running workflow, found in Temporal by the ledger's status. */
async function sameInTemporal({ storm, temporal }: Stage): Promise<Check> {
  const { rows } = await storm.db.query<{ subscription_id: string; status: string }>(
    `select subscription_id, status from subscriptions where status in ('active', 'paused')`,
  );
  const inLedger = rows.map((row) => `${subscriptionWorkflowId(row.subscription_id as SubscriptionId)} ${row.status}`);
  const wanted = inLedger.sort().join('\n');
  const connection = await Connection.connect({ address: temporal.address });
  let found: readonly string[] = [];
  try {
    const client = new Client({ connection });
    await waitUntil(
      'Temporal lists what the ledger has',
      async () => (found = await statusesIn(client)).join('\n') === wanted,
      INDEX_TIMEOUT,
    ).catch(() => undefined);
  } finally {
    await connection.close();
  }
  const differ = found.filter((each) => !inLedger.includes(each)).length;
  return {
    name: "Temporal lists one running workflow of each subscription, with the ledger's status",
    holds: found.join('\n') === wanted,
    found: `${found.length} running, ${inLedger.length} in the ledger${differ === 0 ? '' : `, ${differ} of them others`}`,
  };
}

async function statusesIn(client: Client): Promise<readonly string[]> {
  const query = `WorkflowType = 'subscription' and ExecutionStatus = 'Running' and ${DUEDAY_STATUS.name} in ('active', 'paused')`;
  const found: string[] = [];
  for await (const { workflowId, typedSearchAttributes } of client.workflow.list({ query }))
    found.push(`${workflowId} ${typedSearchAttributes.get(DUEDAY_STATUS) ?? ''}`);
  return found.sort();
}
