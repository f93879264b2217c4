import { waitUntil } from '../support/wait-until';
import type { Cycle, ProblemBody } from './admin-api';
import type { World } from './world';

/** What the admin API shows of a subscription, and what the service has of its payment. */

interface Item {
  readonly kind: string;
  readonly subscriptionId: string;
  readonly cycle: number | null;
}

/** The kinds of a subscription's open attention items, each with its cycle: `contradiction:2`. */
export async function openItems({ admin }: World, id: string): Promise<string[]> {
  const { body } = await admin.get<{ items: Item[] }>('/v1/attention?limit=200');
  return body.items.filter(({ subscriptionId }) => subscriptionId === id).map(({ kind, cycle }) => `${kind}:${cycle}`);
}

/** Waits until these are the subscription's open items. */
export async function itemsAre(world: World, id: string, items: readonly string[]): Promise<void> {
  const expected = JSON.stringify(items);
  let seen = '';
  const areSo = async () => (seen = JSON.stringify(await openItems(world, id))) === expected;
  await waitUntil(`${id}: items ${expected}`, areSo).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}; they are ${seen}`);
  });
}

export async function cycleOf({ admin }: World, id: string, cycle: number): Promise<Cycle | undefined> {
  const { body } = await admin.get<{ items: Cycle[] }>(`/v1/subscriptions/${id}/cycles?limit=200`);
  return body.items.find((each) => each.cycle === cycle);
}

/** Waits until the cycle has this status. */
export async function becomes(world: World, id: string, cycle: number, status: string): Promise<Cycle> {
  let seen: Cycle | undefined;
  await waitUntil(`${id}: cycle ${cycle} is ${status}`, async () => {
    seen = await cycleOf(world, id, cycle);
    return seen?.status === status;
  });
  return seen!;
}

export function resolve({ admin }: World, id: string, cycle: number, body: object) {
  const said = { evidence: 'statement of the bank', ...body };
  return admin.post<Cycle & ProblemBody>(`/v1/subscriptions/${id}/cycles/${cycle}/resolve`, said);
}

/** How many authorizations the service has of the cycle, failed ones too. */
export function madeFor({ sandbox }: World, paymentId: string, cycle: number): number {
  return sandbox.payment(paymentId).authorizations.filter((each) => each.cycle === cycle).length;
}

export function debitsOf({ sandbox }: World, paymentId: string, cycle: number): number {
  const { debits } = sandbox.payment(paymentId);
  return debits.filter((each) => each.cycle === cycle && each.status === 'successful').length;
}

/** Oldest first. */
export async function auditEntriesOf(
  { admin }: World,
  id: string,
): Promise<readonly { type: string; data: Record<string, unknown> }[]> {
  const path = `/v1/subscriptions/${id}/events?limit=200`;
  return (await admin.get<{ items: { type: string; data: Record<string, unknown> }[] }>(path)).body.items.toReversed();
}
