import type { Order } from './workflows';

/** What a stranger may know of one installation. */
export interface Known {
  readonly taskQueue: string;
  readonly subscriptionIds: readonly string[];
  /** The service's payment ids of the subscriptions. */
  readonly paymentIds: readonly string[];
  /** The ids of authorized one-time payments. */
  readonly oneTime: readonly string[];
}

/** Inputs that have the form of no activity's input, or name no subscription of the ledger. */
const SHAPELESS: readonly unknown[] = [null, [], 'text', 7, {}, { subscriptionId: 7 }, { subscriptionId: 'unknown' }];

const FAR = Date.parse('2027-01-01T00:00:00.000Z');
const TWICE = { value: 3998, currency: 'EUR' };

/** The queue of each activity. */
type Activities = Readonly<Record<string, { readonly queue: string }>>;

/** Forged inputs. `bent` adds amounts, dates and margins that no rule allows to the reference. */
export function forgeries(known: Known, activities: Activities): readonly Order[] {
  return Object.entries(activities).flatMap(([activity, { queue }]) =>
    [...SHAPELESS, ...references(known)].map((input) => ({
      activity,
      taskQueue: `${known.taskQueue}/${queue}`,
      input,
    })),
  );
}

function references({ subscriptionIds, paymentIds, oneTime }: Known): readonly unknown[] {
  const [subscriptionId, other] = subscriptionIds;
  const [paymentId, otherPayment] = paymentIds;
  const [payment] = oneTime;
  const reference = { subscriptionId, revision: 0, followed: [] };
  const bent = {
    ...{ amount: TWICE, dueAt: FAR, collectBy: FAR + 432_000_000, sendBefore: FAR + 432_000_000 },
    ...{ transit: 0, captureBy: FAR, policy: { offsets: [0, 0, 0], transit: 0, gap: 0 }, settleOnly: false },
  };
  return [
    reference,
    { ...reference, cycle: 0, attempt: 0 },
    { ...reference, cycle: 0, attempt: 0, revision: Number.MAX_SAFE_INTEGER },
    { ...reference, cycle: 0, attempt: 1, ...bent },
    { ...reference, cycle: 7, attempt: 0, ...bent },
    { ...reference, cycle: -1, attempt: 0.5 },
    { subscriptionId: other, paymentId, cycle: 0, attempt: 0, revision: 0, followed: [], ...bent },
    { subscriptionId, paymentId, status: 'active', tellsUnavailable: true },
    { subscriptionId, paymentId: otherPayment },
    { paymentId: payment },
    { paymentId: payment, ...bent },
    { paymentId: payment, transit: Number.MAX_SAFE_INTEGER },
    {
      ...bent,
      paymentId: payment,
      orderId: 'cap_forged',
      amount: { value: 4999, currency: 'EUR' },
      finalCapture: true,
      orderedAt: 0,
    },
    {
      refundId: 'ref_forged',
      paymentId: payment,
      subscriptionId: null,
      cycle: null,
      captureId: 'cap',
      amount: TWICE,
      orderedAt: 0,
    },
    { requestId: payment },
  ];
}

/** Each of the copied inputs to each of the activities, whatever activity the input was for. */
export function replays(known: Known, activities: Activities, inputs: readonly unknown[]): readonly Order[] {
  return Object.entries(activities).flatMap(([activity, { queue }]) =>
    inputs.map((input) => ({ activity, taskQueue: `${known.taskQueue}/${queue}`, input })),
  );
}
