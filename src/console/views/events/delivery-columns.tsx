import { count } from '../../format';
import { type Column, Instant, StatusBadge } from '../../parts';
import { session } from '../../session';
import type { Delivery } from '../common/schemas';

/** The columns that all lists of deliveries share. */
export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { head: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { head: 'Attempts', cell: ({ tries }) => <Tries of={tries} /> },
  { head: 'Next attempt', cell: (delivery) => <NextTry of={delivery} /> },
  { head: 'Reason', cell: reasonOf },
];

/** A hint that deliveries happen in real time, shown only with a test clock. */
export function RealTimes() {
  if (session.value?.clock.isTest !== true) return null;
  return <p class="hint">Event times follow the test clock; delivery times are real.</p>;
}

function reasonOf({ test, again }: Pick<Delivery, 'test' | 'again'>): string {
  if (test) return 'test event';
  return again ? 'sent again' : 'new event';
}

/** When the next attempt is made or, if that depends on something else, what it waits for. */
function NextTry({ of: { nextTryAt, waitingFor } }: { readonly of: Delivery }) {
  if (waitingFor?.kind === 'endpoint') return <>once the endpoint is enabled</>;
  if (waitingFor?.kind === 'event')
    return (
      <>
        after <a href={`/events/${waitingFor.eventId}`}>an earlier event</a>
      </>
    );
  return nextTryAt === undefined ? <>–</> : <Instant at={nextTryAt} />;
}

/** Response bodies are shown to admins, for seven days. */
function Tries({ of }: { readonly of: Delivery['tries'] }) {
  if (of.length === 0) return <>none yet</>;
  return (
    <details>
      <summary>
        {count(of.length)}, last {of.at(-1)?.status ?? of.at(-1)?.error ?? 'no response'}
      </summary>
      <ol class="attempts">
        {of.map(({ at, status, ms, error, answer }) => (
          <li key={at}>
            <Instant at={at} />: {status ?? error ?? 'no response'}, {count(ms)} ms
            {answer === null || answer === undefined ? null : <pre class="data">{answer}</pre>}
          </li>
        ))}
      </ol>
    </details>
  );
}
