import type { ComponentChildren } from 'preact';
import { instant, money } from '../../format';
import type { Cycle, ScheduledCycle } from '../common/schemas';
import { Shown, useAnswer } from '../common/answers';
import type { Life } from './life';
import { isOpen } from './next';

const FAR_AHEAD = 60;
/** Dates that are named one by one. */
const NAMED = 6;

/** Which due dates a pause skips (rule 23). @param until epoch ms; null where it is resumed by hand */
export function Skipped({ id, until }: { readonly id: string; readonly until: number | null }) {
  const params = { path: { id }, query: { count: FAR_AHEAD } };
  const schedule = useAnswer(['subscription', id], '/v1/subscriptions/{id}/schedule', params);
  return (
    <Shown what="the dates to come" of={schedule}>
      {({ items }) => (until === null ? <EachUntilResumed coming={items} /> : <Between coming={items} until={until} />)}
    </Shown>
  );
}

function EachUntilResumed({ coming }: { readonly coming: readonly ScheduledCycle[] }) {
  const next = coming[0];
  if (next === undefined) return <p>No due date is to come.</p>;
  return <p>Each due date is skipped for good until it is resumed, the next one at {instant(next.dueAt)}.</p>;
}

function Between({ coming, until }: { readonly coming: readonly ScheduledCycle[]; readonly until: number }) {
  const skipped = coming.filter(({ dueAt }) => Date.parse(dueAt) < until);
  if (skipped.length === 0) return <p>It skips no due date.</p>;
  const rest = skipped.length - NAMED;
  return (
    <>
      <p>It skips for good, without arrears:</p>
      <ul>
        {skipped.slice(0, NAMED).map(({ cycle, dueAt, amount }) => (
          <li key={cycle}>
            cycle {cycle}, {instant(dueAt)}, {money(amount)}
          </li>
        ))}
        {rest > 0 ? <li>{skipped.length === coming.length ? `${rest} more, or more still` : `${rest} more`}</li> : null}
      </ul>
    </>
  );
}

/** Whether a debit may still land: what was sent cannot be called back (rule 24). */
export function StillLanding({ life }: { readonly life: Life }) {
  const under = life.cycles.filter(({ attempts }) => mayLand(attempts.at(-1)));
  if (under.length === 0) return <p>No debit is under way, so none can land after it.</p>;
  return (
    <p>
      <strong>A debit may still land</strong>, as what was sent cannot be called back:{' '}
      {under.map(({ cycle, amount }) => `cycle ${cycle}, ${money(amount)}`).join('; ')}. It is followed, and shown where
      it lands.
    </p>
  );
}

function mayLand(attempt: Cycle['attempts'][number] | undefined): boolean {
  return attempt?.outcome === 'pending' || attempt?.outcome === 'unknown';
}

/** What becomes of the cycle that is due already. */
export function OpenCycle({ life, otherwise }: { readonly life: Life; readonly otherwise: ComponentChildren }) {
  const open = life.cycles.find((cycle) => isOpen(cycle) && cycle.attempts.length > 0);
  if (open === undefined) return null;
  return (
    <p>
      Cycle {open.cycle}, due {instant(open.dueAt)}, is open. {otherwise}
    </p>
  );
}
