import { instant, money, now } from '../../format';
import type { Cycle, ScheduledCycle } from '../common/schemas';
import { Shown, useAnswer } from '../common/answers';
import type { Life } from './life';
import { sentCycles, skippable, waitingCycles } from './waiting';

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
      {({ items }) => {
        const coming = skippable(items, now());
        return until === null ? <UntilResumed coming={coming} /> : <UntilDate coming={coming} until={until} />;
      }}
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

/** The cycles that are due and wait for their next attempt, and the effect of the action on each. */
export function WaitingCycles({ life, effectOf }: WaitingCyclesProps) {
  return (
    <>
      {waitingCycles(life, now()).map((cycle) => (
        <p key={cycle.cycle}>
          Cycle {cycle.cycle}, due {instant(cycle.dueAt)}, is open. {effectOf(cycle)}
        </p>
      ))}
    </>
  );
}

interface WaitingCyclesProps {
  readonly life: Life;
  readonly effectOf: (cycle: Cycle | ScheduledCycle) => string;
}
