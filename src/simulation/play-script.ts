import { type Instant, MINUTE } from '../domain/time';
import { Refusal } from '../sandbox';
import type { PlayedEvent, ScriptedEvent, Script } from './script';
import type { SimulatedStack } from './simulated-stack';
import { RefusedRequest, type SimulatedSubscription, subscribe } from './simulated-subscription';

/** Time for polling to see the payer's answer. */
const CONSENT_SEEN = MINUTE;

/** Plays the script's subscription from its consent to `until`, with each event at its time. The payer approves at once. */
export async function playScript(stack: SimulatedStack, script: Script): Promise<readonly PlayedEvent[]> {
  const { conductor, clock } = stack;
  const passUntil = (at: Instant) => conductor.passUntil(at);
  const subscription = await subscribe(stack, script.terms, passUntil);
  stack.sandbox.payer(subscription.paymentId).approve();
  await passUntil(clock.now() + CONSENT_SEEN);
  const played: PlayedEvent[] = [];
  for (const event of [...script.events].sort((a, b) => a.at - b.at)) {
    await passUntil(event.at);
    played.push({ ...event, refusal: await refusalOf(() => perform(stack, subscription, event)) });
  }
  await passUntil(script.until);
  return played;
}

async function perform(
  { sandbox }: SimulatedStack,
  subscription: SimulatedSubscription,
  { action }: ScriptedEvent,
): Promise<void> {
  const { paymentId } = subscription;
  switch (action.kind) {
    case 'wallet':
      sandbox.setWallet(paymentId, action.wallet);
      return;
    case 'fault':
      sandbox.faults.add({
        kind: action.fault,
        times: action.times,
        match: { method: 'POST', path: `^/${paymentId}/authorizations$` },
      });
      return;
    case 'pause':
      return subscription.pause(action.until);
    case 'skip':
      return subscription.skip(action.cycle);
    case 'postpone':
      return subscription.postpone(action.cycle, action.until);
    case 'hold':
      return subscription.hold(action.until);
    case 'amount':
      return subscription.changeAmount(action.cycle, action.amount);
    case 'cancel':
      return subscription.cancel();
    case 'payer_cancels':
      sandbox.payer(paymentId).cancel();
  }
}

/** Why the ledger, or the simulator, refuses it; null if it succeeds. */
async function refusalOf(act: () => Promise<void>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof RefusedRequest) return error.refusal.message;
    if (error instanceof Refusal) return error.description;
    throw error;
  }
}
