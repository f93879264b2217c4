import { createHash } from 'node:crypto';
import { subscriptionWorkflowId } from '../../contract/workflow-ids';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { findMandates, type ImportDraft, type MandateOnRecord } from '../../ledger';
import type { AdminDeps } from '../admin-deps';
import { Problem, stateConflict } from '../problems';
import type { ImportLine } from '../schemas/import';
import type { AdoptOutcome, ImportOrder } from '../subscription-gateway';
import type { NotTried, WorkerWatch } from './worker-watch';
import { creationWarnings } from '../creation-rules';
import { effectiveCollectFrom, faultyLine } from './import-rules';

/** A mandate that is here now, by this line or by an earlier one. */
export interface Imported {
  readonly subscriptionId: SubscriptionId;
  readonly warnings: readonly string[];
}

/** The line's id; else one that follows from the payment, so that a repeated line meets what it made. */
export function idOf({ subscriptionId, paymentId }: Pick<ImportLine, 'subscriptionId' | 'paymentId'>): SubscriptionId {
  const hash = createHash('sha256').update(`import/${paymentId}`).digest('hex').slice(0, 32);
  return (subscriptionId ?? `sub_${hash}`) as SubscriptionId;
}

/** @throws Problem where the ledger, the payment service or the lack of a worker stands against it. */
export async function importMandate(
  deps: AdminDeps,
  line: ImportLine,
  { actor, workers }: { readonly actor: string; readonly workers: WorkerWatch },
): Promise<Imported> {
  const order = orderOf(deps, line, actor);
  const { subscriptionId, paymentId } = order.draft;
  const standing = standingMandate(await findMandates(deps.db, { subscriptionId, paymentId }), order.draft);
  if (standing !== null) return standing;
  return importedBy(await workers.adopt(order), subscriptionId);
}

/**
 * The same mandate, here already; null where nothing stands in the way that could not be a draft left behind.
 * @throws Problem where the id is another payment's, or the payment another subscription's.
 */
function standingMandate(found: readonly MandateOnRecord[], draft: ImportDraft): Imported | null {
  const { subscriptionId, paymentId } = draft;
  const standing = found.filter(({ isDraft }) => !isDraft);
  const same = standing.find((each) => each.subscriptionId === subscriptionId && each.paymentId === paymentId);
  if (same !== undefined) return same;
  const ofPayment = standing.find((each) => each.paymentId === paymentId);
  const other = ofPayment ?? standing[0];
  if (other !== undefined) throw taken(subscriptionId, other.subscriptionId);
  return null;
}

function taken(id: SubscriptionId, by: SubscriptionId): Problem {
  return stateConflict(by === id ? `The id ${id} is taken.` : `The payment belongs to subscription ${by}.`);
}

function orderOf(deps: AdminDeps, line: ImportLine, actor: string): ImportOrder {
  const collectFrom = effectiveCollectFrom(line, deps.clock.now());
  return {
    draft: draftOf(deps, line),
    lastIncreaseAt: line.lastIncreaseAt ?? null,
    adoption: { consentAmount: line.consentAmount ?? null, collectFrom, actor },
  };
}

function draftOf(deps: AdminDeps, line: ImportLine): ImportDraft {
  const subscriptionId = idOf(line);
  return {
    subscriptionId,
    paymentId: line.paymentId as PaymentId,
    workflowId: subscriptionWorkflowId(subscriptionId),
    repetition: line.repetition,
    amount: line.amount,
    // Until the service has told it.
    consentAmount: line.consentAmount ?? line.amount,
    startAt: line.startAt,
    firstPaymentAt: line.firstPaymentAt,
    endAt: line.endAt ?? null,
    onExhausted: line.onExhausted,
    payer: { email: line.payer.email ?? null, reference: line.payer.reference ?? null },
    billingAddress: line.billingAddress,
    shippingAddress: line.shippingAddress ?? null,
    replaces: (line.replaces ?? null) as SubscriptionId | null,
    warnings: creationWarnings(line),
    createdAt: deps.clock.now(),
    draftedRealAt: deps.clock.realNow(),
  };
}

function importedBy(outcome: AdoptOutcome | NotTried, subscriptionId: SubscriptionId): Imported {
  switch (outcome.kind) {
    case 'adopted':
      return { subscriptionId, warnings: outcome.warnings };
    case 'taken':
      throw taken(subscriptionId, outcome.by);
    case 'refused':
      throw faultyLine(outcome.faults);
    case 'unavailable':
      throw new Problem('payment_service_unavailable', 'Nothing is left of this line; it may be repeated.');
    case 'not_ready':
      throw new Problem(
        'not_ready',
        `No worker answered in time. Subscription ${subscriptionId} may still be imported: repeat the line.`,
      );
    case 'not_tried':
      throw new Problem('not_ready', 'No worker answers: the line was not tried. Repeat it.');
  }
}
