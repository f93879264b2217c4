import { randomBytes } from 'node:crypto';
import { changedSignal } from '../../src/contract/messages';
import { WORKFLOW_KINDS } from '../../src/contract/versions';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import { ACTIVITIES } from '../../workflows/activities';
import type { SubscriptionId } from '../../src/domain/ids';
import { ask, askJson, bodyOf } from '../security-campaign/ask';
import { openStage, type Stage, SUBSCRIPTIONS } from '../security-campaign/stage';
import type { Say } from '../support/campaign';
import { unlessAborted } from '../support/interruption';
import { waitUntil } from '../support/wait-until';
import { forgeries, type Known, replays } from './inputs';
import { copied, Stranger } from './stranger';

/** The number of copied payloads that are sent again: those of one subscription repeat themselves. */
const REPLAYED = 12;

export interface Found {
  /** Activities that were scheduled. */
  readonly activities: number;
  readonly undueDebits: readonly string[];
  readonly mandatesEnded: readonly string[];
  readonly amountsChanged: readonly string[];
}

/** The records of the payment service and the API that the stranger might have changed. */
interface Records {
  readonly debits: readonly string[];
  /** The results of the consent and of the authorizations, by payment. */
  readonly inForce: ReadonlyMap<string, string>;
  readonly amounts: ReadonlyMap<string, string>;
}

/**
 * Runs the campaign first without encryption keys, then with keys that the stranger does not have, each against its own processes.
 * With keys, payloads that were sealed for one purpose are also sent for every other one.
 */
export async function forge(giveUp: AbortSignal, say: Say): Promise<Found> {
  const key = `k1:${randomBytes(32).toString('base64')}`;
  const plain = await onStage('without keys', {}, giveUp, say);
  const sealed = await onStage('with keys', { PAYLOAD_ENCRYPTION_KEYS: key }, giveUp, say);
  return {
    activities: plain.activities + sealed.activities,
    undueDebits: [...plain.undueDebits, ...sealed.undueDebits],
    mandatesEnded: [...plain.mandatesEnded, ...sealed.mandatesEnded],
    amountsChanged: [...plain.amountsChanged, ...sealed.amountsChanged],
  };
}

async function onStage(
  name: string,
  env: Readonly<Record<string, string>>,
  giveUp: AbortSignal,
  say: Say,
): Promise<Found> {
  const stage = await openStage(env);
  try {
    return await unlessAborted(giveUp, () => attack(stage, name, say));
  } finally {
    await stage.close();
  }
}

async function attack(stage: Stage, name: string, say: Say): Promise<Found> {
  const known = await knownOf(stage);
  const before = await recordsOf(stage);
  const stranger = await Stranger.open(stage.stack.temporalAddress);
  try {
    const seen = new Map((await stranger.findInputs()).map((payload) => [JSON.stringify(payload.data), payload]));
    const inputs = [...seen.values()].slice(0, REPLAYED).map(copied);
    if (inputs.length === 0) throw new Error('the histories have no input to replay');
    const orders = [...forgeries(known, ACTIVITIES), ...replays(known, ACTIVITIES, inputs)];
    await stranger.send(orders);
    const copies = await impersonate(stranger, known);
    const activities = orders.length + copies * Object.keys(ACTIVITIES).length;
    const found = { activities, ...compare(name, before, await recordsOf(stage)) };
    say(
      `${name}: ${activities} activities, ${inputs.length} copied inputs, ${copies} from the workflow that they were for`,
    );
    await goesOn(stage);
    return found;
  } finally {
    await stranger.close();
  }
}

/**
 * Sends what was sealed for one subscription's workflow, in the name of that workflow, to every other receiver.
 * @returns how many payloads were sent; 0 if nothing is sealed
 */
async function impersonate(stranger: Stranger, known: Known): Promise<number> {
  const workflowId = subscriptionWorkflowId(SUBSCRIPTIONS.at(-1) as SubscriptionId);
  const payloads = await stranger.findSealed(workflowId);
  const orders = (inputs: readonly unknown[]) => replays(known, ACTIVITIES, inputs);
  const { taskQueue } = known;
  const target = { taskQueue, signals: [changedSignal.name, 'cancel'], types: WORKFLOW_KINDS, orders };
  if (payloads.length > 0) await stranger.impersonate(workflowId, target, payloads);
  return payloads.length;
}

async function knownOf({ stack, payments }: Stage): Promise<Known> {
  const accounts = stack.sandbox.payments();
  const paymentIds = accounts.filter(({ useCase }) => useCase === 'SUBSCRIPTION').map(({ paymentId }) => paymentId);
  return { taskQueue: stack.taskQueue, subscriptionIds: SUBSCRIPTIONS, paymentIds, oneTime: payments };
}

async function recordsOf({ stack, url, keys, payments }: Stage): Promise<Records> {
  const accounts = stack.sandbox.payments();
  const inForce = accounts.map(({ paymentId, consent, authorizations }) => {
    const results = authorizations.map(({ authorizationId, result }) => `${authorizationId} ${result}`);
    return [paymentId, [`consent ${consent.result}`, ...results].join(', ')] as const;
  });
  const paths = [
    ...SUBSCRIPTIONS.map((id) => `/v1/subscriptions/${id}`),
    ...payments.map((id) => `/v1/payments/${id}`),
  ];
  const amounts = paths.map(async (path) => {
    const shown = await bodyOf<Record<string, unknown>>(ask(url, { method: 'GET', path, key: keys.viewer }));
    return [path, JSON.stringify([shown['status'], shown['amount'], shown['pendingAmountChange'] ?? null])] as const;
  });
  return {
    debits: accounts.flatMap(({ paymentId, debits, refunds }) => [
      ...debits.map(({ captureId, amount }) => `${paymentId} ${captureId} ${amount.value}`),
      ...refunds.map(({ refundId, amount }) => `${paymentId} ${refundId} -${amount}`),
    ]),
    inForce: new Map(inForce),
    amounts: new Map(await Promise.all(amounts)),
  };
}

function compare(name: string, before: Records, after: Records): Omit<Found, 'activities'> {
  const changed = (was: ReadonlyMap<string, string>, is: ReadonlyMap<string, string>) =>
    [...was]
      .filter(([id, text]) => is.get(id) !== text)
      .map(([id, text]) => `${name}: ${id}: ${text} -> ${is.get(id)}`);
  return {
    undueDebits: after.debits.filter((each) => !before.debits.includes(each)).map((each) => `${name}: ${each}`),
    mandatesEnded: changed(before.inForce, after.inForce),
    amountsChanged: changed(before.amounts, after.amounts),
  };
}

/** Checks that requests of the API are still carried out after all that. @throws Error if they are not */
async function goesOn({ url, keys }: Stage): Promise<void> {
  const path = `/v1/subscriptions/${SUBSCRIPTIONS[0] ?? ''}`;
  await bodyOf(askJson(url, keys.admin, 'POST', `${path}/cancel`, { reason: 'the end' }));
  await waitUntil('it is cancelled', async () => {
    const { status } = await bodyOf<{ status: string }>(ask(url, { method: 'GET', path, key: keys.viewer }));
    return status === 'cancelled';
  });
}
