import { explainedBy, idsOf, isForeign } from './ledger-differences-explained';
import {
  about,
  type Difference,
  type LedgerPayment,
  type LedgerSend,
  type ServicePayment,
  sideOf,
} from './ledger-differences-records';
import { isGivenBack } from './ledger-differences-refunds';

/** Debits, and authorizations that may become one, that no attempt of ours explains. */
export function unknownDebits({ attempts, refunds, knownSince }: LedgerPayment, service: ServicePayment): Difference[] {
  const ownIds = idsOf(attempts.map((each) => each.authorizationId));
  const foreign = service.authorizations.filter((each) => isForeign(each, each.authorizationId, ownIds, knownSince));
  const explained = explainedBy(attempts, foreign, (each) => each.authorizationId);
  const underWay = [...explained, ...idsOf(attempts.filter(isPending).map((each) => each.authorizationId))];
  const ownCaptures = idsOf(attempts.map((each) => each.captureId));
  const cycleOf = (id: string) => attempts.find((each) => each.authorizationId === id)?.cycle ?? null;
  const debits = service.captures.filter(
    (each) => isForeign(each, each.captureId, ownCaptures, knownSince) && !underWay.includes(each.authorizationId),
  );
  const debited = debits.map((each) => each.authorizationId);
  const authorizations = foreign.filter(({ authorizationId: id }) => !explained.includes(id) && !debited.includes(id));
  return [
    ...debits
      .filter((each) => !isGivenBack(refunds, each))
      .map((each) => {
        const { captureId, authorizationId } = each;
        const cycle = cycleOf(authorizationId);
        return about({ kind: 'debit_unknown', cycle, captureId, authorizationId, service: sideOf(each) });
      }),
    ...authorizations.map((each) => {
      return about({
        kind: 'authorization_unknown',
        authorizationId: each.authorizationId,
        service: sideOf(each),
      });
    }),
  ];
}

function isPending({ state }: LedgerSend<string>): boolean {
  return state === 'pending';
}
