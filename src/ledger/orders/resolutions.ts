import type { Pool } from 'pg';
import type { OrderId } from '../../domain/ids';
import type { OrderState } from '../../domain/send';
import type { Instant } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import { IS_IN_DOUBT } from '../rows/any-send';
import { inTransaction } from '../sql/database';
import { type Db, readRecord } from '../sql/statements';
import { insertEvent } from '../audit/entries';
import { type OrderOutcome, recordWithin } from './outcomes';
import { enterSend, entryOfOrder, latestOrderSend, lockPaymentOf, nameAtService, type OrderSendRecord } from './sends';
import { endWaiting, openWaiting, type Waiting, waitsForPerson } from './waiting';

/** States in which the service has not told what became of an order, and nothing of it is on the wire. */
const UNTOLD: readonly OrderState[] = ['ordered', 'not_sent', 'unknown'];

/** States in which a person may say what became of an order that waits for one. */
const RESOLVABLE: readonly OrderState[] = [...UNTOLD, 'unresolved', 'pending'];

/**
 * From now on a person may say what became of it: nothing is sent of it, as it cannot be, or as the service lists what may be
 * it already, or the service cannot be asked. An unresolved one waits already, and with what was found.
 */
export async function awaitPerson(pool: Pool, orderId: OrderId, reason: string, at: Instant): Promise<void> {
  await inTransaction(pool, async (db) => {
    const waiting = await lockWaiting(db, orderId);
    if (UNTOLD.includes(waiting.state)) await openWaiting(db, waiting, reason, at);
  });
}

/** The same of one that is pending. @param reason null: it waits for nobody, or for nobody any more */
export async function followPending(pool: Pool, orderId: OrderId, reason: string | null, at: Instant): Promise<void> {
  if (reason === null && !(await waitsForPerson(pool, orderId))) return;
  await inTransaction(pool, async (db) => {
    const waiting = await lockWaiting(db, orderId);
    if (waiting.state !== 'pending') return;
    await (reason === null ? endWaiting(db, orderId) : openWaiting(db, waiting, reason, at));
  });
}

/** An order as it stands, which does not change until the transaction ends. @throws where it is not in the ledger. */
async function lockWaiting(db: Db, orderId: OrderId): Promise<Waiting> {
  await lockPaymentOf(db, orderId);
  const waiting = await readRecord<Waiting>(
    db,
    `select o.order_id, o.kind, o.payment_id, o.subscription_id, o.cycle, o.amount, coalesce(s.state, 'ordered') as state,
       coalesce(s.at, o.created_at) as at
     from orders o
     left join lateral (select * from order_sends where order_id = o.order_id order by send desc limit 1) s on true
     where o.order_id = $1`,
    [orderId],
  );
  if (waiting === null) throw new Error(`the ledger has no order ${orderId}`);
  return waiting;
}

/** A person's word on an order of which the service does not tell whether it was made (rule 18). */
export interface OrderResolution extends Actor {
  readonly orderId: OrderId;
  readonly outcome: 'successful' | 'failed';
  /** By what the person knows it. */
  readonly evidence: string;
  /** The service's own id of what was made; null where nothing was. */
  readonly serviceId: string | null;
  readonly at: Instant;
  readonly realAt: number;
}

export type ResolveOrderResult =
  /** Now, or by the same word before. */
  | { readonly kind: 'resolved' }
  /** The id is another order's of the payment; nothing is written (rule 34). */
  | { readonly kind: 'taken'; readonly by: OrderId }
  /** Another order of the payment is in doubt: that one first. */
  | { readonly kind: 'blocked'; readonly by: OrderId }
  /** It does not wait for a person: its POST may be on the wire, or the service has answered, or may soon. */
  | { readonly kind: 'stands'; readonly state: OrderState };

/**
 * Writes a person's word as the order's outcome, once; the same word again changes nothing. Where nothing was sent of it, as
 * the service lists what may be it already, a send is entered that no POST follows: whoever is about to send meets it.
 * @throws where the order is not in the ledger.
 */
export async function resolveOrder(pool: Pool, resolution: OrderResolution): Promise<ResolveOrderResult> {
  return inTransaction(pool, async (db): Promise<ResolveOrderResult> => {
    const { orderId, at } = resolution;
    await lockPaymentOf(db, orderId);
    const latest = await latestOrderSend(db, orderId);
    const answer = await judge(db, resolution, latest);
    if (answer !== null) return answer;
    const isSent = latest !== null && latest.state !== 'not_sent';
    const send = isSent ? latest : await enterUnsent(db, resolution);
    await insertEvent(db, eventOf(send, resolution));
    await recordWithin(db, send, outcomeOf(resolution), at);
    return { kind: 'resolved' };
  });
}

/** What {@link resolveOrder} would answer at this moment, without a lock; null where it would write. */
export async function judgeResolution(db: Db, resolution: OrderResolution): Promise<ResolveOrderResult | null> {
  return judge(db, resolution, await latestOrderSend(db, resolution.orderId));
}

async function judge(
  db: Db,
  resolution: OrderResolution,
  latest: OrderSendRecord | null,
): Promise<ResolveOrderResult | null> {
  const { orderId, serviceId, realAt } = resolution;
  if (latest !== null && isSameWord(latest, resolution)) return { kind: 'resolved' };
  const state = latest?.state ?? 'ordered';
  // Whoever found it said from when on its POST cannot be on the wire any more.
  const maySendYet = latest?.unknownSinceReal != null && latest.unknownSinceReal > realAt;
  const isOpen = RESOLVABLE.includes(state) && !maySendYet && (await waitsForPerson(db, orderId));
  if (!isOpen) return { kind: 'stands', state };
  const taken = await findOther(db, orderId, 's.service_id = $2', [serviceId]);
  if (taken !== null) return { kind: 'taken', by: taken };
  const inDoubt = await findOther(db, orderId, `s.state ${IS_IN_DOUBT}`);
  return inDoubt === null ? null : { kind: 'blocked', by: inDoubt };
}

const RESOLVED_AS_FAILED = 'RESOLVED_AS_FAILED';

/** The evidence is a person's words: the trail alone has it. */
function outcomeOf({ outcome, serviceId }: OrderResolution): OrderOutcome {
  if (outcome === 'failed') return { state: 'failed', detail: RESOLVED_AS_FAILED, description: '' };
  if (serviceId === null) throw new RangeError("a successful order is known by the service's id");
  return { state: 'successful', serviceId };
}

function isSameWord(send: OrderSendRecord, { outcome, serviceId }: OrderResolution): boolean {
  if (send.state !== outcome) return false;
  return outcome === 'successful' ? send.serviceId === serviceId : send.detail === RESOLVED_AS_FAILED;
}

/** Another order of the payment. @param which a condition of ours; with an id, of those of the same kind: it is unique there */
async function findOther(db: Db, orderId: OrderId, which: string, values: unknown[] = []): Promise<OrderId | null> {
  const ofKind = values.length > 0 ? 'and o.kind = asked.kind' : '';
  const row = await readRecord<{ orderId: OrderId }>(
    db,
    `select o.order_id
     from orders asked join orders o using (payment_id) join order_sends s on s.order_id = o.order_id
     where asked.order_id = $1 and o.order_id <> $1 and ${which} ${ofKind} limit 1`,
    [orderId, ...values],
  );
  return row?.orderId ?? null;
}

async function enterUnsent(db: Db, { orderId, actor, at, realAt }: OrderResolution): Promise<OrderSendRecord> {
  const entered = await enterSend(db, { orderId, knownIds: [], owner: actor, at, realAt });
  if (entered.kind === 'blocked')
    throw new Error(`order ${orderId} is blocked by ${entered.by.orderId}, under the lock`);
  return entered.send;
}

function eventOf(send: OrderSendRecord, { outcome, evidence, serviceId, at, ...by }: OrderResolution) {
  const { amount, kind } = send;
  const data = { send: send.send, amount, outcome, evidence, ...nameAtService(kind, serviceId) };
  return { ...entryOfOrder(send, 'resolved', at, data), ...actorOf(by) };
}
