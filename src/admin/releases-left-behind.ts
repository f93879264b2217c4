import { type ReleasePlace, releasesUnconfirmed } from '../ledger';
import type { AdminDeps } from './admin-deps';
import { goRound, type Look } from './rounds';

/**
 * Looks for releases that were ordered and that nobody has confirmed: whoever was to ask for them may be gone. A release
 * that is under way is joined, not asked for twice.
 */
export function askForReleases(deps: AdminDeps): Look {
  const { db, payments } = deps;
  const find = async (after: ReleasePlace | null, limit: number) => {
    const found = await releasesUnconfirmed(db, after, limit);
    return found.map((payment) => ({
      ...{ place: payment, name: `the release of payment ${payment.paymentId}` },
      begin: () => payments.release(payment),
    }));
  };
  return goRound(deps, { what: 'releases', find });
}
