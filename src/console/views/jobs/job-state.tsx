import { StatusBadge } from '../../parts';
import type { Job } from '../common/schemas';
import { failuresOf, progressOf } from './describe';

/** Announces the end of the job, not each step. */
export function JobState({ of: job }: { readonly of: Job }) {
  const { state, done, total } = job;
  return (
    <>
      <p class="next" role="status">
        <StatusBadge status={state} /> {state === 'running' ? '' : failuresOf(job)}
      </p>
      <p>
        <progress aria-label="Progress" max={total ?? undefined} value={total === null ? undefined : done} />{' '}
        {progressOf(job)}
      </p>
    </>
  );
}
