import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { type AttemptRecord, type CycleRecord, getSubscription, listCycles } from '../../src/ledger';
import type { PaymentAccount } from '../../src/sandbox';
import type { Message } from '../../src/simulation/simulated-messenger';
import type { SimulatedStack } from '../../src/simulation/simulated-stack';

/** What the service, the ledger and the messenger have on record of one subscription. */
export interface Seen {
  /** The service's record before the ledger was read, and after it was read. */
  readonly serviceBefore: PaymentAccount;
  readonly serviceAfter: PaymentAccount;
  readonly status: string;
  readonly standing: string;
  /** Oldest first. */
  readonly cycles: readonly CycleRecord[];
  readonly attempts: readonly AttemptRecord[];
  readonly told: readonly Message[];
  /** What the service has debited by the links that were paid. */
  readonly linkDebits: ReadonlyMap<number, PaymentAccount['debits']>;
  /** What the service refused by its own limits. */
  readonly refusals: readonly string[];
}

const MAX_CYCLES = 400;

/** @param paid the payments of links, by their cycles */
export async function look(
  stack: SimulatedStack,
  id: SubscriptionId,
  paymentId: string,
  paid: ReadonlyMap<number, PaymentId>,
): Promise<Seen> {
  const serviceBefore = stack.sandbox.payment(paymentId);
  const subscription = await getSubscription(stack.ledger, id);
  const { items } = await listCycles(stack.ledger, id, { limit: MAX_CYCLES, cursor: null });
  const cycles = [...items].reverse();
  const attempts = cycles.flatMap((cycle) => [...cycle.attempts]);
  return {
    serviceBefore,
    serviceAfter: stack.sandbox.payment(paymentId),
    cycles,
    status: subscription?.status ?? 'gone',
    standing: subscription?.standing ?? 'gone',
    attempts: attempts.sort((a, b) => a.sendingRealAt - b.sendingRealAt),
    told: stack.messenger.received.filter(({ subscriptionId }) => subscriptionId === id),
    linkDebits: new Map([...paid].map(([cycle, link]) => [cycle, stack.sandbox.payment(link).debits])),
    refusals: needlessRefusals(stack, paymentId),
  };
}

/** Refusals that are not needless: the bank's own, and one of a consent that ended between check and POST. */
const NOT_NEEDLESS = /^(AUTHORIZATION_REJECTION_\w+|CONSENT_NOT_VALID)$/;

export function needlessRefusals({ sandbox }: SimulatedStack, paymentId?: string): string[] {
  return sandbox
    .refusals()
    .filter((refusal) => paymentId === undefined || refusal.paymentId === paymentId)
    .filter(({ detail }) => !NOT_NEEDLESS.test(detail))
    .map(({ at, method, path, detail, description }) => `${at} ${method} ${path}: ${detail}, ${description}`);
}
