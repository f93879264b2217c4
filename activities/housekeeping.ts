import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { HousekeepingActivities, ReconcileInput, ReconciliationResult } from '../src/contract/housekeeping';
import { lookAtConsentsDue } from './consent-look';
import type { Dependencies } from './dependencies';
import { growingPause, tryAgain } from './failures';
import { type Progress, withHeartbeat } from './heartbeat';
import { removeLeftovers } from './leftovers';
import { lookForOrphans } from './orphan-look';
import { giveUp, reconcileLedger, type Reconciling } from './reconcile-ledger';

/** The daily work of one worker; its calls to the service come after all others. */
export function housekeepingActivities(deps: Dependencies): HousekeepingActivities {
  return {
    lookAtConsentsDue: (input) => {
      const { info, cancellationSignal: signal } = Context.current();
      const resumed: unknown = info.heartbeatDetails;
      return inLongWork((progress) =>
        deps.service.as('daily_work', () =>
          lookAtConsentsDue({ deps, input, resumed, progress, age: ageOf(deps), signal }),
        ),
      );
    },
    reconcileLedger: (input) =>
      inLongWork((progress) => deps.service.as('daily_work', () => reconcile(deps, input, progress))),
    lookForOrphans: (input) => {
      const resumed: unknown = Context.current().info.heartbeatDetails;
      return inLongWork((progress) => lookForOrphans(deps, input, { resumed, progress }));
    },
    removeLeftovers: () => {
      const { info, cancellationSignal: signal } = Context.current();
      const resumed: unknown = info.heartbeatDetails;
      return inLongWork((progress) => removeLeftovers({ deps, resumed, progress, signal }));
    },
  };
}

async function reconcile(deps: Dependencies, input: ReconcileInput, progress: Progress): Promise<ReconciliationResult> {
  const age = ageOf(deps);
  const isPatienceOver = () => age() >= input.patience;
  const { cancellationSignal: signal } = Context.current();
  const reconciling: Reconciling = { deps, input, progress, isPatienceOver, signal };
  const done = await reconcileLedger(reconciling);
  if (done.kind === 'interrupted') {
    const [pause, left] = [Math.max(growingPause(age()), done.wait), input.patience - age()];
    if (done.away && pause >= left) return giveUp(reconciling, done.reason);
    throw tryAgain('service_unreadable', `reconciliation: ${done.reason}`, Math.min(pause, left));
  }
  if (done.kind === 'compared' && done.differences > 0) deps.log.warn(done, 'ledger and service differ');
  return done;
}

/** Stops where its worker does, between two payments or batches; another worker goes on from there. */
async function inLongWork<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const { cancellationSignal: signal } = Context.current();
  try {
    return await withHeartbeat(work);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw ApplicationFailure.create({ type: 'worker_stopping', message: 'the worker stops', nextRetryDelay: 1 });
  }
}

/** Real time since the workflow asked for it, ms. */
function ageOf({ clock }: Dependencies): () => number {
  const { scheduledTimestampMs } = Context.current().info;
  return () => clock.realNow() - scheduledTimestampMs;
}
