import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE } from '../domain/time';
import type { PlayedEvent, ScriptedEvent, Script } from './script';
import type { SimulatedStack } from './simulated-stack';
import { RefusedRequest, type SimulatedSubscription, subscribe } from './simulated-subscription';

/**
 * By then the polling has seen the payer's answer. Asking at once would end the polling; the time-skipping server, asked to
 * cancel an activity in the moment of its repetition, may lose the workflow's whole turn.
 */
const CONSENT_SEEN = MINUTE;

/** Lives the script's subscription from its consent to `until`, each event at its time. The payer approves at once. */
export async function playScript(stack: SimulatedStack, script: Script): Promise<readonly PlayedEvent[]> {
  const subscription = await subscribe(stack, script.terms);
  stack.sandbox.payer(subscription.paymentId).approve();
  await stack.time.passUntil(stack.clock.now() + CONSENT_SEEN);
  const played: PlayedEvent[] = [];
  for (const event of [...script.events].sort((a, b) => a.at - b.at)) {
    await stack.time.passUntil(event.at);
    played.push({
      ...event,
      refusal: await refusalOf(() => answered(perform(stack, subscription, event), event)),
    });
  }
  await stack.time.passUntil(script.until);
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
    case 'amount':
      return subscription.changeAmount(action.cycle, action.amount);
    case 'cancel':
      return subscription.cancel();
    case 'payer_cancels':
      sandbox.payer(paymentId).cancel();
  }
}

/** Real ms after which a request is taken to be lost: the workflow answers within a second. */
const PATIENCE = 60_000;

async function answered(act: Promise<void>, { says }: ScriptedEvent): Promise<void> {
  const over = new AbortController();
  const late = pause(PATIENCE, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${PATIENCE / 1000} s: ${says}`);
  });
  try {
    await Promise.race([act, late]);
  } finally {
    over.abort();
    await late.catch(() => undefined);
  }
}

/** What the workflow, or the payer's bank, says against it; null where it is done. */
async function refusalOf(act: () => Promise<void>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof RefusedRequest) return error.refusal.message;
    throw error;
  }
}
