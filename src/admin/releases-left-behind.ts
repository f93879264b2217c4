import { releasesUnconfirmed } from '../ledger';
import type { AdminDeps } from './admin-deps';
import { loggable } from './error-answers';

const AT_ONCE = 20;

/**
 * One look for releases that were ordered and that nobody has confirmed: whoever was to ask for them may be gone. A release
 * that is under way is joined, not asked for twice.
 */
export async function askForReleases({ db, payments, logger }: AdminDeps): Promise<void> {
  try {
    for (const payment of await releasesUnconfirmed(db, AT_ONCE)) {
      const { kind } = await payments.release(payment);
      if (kind === 'finished')
        logger.warn({ paymentId: payment.paymentId }, 'a release was left behind by its workflow');
    }
  } catch (error) {
    logger.warn({ err: loggable(error) }, 'releases left behind could not be looked for');
  }
}
