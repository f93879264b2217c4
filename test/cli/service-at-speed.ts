import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { HOUR, toIso } from '../../src/domain/time';
import { applyChange, insertDraft, openConsent, type Pool } from '../../src/ledger';
import { createPaymentService, type PaymentService } from '../../src/payment-service';
import { createClock } from '../../src/platform/clock';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox';
import { draft } from '../ledger/ledger-fixture';
import { silentLog } from '../support/silent-log';

export const AMOUNT = { value: 1999, currency: 'EUR' } as const;

const CREDENTIALS = { clientId: 'merchant', clientSecret: 'unspeakable-of-the-merchant' };
const now = Date.now();

/** One hour per second: a subscription that is due in six hours must be created within six seconds. */
export const clock = createClock({ virtualStart: now, realStart: now, speed: 3600 });

/** The same clock, as a program is given it. */
export const TEST_CLOCK = `${toIso(now)}@${toIso(now)}x3600`;

export interface ServiceAtSpeed {
  readonly sandbox: Sandbox;
  readonly service: PaymentService;
  /** Where a program finds the service, and with which credentials. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The simulator on the fast clock, and a client of it. */
export async function openServiceAtSpeed(options: Pick<SandboxOptions, 'brokenRules'> = {}): Promise<ServiceAtSpeed> {
  const sandbox = createSandbox({ clock, logger: silentLog(), bookingDelayMs: 0, ...options, ...CREDENTIALS });
  const { url } = await sandbox.listen(0);
  const service = createPaymentService({ baseUrl: url, timeoutMs: 8_000, clock, logger: silentLog(), ...CREDENTIALS });
  return {
    sandbox,
    service,
    env: {
      PAYMENT_SERVICE_BASE_URL: url,
      PAYMENT_SERVICE_CLIENT_ID: CREDENTIALS.clientId,
      PAYMENT_SERVICE_CLIENT_SECRET: CREDENTIALS.clientSecret,
    },
    async close() {
      await service.close();
      await sandbox.close();
    },
  };
}

interface Approved {
  readonly subscriptionId: SubscriptionId;
  readonly paymentId: PaymentId;
  readonly dueAt: number;
}

/** A subscription whose payer has approved, and which is due in six hours of the service's clock. */
export async function approvedSubscription(ledger: Pool, { service, sandbox }: ServiceAtSpeed): Promise<Approved> {
  const dueAt = clock.now() + 6 * HOUR;
  const dates = { startAt: dueAt, firstPaymentAt: dueAt };
  const wanted = draft({ createdAt: clock.now(), ...dates });
  const { subscriptionId, draftedRealAt, returnURL, billingAddress } = wanted;
  await insertDraft(ledger, wanted, clock.realNow());
  const terms = { useCase: 'SUBSCRIPTION', amount: AMOUNT, repetition: 'MONTHLY', ...dates } as const;
  const opened = await service.requestPayment({ ...terms, returnURL, billingAddress });
  if (opened.kind !== 'accepted') throw new Error(opened.kind);
  const paymentId: PaymentId = opened.value.paymentId;
  const asked = { redirectURL: 'https://bank.example/approve', requestedRealAt: clock.realNow(), at: clock.now() };
  await openConsent(ledger, { subscriptionId, draftedRealAt, paymentId, ...asked });
  sandbox.payer(paymentId).approve('approves');
  const activated = { subscriptionId, key: 'activated', at: clock.now(), actor: 'dueday', events: [] };
  await applyChange(ledger, { ...activated, subscription: { status: 'active', nextDueAt: dueAt } });
  return { subscriptionId, paymentId, dueAt };
}

/** A debit of the subscription that the service makes and books, and the ledger does not know. */
export async function debitUnknownToLedger(
  { paymentId }: Approved,
  { service, sandbox }: ServiceAtSpeed,
): Promise<void> {
  const { kind } = await service.initiate(paymentId, AMOUNT);
  if (kind !== 'accepted') throw new Error(kind);
  sandbox.settle(paymentId);
  sandbox.settle(paymentId);
}
