import { count, counted, day } from '../../format';
import { BULK_CHOICES } from '../bulk/choices';
import { dayOf } from '../common/periods';
import type { BulkAction, Job } from '../common/schemas';

/** Labels of the kinds of jobs. */
export const KINDS: Readonly<Record<Job['kind'], string>> = {
  bulk: 'bulk action',
  replay: 'webhook replay',
  reconciliation: 'comparison with the payment service',
};

/** What the job does, such as `Pause 12 subscriptions`. */
export function describeJob(job: Job): string {
  switch (job.kind) {
    case 'bulk':
      return `${bulkLabel(job.action)} ${counted(job.total, 'subscription')}`;
    case 'replay':
      return `Replay of ${counted(job.total, 'event')}`;
    case 'reconciliation':
      return `Comparison with the payment service, ${utcDays(job)}`;
  }
}

/** The UTC days of a period whose end is exclusive. */
function utcDays({ from, to }: { readonly from: string; readonly to: string }): string {
  return `${day(dayOf(from, 0) ?? from)} through ${day(dayOf(to, -1) ?? to)} (UTC)`;
}

/** The label of the button of a bulk action; the action's own name if this page does not know it. */
function bulkLabel(action: string): string {
  const known = (Object.keys(BULK_CHOICES) as BulkAction[]).find((each) => each === action);
  if (known === undefined) return `${action}:`;
  const { name, label = name } = BULK_CHOICES[known];
  return label;
}

/** A replay and how far it is, such as `Replay finished: 3 of 4, 1 failed.` */
export function describeReplay(job: Pick<Job, 'state' | 'done' | 'total' | 'refused'>): string {
  return `Replay ${job.state}: ${progressOf({ ...job, kind: 'replay' })}.`;
}

/** How far a job is, such as `3 of 12, 1 refused`. */
export function progressOf({ kind, done, total, refused }: Pick<Job, 'kind' | 'done' | 'total' | 'refused'>): string {
  const reached = total === null ? count(done) : `${count(done)} of ${count(total)}`;
  return refused === 0 ? reached : `${reached}, ${count(refused)} ${FAILED[kind]}`;
}

/** What failed in a job that has ended, such as `1 refused.` */
export function failuresOf({ kind, refused }: Pick<Job, 'kind' | 'refused'>): string {
  return refused === 0 ? NONE_FAILED[kind] : `${count(refused)} ${FAILED[kind]}.`;
}

/** What `refused` of each kind of job counts. */
const FAILED: Readonly<Record<Job['kind'], string>> = {
  bulk: 'refused',
  replay: 'failed',
  reconciliation: 'unreadable',
};

const NONE_FAILED: Readonly<Record<Job['kind'], string>> = {
  bulk: 'None was refused.',
  replay: 'None failed.',
  reconciliation: 'None was unreadable.',
};
