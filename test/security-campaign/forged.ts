import { Client, Connection, type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { ask, askJson, bodyOf } from './ask';
import type { Check } from '../support/campaign';
import { noneOf } from './check';
import { type Stage, SUBSCRIPTIONS } from './stage';

const AS_ADMIN = { actor: 'ada', reason: 'because I can' };

/** Updates that a subscription takes from the admin API before its first payment, by name. */
const FORGED: Readonly<Record<string, object>> = {
  pause: { ...AS_ADMIN, until: null },
  cancel: AS_ADMIN,
  skipCycle: { ...AS_ADMIN, cycle: 1 },
};

/** What is asked of Temporal itself, past the API: refused, reported, and nothing has changed. */
export async function checkForged(stage: Stage): Promise<readonly Check[]> {
  const connection = await Connection.connect({ address: stage.stack.temporalAddress });
  try {
    const id = SUBSCRIPTIONS.at(-1) ?? '';
    const workflowId = subscriptionWorkflowId(id as SubscriptionId);
    const handle = new Client({ connection }).workflow.getHandle(workflowId);
    const before = await stateOf(stage, id);
    const taken = await takenOf(handle, FORGED);
    const asked = await askForSkip(stage, handle, id);
    const repeated = await takenOf(handle, { skipCycle: asked, 'skipCycle of another cycle': { ...asked, cycle: 9 } });
    const after = await stateOf(stage, id);
    const count = Object.keys(FORGED).length + 2;
    return [
      noneOf('requests past the API are refused', [...taken, ...repeated], `${count} of them`),
      noneOf('nothing comes of them', before === after ? [] : [`${before} became ${after}`], after),
      noneOf('each is in the trail', await unreported(stage, id, count), `${count} of them`),
    ];
  } finally {
    await connection.close();
  }
}

/** Names of those that were not refused. */
async function takenOf(handle: WorkflowHandle, updates: Readonly<Record<string, object>>): Promise<readonly string[]> {
  const taken: string[] = [];
  for (const [name, argument] of Object.entries(updates)) {
    const [update = name] = name.split(' ');
    const answer = await handle.executeUpdate<unknown, [object]>(update, { args: [argument] }).then(
      () => `${name} was taken`,
      (error: unknown) => (error instanceof WorkflowUpdateFailedError ? null : `${name}: ${String(error)}`),
    );
    if (answer !== null) taken.push(answer);
  }
  return taken;
}

/** Skips cycle 3 by the API. @returns what the API has sent to the workflow for it */
async function askForSkip({ url, keys }: Stage, handle: WorkflowHandle, id: string): Promise<object> {
  await bodyOf(askJson(url, keys.admin, 'POST', `/v1/subscriptions/${id}/cycles/3/skip`, { reason: 'asked for' }));
  const { events } = await handle.fetchHistory();
  const accepted = events?.findLast((each) => each.workflowExecutionUpdateAcceptedEventAttributes != null);
  const input = accepted?.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
  const text = Buffer.from(input?.args?.payloads?.[0]?.data ?? []).toString();
  return JSON.parse(text) as object;
}

/** Status, amount and pending change, as one text. */
async function stateOf({ url, keys }: Stage, id: string): Promise<string> {
  const path = `/v1/subscriptions/${id}`;
  const shown = await bodyOf<Record<string, unknown>>(ask(url, { method: 'GET', path, key: keys.viewer }));
  return JSON.stringify([shown['status'], shown['amount'], shown['pendingAmountChange'] ?? null]);
}

async function unreported({ url, keys }: Stage, id: string, expected: number): Promise<readonly string[]> {
  const path = `/v1/audit?subscriptionId=${id}&type=request.unrecorded`;
  const { items } = await bodyOf<{ items: { data: { request?: string } }[] }>(
    ask(url, { method: 'GET', path, key: keys.viewer }),
  );
  const told = items.map(({ data }) => data.request).join(', ');
  return items.length === expected ? [] : [`${items.length} of ${expected}: ${told}`];
}
