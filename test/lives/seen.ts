import type { SubscriptionId } from '../../src/domain/ids';
import { type AttemptRecord, type CycleRecord, getSubscription, listCycles } from '../../src/ledger';
import type { PaymentAccount } from '../../src/sandbox';
import type { Message } from '../../src/simulation/simulated-messenger';
import type { SimulatedHouse } from '../../src/simulation/simulated-house';

/** What the service, the ledger and the messenger have on record of one subscription. */
export interface Seen {
  /** The service's record before the ledger was read, and after: the ledger lies between. */
  readonly serviceBefore: PaymentAccount;
  readonly serviceAfter: PaymentAccount;
  readonly status: string;
  /** Oldest first. */
  readonly cycles: readonly CycleRecord[];
  readonly attempts: readonly AttemptRecord[];
  readonly told: readonly Message[];
  /** What the service refused by its own limits. */
  readonly refusals: readonly string[];
}

const MOST_CYCLES = 400;

export async function look(house: SimulatedHouse, id: SubscriptionId, paymentId: string): Promise<Seen> {
  const serviceBefore = house.sandbox.payment(paymentId);
  const subscription = await getSubscription(house.ledger, id);
  const { items } = await listCycles(house.ledger, id, { limit: MOST_CYCLES, cursor: null });
  const cycles = [...items].reverse();
  const attempts = cycles.flatMap((cycle) => [...cycle.attempts]);
  return {
    ...{ serviceBefore, serviceAfter: house.sandbox.payment(paymentId), cycles },
    status: subscription?.status ?? 'gone',
    attempts: attempts.sort((a, b) => a.sendingRealAt - b.sendingRealAt),
    told: house.messenger.taken.filter(({ subscriptionId }) => subscriptionId === id),
    refusals: needlessRefusals(house, paymentId),
  };
}

/** The bank's own word, and a consent that ended between look and POST: nobody could have known. */
const NOT_NEEDLESS = /^(AUTHORIZATION_REJECTION_\w+|CONSENT_NOT_VALID)$/;

export function needlessRefusals({ sandbox }: SimulatedHouse, paymentId?: string): string[] {
  return sandbox
    .refusals()
    .filter((refusal) => paymentId === undefined || refusal.paymentId === paymentId)
    .filter(({ detail }) => !NOT_NEEDLESS.test(detail))
    .map(({ at, method, path, detail, description }) => `${at} ${method} ${path}: ${detail}, ${description}`);
}
