import { toIso } from '../../domain/time';
import type { ReconciliationRun } from '../../ledger';
import type { JobOut } from '../schemas/job';
import { named } from './fields';

const STATES: Readonly<Record<ReconciliationRun['state'], JobOut['state']>> = {
  running: 'running',
  compared: 'finished',
  service_unavailable: 'failed',
  stopped: 'stopped',
};

/** A run of the reconciliation as a job. */
export function viewJob(run: ReconciliationRun): JobOut {
  return {
    jobId: run.runId,
    kind: 'reconciliation',
    state: STATES[run.state],
    done: run.payments,
    // Which payments are concerned is found on the way.
    total: run.state === 'compared' ? run.payments : null,
    refused: run.notCompared,
    from: toIso(run.span.from),
    to: toIso(run.span.to),
    differences: run.differences,
    orderedBy: run.actor,
    begunAt: toIso(run.begunAt),
    ...named('reason', run.reason),
  };
}
