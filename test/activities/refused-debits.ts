import type { Authorization } from '../../src/payment-service';
import { AMOUNT, type Subscribed, type World } from './activity-world';
import { reachRetry } from './deliver-notice';

/** A service that answers every POST with a refusal that names this authorization. */
export function bankRefusing(world: World, id: string) {
  const failure = { retryable: true, detail: 'AUTHORIZATION_REJECTION_RETRYABLE', description: '', httpStatus: 422 };
  const value = {
    authorizationId: id,
    createdAt: world.clock.now(),
    amount: AMOUNT,
    status: 'failed',
  } as Authorization;
  return world.answering({ kind: 'rejected', failure, value });
}

/** Two attempts of the first cycle that the bank has refused: `auth-first` and `auth-second`. */
export async function createRefusedTwice(world: World): Promise<Subscribed> {
  const subscribed = await world.due();
  await world.collect(world.input(subscribed), bankRefusing(world, 'auth-first'));
  await reachRetry(world, subscribed);
  await world.collect(world.input(subscribed, { attempt: 1 }), bankRefusing(world, 'auth-second'));
  return subscribed;
}

/** The refused authorization is listed again, as pending. */
export const revivedOf = (known: { readonly id: string }) =>
  ({ known, found: { status: 'pending' }, isCaptured: false }) as never;
