import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { MINUTE } from '../domain/time';
import type { Happened, ScriptedEvent, Script } from './script';
import type { SimulatedHouse } from './simulated-house';
import { type SimulatedSubscription, subscribe } from './simulated-subscription';

/**
 * By then the polling has seen the payer's answer. Asking at once would end the polling; the time-skipping server, asked to
 * cancel an activity in the moment of its repetition, may lose the workflow's whole turn.
 */
const CONSENT_SEEN = MINUTE;

/** Lives the script's subscription from its consent to `until`, each happening at its time. The payer approves at once. */
export async function playScript(house: SimulatedHouse, script: Script): Promise<readonly Happened[]> {
  const subscription = await subscribe(house, script.terms);
  house.sandbox.payer(subscription.paymentId).approve();
  await house.time.passUntil(house.clock.now() + CONSENT_SEEN);
  const happened: Happened[] = [];
  for (const happening of [...script.happenings].sort((a, b) => a.at - b.at)) {
    await house.time.passUntil(happening.at);
    happened.push({
      ...happening,
      refusal: await refusalOf(() => answered(perform(house, subscription, happening), happening)),
    });
  }
  await house.time.passUntil(script.until);
  return happened;
}

async function perform(
  { sandbox }: SimulatedHouse,
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
        ...{ kind: action.fault, times: action.times },
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
    if (error instanceof WorkflowNotFoundError) return 'the subscription is over';
    if (error instanceof WorkflowUpdateFailedError) return error.cause?.message ?? error.message;
    throw error;
  }
}
