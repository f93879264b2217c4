import { randomBytes } from 'node:crypto';
import { DAY, type Instant, toIso } from '../../domain/time';
import type { Clock } from '../../platform/clock';
import type { Access } from '../api/call';
import { insist } from './insist';

/** A subscription that demonstrates one case, and the simulated payer who causes it. */
export interface Sample {
  readonly subscriptionId: string;
  readonly story: string;
  /** The simulator's wallet for it. */
  readonly wallet: string;
  readonly repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY';
  readonly cents: number;
  readonly answer: 'approve' | 'decline';
  /** How long the subscription lasts from its first payment; null: no end. */
  readonly lasts: number | null;
}

/** The part of a subscription's JSON that the demo reads. */
export interface SubscriptionView {
  readonly subscriptionId: string;
  readonly paymentId: string;
  readonly status: string;
  readonly standing: string;
  readonly nextDueAt: string | null;
  readonly cyclesCollected: number;
  readonly cancelledBy?: string;
}

/** Time to create a sample and for its payer to answer before the first payment is due: in the demo six real seconds. */
const MIN_LEAD = DAY;
/** Creating the first sample shows how fast the machine is; until then nothing may depend on its speed. */
const FIRST_LEAD = 7 * DAY;
/** A creation that takes this many times as long as the slowest so far is still in time. */
const MARGIN = 2;

/** Where samples are created. */
export interface Shop {
  readonly admin: Access;
  readonly sandboxUrl: string;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Creates samples over the admin API, one after the other, and lets their payers answer at the payment service. The slower the
 * machine is, the later the first payments are due: on a fast test clock the due dates would pass while samples are created. The
 * first sample is due in a week.
 * @param onCreated called for each sample as soon as its payer has answered
 */
export async function createSamples<S extends Sample>(
  shop: Shop,
  samples: readonly S[],
  onCreated: (sample: S, subscription: SubscriptionView) => void = () => undefined,
): Promise<void> {
  let lead = FIRST_LEAD;
  let slowest = 0;
  for (const sample of samples) {
    const startedAt = shop.clock.now();
    onCreated(sample, await createSample(shop, sample, startedAt + lead));
    slowest = Math.max(slowest, shop.clock.now() - startedAt);
    lead = Math.max(MIN_LEAD, MARGIN * slowest);
  }
}

/** Creates a sample, whose payer answers at once. */
export async function createSample(
  { admin, sandboxUrl }: Shop,
  sample: Sample,
  firstPaymentAt: Instant,
): Promise<SubscriptionView> {
  const body = {
    subscriptionId: sample.subscriptionId,
    amount: { value: sample.cents, currency: 'EUR' },
    repetition: sample.repetition,
    startAt: toIso(firstPaymentAt),
    firstPaymentAt: toIso(firstPaymentAt),
    ...(sample.lasts === null ? {} : { endAt: toIso(firstPaymentAt + sample.lasts) }),
    returnURL: 'https://shop.example/return',
    billingAddress: { name: 'Ada Payer', street: 'Main Street 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
    payer: { reference: sample.story },
  };
  const created = await insist<SubscriptionView>(admin, 'createSubscription', { body });
  await answerAsPayer(sandboxUrl, created.paymentId, { action: sample.answer, wallet: sample.wallet });
  await insist(admin, 'checkConsent', { path: { id: sample.subscriptionId } });
  return created;
}

/** Acts as the payer in the wallet, through the simulator. */
export async function answerAsPayer(
  sandboxUrl: string,
  paymentId: string,
  body: { readonly action: string; readonly wallet?: string },
): Promise<void> {
  await callSandbox(sandboxUrl, `/_sandbox/payments/${paymentId}/payer`, body);
}

/** @throws Error if the simulator does not execute the request. */
export async function callSandbox(sandboxUrl: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${sandboxUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status} to ${path}: ${await answer.text()}`);
}

/** A random tag that keeps the ids of different runs apart. */
export function runTag(): string {
  return randomBytes(3).toString('hex');
}

/** Three weekly cycles, the last with its full collection window. */
export const THREE_WEEKS = 20 * DAY;
