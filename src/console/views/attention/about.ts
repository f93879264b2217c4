import { count, money, words } from '../../format';
import type { Attention, Cycle } from '../common/schemas';

/** Such as `A debit is unknown to the ledger: €9.99, cycle 0`. */
export function summaryOf({ title, amount, cycle }: Pick<Attention, 'title' | 'amount' | 'cycle'>): string {
  const about = [amount === null ? null : money(amount), cycle === null ? null : `cycle ${count(cycle)}`];
  const known = about.filter((each) => each !== null);
  return known.length === 0 ? title : `${title}: ${known.join(', ')}`;
}

/** Kinds of items that suggest that the payer has already paid a cycle that is unpaid in the ledger. */
const MAY_BE_PAID: ReadonlySet<string> = new Set([
  'debit_unknown',
  'authorization_unknown',
  'contradiction',
  'unresolved',
  'unlisted',
]);

/** The first item that suggests that the payer has already paid the cycle; undefined if there is none. */
export function mayBePaid(items: readonly Attention[], n: number): Attention | undefined {
  return items.find(({ kind, cycle }) => MAY_BE_PAID.has(kind) && (cycle === null || cycle === n));
}

/** Kinds of items about a record of the service that the ledger lacked when the two were compared. */
const LACKED: ReadonlySet<string> = new Set(['debit_unknown', 'authorization_unknown']);

/** Whether a cycle may have adopted what the item is about since the comparison that found it. */
export function mayBeAdopted({ kind, subscriptionId, service }: Lacking): boolean {
  return LACKED.has(kind) && subscriptionId !== null && service?.id != null;
}

type Lacking = Pick<Attention, 'kind' | 'subscriptionId' | 'service'>;

/** Warns that a cycle has adopted the debit since the comparison, so that a refund would return money owed; null if none has. */
export function adoptedText({ service }: Pick<Attention, 'service'>, cycles: readonly Cycle[]): string | null {
  const id = service?.id ?? null;
  const by = cycles.find(({ attempts }) =>
    attempts.some(({ authorizationId, captureId }) => id !== null && (authorizationId === id || captureId === id)),
  );
  if (by === undefined) return null;
  return `Since this was found, the ledger has recorded it as the payment of cycle ${count(by.cycle)}, now ${words(by.status)}. Do not refund it as a second debit. Close the item with this reason.`;
}

/** The service's state of a record, in words. An `unlisted` record is no longer listed: its state is the last one seen. */
export function serviceState(kind: string, state: string): string {
  return kind === 'unlisted' ? `no longer listed (last seen: ${words(state)})` : words(state);
}
