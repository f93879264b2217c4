import { type Db, readRecord } from '../database';
import type { PayerSubjects } from './subjects';

/** Of rows `k` of `idempotency_keys`, with {@link keptAnswersOf} as the first two parameters. */
export const KEPT_ANSWERS = `(
  case json_typeof(k.body) when 'object' then
    k.body ->> 'subscriptionId' = any ($1::text[]) or k.body ->> 'paymentId' = any ($1::text[])
  end
  or split_part(k.method_path, '/', 4) = any ($2::text[])
)`;

/**
 * By which the answers that concern these subjects are found: ids that a body names, and what stands behind `/v1/…/` in
 * the path of a call, the ids of notices and items of attention too.
 */
export async function keptAnswersOf(
  db: Db,
  { subscriptionIds, paymentIds, mandateIds }: PayerSubjects,
): Promise<[ids: readonly string[], places: readonly string[]]> {
  const row = await readRecord<{ readonly ids: readonly string[] }>(
    db,
    `select coalesce(array_agg(id), '{}') as ids from (
       select notice_id as id from notices where subscription_id = any ($1) or payment_id = any ($2)
       union all
       select item_id from attention_items where subscription_id = any ($1) or payment_id = any ($2)
     ) as about`,
    [subscriptionIds, paymentIds],
  );
  const ids = [...subscriptionIds, ...paymentIds, ...mandateIds];
  return [ids, [...ids, ...ids.map(encodeURIComponent), ...(row?.ids ?? [])]];
}
