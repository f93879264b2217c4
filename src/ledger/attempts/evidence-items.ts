import type { PaymentId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { type Instant, toIso } from '../../domain/time';
import { endItem, openItem } from '../rows/attention-item';
import type { Db } from '../sql/statements';
import type { SendRef } from '../rows/attempt';
import { listItemKey } from './send-context';

/** Attention items about evidence that is contradictory or incomplete. */

/** What a `contradiction` item says about both sides, and what to do. */
export interface Contradiction extends Pick<SendRef, 'subscriptionId' | 'cycle'> {
  readonly paymentId: PaymentId;
  readonly amount: Money;
  readonly authorizationId: string | null;
  readonly ledger: { readonly state: string; readonly at: Instant };
  readonly service: { readonly state: string; readonly at: Instant };
  /** What the contradiction is, and what to do about it. */
  readonly detail: string;
}

/**
 * Opens the item of a cycle with contradictory evidence: the service contradicts itself or what the payer was notified
 * of, the cycle has two debits, or its debit may belong to the previous cycle (rules 15, 36, 37, 40). A cycle has one
 * item, which takes the newest evidence.
 */
export async function openContradiction(db: Db, found: Contradiction, at: Instant): Promise<void> {
  const { subscriptionId, paymentId, cycle, amount, authorizationId, ledger, service, detail } = found;
  const id = authorizationId === null ? {} : { id: authorizationId };
  await openItem(
    db,
    {
      key: contradictionKey(found),
      source: 'evidence',
      kind: 'contradiction',
      subscriptionId,
      paymentId,
      cycle,
      amount,
      ledger: { state: ledger.state, amount, at: toIso(ledger.at), ...id },
      service: { state: service.state, amount, at: toIso(service.at), ...id, detail },
    },
    at,
  );
}

export function contradictionKey({ subscriptionId, cycle }: Pick<SendRef, 'subscriptionId' | 'cycle'>): string {
  return `contradiction/${subscriptionId}/${cycle}`;
}

/** The cycle concerned, and why the list of its payment's authorizations proves no absence. */
interface IncompleteList extends Pick<SendRef, 'subscriptionId' | 'cycle'> {
  readonly paymentId: PaymentId;
  readonly collectBy: Instant;
  readonly reason: string;
  readonly at: Instant;
}

/**
 * Opens the item: the list of the payment's authorizations has been incomplete for a long time, so nothing is sent, and the cycle
 * may be missed (rule 39).
 */
export function openListItem(
  db: Db,
  { subscriptionId, paymentId, cycle, collectBy, reason, at }: IncompleteList,
): Promise<void> {
  const detail = `${reason}. If the service lists only the last few days, set PAYMENT_SERVICE_LIST_DAYS.`;
  return openItem(
    db,
    {
      key: listItemKey({ subscriptionId }),
      source: 'evidence',
      kind: 'list_incomplete',
      subscriptionId,
      paymentId,
      cycle,
      deadline: collectBy,
      service: { state: 'incomplete', detail },
    },
    at,
  );
}

/** Ends the item, once a complete list was read. */
export function endListItem(db: Db, ref: Pick<SendRef, 'subscriptionId'>): Promise<void> {
  return endItem(db, listItemKey(ref));
}
