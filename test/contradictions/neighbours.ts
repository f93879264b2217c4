import { DAY, HOUR, type Instant } from '../../src/domain/time';
import type { ProcessStack } from '../processes/local-stack';
import { importAll } from '../support/import-call';
import { grantMandate } from '../support/mandate';
import type { Installation } from './installation';

/**
 * The number of other live subscriptions. With fewer, the items of the few that are still live at the end of the
 * campaign would be folded into one (rule 44).
 */
const COUNT = 60;

/** Imports subscriptions that contradict nothing and are not due before the campaign has ended. */
export function importNeighbours(stack: ProcessStack, { url, key }: Installation, firstDue: Instant): Promise<void> {
  const mandates = Array.from({ length: COUNT }, (_, index) =>
    grantMandate(stack, {
      subscriptionId: `neighbour-${index}`,
      cents: 1999,
      firstPaymentAt: firstDue + 90 * DAY,
      grantedAt: stack.clock.now() - HOUR,
    }),
  );
  return importAll(
    url,
    key,
    mandates.map(({ line }) => line),
  );
}
