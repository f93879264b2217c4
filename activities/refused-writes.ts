import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Activities } from '../src/contract/activities';
import type { HousekeepingActivities } from '../src/contract/housekeeping';
import type { OrderActivities, PaymentActivities } from '../src/contract/payments';
import { growingPause, slowPause } from '../src/domain/attempt/pauses';
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
 * What PostgreSQL refuses for its data is never repeated as it is (rule 43): an operator has the item, the activity ends, and
 * everything else goes on. All activities are guarded here, in {@link guardActivities}.
 */

export type AllActivities = Activities & OrderActivities & PaymentActivities & HousekeepingActivities;

type Input<N extends keyof AllActivities> = Parameters<AllActivities[N]>[0];
type Answer<N extends keyof AllActivities> = Awaited<ReturnType<AllActivities[N]>>;

/** How one activity ends where its write is refused. */
interface Guard<N extends keyof AllActivities> {
  /** What it is about; the item's key has it. */
  readonly id: (input: Input<N>) => string;
  readonly about: (input: Input<N>, deps: Guarding) => Concerned | Promise<Concerned>;
  /** What it answers then; without it, or if it is null, the activity is tried again ever more rarely. */
  readonly instead?: (reason: string, input: Input<N>) => { readonly answer: Answer<N> } | null;
  /** An operator waits for it: it fails at once. */
  readonly fails?: boolean;
  /** Whether an earlier activity may have met the refusal; if left out, whether the refused activity ends without another try. */
  readonly wasRefused?: (input: Input<N>) => boolean;
}

type Guarding = Pick<Dependencies, 'ledger' | 'clock' | 'log' | 'writes'>;

const ofSubscription = {
  id: ({ subscriptionId }: { readonly subscriptionId: string }) => subscriptionId,
  about: ({ subscriptionId, paymentId = null }: Concerned) => ({ subscriptionId, paymentId }),
} as const;

/** Of a one-time payment, also before the service has named it. */
const ofRequest = {
  id: ({ requestId }: { readonly requestId: string }) => requestId,
  about: async ({ requestId }: { readonly requestId: string }, { ledger }: Guarding) => {
    const [paymentId] = await paymentsOfRequests(ledger, [requestId]);
    return paymentId === undefined ? {} : { paymentId };
  },
} as const;

/** Each of its subjects has its own guard, see {@link passingOver}: this one is for what concerns them all. */
const ofInstallation = { id: () => 'installation', about: () => ({}), wasRefused: () => true } as const;

/** Its workflow may be restarted while it is refused, and then runs it as a new activity. */
const mayBeRestarted = { wasRefused: () => true } as const;

const GUARDS: { readonly [N in keyof AllActivities]: Guard<N> } = {
  decide: ofSubscription,
  // Sent once: the ledger is asked next, which gives the draft up. The next order of the id ends the item.
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
  requestPayment: { ...ofRequest, wasRefused: () => true },
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
  lookAtConsentsDue: ofInstallation,
  reconcileLedger: ofInstallation,
  lookForOrphans: ofInstallation,
  removeLeftovers: ofInstallation,
};

/**
 * The same activities, each with its guard: every activity of a worker passes here, and the compiler asks for its guard.
 * @param deps with the connections that these activities use themselves (rule 31)
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
    if (mayHaveBeenRefused(by, input)) await endUnrecordableItem(deps.ledger, about);
    return answer;
  } catch (error) {
    const fault = deps.writes.note(error);
    if (fault !== null) throw readOnly(deps, fault);
    if (!isRefusedByLedger(error)) throw error;
    const reason = await noteRefusal(deps, { ...about, about: await by.about(input, deps) }, error);
    if (by.fails === true) throw ApplicationFailure.nonRetryable(reason, 'ledger_refuses');
    const instead = by.instead?.(reason, input) ?? null;
    if (instead !== null) return instead.answer;
    throw tryAgain('unrecordable', reason, slowPause(activityAge(deps.clock), deps.clock.setting));
  }
}

/**
 * Once a write has shown that the ledger takes none, no activity asks the service anything before one is taken again: what it
 * answers could not be kept, and would be asked for again and again.
 */
async function refuseWhileReadOnly(deps: Guarding): Promise<void> {
  const { writes } = deps;
  if (writes.fault() === null) return;
  await writes.check().catch((error: unknown) => {
    throw writes.fault() === null ? error : readOnly(deps, writes.fault() ?? '');
  });
}

function readOnly({ clock }: Guarding, fault: string): ApplicationFailure {
  return tryAgain('ledger_read_only', `the ledger cannot be written: ${fault}`, growingPause(activityAge(clock)));
}

function mayHaveBeenRefused<N extends keyof AllActivities>(by: Guard<N>, input: Input<N>): boolean {
  const endsAtOnce = by.instead !== undefined || by.fails === true;
  const wasRefused = by.wasRefused?.(input) ?? endsAtOnce;
  return wasRefused || Context.current().info.attempt > 1;
}

/** Opens the item. @returns what was refused, without its value */
async function noteRefusal(
  { ledger, clock, log }: Pick<Guarding, 'ledger' | 'clock'> & Partial<Pick<Guarding, 'log'>>,
  work: RefusedWork & { readonly about: Concerned },
  error: Error,
): Promise<string> {
  const { activity, id, about } = work;
  const reason = `the ledger refuses what ${activity} has to write: ${describeRefusal(error)}`;
  log?.error({ ...about, activity, id, reason }, 'a write was refused');
  await openUnrecordableItem(ledger, work, reason, clock.now());
  return reason;
}

/**
 * Work on one of the many subjects of an activity. If its write is refused, that subject has the item, and the others go on.
 * The caller ends the items of those that were written (`endUnrecordableItems`).
 * @returns what `refused` makes of it
 */
export async function passingOver<T>(
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
