import { randomUUID } from 'node:crypto';
import type { LedgerChange } from '../../contract/activities';
import { type Brought, type BroughtRequest, broughtBy, type RecordedVerb } from '../../contract/requests';
import type { SubscriptionId } from '../../domain/ids';
import { instantToColumn, type Db, readRecord } from '../statements';
import { hashBody } from '../idempotency';
import { DUEDAY, insertEvent } from '../trail';

/**
 * Puts a request on record before the workflow is asked.
 * @returns the argument of the update, which names it
 */
export async function putRequest<R extends Brought>(
  db: Db,
  subscriptionId: SubscriptionId,
  verb: RecordedVerb,
  request: R,
): Promise<R> {
  const onRecord = randomUUID();
  await db.query(
    `insert into steering_requests (request_id, subscription_id, verb, argument_hash, actor, key_id)
     values ($1, $2, $3, $4, $5, $6)`,
    [onRecord, subscriptionId, verb, hashOf(broughtBy(verb, request)), request.actor, request.keyId ?? null],
  );
  return { ...request, onRecord };
}

/** As JSON carries it, to the workflow and from there: a field without a value is left out. */
function hashOf({ argument }: BroughtRequest): Buffer {
  return hashBody(JSON.parse(JSON.stringify(argument)));
}

/** Of the change that it is used up for. */
type Use = Pick<LedgerChange, 'subscriptionId' | 'key' | 'at'>;

/**
 * Uses up the request on record, once, in the transaction that writes what was asked. Where there is none, or another, or
 * it is used up, a caller has asked past the admin API: that is in the trail, and nothing else is to be written.
 * @returns why it is refused, or null
 */
export async function useRequest(db: Db, brought: BroughtRequest, use: Use): Promise<string | null> {
  const why = await whyRefused(db, brought, use.subscriptionId);
  if (why === null) {
    await db.query('update steering_requests set used_real_at = now(), used_for = $2 where request_id = $1', [
      brought.id,
      use.key,
    ]);
  } else {
    const { subscriptionId, key: changeKey, at } = use;
    const data = { request: brought.verb, message: why };
    await insertEvent(db, { subscriptionId, at, actor: DUEDAY, type: 'request.unrecorded', data, changeKey });
  }
  return why;
}

interface OnRecord {
  readonly subscriptionId: SubscriptionId;
  readonly verb: string;
  readonly argumentHash: Buffer;
  readonly usedFor: string | null;
}

async function whyRefused(db: Db, brought: BroughtRequest, subscriptionId: SubscriptionId): Promise<string | null> {
  if (brought.id === null) return 'it names no request of the admin API';
  const row = await readRecord<OnRecord>(
    db,
    `select subscription_id, verb, argument_hash, used_for from steering_requests where request_id = $1 for update`,
    [brought.id],
  );
  if (row === null) return 'the admin API has no such request on record';
  if (row.subscriptionId !== subscriptionId) return `its request is of subscription ${row.subscriptionId}`;
  if (row.verb !== brought.verb) return `its request is ${row.verb}; got ${brought.verb}`;
  if (!row.argumentHash.equals(hashOf(brought))) return 'its request was made with another argument';
  return row.usedFor === null ? null : 'its request is used up';
}

/** Removes requests of before, used up or not. @returns how many, `atMost` */
export async function purgeRequests(db: Db, madeBeforeReal: number, atMost: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from steering_requests where request_id in (
       select request_id from steering_requests where made_real_at < $1 order by made_real_at limit $2
     )`,
    [instantToColumn(madeBeforeReal), atMost],
  );
  return rowCount ?? 0;
}
