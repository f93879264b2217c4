import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { ReconciliationInput, ReconciliationResult } from '../src/contract/housekeeping';
import { toIso } from '../src/domain/time';
import { reconcileLedger } from './activity-options';

/** Holds the ledger against the service's records of a span, once; what it finds is in the ledger under its run's id. */
export async function reconciliation(input: ReconciliationInput): Promise<ReconciliationResult> {
  const { runId } = workflowInfo();
  const about = [`- Records from ${toIso(input.span.from)} to ${toIso(input.span.to)}`, `- Wanted by ${input.actor}`];
  setCurrentDetails(about.join('\n'));
  const result = await reconcileLedger({ ...input, runId });
  setCurrentDetails([...about, `- ${describeReconciliation(result)}`].join('\n'));
  return result;
}

export function describeReconciliation(result: ReconciliationResult): string {
  if (result.kind === 'service_unavailable') return `the service could not be asked: ${result.reason}`;
  const soFar = `${result.payments} payments compared, ${result.differences} differences`;
  return result.kind === 'stopped' ? `stopped: ${soFar}` : soFar;
}
