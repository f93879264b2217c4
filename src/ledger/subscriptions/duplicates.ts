import type { SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { Repetition } from '../../domain/subscription/schedule';
import { type Db, jsonToColumn, readRecords } from '../sql/statements';

/** The fields that are compared to detect a mandate that was granted twice. */
export interface ComparedMandate {
  readonly subscriptionId: SubscriptionId;
  readonly reference: string;
  readonly amount: Money;
  readonly repetition: Repetition;
  /** The subscription that it replaces. */
  readonly replaces: SubscriptionId | null;
}

interface Duplicate {
  readonly subscriptionId: SubscriptionId;
  readonly duplicateOf: SubscriptionId;
}

/** For each mandate, an active subscription of the same payer, amount and repetition that nothing replaces, if there is one. */
export async function findDuplicates(
  db: Db,
  mandates: readonly ComparedMandate[],
): Promise<ReadonlyMap<SubscriptionId, SubscriptionId>> {
  if (mandates.length === 0) return new Map();
  const found = await readRecords<Duplicate>(
    db,
    `select wanted.subscription_id, other.subscription_id as duplicate_of
     from jsonb_to_recordset($1::jsonb) as wanted (
       subscription_id text, reference text, amount integer, repetition text, replaces text
     ) cross join lateral (
       select s.subscription_id from payers p join subscriptions s using (payer_id)
       where p.reference = wanted.reference and s.amount = wanted.amount and s.repetition = wanted.repetition
         and s.status = 'active' and s.replaced_by is null
         and s.subscription_id <> wanted.subscription_id and s.subscription_id is distinct from wanted.replaces
       order by s.created_at, s.subscription_id limit 1
     ) other`,
    [
      jsonToColumn(
        mandates.map(({ subscriptionId, amount, ...rest }) => ({
          ...rest,
          subscription_id: subscriptionId,
          amount: amount.value,
        })),
      ),
    ],
  );
  return new Map(found.map(({ subscriptionId, duplicateOf }) => [subscriptionId, duplicateOf]));
}
