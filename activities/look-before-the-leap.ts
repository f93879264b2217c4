import { whyClocksDiffer, findUnknownAuthorizations } from '../src/domain/send';
import { authorizationIdsOf } from '../src/ledger';
import type { Authorization, ServiceResult } from '../src/payment-service';
import { type Collecting, isBegun, MOVED, type Phase } from './collecting';
import { growingPause, tryAgain } from './failures';
import { cannotAsk } from './reconcile-attempt';

/** What the service lists right now, held against the ledger (decisions 16). */
export type Look =
  /** Nothing that is listed stands in the way. Every id that was; why the clocks forbid it all the same. */
  | { readonly kind: 'clear'; readonly knownIds: readonly string[]; readonly clocksDiffer: string | null }
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
  if (unknown.length > 0) {
    return { kind: 'unresolved', reason: `the service lists ${idsOf(unknown).join(', ')}, which the ledger lacks` };
  }
  return { kind: 'clear', knownIds: idsOf(listed.value), clocksDiffer: whyClocksDiffer(listed.clockLead) };
}

function idsOf(authorizations: readonly Authorization[]): readonly string[] {
  return authorizations.map(({ authorizationId }) => authorizationId);
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
