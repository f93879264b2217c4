import type { DailyDecision, DailyQuestion, ReconciliationResult } from '../../src/contract/housekeeping';
import {
  type DailyOutcome,
  type DailyPart,
  type DailyState,
  type DailyStep,
  FIRST,
  nextDaily,
} from '../../src/domain/daily-work';
import { counted } from '../../src/domain/money';
import { toIso } from '../../src/domain/time';
import type { Dependencies } from '../dependencies';

/** The next part of the daily work, and what operators see of it. */
export function decideDaily({ clock }: Pick<Dependencies, 'clock'>, { state, came }: DailyQuestion): DailyDecision {
  const next = nextDaily(state ?? FIRST, came === null ? null : outcomeOf(came), clock.now());
  return { ...next, summary: summaryOf(next.step), details: detailsOf(next.state, next.step) };
}

function outcomeOf(came: DailyOutcome | ReconciliationResult): DailyOutcome {
  return 'runId' in came ? { kind: 'done', words: describeReconciliation(came) } : came;
}

function describeReconciliation(result: ReconciliationResult): string {
  if (result.kind === 'service_unavailable') return `the service was unavailable: ${result.reason}`;
  const soFar = `${counted(result.payments, 'payment')} compared, ${counted(result.differences, 'difference')}`;
  return result.kind === 'stopped' ? `stopped: ${soFar}` : soFar;
}

function summaryOf(step: DailyStep): string {
  switch (step.kind) {
    case 'wait':
      return `wait until ${toIso(step.until)} (daily work)`;
    case 'consents':
      return `check consents of subscriptions due by ${toIso(step.dueBy)}`;
    case 'leftovers':
      return 'remove what is no longer needed';
    case 'workflows':
      return 'find subscriptions and payments without a workflow';
    case 'reconciliation':
      return `compare ledger and service, up to ${toIso(step.period.to)}`;
  }
}

const NAMES: Readonly<Record<DailyPart, string>> = {
  consents: 'Consents',
  reconciliation: 'Reconciliation',
  leftovers: 'Leftovers',
  workflows: 'Workflows',
};

function detailsOf({ last }: DailyState, step: DailyStep): string {
  const now = step.kind === 'wait' ? `Next: ${toIso(step.until)}` : 'Now: the daily work';
  const parts = Object.entries(NAMES).flatMap(([part, name]) => {
    const report = last?.parts[part as DailyPart];
    return report === undefined ? [] : [`${name}: ${report}`];
  });
  const lines = [now, ...(last === null ? ['Nothing done yet'] : [`Last: ${toIso(last.at)}`, ...parts])];
  return lines.map((line) => `- ${line}`).join('\n');
}
