import { peopleQueue } from '../contract/task-queues';
import type { Request } from '../contract/messages';
import { PAYMENT_WORKFLOW, type PaymentInput } from '../contract/payments';
import { DUEDAY_STATUS } from '../contract/search-attributes';
import { formatMoney } from '../domain/money';
import { isSettled } from '../domain/payment/payment';
import { insertEvent, type PaymentRecord, readPaymentMemory, unmarkOrphaned } from '../ledger';
import type { SteerOutcome } from './subscription-gateway';
import { answered } from './temporal-answers';
import { type TemporalGatewayDeps, withPatience } from './temporal-deps';
import { RUNS, unlessRunning, WHERE_NONE_RUNS } from './temporal-restart';

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'db' | 'taskQueue'> & { readonly transit: number };

/** Begins a one-time payment's workflow anew from the ledger; about money the ledger's rows decide, as always (rule 30). */
export async function restartPayment(
  deps: Deps,
  payment: PaymentRecord,
  request: Request,
  patienceMs: number,
): Promise<SteerOutcome> {
  return answered(async () => {
    if (isSettled(payment.status))
      return { kind: 'conflict', message: `it is ${payment.status}: nothing is left to do` };
    const input = await inputOf(deps, payment);
    const started = await unlessRunning(() => withPatience(deps, patienceMs, () => start(deps, payment, input)));
    if (started) await recordRestart(deps, payment, request);
    return started ? { kind: 'done' } : RUNS;
  });
}

async function inputOf({ db, clock, transit }: Deps, payment: PaymentRecord): Promise<PaymentInput> {
  const { requestId, plan, amount, paymentId, status, captureBy, consent } = payment;
  const memory = await readPaymentMemory(db, paymentId);
  return {
    state: {
      terms: { requestId, plan, amount, transit: memory.transit ?? transit },
      ...{ paymentId, status, captureBy, requestedRealAt: consent.requestedRealAt, deadlineTold: memory.deadlineTold },
    },
    clock: clock.setting,
  };
}

async function start({ client, taskQueue }: Deps, payment: PaymentRecord, input: PaymentInput): Promise<void> {
  const { workflowId, plan, amount, status } = payment;
  await client.workflow.start(PAYMENT_WORKFLOW, {
    ...{ workflowId, taskQueue: peopleQueue(taskQueue), args: [input] },
    ...WHERE_NONE_RUNS,
    staticSummary: `${plan} ${formatMoney(amount)}`,
    typedSearchAttributes: [{ key: DUEDAY_STATUS, value: status }],
  });
}

async function recordRestart({ db, clock }: Deps, { paymentId }: PaymentRecord, request: Request): Promise<void> {
  await unmarkOrphaned(db, { kind: 'payment', id: paymentId });
  const about = { subscriptionId: null, paymentId, at: clock.now(), actor: request.actor };
  await insertEvent(db, { ...about, type: 'payment.restarted', data: { reason: request.reason } });
}
