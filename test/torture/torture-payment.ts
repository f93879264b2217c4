import { setTimeout as pause } from 'node:timers/promises';
import type { PaymentId } from '../../src/domain/ids';
import { DAY, type Instant } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { FaultSpec } from '../../src/sandbox';
import type { ProcessStack } from '../processes/local-stack';
import type { AskedOrder } from '../lives/orders';
import { askUntil, orNone } from './asking';
import type { PaymentPlan } from './plan';
import { reach } from './reach';

/** Real ms between two checks. */
const PAUSE = 500;

/** One Event Dependent payment: requested over the API, approved by its wallet, captured once a day. */
export class TorturePayment {
  paymentId: PaymentId | null = null;
  readonly captures: AskedOrder[] = [];

  constructor(
    private readonly stack: ProcessStack,
    private readonly plan: PaymentPlan,
  ) {}

  async live(from: Instant): Promise<void> {
    const { stack, plan } = this;
    await reach(stack, from);
    const made = await askUntil<{ paymentId: PaymentId }>(stack, '/v1/payments', bodyOf(plan), from + DAY);
    if (made.kind !== 'done') return;
    const { paymentId } = made.body;
    this.paymentId = paymentId;
    for (const [index, { cents, onOrder }] of plan.captures.entries()) {
      const at = from + (index + 1) * DAY;
      await reach(stack, at);
      if (index === 0 && !(await this.isAuthorized(paymentId, at + DAY))) return;
      if (onOrder !== null) {
        const match = { method: 'POST', path: '^/captures$', paymentId };
        stack.sandbox.faults.add({ ...onOrder, match } as unknown as FaultSpec);
      }
      const path = `/v1/payments/${paymentId}/captures`;
      const { kind } = await askUntil(stack, path, { amount: euros(cents) }, at + 2 * DAY);
      if (kind !== 'refused') this.captures.push({ captureId: null, cents, isSure: kind === 'done' });
    }
  }

  private async isAuthorized(paymentId: PaymentId, until: Instant): Promise<boolean> {
    const { admin, clock } = this.stack;
    while (clock.now() < until) {
      const answer = await orNone(() => admin.get<{ readonly status: string }>(`/v1/payments/${paymentId}`));
      if (answer?.status === 200 && answer.body.status === 'authorized') return true;
      await pause(PAUSE);
    }
    return false;
  }
}

function bodyOf({ cents }: PaymentPlan): object {
  return {
    plan: 'EVENT_DEPENDENT',
    amount: euros(cents),
    partialCapture: true,
    multipleCapture: true,
    returnURL: 'https://shop.example/return',
    billingAddress: {
      name: 'Ada Byron',
      street: 'Ring 1',
      postalCode: '10115',
      city: 'Berlin',
      country: 'DE',
      email: 'wallet+approves+auto@example.test',
    },
  };
}
