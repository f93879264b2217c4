import type { CollectInput } from '../src/contract/activities';
import type { CollectResult } from '../src/domain/subscription/state';
import { latestSend } from '../src/ledger';
import type { Collecting, Phase } from './collecting';
import type { Dependencies } from './dependencies';
import { withHeartbeat } from './heartbeat';
import { lookAgain } from './look-before-the-leap';
import { pollAttempt } from './poll-attempt';
import { reconcileAttempt } from './reconcile-attempt';
import { sendAttempt } from './send-attempt';
import { storedOutcome } from './stored-outcome';

/**
 * One attempt whole, safe to run any number of times: the ledger's row says how far it came, and a row without an
 * outcome is asked about, never sent again (decisions 16).
 * @param scheduledAt real time at which the workflow asked for it, epoch ms
 */
export function collectPayment(deps: Dependencies, input: CollectInput, scheduledAt: number): Promise<CollectResult> {
  const age = () => deps.clock.realNow() - scheduledAt;
  return withHeartbeat((progress) => collect({ deps, input, progress, age }));
}

async function collect(collecting: Collecting): Promise<CollectResult> {
  for (;;) {
    const phase = await nextPhase(collecting);
    if (phase.kind !== 'moved') return phase;
  }
}

/** Takes the attempt on from where its row stands. */
async function nextPhase(collecting: Collecting): Promise<Phase> {
  const { deps, input } = collecting;
  const row = await latestSend(deps.ledger, input.subscriptionId, input.cycle, input.attempt);
  switch (row?.state) {
    case undefined:
    case 'not_sent':
      return input.settleOnly ? lookAgain(collecting) : sendAttempt(collecting);
    case 'sending':
    case 'unknown':
    case 'unresolved':
      return reconcileAttempt(collecting, row);
    case 'pending':
      return pollAttempt(collecting, row);
    case 'successful':
    case 'rejected':
    case 'rejected_retryable':
    case 'capture_failed':
      return storedOutcome(collecting, row);
  }
}
