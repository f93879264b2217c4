import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { type Db, readRecord, readRecords } from '../sql/statements';

/** The ids of the subscriptions and one-time payments of a payer. */
export interface PayerSubjects {
  readonly subscriptionIds: readonly SubscriptionId[];
  /** One-time payments that the service has named. */
  readonly paymentIds: readonly PaymentId[];
  /** Payment ids of subscriptions at the service. */
  readonly mandateIds: readonly PaymentId[];
}

/** The ids of the payers with a reference: one for each subscription and each payment that has it. */
export async function payersOf(db: Db, reference: string): Promise<readonly string[]> {
  const payers = await readRecords<{ readonly payerId: string }>(
    db,
    'select payer_id from payers where reference = $1 order by payer_id',
    [reference],
  );
  return payers.map(({ payerId }) => payerId);
}

export async function readSubjects(db: Db, payerIds: readonly string[]): Promise<PayerSubjects> {
  const subjects = await readRecord<PayerSubjects>(
    db,
    `select s.subscription_ids, p.payment_ids, s.mandate_ids
     from (
       select coalesce(array_agg(subscription_id), '{}') as subscription_ids,
         coalesce(array_agg(payment_id) filter (where payment_id is not null), '{}') as mandate_ids
       from subscriptions where payer_id = any ($1)
     ) s, (
       select coalesce(array_agg(payment_id) filter (where payment_id is not null), '{}') as payment_ids
       from payments where payer_id = any ($1)
     ) p`,
    [payerIds],
  );
  if (subjects === null) throw new Error('the subjects of a payer returned no row');
  return subjects;
}

/** Condition on rows `k` of `idempotency_keys`, with {@link keptAnswersOf} as the first two parameters. */
export const KEPT_ANSWERS = `(
  exists (select from unnest($1::text[]) as id where position(to_json(id)::text in k.body::text) > 0)
  or split_part(k.method_path, '/', 4) = any ($2::text[])
)`;

/**
 * The search values for the stored responses about these subjects: ids that a body contains anywhere, including those of jobs,
 * and what follows `/v1/…/` in the path of a call, including ids of notices and attention items.
 */
export async function keptAnswersOf(
  db: Db,
  { subscriptionIds, paymentIds, mandateIds }: PayerSubjects,
): Promise<[ids: readonly string[], pathParts: readonly string[]]> {
  const row = await readRecord<{ readonly ids: readonly string[] }>(
    db,
    `select coalesce(array_agg(id), '{}') as ids from (
       select notice_id as id from notices where subscription_id = any ($1) or payment_id = any ($2)
       union all
       select item_id from attention_items where subscription_id = any ($1) or payment_id = any ($2)
     ) as about`,
    [subscriptionIds, paymentIds],
  );
  const jobs = await readRecords<{ readonly jobId: string }>(
    db,
    'select distinct job_id from job_items where subscription_id = any ($1)',
    [subscriptionIds],
  );
  const ids = [...subscriptionIds, ...paymentIds, ...mandateIds, ...jobs.map(({ jobId }) => jobId)];
  return [ids, [...ids, ...ids.map(encodeURIComponent), ...(row?.ids ?? [])]];
}
