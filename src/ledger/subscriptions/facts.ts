import type { SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { CycleFacts, LedgerFacts, SuccessorFacts } from '../../domain/subscription/restored-state';
import type { SubscriptionState } from '../../domain/subscription/state';
import { IS_ADOPTED_IN_VAIN } from '../attempts/any-send';
import { type Db, epochMs, jsonToColumn, readRecord, readRecords } from '../statements';

/** What a subscription was frozen with; the row of one created before it was kept there does not hold it. */
export type Frozen = Pick<SubscriptionState, 'policy' | 'spread'>;

/** Everything from which a workflow's state follows; null where there is no such subscription, a draft being none. */
export async function readFacts(
  db: Db,
  subscriptionId: SubscriptionId,
  otherwise: Frozen,
): Promise<LedgerFacts | null> {
  const row = await readRecord<Omit<LedgerFacts, 'begun' | 'current'> & { currentAmount: Money }>(db, FACTS, [
    subscriptionId,
    jsonToColumn(otherwise.policy),
    otherwise.spread,
  ]);
  if (row === null) return null;
  const { currentAmount: current, ...facts } = row;
  return { ...facts, current, begun: await readBegun(db, subscriptionId) };
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

const FACTS = `
  select s.subscription_id as "terms.subscription_id", s.repetition as "terms.repetition",
    s.consent_amount as "terms.consent_amount", s.start_at as "terms.start_at",
    s.first_payment_at as "terms.first_payment_at", s.end_at as "terms.end_at", s.on_exhausted as "terms.on_exhausted",
    coalesce(s.retry_policy, $2::jsonb) as policy, coalesce(s.spread, $3::double precision) as spread,
    s.status, s.payment_id, s.hold, s.revision, s.pauses, s.skips, s.replaces, s.replacements, s.replaced_by,
    coalesce(s.collected_elsewhere, false) or exists (
      select from attempts a where a.subscription_id = s.subscription_id and a.state = 'successful'
    ) as collected_once,
    coalesce(s.current_amount, ${FIRST_CURRENT}) as current_amount,
    (
      select max(cycle) from attempts a where a.subscription_id = s.subscription_id
        and a.state in ('successful', 'capture_failed')
    ) as current_of,
    s.pending_change, s.last_increase_at, s.attention as "standing.attention", s.dunning as "standing.dunning",
    s.past_due as "standing.past_due", s.cancellation, s.cancelled_by, s.collect_from, s.end_heard_at,
    (
      select max(cycle) from cycles c where c.subscription_id = s.subscription_id
        and (c.status in ('collected', 'failed', 'missed') or (c.status = 'skipped' and c.cycle <> all (s.skips)))
    ) as last_over
  from subscriptions s where s.subscription_id = $1 and s.status <> 'draft'`;

/** Those that name it as the one that they replace. A consent given to one that was being cancelled replaces nothing. */
export async function readSuccessors(db: Db, subscriptionId: SubscriptionId): Promise<readonly SuccessorFacts[]> {
  return readRecords(
    db,
    `select n.subscription_id as by, n.repetition, n.first_payment_at, n.end_at, n.collect_from,
       n.status = 'pending_consent' and n.cancellation is null as is_asked,
       (
         select min(granted.at) from events granted
         where granted.subscription_id = n.subscription_id and granted.type in ('consent.granted', 'subscription.imported')
           and not exists (
             select from events asked
             where asked.subscription_id = n.subscription_id and asked.type = 'subscription.cancel_requested'
               and asked.id < granted.id
           )
       ) as granted_at
     from subscriptions n where n.replaces = $1 and n.status <> 'draft' order by n.created_at, n.subscription_id`,
    [subscriptionId],
  );
}

/** Few: what is under way, what is pending past its window, and what was refused and is followed again. */
async function readBegun(db: Db, subscriptionId: SubscriptionId): Promise<readonly CycleFacts[]> {
  return readRecords(
    db,
    `select c.cycle, c.collect_by, c.amount, c.status, c.retry_now,
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
         select jsonb_agg(jsonb_build_object('attempt', n.attempt, 'notice', case n.state
           when 'delivered' then jsonb_build_object('kind', n.state, 'at', ${epochMs('n.delivered_at')})
           when 'undeliverable' then jsonb_build_object('kind', n.state, 'reason', coalesce(n.last_error, n.state))
           else jsonb_build_object('kind', 'due')
         end))
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
