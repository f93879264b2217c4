import { count } from '../../format';
import { StatusBadge } from '../../parts';
import type { Job } from '../common/schemas';
import { progressOf } from './describe';

/** Announces the end of the job, not each step. */
export function JobState({ of: job }: { readonly of: Job }) {
  const { state, done, total, refused } = job;
  return (
    <>
      <p class="next" role="status">
        <StatusBadge status={state} />{' '}
        {state === 'running' ? '' : refused === 0 ? 'None was refused.' : `${count(refused)} refused.`}
      </p>
      <p>
        <progress aria-label="Progress" max={total ?? undefined} value={total === null ? undefined : done} />{' '}
        {progressOf(job)}
      </p>
    </>
  );
}
