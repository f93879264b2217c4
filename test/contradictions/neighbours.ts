import { DAY, HOUR, type Instant, toIso } from '../../src/domain/time';
import type { ProcessStack } from '../processes/local-stack';
import { importFile } from '../support/import-call';
import type { Installation } from './installation';

/** With fewer live ones, those of the campaign would share one cause at its end, when most of them are completed (rule 44). */
const COUNT = 60;

/** Imports subscriptions that contradict nothing and are not due before the campaign has ended. */
export async function importNeighbours(stack: ProcessStack, { url, key }: Installation, firstDue: Instant) {
  const lines = Array.from({ length: COUNT }, (_, index) => lineOf(stack, `neighbour-${index}`, firstDue + 90 * DAY));
  const answers = await importFile(url, key, lines.map((line) => JSON.stringify(line)).join('\n'));
  const refused = answers.filter(({ subscriptionId }) => subscriptionId === undefined);
  if (answers.length !== COUNT || refused.length > 0) {
    throw new Error(`not every neighbour was imported: ${JSON.stringify(refused.slice(0, 3))}`);
  }
}

function lineOf({ sandbox, clock }: ProcessStack, subscriptionId: string, due: Instant) {
  const billingAddress = { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };
  const amount = { value: 1999, currency: 'EUR' as const };
  const { paymentId } = sandbox.grantElsewhere(
    {
      ...{ useCase: 'SUBSCRIPTION', amount, startAt: due, firstPaymentAt: due, repetition: 'MONTHLY' },
      ...{ returnURL: 'https://shop.example/return', billingAddress },
    },
    clock.now() - HOUR,
  );
  return {
    ...{ subscriptionId, paymentId, amount, repetition: 'MONTHLY', billingAddress },
    ...{ startAt: toIso(due), firstPaymentAt: toIso(due), payer: { reference: subscriptionId } },
  };
}
