import { randomUUID } from 'node:crypto';
import { createActivities, NO_COUNTING } from '../../activities';
import { NO_POLLING } from '../../activities/polling';
import type { Clock } from '../../src/platform/clock';
import type { PaymentId } from '../../src/domain/ids';
import { type Pool, watchWrites } from '../../src/ledger';
import type { Consent, PaymentService, ServiceResult } from '../../src/payment-service';
import { silentLog } from '../support/silent-log';

/** A fake payment service with the calls that a consent needs; tests can change its answers. */
export class FakeService {
  /** How each new payment is answered; null to accept it. */
  onRequest: () => Promise<ServiceResult<never>> | ServiceResult<never> | null = () => null;
  /** How each check of a consent is answered; null to answer with its state. */
  onConsent: (paymentId: string) => Promise<ServiceResult<Consent> | null> = async () => null;
  /** What payers answered; `pending` until they have. */
  answer: Consent['status'] = 'successful';
  readonly cancelled = new Set<string>();
  /** Payments of which a debit was requested; none is ever made. */
  readonly debits: string[] = [];

  constructor(private readonly clock: Clock) {}

  service(): PaymentService {
    const service: Partial<PaymentService> = {
      as: (_priority, work) => work(),
      requestPayment: async () => {
        const refused = await this.onRequest();
        if (refused !== null) return refused;
        const payment = { paymentId: `pay_${randomUUID()}` as PaymentId, redirectURL: 'https://bank.example/' };
        return accepted(payment) as never;
      },
      getConsent: async (paymentId) => (await this.onConsent(paymentId)) ?? accepted(this.consentOf(paymentId)),
      cancelConsent: async (paymentId) => {
        this.cancelled.add(paymentId);
        return accepted(this.consentOf(paymentId));
      },
      listAuthorizations: async () => accepted([]),
      initiate: async (paymentId) => {
        this.debits.push(paymentId);
        return NO_ANSWER;
      },
    };
    return service as PaymentService;
  }

  /** The real activities with this service and this ledger. */
  activities(ledger: Pool) {
    const { clock } = this;
    return createActivities({
      ...{ ledger, steering: ledger, clock, service: this.service(), log: silentLog() },
      ...{ polling: NO_POLLING, counting: NO_COUNTING, writes: watchWrites(ledger) },
      workflows: { isRunning: async () => true, notify: async () => undefined },
      settings: {
        ...{ settle: 60_000, requestTimeout: 5_000, reconcileEveryDays: 7 },
        owner: 'worker of a test',
      },
    });
  }

  private consentOf(paymentId: string): Consent {
    const status = this.cancelled.has(paymentId) ? 'cancelled' : this.answer;
    return { status, ...(status === 'cancelled' ? { reason: 'cancelled_by_merchant' } : {}) } as Consent;
  }
}

export function accepted<T>(value: T): ServiceResult<T> {
  return { kind: 'accepted', value };
}

export const NO_ANSWER = { kind: 'not_sent', reason: 'down' } as const;
