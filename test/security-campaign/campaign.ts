import { unlessAborted } from '../support/interruption';
import { checkHostileBodies, checkLockout } from './abuse';
import { checkCanary } from './canary';
import { checkErasure } from './erasure';
import type { Check } from '../support/campaign';
import { checkForged } from './forged';
import { checkFourEyes } from './four-eyes';
import { checkGenerated, type GeneratedOrder } from './generated';
import { checkHardening, checkHeavy } from './hardening';
import { checkRoles } from './roles';
import { checkTrickle } from './slow';
import { openStage, type Stage } from './stage';
import { checkStarvation } from './starvation';

/** Checks of one API, one after the other. Generated requests come last, because they change everything. */
const ON_ONE_STAGE: readonly ((stage: Stage, order: GeneratedOrder) => Promise<readonly Check[]>)[] = [
  checkRoles,
  checkHostileBodies,
  checkHardening,
  checkHeavy,
  checkLockout,
  checkTrickle,
  checkStarvation,
  checkForged,
  checkGenerated,
];

/**
 * Plays the campaign with real processes.
 * @param giveUp ends the campaign in order, with its reason
 * @param tell called with each check as it is made
 */
export async function campaign(
  order: GeneratedOrder,
  giveUp: AbortSignal,
  tell: (check: Check) => void,
): Promise<void> {
  const stage = await openStage();
  try {
    await unlessAborted(giveUp, async () => {
      for (const check of ON_ONE_STAGE) (await check(stage, order)).forEach(tell);
    });
  } finally {
    await stage.close();
  }
  for (const check of [checkFourEyes, checkErasure, checkCanary])
    (await unlessAborted(giveUp, () => check())).forEach(tell);
}
