import type { ComponentChildren } from 'preact';
import { instant, money } from '../../format';
import type { ScheduledCycle } from '../common/schemas';
import { Shown, useAnswer } from '../common/answers';
import type { Life } from './life';
import { isOpen, sentCycles } from './waiting';

/** Due dates that are read, to find those that a pause skips. */
const DUE_DATES_READ = 60;
/** Due dates that are listed individually. */
const LISTED = 6;

/** Which due dates a pause skips (rule 23). @param until epoch ms; null for a pause without an end */
export function Skipped({ id, until }: { readonly id: string; readonly until: number | null }) {
  const params = { path: { id }, query: { count: DUE_DATES_READ } };
  const schedule = useAnswer(['subscription', id], '/v1/subscriptions/{id}/schedule', params);
  return (
    <Shown what="the next due dates" of={schedule}>
      {({ items }) => (until === null ? <UntilResumed coming={items} /> : <UntilDate coming={items} until={until} />)}
    </Shown>
  );
}

function UntilResumed({ coming }: { readonly coming: readonly ScheduledCycle[] }) {
  const next = coming[0];
  if (next === undefined) return <p>There are no further due dates.</p>;
  return <p>Until you resume, due dates are skipped for good, starting with {instant(next.dueAt)}.</p>;
}

function UntilDate({ coming, until }: { readonly coming: readonly ScheduledCycle[]; readonly until: number }) {
  const skipped = coming.filter(({ dueAt }) => Date.parse(dueAt) < until);
  if (skipped.length === 0) return <p>No due date is skipped.</p>;
  const rest = skipped.length - LISTED;
  return (
    <>
      <p>These payments are skipped for good and are not owed:</p>
      <ul>
        {skipped.slice(0, LISTED).map(({ cycle, dueAt, amount }) => (
          <li key={cycle}>
            cycle {cycle}, {instant(dueAt)}, {money(amount)}
          </li>
        ))}
        {rest > 0 ? <li>{skipped.length === coming.length ? `at least ${rest} more` : `${rest} more`}</li> : null}
      </ul>
    </>
  );
}

/** Whether a debit may still be made: a sent payment cannot be recalled (rule 24). */
export function SentAttempts({ life }: { readonly life: Life }) {
  const sent = sentCycles(life);
  if (sent.length === 0) return <p>No payment is on its way, so nothing can be debited afterwards.</p>;
  return (
    <p>
      <strong>A payment may still be collected</strong>, because it was already sent:{' '}
      {sent.map(({ cycle, amount }) => `cycle ${cycle}, ${money(amount)}`).join('; ')}. dueday follows it and shows the
      outcome.
    </p>
  );
}

/** The cycle that is already due, and the effect of the action on it. */
export function OpenCycle({ life, effect }: { readonly life: Life; readonly effect: ComponentChildren }) {
  const open = life.cycles.find((cycle) => isOpen(cycle) && cycle.attempts.length > 0);
  if (open === undefined) return null;
  return (
    <p>
      Cycle {open.cycle}, due {instant(open.dueAt)}, is open. {effect}
    </p>
  );
}
