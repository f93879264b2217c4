import type { SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { type CycleFacts, type LedgerFacts, stateFromLedger } from '../../domain/subscription/state-from-ledger';
import type { NoticeState, PendingChange, SubscriptionState } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { IS_ADOPTED_IN_VAIN } from '../attempts/any-send';
import { ATTENTION } from '../attention/items';
import { announcementKeyOf } from '../notices/notices';
import { type Db, epochMs, readRecord, readRecords } from '../statements';

/** What a subscription was created with, and keeps. */
export type Frozen = Pick<SubscriptionState, 'policy' | 'spread'>;

/** A subscription as its rows have it at one instant. */
export interface Current {
  readonly state: SubscriptionState;
  /** The newest revision of which its workflow has been notified. */
  readonly acknowledged: number;
  /** What the row shows that follows from the state, as it was written last. */
  readonly shown: Shown;
  /** How far announcing a change of amount had come when that was written last. */
  readonly announcement: NoticeState['kind'] | 'not_needed' | null;
}

interface Shown {
  readonly nextDueAt: Instant | null;
  readonly pausedUntil: Instant | null;
  readonly amount: Money;
}

type Row = Omit<LedgerFacts, 'begun' | 'current'> & Omit<Current, 'state'> & { readonly currentAmount: Money };

/** Null if there is no such subscription, a draft being none. */
export async function readCurrent(db: Db, subscriptionId: SubscriptionId, now: Instant): Promise<Current | null> {
  const row = await readRecord<Row>(db, FACTS, [subscriptionId]);
  if (row === null) return null;
  const { currentAmount: current, acknowledged, shown, announcement, ...facts } = row;
  const begun = await readBegun(db, subscriptionId);
  const state = stateFromLedger({ ...facts, current, begun }, now);
  return { state, acknowledged, shown, announcement };
}

/** @throws if the subscription is not in the ledger, a draft being none. */
export async function readState(db: Db, subscriptionId: SubscriptionId, now: Instant): Promise<SubscriptionState> {
  const current = await readCurrent(db, subscriptionId, now);
  if (current === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return current.state;
}

/**
 * Current before anything was collected, of `subscriptions s`: the amount of an import, or the consent's; a pending change is
 * neither.
 */
export const FIRST_CURRENT = `case
      when s.collect_from is null then s.consent_amount
      else coalesce(
        (s.pending_change #>> '{earlier,previousAmount,value}')::integer,
        (s.pending_change #>> '{previousAmount,value}')::integer, s.amount
      )
    end`;

/** Of one change: an equal one that was requested again has another. See {@link announcementKeyOf}. */
export function announcementKey({ fromCycle, amount, requestedAt }: PendingChange): string {
  return `increase/${fromCycle}/${amount.value}/${requestedAt}`;
}

/** Of `notices n`, as the state has it. */
const NOTICE_STATE = `case n.state
      when 'delivered' then jsonb_build_object('kind', n.state, 'at', ${epochMs('n.delivered_at')})
      when 'undeliverable' then jsonb_build_object('kind', n.state, 'reason', coalesce(n.last_error, n.state))
      else jsonb_build_object('kind', 'sending')
    end`;

const FACTS = `
  select s.subscription_id as "terms.subscription_id", s.repetition as "terms.repetition",
    s.consent_amount as "terms.consent_amount", s.start_at as "terms.start_at",
    s.first_payment_at as "terms.first_payment_at", s.end_at as "terms.end_at", s.on_exhausted as "terms.on_exhausted",
    s.retry_policy as policy, s.spread,
    s.status, s.payment_id, s.hold, s.revision, s.pauses, s.skips, s.replaces, s.replacements, s.replaced_by,
    coalesce(s.collected_elsewhere, false) or exists (
      select from attempts a where a.subscription_id = s.subscription_id and a.state = 'successful'
    ) as collected_once,
    coalesce(s.current_amount, ${FIRST_CURRENT}) as current_amount,
    (
      select max(cycle) from attempts a where a.subscription_id = s.subscription_id
        and a.state in ('successful', 'capture_failed')
    ) as current_of,
    s.pending_change, s.last_increase_at, ${ATTENTION} as "standing.attention", s.dunning as "standing.dunning",
    s.past_due as "standing.past_due", s.cancellation, s.cancelled_by, s.collect_from, s.end_heard_at,
    s.heard_revision as acknowledged, s.next_due_at as "shown.next_due_at", s.paused_until as "shown.paused_until",
    s.amount as "shown.amount", s.pending_change #>> '{announcement,kind}' as announcement,
    (
      select ${NOTICE_STATE} from notices n where n.subscription_id = s.subscription_id and n.change_key = ${announcementKeyOf('s.pending_change')}
    ) as announced,
    (
      select max(cycle) from cycles c where c.subscription_id = s.subscription_id
        and (c.status in ('collected', 'failed', 'missed') or (c.status = 'skipped' and c.cycle <> all (s.skips)))
    ) as last_over
  from subscriptions s where s.subscription_id = $1 and s.status <> 'draft'`;

/** Few: what is under way, what is pending past its window, and what was refused and is followed again. */
async function readBegun(db: Db, subscriptionId: SubscriptionId): Promise<readonly CycleFacts[]> {
  return readRecords(
    db,
    `select c.cycle, c.collect_by, c.amount, c.status, c.retry_now, (
         select a.amount from attempts a
         where a.subscription_id = c.subscription_id and a.cycle < c.cycle and a.state in ('successful', 'capture_failed')
         order by a.cycle desc limit 1
       ) as previous_amount,
       coalesce((
         select jsonb_agg(to_jsonb(a) order by a.attempt) from (
           select distinct on (attempt) attempt, detail, description,
             case when state = 'pending' then coalesce(refused_as, state) else state end as state,
             state = 'pending' and refused_as is not null as reopened,
             authorization_id as "authorizationId", capture_id as "captureId",
             ${epochMs('coalesce(authorization_created_at, outcome_at, at)')} as at, ${epochMs('at')} as "sentAt"
           from attempts where (subscription_id, cycle) = (c.subscription_id, c.cycle) and not ${IS_ADOPTED_IN_VAIN}
           order by attempt, send desc
         ) a
       ), '[]') as attempts,
       coalesce((
         select jsonb_agg(jsonb_build_object('attempt', n.attempt, 'notice', ${NOTICE_STATE}))
         from notices n
         where (n.subscription_id, n.cycle) = (c.subscription_id, c.cycle) and n.type = 'payment.failed'
       ), '[]') as notices
     from cycles c
     where c.subscription_id = $1 and (
       c.status in ('collecting', 'dunning', 'unresolved')
       or c.cycle in (
         select cycle from attempts where subscription_id = $1 and state = 'pending' and refused_as is not null
       )
     )
     order by c.cycle`,
    [subscriptionId],
  );
}
