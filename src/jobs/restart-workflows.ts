import type { Clock } from '../platform/clock';
import { type AttemptNumber, includesAttempt } from '../domain/subscription/step';
import { MINUTE, SECOND } from '../domain/time';
import type { OrderId, SubscriptionId, PaymentId } from '../domain/ids';
import {
  attemptOfWorkflow,
  type ClosedWorkflow,
  type PaymentWorkflows,
  type RefundWorkflows,
  type RequestOutcome,
  type SubscriptionWorkflows,
} from '../temporal';
import {
  awaitedAttempts,
  DUEDAY,
  getCapture,
  getPayment,
  getRefund,
  openOrdersOf,
  paymentsOfRequests,
  type Pool,
  purgeRestarted,
  queueOrphan,
  readClosedBefore,
  recordClosedBefore,
  settleOrphan,
  type SubjectRef,
  claimOrphans,
} from '../ledger';
import { type Logger, loggable } from '../platform/log';
import { logged, repeat, type Repeated } from './repeated-work';

export interface RestartDeps {
  readonly db: Pool;
  readonly subscriptions: Pick<SubscriptionWorkflows, 'restart'>;
  readonly payments: Pick<PaymentWorkflows, 'steer' | 'startCapture'>;
  readonly refunds: Pick<RefundWorkflows, 'start'>;
  /** dueday's workflows that have ended since an instant of real time. */
  readonly listClosed: (sinceReal: number) => AsyncIterable<ClosedWorkflow>;
  readonly startAttempt: (subscriptionId: SubscriptionId, attempt: AttemptNumber) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const SEARCH_EVERY = MINUTE;
const RESTART_EVERY = SECOND;
/** Temporal's lists lag: each search overlaps the previous one by this much. */
const OVERLAP = 2 * MINUTE;
/** Workflows processed at once. */
const PAGE = 200;
const AT_ONCE = 5;

/**
 * Finds workflows that have ended although their row is not final, every minute of real time, and restarts them and
 * those that the daily work has found missing, in any number of processes, until it is stopped (rules 30, 44).
 */
export function restartWorkflows(deps: RestartDeps): Repeated {
  const { logger } = deps;
  const both = [
    repeat(
      SEARCH_EVERY,
      logged(logger, 'the search for workflows that have ended failed', () => findClosed(deps)),
    ),
    repeat(
      RESTART_EVERY,
      logged(logger, 'workflows could not be restarted', (signal) => restartOrphans(deps, signal)),
    ),
  ];
  return {
    async stop() {
      await Promise.all(both.map((each) => each.stop()));
    },
  };
}

/**
 * Searches for workflows that have ended since the previous search although their row is not final. Those of subscriptions and
 * payments are queued for restart; those of orders and attempts are restarted at once. The time of a search is stored, so that no
 * workflow that ends while no API runs is missed.
 */
export async function findClosed(deps: RestartDeps): Promise<void> {
  const { db, clock, listClosed } = deps;
  const now = clock.realNow();
  const since = ((await readClosedBefore(db)) ?? now) - OVERLAP;
  let page: ClosedWorkflow[] = [];
  for await (const closed of listClosed(since)) {
    page.push(closed);
    if (page.length < PAGE) continue;
    await queueClosed(deps, page);
    page = [];
  }
  await queueClosed(deps, page);
  await recordClosedBefore(db, now);
  await purgeRestarted(db);
}

async function queueClosed(deps: RestartDeps, closed: readonly ClosedWorkflow[]) {
  const { db, clock, logger } = deps;
  const [subscriptions, requests] = [lastEnds(closed, 'subscription'), lastEnds(closed, 'payment')];
  const payments = requests.size === 0 ? [] : await paymentsOfRequests(db, [...requests.keys()]);
  const ended: readonly (readonly [SubjectRef, number | undefined])[] = [
    ...[...subscriptions].map(([id, at]) => [{ kind: 'subscription', id }, at] as const),
    ...payments.map(({ paymentId: id, requestId }) => [{ kind: 'payment', id }, requests.get(requestId)] as const),
  ];
  for (const [subject, endedReal] of ended) {
    const found = await queueOrphan(db, subject, clock.now(), endedReal);
    if (found === 'left_to_operator')
      logger.error(subject, 'its workflow ended again after three restarts within a day');
  }
  const orders = [...lastEnds(closed, 'capture').keys(), ...lastEnds(closed, 'refund').keys()];
  for (const orderId of orders.length === 0 ? [] : await openOrdersOf(db, orders)) {
    await restartOrder(deps, orderId);
  }
  for (const id of lastEnds(closed, 'attempt').keys()) await restartAttempt(deps, id);
}

/** When the last run of each workflow of a type ended, keyed by the id. */
function lastEnds(closed: readonly ClosedWorkflow[], type: ClosedWorkflow['type']): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { id, endedReal, ...each } of closed)
    if (each.type === type) ends.set(id, Math.max(endedReal, ends.get(id) ?? endedReal));
  return ends;
}

async function restartOrder({ db, payments, refunds }: RestartDeps, orderId: OrderId): Promise<void> {
  const capture = await getCapture(db, orderId);
  if (capture !== null) await payments.startCapture(capture);
  const refund = await getRefund(db, orderId);
  if (refund !== null) await refunds.start(refund);
}

/** Restarts the workflow of an attempt if its subscription still waits for the outcome. */
async function restartAttempt({ db, clock, startAttempt }: RestartDeps, id: string): Promise<void> {
  const { subscriptionId, ...ended } = attemptOfWorkflow(id);
  const awaited = await awaitedAttempts(db, subscriptionId, clock.now());
  if (includesAttempt(awaited, ended)) await startAttempt(subscriptionId, ended);
}

/** Restarts as many orphans as are permitted now. */
export async function restartOrphans(deps: RestartDeps, signal?: AbortSignal): Promise<void> {
  const taken = await claimOrphans(deps.db);
  for (let first = 0; first < taken.length && signal?.aborted !== true; first += AT_ONCE)
    await Promise.all(taken.slice(first, first + AT_ONCE).map((subject) => restart(deps, subject)));
}

/** Restarts one orphan. If that is not possible now, it is claimed again when its claim expires. */
async function restart(deps: RestartDeps, subject: SubjectRef): Promise<void> {
  const { db, logger } = deps;
  try {
    const { kind } = await restartOne(deps, subject);
    if (kind === 'not_ready') return;
    await settleOrphan(db, subject, kind === 'done');
    if (kind === 'done') logger.warn(subject, 'restarted: its workflow had ended although it is not final');
  } catch (error) {
    logger.warn({ ...subject, err: loggable(error) }, 'a workflow could not be restarted');
  }
}

const REQUEST = { actor: DUEDAY, reason: 'its workflow had ended although it is not final' };

async function restartOne(deps: RestartDeps, { kind, id }: SubjectRef): Promise<Pick<RequestOutcome, 'kind'>> {
  if (kind === 'subscription') return deps.subscriptions.restart(id as SubscriptionId, REQUEST);
  const payment = await getPayment(deps.db, id as PaymentId);
  return payment === null ? { kind: 'refused' } : deps.payments.steer('restart', payment, REQUEST);
}
