import { COLLECTION_WINDOW } from '../domain/subscription/schedule';
import { UNTRIED } from './reports';

/** What presses, as queries: alerts tell of each row once, alarms count them at any moment. */

const IN_DOUBT = `state in ('sending', 'unknown', 'unresolved')`;
/** Real time since which the outcome has not been known. */
const SINCE = `coalesce(unknown_since_real, sending_real_at) as since`;

/** Sends of authorizations whose outcome nobody knows. */
export const ATTEMPTS_IN_DOUBT = `select *, ${SINCE} from attempts where ${IN_DOUBT}`;

/** Sends of captures and refunds whose outcome nobody knows. */
export const ORDERS_IN_DOUBT = `select *, ${SINCE} from order_sends where ${IN_DOUBT}`;

/** Sends in doubt, or settled as never made after they were, from which on people are told. */
const TOO_MANY_IN_VAIN = 3;
const NOT_FOUND = `unknown_since_real is not null and state in ('unknown', 'unresolved', 'not_sent')`;

/** Open cycles, and how many of their sends were not answered readably and are not found (decisions 17). */
export const CYCLES_IN_VAIN = `
  select subscription_id, cycle, count(*) as sends
  from attempts join cycles c using (subscription_id, cycle)
  where ${NOT_FOUND} and c.status in ('collecting', 'dunning', 'unresolved')
  group by 1, 2 having count(*) >= ${TOO_MANY_IN_VAIN}`;

/** The same of captures and refunds that are not made yet. */
export const ORDERS_IN_VAIN = `
  select order_id, count(*) as sends
  from order_sends s
  where ${NOT_FOUND}
    and not exists (
      select from order_sends m where m.order_id = s.order_id and m.state in ('pending', 'successful', 'failed')
    )
  group by 1 having count(*) >= ${TOO_MANY_IN_VAIN}`;

/**
 * Open cycles, and due dates that nobody has tried (without a cycle), whose window closes after $1 and not after $2, both
 * business time. The window of an open cycle is looked for by its deadline, which comes no later, and has an index.
 */
export const CLOSING_WINDOWS = `
  select subscription_id, cycle, due_at, collect_by, status from cycles
  where status in ('collecting', 'dunning', 'unresolved')
    and least(retry_until, collect_by) <= $2 and collect_by > $1 and collect_by <= $2
  union all
  select * from (
    select s.subscription_id, null::integer as cycle, s.next_due_at as due_at,
      least(s.next_due_at + ${COLLECTION_WINDOW} * interval '1 millisecond', s.end_at) as collect_by, 'untried' as status
    from ${UNTRIED} and s.next_due_at <= $1
  ) as untried
  where collect_by > $1 and collect_by <= $2`;
