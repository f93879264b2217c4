import { isTerminal } from '../../../domain/subscription/state';
import type { Cycle, Subscription } from '../common/schemas';
import { isLiving } from './life';

/** What decides it. */
type State = Pick<Subscription, 'status' | 'standing' | 'cancelling' | 'pendingAmountChange'>;

/** What can be done with a subscription in its state. The API has the last word. */
export interface Offered {
  readonly isPausable: boolean;
  readonly isResumable: boolean;
  readonly isChangeable: boolean;
  readonly hasChangeToWithdraw: boolean;
  readonly isConsentCheckable: boolean;
  readonly isAcknowledgeable: boolean;
  readonly isRestartable: boolean;
  readonly isCancellable: boolean;
}

/** While it is being cancelled, pauses and changes are refused, and cancelling again adds nothing (rule 24). */
export function offeredOf(subscription: State): Offered {
  const { status, standing, cancelling, pendingAmountChange } = subscription;
  const isAlive = isLiving(subscription);
  const isOver = isTerminal(status);
  const isWaiting = standing === 'needs_attention';
  return {
    isPausable: isAlive && status === 'active',
    isResumable: isAlive && status === 'paused',
    isChangeable: isAlive,
    hasChangeToWithdraw: isAlive && pendingAmountChange !== undefined,
    isConsentCheckable: !isOver,
    isAcknowledgeable: isWaiting,
    isRestartable: isWaiting && !isOver,
    isCancellable: !isOver && cancelling === undefined,
  };
}

/** What can be done with one of its cycles. */
export interface OfferedOfCycle {
  readonly isSkippable: boolean;
  readonly isRetriable: boolean;
  readonly isResolvable: boolean;
  readonly isRefundable: boolean;
}

/** An outcome is settled, and money given back, whatever becomes of the subscription. */
export function offeredOfCycle(
  subscription: Pick<State, 'status' | 'cancelling'>,
  { status, attempts }: Pick<Cycle, 'status' | 'attempts'>,
): OfferedOfCycle {
  const isAlive = isLiving(subscription);
  return {
    isSkippable: isAlive && status === 'scheduled' && attempts.length === 0,
    isRetriable: isAlive && status === 'dunning',
    isResolvable: status === 'unresolved',
    isRefundable: status === 'collected',
  };
}
