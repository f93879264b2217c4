import { findUnknownAuthorizations } from '../src/domain/reconciliation';
import { authorizationIdsOf } from '../src/ledger';
import type { Authorization, ServiceResult } from '../src/payment-service';
import { type Collecting, isBegun, MOVED, type Phase } from './collecting';
import { growingPause, tryAgain } from './failures';
import { cannotAsk } from './reconcile-attempt';

/** What the service lists right now, held against the ledger (decisions 16). */
export type Look =
  /** Nothing stands in the way. Every id that was listed. */
  | { readonly kind: 'clear'; readonly knownIds: readonly string[] }
  /** Authorizations of this cycle that the ledger lacks: they stop the POST. */
  | { readonly kind: 'unresolved'; readonly reason: string }
  | {
      readonly kind: 'unreadable';
      readonly answer: Exclude<ServiceResult<readonly Authorization[]>, { kind: 'accepted' }>;
    };

export async function lookBeforeTheLeap({ deps, input, progress }: Collecting): Promise<Look> {
  progress('look before the leap');
  const listed = await deps.service.listAuthorizations(input.paymentId);
  if (listed.kind !== 'accepted') return { kind: 'unreadable', answer: listed };
  const ledgerIds = await authorizationIdsOf(deps.ledger, input.paymentId);
  const unknown = findUnknownAuthorizations(listed.value, ledgerIds, input.dueAt);
  const ids = unknown.map(({ authorizationId }) => authorizationId);
  return ids.length === 0
    ? { kind: 'clear', knownIds: listed.value.map(({ authorizationId }) => authorizationId) }
    : { kind: 'unresolved', reason: `the service lists ${ids.join(', ')}, which the ledger lacks` };
}

/** Nothing of ours is open; an authorization that the ledger lacks had stopped the POST. Is it still there? */
export async function lookAgain(collecting: Collecting): Promise<Phase> {
  const look = await lookBeforeTheLeap(collecting);
  switch (look.kind) {
    case 'clear':
      // A person's word about it is a send of this attempt, entered while the service was asked.
      return (await isBegun(collecting)) ? MOVED : { kind: 'absent' };
    case 'unreadable':
      return cannotAsk(collecting, look.answer);
    case 'unresolved':
      if (!collecting.input.knownUnresolved) return look;
      throw tryAgain('outcome_unknown', look.reason, growingPause(collecting.age()));
  }
}
