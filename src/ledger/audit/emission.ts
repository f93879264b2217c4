import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import type { EventData, ExplainedEvent } from '../../domain/audit/event';
import { citeRule, explain } from '../../domain/audit/events';
import { ATTENTION } from '../../domain/audit/rules';
import { instantToColumn, jsonToColumn, type Db } from '../sql/statements';
import { entryOf, type MerchantEventType, typesFrom } from './catalogue';
import { cut, fieldsOf } from './fields';

interface NewMerchantEvent {
  readonly type: MerchantEventType;
  /** The part of `data` that is stored and never changes. */
  readonly data: EventData;
}

/** Most audit entries produce no event, some produce one. An import produces two, as it creates and activates a subscription. */
export function merchantEventsOf(
  entry: ExplainedEvent & { readonly subscriptionId: SubscriptionId | null },
): readonly NewMerchantEvent[] {
  const mayBeAbout = (subject: string) => subject !== (entry.subscriptionId === null ? 'subscription' : 'payment');
  return typesFrom(entry.type)
    .filter((type) => mayBeAbout(entryOf(type).of))
    .map((type) => ({ type, data: dataOf(type, entry) }));
}

/** Maximum length of a text, including quoted external text. */
const MAX_LENGTH = 4_000;

function dataOf(type: MerchantEventType, { type: auditType, actor, data }: ExplainedEvent): EventData {
  const reason = data['reason'];
  return {
    reason: typeof reason === 'string' ? cut(reason) : null,
    ...fieldsOf(entryOf(type), data),
    rule: citeRule(auditType, data)?.decision ?? null,
    text: cut(explain({ type: auditType, actor, data }), MAX_LENGTH),
  };
}

/**
 * Inserts an event for each attention item that was opened or cleared, in the transaction of the change: no audit entry produces
 * these events.
 */
export async function insertAttentionEvents(
  db: Db,
  {
    subscriptionId,
    paymentId,
  }: { readonly subscriptionId: SubscriptionId | null; readonly paymentId: PaymentId | null },
  at: Instant,
  { was, is }: { readonly was: readonly string[]; readonly is: readonly string[] },
): Promise<void> {
  const opened = is.filter((item) => !was.includes(item));
  const cleared = was.filter((item) => !is.includes(item));
  const events = [
    ...opened.map((item) => attentionEvent('attention.opened', item)),
    ...cleared.map((item) => attentionEvent('attention.cleared', item)),
  ];
  if (events.length === 0) return;
  await db.query(
    `insert into merchant_events (type, subscription_id, payment_id, at, data)
     select type, $1, $2, $3, data::jsonb from ${eventsGiven(4)} order by nth`,
    [subscriptionId, paymentId, instantToColumn(at), ...columnsOf(events)],
  );
}

/** Events as rows of a query; their parameters from `first` on are given by {@link columnsOf}. */
export function eventsGiven(first: number): string {
  return `unnest($${first}::text[], $${first + 1}::text[]) with ordinality as given (type, data, nth)`;
}

export function columnsOf(events: readonly NewMerchantEvent[]): [string[], (string | null)[]] {
  return [events.map(({ type }) => type), events.map(({ data }) => jsonToColumn(data))];
}

/** @param itemKey the key of the item, such as `unresolved:3` for cycle 3 */
function attentionEvent(type: 'attention.opened' | 'attention.cleared', itemKey: string): NewMerchantEvent {
  const [kind = itemKey, cycle] = itemKey.split(':');
  const named = { itemKey, cycle: cycle === undefined ? null : Number(cycle) };
  const words = `${kind.replaceAll('_', ' ')}${cycle === undefined ? '' : ` (cycle ${cycle})`}`;
  const text =
    type === 'attention.opened' ? `An operator is needed: ${words}.` : `An operator is no longer needed: ${words}.`;
  return { type, data: { reason: null, ...fieldsOf(entryOf(type), named), rule: ATTENTION.decision, text } };
}
