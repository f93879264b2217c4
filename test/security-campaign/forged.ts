import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { ask, askJson, bodyOf } from './ask';
import type { Check } from '../support/campaign';
import { noneOf } from './check';
import { type Stage, SUBSCRIPTIONS } from './stage';

const AS_ADMIN = { actor: 'ada', reason: 'because I can' };

/** Messages that would change a subscription if its workflow accepted them, by name. */
const FORGED: Readonly<Record<string, unknown>> = {
  pause: { ...AS_ADMIN, until: null },
  cancel: AS_ADMIN,
  skipCycle: { ...AS_ADMIN, cycle: 1 },
  changed: 1_000_000,
};

/** Checks that messages sent to Temporal itself, bypassing the API, change nothing, and that the workflow continues. */
export async function checkForged(stage: Stage): Promise<readonly Check[]> {
  const connection = await Connection.connect({ address: stage.stack.temporalAddress });
  try {
    const id = SUBSCRIPTIONS.at(-1) ?? '';
    const workflowId = subscriptionWorkflowId(id as SubscriptionId);
    const handle = new Client({ connection }).workflow.getHandle(workflowId);
    const before = await stateOf(stage, id);
    const taken = await takenOf(handle);
    for (const [name, argument] of Object.entries(FORGED)) await handle.signal<unknown[]>(name, argument);
    const { url, keys } = stage;
    await bodyOf(askJson(url, keys.admin, 'POST', `/v1/subscriptions/${id}/cycles/3/skip`, { reason: 'asked for' }));
    const after = await stateOf(stage, id);
    const failed = (await handle.fetchHistory()).events?.filter(
      (each) => each.workflowTaskFailedEventAttributes != null,
    );
    const count = Object.keys(FORGED).length;
    return [
      noneOf('updates past the API are refused', taken, `${count} of them`),
      noneOf('nothing comes of signals past the API', before === after ? [] : [`${before} became ${after}`], after),
      noneOf(
        'the workflow goes on',
        (failed ?? []).map(() => 'a task of the workflow failed'),
        `after ${count} signals`,
      ),
    ];
  } finally {
    await connection.close();
  }
}

/** Names of the updates that were not refused. */
async function takenOf(handle: WorkflowHandle): Promise<readonly string[]> {
  const taken: string[] = [];
  for (const [name, argument] of Object.entries(FORGED)) {
    const isRefused = await handle.executeUpdate<unknown, [unknown]>(name, { args: [argument] }).then(
      () => false,
      () => true,
    );
    if (!isRefused) taken.push(`${name} was taken`);
  }
  return taken;
}

/** Status, amount and pending change, as one text. */
async function stateOf({ url, keys }: Stage, id: string): Promise<string> {
  const path = `/v1/subscriptions/${id}`;
  const shown = await bodyOf<Record<string, unknown>>(ask(url, { method: 'GET', path, key: keys.viewer }));
  return JSON.stringify([shown['status'], shown['amount'], shown['pendingAmountChange'] ?? null]);
}
