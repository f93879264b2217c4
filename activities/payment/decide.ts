import { finishDraft } from '../../src/contract/draft-steps';
import type { PaymentStepInput, Step } from '../../src/contract/steps';
import { formatMoney } from '../../src/domain/money';
import type { OpenPaymentStep, PaymentWaitReason } from '../../src/domain/payment/next-step';
import { toIso } from '../../src/domain/time';
import { type DecidedPayment, decideNextOfPayment, type PaymentRecord } from '../../src/ledger';
import { consoleLink, draftStep } from '../decide';
import type { Dependencies } from '../dependencies';

/**
 * Does the work that needs only the ledger, and returns the next step. Every activity that is a step of a payment ends
 * by calling this.
 */
export async function decidePayment(deps: Dependencies, { requestId, revision }: PaymentStepInput): Promise<Step> {
  const decided = await decideNextOfPayment(deps.ledger, requestId, { at: deps.clock.now(), revision });
  switch (decided.kind) {
    case 'gone':
      return finishDraft('the ledger has no such payment');
    case 'draft':
      return draftStep(deps, { table: 'payments', key: requestId }, decided);
    case 'decided':
      return stepOf(deps, decided);
  }
}

/** The step in the workflow's form: references, and what operators see. */
function stepOf({ settings }: Dependencies, { payment, step, revision }: DecidedPayment): Step {
  const link = consoleLink(settings.consoleUrl, `/payments/${encodeURIComponent(payment.paymentId)}`);
  return {
    kind: step.kind,
    revision,
    ...(step.kind === 'wait' ? { until: step.until } : {}),
    summary: describeStep(step),
    details: describePayment(payment, step, link),
    show: { status: payment.status },
  };
}

/** The payment in Markdown. No personal data. */
function describePayment(payment: PaymentRecord, step: OpenPaymentStep, link: readonly string[]): string {
  const { status, plan, amount, paymentId, captureBy } = payment;
  const lines = [
    `**${status}**`,
    ...link,
    `${plan}, ${formatMoney(amount)}`,
    `Payment ${paymentId}`,
    ...(captureBy === null ? [] : [`Captures before ${toIso(captureBy)}`]),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

function describeStep(step: OpenPaymentStep): string {
  switch (step.kind) {
    case 'follow_payment':
      return "wait for the payer's and the bank's answers";
    case 'release':
      return 'release what was authorized';
    case 'finish':
      return 'nothing left to do';
    case 'wait':
      return `wait${step.until === null ? '' : ` until ${toIso(step.until)}`} (${WHY[step.why]})`;
  }
}

const WHY: Readonly<Record<PaymentWaitReason, string>> = {
  deadline_notice: 'notice of the capture deadline',
  deadline: 'capture deadline',
  captures: 'captures in progress',
};
