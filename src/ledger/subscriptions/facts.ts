import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { AttemptFacts, CycleFacts, LedgerFacts, NoticeFacts } from '../../domain/subscription/restored-state';
import type { RetryPolicy } from '../../domain/subscription/retries';
import type { Repetition } from '../../domain/subscription/schedule';
import type {
  Cancellation,
  CancelledBy,
  CycleStatus,
  OnExhausted,
  Pause,
  PendingChange,
  Replacement,
  SubscriptionStatus,
} from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { moneyFromColumn, type Db, queryOne } from '../database';
import type { Hold } from './record';

/** What a subscription was frozen with; the row of one created before it was kept there does not hold it. */
export interface Frozen {
  readonly policy: RetryPolicy;
  /** Ms after a due date before its first attempt. */
  readonly spread: number;
}

/** Everything from which a workflow's state follows; null where there is no such subscription, a draft being none. */
export async function readFacts(
  db: Db,
  subscriptionId: SubscriptionId,
  otherwise: Frozen,
): Promise<LedgerFacts | null> {
  const row = await queryOne<FactsRow>(
    db,
    `select s.*, (
       select max(cycle) from cycles c where c.subscription_id = s.subscription_id
         and (c.status in ('collected', 'failed', 'missed') or (c.status = 'skipped' and c.cycle <> all (s.skips)))
     ) as last_over, (
       select count(*) > 0 from attempts a where a.subscription_id = s.subscription_id and a.state = 'successful'
     ) as has_collected
     from subscriptions s where s.subscription_id = $1 and s.status <> 'draft'`,
    [subscriptionId],
  );
  return row === null ? null : toFacts(row, await readBegun(db, subscriptionId), otherwise);
}

/** Few: what is under way, and what is pending past its window. */
async function readBegun(db: Db, subscriptionId: SubscriptionId): Promise<readonly CycleFacts[]> {
  const { rows } = await db.query<BegunRow>(
    `select c.cycle, c.collect_by, c.amount, c.status, c.retry_now,
       coalesce((
         select jsonb_agg(to_jsonb(a) order by a.attempt) from (
           select distinct on (attempt) attempt, state, detail, description,
             round(extract(epoch from coalesce(authorization_created_at, outcome_at, at)) * 1000)::bigint as at
           from attempts where (subscription_id, cycle) = (c.subscription_id, c.cycle)
           order by attempt, send desc
         ) a
       ), '[]') as attempts,
       coalesce((
         select jsonb_agg(jsonb_build_object(
           'attempt', n.attempt, 'state', n.state, 'error', n.last_error,
           'delivered_at', round(extract(epoch from n.delivered_at) * 1000)::bigint))
         from notices n
         where (n.subscription_id, n.cycle) = (c.subscription_id, c.cycle) and n.type = 'payment.failed'
       ), '[]') as notices
     from cycles c
     where c.subscription_id = $1 and c.status in ('collecting', 'dunning', 'unresolved')
     order by c.cycle`,
    [subscriptionId],
  );
  return rows.map(toCycleFacts);
}

interface FactsRow {
  subscription_id: string;
  payment_id: string | null;
  repetition: Repetition;
  consent_amount: number;
  start_at: number;
  first_payment_at: number;
  end_at: number | null;
  on_exhausted: OnExhausted;
  status: SubscriptionStatus;
  attention: string[];
  dunning: boolean;
  past_due: boolean;
  hold: Hold | null;
  amount: number;
  current_amount: number | null;
  pending_change: PendingChange | null;
  last_increase_at: number | null;
  collect_from: number | null;
  collected_elsewhere: boolean | null;
  cancelled_by: CancelledBy | null;
  replaces: string | null;
  replaced_by: string | null;
  revision: number;
  retry_policy: RetryPolicy | null;
  spread: number | null;
  pauses: Pause[];
  skips: number[];
  replacements: Replacement[];
  cancellation: Cancellation | null;
  last_over: number | null;
  has_collected: boolean;
}

function toFacts(row: FactsRow, begun: readonly CycleFacts[], otherwise: Frozen): LedgerFacts {
  return {
    terms: {
      subscriptionId: row.subscription_id as SubscriptionId,
      repetition: row.repetition,
      consentAmount: moneyFromColumn(row.consent_amount),
      startAt: row.start_at,
      firstPaymentAt: row.first_payment_at,
      endAt: row.end_at,
      onExhausted: row.on_exhausted,
    },
    policy: row.retry_policy ?? otherwise.policy,
    spread: row.spread ?? otherwise.spread,
    status: row.status,
    paymentId: row.payment_id as PaymentId | null,
    hold: row.hold,
    revision: row.revision,
    pauses: row.pauses,
    skips: row.skips,
    replaces: row.replaces as SubscriptionId | null,
    replacements: row.replacements,
    replacedBy: row.replaced_by as SubscriptionId | null,
    collectedOnce: row.has_collected || row.collected_elsewhere === true,
    current: moneyFromColumn(currentOf(row)),
    pendingChange: row.pending_change,
    lastIncreaseAt: row.last_increase_at,
    standing: { attention: row.attention, dunning: row.dunning, pastDue: row.past_due },
    cancellation: row.cancellation,
    cancelledBy: row.cancelled_by,
    collectFrom: row.collect_from,
    lastOver: row.last_over,
    begun,
  };
}

/** Before anything was collected: the amount of an import, or the consent's; a pending change is neither. */
function currentOf({ current_amount, pending_change, collect_from, amount, consent_amount }: FactsRow): number {
  if (current_amount !== null) return current_amount;
  if (collect_from === null) return consent_amount;
  return pending_change?.previousAmount.value ?? amount;
}

interface BegunRow {
  cycle: number;
  collect_by: Instant;
  amount: number;
  status: CycleStatus;
  retry_now: boolean;
  attempts: AttemptFacts[];
  notices: {
    attempt: number;
    state: 'pending' | 'delivered' | 'undeliverable';
    error: string | null;
    delivered_at: Instant | null;
  }[];
}

function toCycleFacts(row: BegunRow): CycleFacts {
  return {
    cycle: row.cycle,
    collectBy: row.collect_by,
    amount: moneyFromColumn(row.amount),
    status: row.status,
    retryNow: row.retry_now,
    attempts: row.attempts,
    notices: row.notices.map(toNoticeFacts),
  };
}

function toNoticeFacts({ attempt, state, error, delivered_at: at }: BegunRow['notices'][number]): NoticeFacts {
  if (state === 'delivered' && at !== null) return { attempt, notice: { kind: 'delivered', at } };
  if (state === 'undeliverable') return { attempt, notice: { kind: 'undeliverable', reason: error ?? state } };
  return { attempt, notice: { kind: 'due' } };
}
