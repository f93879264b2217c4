import type { AttemptRef, Step } from '../../src/contract/steps';
import type { SubscriptionId } from '../../src/domain/ids';
import { isRefusedState } from '../../src/domain/evidence';
import type { CancelledBy, CollectResult, Rejection } from '../../src/domain/subscription/state';
import {
  type AttemptRecord,
  type EventRecord,
  type FinalResult,
  getCycle,
  getSubscription,
  latestSend,
  type Pool,
  resultOf,
} from '../../src/ledger';

/** What became of an attempt. If a refusal revealed that the consent has ended, it contains this refusal, too. */
export type AttemptOutcome =
  | CollectResult
  | (Extract<CollectResult, { kind: 'consent_ended' }> & { readonly refusal: Omit<Rejection, 'attempt'> });

/** Where the outcome of an attempt is looked up. */
export interface Recorded {
  readonly deps: { readonly ledger: Pool };
  /** Entries of the audit log of one type, oldest first. */
  events(of: { readonly subscriptionId: SubscriptionId }, type: string): Promise<readonly EventRecord[]>;
}

/** An attempt of a subscription. */
export interface AttemptOf extends AttemptRef {
  readonly subscriptionId: SubscriptionId;
}

/** What became of an attempt, by its row, its cycle, the audit log and the step that is next. */
export async function resultOfAttempt(world: Recorded, attempt: AttemptOf, next: Step): Promise<AttemptOutcome> {
  const { subscriptionId, cycle, attempt: number } = attempt;
  const row = await latestSend(world.deps.ledger, subscriptionId, cycle, number);
  if (row === null || row.state === 'not_sent' || isAdoptedInVain(row)) return resultOfUnsent(world, attempt, next);
  switch (row.state) {
    case 'successful':
    case 'capture_failed':
      return resultOf(row);
    case 'rejected':
    case 'rejected_retryable':
      return resultOfRefusal(world, row);
    case 'pending':
      return resultOfPending(world, row);
    case 'sending':
    case 'unknown':
    case 'unresolved':
      return (await reasonOfUnresolved(world, attempt)) ?? { kind: 'unknown' };
  }
}

/** Whether another system created the authorization and it was refused, so that dueday itself has sent nothing. */
function isAdoptedInVain({ state, adopted }: AttemptRecord): boolean {
  return adopted && isRefusedState(state);
}

async function resultOfUnsent(
  world: Recorded,
  { subscriptionId, cycle }: AttemptOf,
  next: Step,
): Promise<CollectResult> {
  const { ledger } = world.deps;
  if (next.kind === 'follow' && next.attempt !== undefined && next.attempt.cycle !== cycle) {
    const beside = await latestSend(ledger, subscriptionId, next.attempt.cycle, next.attempt.attempt);
    if (beside !== null) return { kind: 'reopened', ...next.attempt, amount: beside.amount };
  }
  const unresolved = await reasonOfUnresolved(world, { subscriptionId, cycle });
  if (unresolved !== null) return unresolved;
  const absent = await world.events({ subscriptionId }, 'attempt.settled_absent');
  if (absent.some(({ data }) => data['cycle'] === cycle)) return { kind: 'absent' };
  const ended = await endOfConsent(world, subscriptionId);
  if (ended !== null) return ended;
  const stored = await getCycle(ledger, subscriptionId, cycle);
  if (stored?.status === 'missed' && stored.reason === 'window_closed') return { kind: 'window_closed' };
  return { kind: 'stopped' };
}

/** A refusal may have revealed that the consent has ended. */
async function resultOfRefusal(world: Recorded, row: AttemptRecord): Promise<AttemptOutcome> {
  const result = resultOf(row) as Extract<FinalResult, { kind: 'rejected' }>;
  if (row.detail !== 'CONSENT_NOT_VALID') return result;
  const ended = await endOfConsent(world, row.subscriptionId);
  if (ended === null) return result;
  const { at, sentAt, detail, description, retryable } = result;
  const sent = sentAt === undefined ? {} : { sentAt };
  return { ...ended, refusal: { at, ...sent, detail, description, retryable } };
}

async function resultOfPending(world: Recorded, row: AttemptRecord): Promise<CollectResult> {
  const { subscriptionId, cycle, authorizationId } = row;
  if (authorizationId === null) throw new Error(`cycle ${cycle} is pending without an authorization`);
  const { attention = [] } = (await getSubscription(world.deps.ledger, subscriptionId)) ?? {};
  return { kind: attention.includes(`unlisted:${cycle}`) ? 'unlisted' : 'pending', authorizationId };
}

async function reasonOfUnresolved(
  world: Recorded,
  { subscriptionId, cycle }: Omit<AttemptOf, 'attempt'>,
): Promise<Extract<CollectResult, { kind: 'unresolved' }> | null> {
  if ((await getCycle(world.deps.ledger, subscriptionId, cycle))?.status !== 'unresolved') return null;
  const reported = (await world.events({ subscriptionId }, 'cycle.unresolved')).filter(
    ({ data }) => data['cycle'] === cycle,
  );
  return { kind: 'unresolved', reason: String(reported.at(-1)?.data['reason']) };
}

async function endOfConsent(
  world: Recorded,
  subscriptionId: SubscriptionId,
): Promise<Extract<CollectResult, { kind: 'consent_ended' }> | null> {
  const [ended] = await world.events({ subscriptionId }, 'subscription.cancelled');
  if (ended === undefined) return null;
  const { cancelledBy, reason } = ended.data;
  return { kind: 'consent_ended', by: cancelledBy as CancelledBy, reason: reason as string | null };
}
