import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import type { SimulatedStack } from '../../src/simulation/simulated-stack';

const LAST_EVENTS = 40;
/** Real ms for each answer of the server: what hangs may be the server itself. */
const ANSWERS_WITHIN = 20_000;

interface Busy {
  readonly name: string;
  readonly doing: string;
}

/** What a life does for which time waits, and what its workflow does: activities under way, and its last events. */
export async function describeBusy({ client }: SimulatedStack, { name, doing }: Busy): Promise<string> {
  const handle = client.workflow.getHandle(subscriptionWorkflowId(name as SubscriptionId));
  const asked = <T>(ask: () => Promise<T>) => client.withDeadline(Date.now() + ANSWERS_WITHIN, ask);
  const lines = [`${name} does not wait: ${doing}`];
  try {
    const { raw, status } = await asked(() => handle.describe());
    lines.push(`its workflow: ${status.name}, task ${JSON.stringify(raw.pendingWorkflowTask ?? null)}`);
    for (const pending of raw.pendingActivities ?? []) lines.push(`under way: ${JSON.stringify(pending)}`);
    const history = await asked(() => handle.fetchHistory());
    const { events } = JSON.parse(historyToJSON(history)) as { events: readonly object[] };
    for (const event of events.slice(-LAST_EVENTS)) lines.push(JSON.stringify(event).slice(0, 600));
  } catch (error) {
    lines.push(`its workflow cannot be described: ${String(error)}`);
  }
  return lines.join('\n');
}

/** What the ledger's connections do: a statement that waits for a lock holds a life up, too. */
export async function describeLedger({ ledger }: SimulatedStack): Promise<string> {
  try {
    const { rows } = await ledger.query<Record<string, unknown>>(
      `select state, wait_event_type, wait_event, now() - query_start as since, left(query, 200) as query
       from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    );
    return [`the ledger: ${rows.length} connections at work`, ...rows.map((row) => JSON.stringify(row))].join('\n');
  } catch (error) {
    return `the ledger cannot be asked: ${String(error)}`;
  }
}
