import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { type Happened, type Happening, type Script } from './script';
import type { SimulatedHouse } from './simulated-house';
import { type SimulatedSubscription, subscribe } from './simulated-subscription';

/** Lives the script's subscription from its consent to `until`, each happening at its time. The payer approves at once. */
export async function playScript(house: SimulatedHouse, script: Script): Promise<readonly Happened[]> {
  const subscription = await subscribe(house, script.terms);
  house.sandbox.payer(subscription.paymentId).approve();
  await subscription.checkConsent();
  const happened: Happened[] = [];
  for (const happening of [...script.happenings].sort((a, b) => a.at - b.at)) {
    await house.time.passUntil(happening.at);
    happened.push({ ...happening, refusal: await refusalOf(() => carryOut(house, subscription, happening)) });
  }
  await house.time.passUntil(script.until);
  return happened;
}

async function carryOut(
  { sandbox }: SimulatedHouse,
  subscription: SimulatedSubscription,
  { deed }: Happening,
): Promise<void> {
  const { paymentId } = subscription;
  switch (deed.kind) {
    case 'wallet':
      sandbox.setWallet(paymentId, deed.wallet);
      return;
    case 'fault':
      sandbox.faults.add({
        ...{ kind: deed.fault, times: deed.times },
        match: { method: 'POST', path: `^/${paymentId}/authorizations$` },
      });
      return;
    case 'pause':
      return subscription.pause(deed.until);
    case 'skip':
      return subscription.skip(deed.cycle);
    case 'amount':
      return subscription.changeAmount(deed.cycle, deed.amount);
    case 'cancel':
      return subscription.cancel();
    case 'payer_cancels':
      sandbox.payer(paymentId).cancel();
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
