import { Context } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import type { Activities } from '../src/contract/activities';
import type { HousekeepingActivities } from '../src/contract/housekeeping';
import type { OrderActivities, PaymentActivities } from '../src/contract/payments';
import type { Step } from '../src/contract/steps';
import { growingWait, slowWait } from '../src/domain/attempt/waits';
import {
  type Concerned,
  describeRefusal,
  endUnrecordableItem,
  isRefusedByLedger,
  openUnrecordableItem,
  paymentsOfRequests,
  type RefusedWork,
} from '../src/ledger';
import type { Dependencies } from './dependencies';
import { activityAge, tryAgain } from './stops';

/**
 * A write that PostgreSQL refuses because of its data is never simply repeated (rule 43): an item opens for an
 * operator, the activity ends, and everything else continues. All activities are guarded here, in
 * {@link guardActivities}.
 */

export type AllActivities = Activities & OrderActivities & PaymentActivities & HousekeepingActivities;

type Input<N extends keyof AllActivities> = Parameters<AllActivities[N]>[0];
type Answer<N extends keyof AllActivities> = Awaited<ReturnType<AllActivities[N]>>;

/** How an activity ends if its write is refused. */
interface Guard<N extends keyof AllActivities> {
  /** The id of the subject, part of the item's key. */
  readonly id: (input: Input<N>) => string;
  readonly about: (input: Input<N>, deps: Guarding) => Concerned | Promise<Concerned>;
  /** The result to return instead; if omitted or null, the activity is retried at growing intervals. */
  readonly instead?: (reason: string, input: Input<N>) => { readonly answer: Answer<N> } | null;
  /**
   * Whether an earlier run may have been refused, so that its item must be closed; by default true if there is an `instead`, as the
   * activity is then never retried. The item is also closed if this run is a retry, or if the subscription needs attention: a change
   * may have replaced an activity that was waiting to be retried.
   */
  readonly wasRefused?: (input: Input<N>) => boolean;
}

type Guarding = Pick<Dependencies, 'ledger' | 'clock' | 'log' | 'writes'>;

const ofSubscription = {
  id: ({ subscriptionId }: { readonly subscriptionId: string }) => subscriptionId,
  about: ({ subscriptionId, paymentId = null }: Concerned) => ({ subscriptionId, paymentId }),
} as const;

/** While the write is refused, the workflow may be restarted or notified of a change, and then runs a new activity. */
const mayBeRestarted = { wasRefused: () => true } as const;

/** The guard of work on a one-time payment, also before the service has given it an id. */
const ofRequest = {
  ...mayBeRestarted,
  id: ({ requestId }: { readonly requestId: string }) => requestId,
  about: async ({ requestId }: { readonly requestId: string }, { ledger }: Guarding) => {
    const [payment] = await paymentsOfRequests(ledger, [requestId]);
    return payment === undefined ? {} : { paymentId: payment.paymentId };
  },
} as const;

/** The guard of an activity with many subjects, each of which has its own guard, {@link skipIfRefused}. */
const ofInstallation = { id: () => 'installation', about: () => ({}), wasRefused: () => true } as const;

const GUARDS: { readonly [N in keyof AllActivities]: Guard<N> } = {
  decide: ofSubscription,
  // Sent only once: the next step reads the ledger and gives up the draft. The next request with the same id closes the item.
  requestConsent: { ...ofSubscription, wasRefused: () => true },
  awaitConsent: ofSubscription,
  checkConsent: {
    ...ofSubscription,
    instead: (reason) => ({ answer: { changed: null, unavailable: reason } }),
  },
  cancelConsent: ofSubscription,
  collectPayment: ofSubscription,
  followAttempt: ofSubscription,
  decidePayment: ofRequest,
  requestPayment: ofRequest,
  followPayment: ofRequest,
  releasePayment: ofRequest,
  checkPayment: {
    id: ({ paymentId }) => paymentId,
    about: ({ paymentId }) => ({ paymentId }),
    instead: (reason) => ({ answer: { changed: null, unavailable: reason } }),
  },
  capturePayment: {
    id: ({ orderId }) => orderId,
    about: ({ orderId, paymentId }) => ({ orderId, paymentId }),
    ...mayBeRestarted,
  },
  refundPayment: {
    id: ({ refundId }) => refundId,
    about: ({ refundId: orderId, subscriptionId, paymentId }) => ({ orderId, subscriptionId, paymentId }),
    ...mayBeRestarted,
  },
  decideDaily: ofInstallation,
  checkDueConsents: ofInstallation,
  reconcileLedger: ofInstallation,
  findOrphans: ofInstallation,
  removeLeftovers: ofInstallation,
};

/**
 * Wraps each activity in its guard: all activities of a worker pass through here, and the compiler requires a guard for each.
 * @param deps with the connections that these activities use (rule 31)
 */
export function guardActivities<Some extends Partial<AllActivities>>(deps: Guarding, activities: Some): Some {
  const guarded = Object.keys(activities).map((name) => [name, guard(deps, name as keyof AllActivities, activities)]);
  return Object.fromEntries(guarded) as Some;
}

function guard<N extends keyof AllActivities>(deps: Guarding, name: N, activities: Partial<AllActivities>) {
  const work = activities[name] as (input: Input<N>) => Promise<Answer<N>>;
  return (input: Input<N>) => guarded(deps, name, input, () => work(input));
}

async function guarded<N extends keyof AllActivities>(
  deps: Guarding,
  name: N,
  input: Input<N>,
  work: () => Promise<Answer<N>>,
): Promise<Answer<N>> {
  const by: Guard<N> = GUARDS[name];
  const about = { activity: name, id: by.id(input) };
  await refuseWhileReadOnly(deps);
  try {
    const answer = await work();
    if (mayHaveBeenRefused(by, input, answer) && !hasJustOpened(about)) await endUnrecordableItem(deps.ledger, about);
    return answer;
  } catch (error) {
    const fault = deps.writes.note(error);
    if (fault !== null) throw readOnly(deps, fault);
    if (!isRefusedByLedger(error)) throw error;
    const reason = await noteRefusal(deps, { ...about, about: await by.about(input, deps) }, error);
    const instead = by.instead?.(reason, input) ?? null;
    if (instead !== null) return instead.answer;
    throw tryAgain('unrecordable', reason, slowWait(activityAge(deps.clock), deps.clock.setting));
  }
}

/**
 * Once a write has shown that the ledger is read-only, no activity calls the service until a write succeeds again: its answers
 * could not be stored and would be requested repeatedly.
 */
async function refuseWhileReadOnly(deps: Guarding): Promise<void> {
  const { writes } = deps;
  if (writes.fault() === null) return;
  await writes.check().catch((error: unknown) => {
    throw writes.fault() === null ? error : readOnly(deps, writes.fault() ?? '');
  });
}

function readOnly({ clock }: Guarding, fault: string): ApplicationFailure {
  return tryAgain('ledger_read_only', `the ledger cannot be written: ${fault}`, growingWait(activityAge(clock)));
}

function mayHaveBeenRefused<N extends keyof AllActivities>(by: Guard<N>, input: Input<N>, answer: Answer<N>): boolean {
  const wasRefused = by.wasRefused?.(input) ?? by.instead !== undefined;
  return wasRefused || Context.current().info.attempt > 1 || needsAttention(answer);
}

/** Whether an activity has returned the next step of a subscription that needs attention. */
function needsAttention(answer: unknown): boolean {
  const step = answer as Partial<Pick<Step, 'show'>> | null | undefined;
  return step?.show?.standing === 'needs_attention';
}

/** The work for which a run of an activity has opened an item before it continued: the end of the run does not close that item. */
const opened = new WeakMap<Context, RefusedWork>();

function hasJustOpened({ activity, id }: RefusedWork): boolean {
  const work = opened.get(Context.current());
  return work?.activity === activity && work.id === id;
}

/** Opens the item. @returns why the write was refused, without the value */
async function noteRefusal(
  { ledger, clock, log }: Pick<Guarding, 'ledger' | 'clock'> & Partial<Pick<Guarding, 'log'>>,
  work: RefusedWork & { readonly about: Concerned },
  error: Error,
): Promise<string> {
  const { activity, id, about } = work;
  const reason = `the ledger refused a write of ${activity}: ${describeRefusal(error)}`;
  log?.error({ ...about, activity, id, reason }, 'a write was refused');
  await openUnrecordableItem(ledger, work, reason, clock.now());
  opened.set(Context.current(), work);
  return reason;
}

/**
 * Does the work on one of the many subjects of an activity. If its write is refused, an item opens for that subject, and the
 * others continue. The caller closes the items of those that were written (`endUnrecordableItems`).
 * @returns the result of the work, or of `refused`
 */
export async function skipIfRefused<T>(
  deps: Pick<Guarding, 'ledger' | 'clock'> & Partial<Pick<Guarding, 'log'>>,
  subject: RefusedWork & { readonly about: Concerned },
  work: () => Promise<T>,
  refused: (reason: string) => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusedByLedger(error)) throw error;
    return refused(await noteRefusal(deps, subject, error));
  }
}
