import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../../activities';
import { decidePayment } from '../../activities/payment/decide';
import { paymentActivities } from '../../activities/payment/release';
import type { OrderActivities, PaymentActivities, PaymentChecked } from '../../src/contract/payments';
import type { AuthorizationId, OrderId, PaymentId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import { applyPaymentChange, getPaymentOfRequest, type Pool, readPaymentRevision } from '../../src/ledger';
import type { Clock } from '../../src/platform/clock';
import { waitUntil } from './wait-until';

/** Activities of one-time payments for real workflows and a real ledger; only the payment service is scripted. */
export class ScriptedPayments {
  /** How the service answers requests for a session. */
  service: 'accepts' | 'refuses' | 'is down' = 'accepts';
  /** Requests for a session that reached the service. */
  requests = 0;
  /** A promise for which the answers to those requests wait. */
  mayAnswer: Promise<unknown> = Promise.resolve();
  /** Captures that were requested of the service. */
  readonly asked: OrderId[] = [];
  /** Whether the captures may end. */
  mayEnd = false;
  /** The result of a check of the payment. */
  check: () => Promise<PaymentChecked> = async () => ({ changed: null });

  constructor(
    private readonly db: Pool,
    private readonly clock: Clock,
  ) {}

  activities(): Partial<PaymentActivities & OrderActivities> {
    const { db, clock } = this;
    const service = { requestPayment: () => this.requestPayment() };
    const deps = { ledger: db, clock, settings: {}, service } as unknown as Dependencies;
    const own = paymentActivities(deps);
    return {
      decidePayment: (input) => own.decidePayment(input),
      requestPayment: (input) => own.requestPayment(input),
      followPayment: async (input) => {
        await this.authorize(input.requestId);
        return decidePayment(deps, input);
      },
      checkPayment: () => this.check(),
      capturePayment: async ({ orderId, paymentId }) => {
        this.asked.push(orderId);
        await waitUntil('it may end', () => this.mayEnd);
        return { kind: 'successful', changed: await readPaymentRevision(db, paymentId) };
      },
      releasePayment: async (input) => {
        const { paymentId } = (await getPaymentOfRequest(db, input.requestId))!;
        await applyPaymentChange(db, { paymentId, at: clock.now(), patch: { releasedAt: clock.now() } });
        return decidePayment(deps, input);
      },
    };
  }

  private async requestPayment() {
    this.requests += 1;
    await this.mayAnswer;
    switch (this.service) {
      case 'refuses': {
        const failure = { retryable: false, detail: 'NO', description: 'not you', httpStatus: 400 };
        return { kind: 'rejected', failure };
      }
      case 'is down':
        return { kind: 'unknown', reason: 'down' };
      case 'accepts': {
        const paymentId = `at-service-${randomUUID()}` as PaymentId;
        return { kind: 'accepted', value: { paymentId, redirectURL: 'https://bank' } };
      }
    }
  }

  private async authorize(requestId: string): Promise<void> {
    const { paymentId } = (await getPaymentOfRequest(this.db, requestId))!;
    const [authorizationId, createdAt] = [randomUUID() as AuthorizationId, this.clock.now()];
    const captureBy = createdAt + 2 * DAY;
    const authorization = { authorizationId, state: 'successful', createdAt, detail: null, description: null } as const;
    const consent = { status: 'successful', reason: null } as const;
    await applyPaymentChange(this.db, { paymentId, at: createdAt, patch: { consent, authorization, captureBy } });
  }
}
