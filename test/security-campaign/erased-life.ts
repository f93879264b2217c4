import { issueKey } from '../../src/admin/access/key-ring';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, SECOND, toIso } from '../../src/domain/time';
import { applyChange, inTransaction } from '../../src/ledger';
import { OTHER_NAMES, SPELLED_PAYER, SPELLINGS } from '../ledger/payer-spellings';
import { waitUntil } from '../support/wait-until';
import { ask, bodyOf } from './ask';
import { Caller } from './canary-life';
import { OPENED_AT, type Stage } from './stage';

export const ID = 'security-erased';
const { address, email, reference } = SPELLED_PAYER;
const SUBSCRIPTION = `/v1/subscriptions/${ID}`;
/** Real ms until the first payment is due, in which the payer approves. */
const LEAD = 20 * SECOND;
/** Real ms in which something must come to pass. */
const MAX_WAIT = 300_000;
const EUR = (value: number) => ({ value, currency: 'EUR' });

/** What an endpoint answers to events about this subscription. */
export const ANSWER = `thank you, ${address.name} of ${address.city}`;

/** The keys of two operators. */
interface OperatorKeys {
  readonly asking: string;
  readonly deciding: string;
}

/** Ids by which lists about the life can be read. */
export interface ErasedLife {
  readonly paymentId: string;
  readonly endpointId: string;
  readonly jobId: string;
}

/**
 * A subscription that is refused once, a one-time payment whose capture is not approved, and every spelling of their payer in
 * every text that an operator can write. At the end nothing of the payer is in force.
 * @param endpointUrl of an endpoint that answers with {@link ANSWER}
 */
export async function liveAndEnd(stage: Stage, endpointUrl: string): Promise<ErasedLife> {
  const caller = new Caller(stage.url, stage.keys.admin);
  const endpoint = { url: endpointUrl, types: ['*'], description: `asked for by ${address.name}` };
  const { endpointId } = await caller.done<{ endpointId: string }>('POST', '/v1/webhook-endpoints', endpoint);
  await subscribe(stage, caller);
  const item = await openItem(stage, caller);
  // The payer's spellings come last, because a text that can have only one value, such as an assignee, keeps the last one.
  for (const [n, spelling] of [...OTHER_NAMES, ...SPELLINGS].entries())
    await writeEverywhere(caller, n, spelling.replaceAll('\n', ' '), item);
  const keys = { asking: await keyOf(stage, 'Lin Clark'), deciding: await keyOf(stage, 'Grace Hopper') };
  const paymentId = await payOnce(stage, caller, keys);
  const jobId = await runJob(caller, keys);
  await end(stage, caller, endpointId);
  return { paymentId, endpointId, jobId };
}

async function subscribe(stage: Stage, caller: Caller): Promise<void> {
  const first = toIso(stage.stack.clock.now() + LEAD);
  stage.stack.receiver.outOfOrder(ID, Infinity);
  const { paymentId } = await caller.done<{ paymentId: string }>('POST', '/v1/subscriptions', {
    ...{ subscriptionId: ID, amount: EUR(1999), repetition: 'MONTHLY', startAt: first, firstPaymentAt: first },
    ...{ returnURL: `https://shop.example/return?buyer=${encodeURIComponent(address.name)}`, billingAddress: address },
    ...{ payer: { email: 'former@voliere.example', reference }, metadata: { buyer: address.name } },
  });
  stage.stack.sandbox.payer(paymentId).approve('insufficient-funds-once');
  await caller.done('POST', `${SUBSCRIPTION}/consent-check`);
  await untilIs(caller, SUBSCRIPTION, 'active');
  await caller.done('PATCH', `${SUBSCRIPTION}/payer`, { email });
  const isRefused = async () => (await caller.done<{ standing: string }>('GET', SUBSCRIPTION)).standing === 'dunning';
  await waitUntil('the first payment was refused', isRefused, MAX_WAIT);
  // The descriptions of the sandbox name nobody, so one that names the payer is written without the guards, which would refuse it.
  await inTransaction(stage.db, async (db) => {
    await db.query('set local session_replication_role = replica');
    await db.query('update attempts set description = $2 where subscription_id = $1', [
      ...[ID, `no money on the account of ${address.name}`],
    ]);
  });
}

/** Opens an item. All kinds have the same texts of operators; this kind needs no fault of the service. */
async function openItem({ db, stack }: Stage, caller: Caller): Promise<string> {
  await applyChange(db, {
    ...{ subscriptionId: ID as SubscriptionId, key: 'item', at: stack.clock.now(), actor: 'dueday', events: [] },
    subscription: { attention: ['notice_undeliverable:0'] },
  });
  type Items = { readonly items: readonly { readonly item: string; readonly subscriptionId: string | null }[] };
  const { items } = await caller.done<Items>('GET', '/v1/attention?limit=200');
  const found = items.find(({ subscriptionId }) => subscriptionId === ID);
  if (found === undefined) throw new Error('there is no attention item of the subscription');
  return `/v1/attention/${found.item}`;
}

/** One spelling, in the texts of calls that can be made any number of times. */
async function writeEverywhere(caller: Caller, n: number, words: string, item: string): Promise<void> {
  await caller.done('POST', `${SUBSCRIPTION}/${n % 2 === 0 ? 'pause' : 'resume'}`, { reason: `for ${words}` });
  await caller.done('POST', `${item}/note`, { note: `call ${words}` });
  await caller.done('POST', `${item}/assign`, { assignee: words });
  await caller.done('POST', '/v1/halt', { reason: `${words} was here` });
  await caller.done('DELETE', '/v1/halt', { reason: `${words} has left` });
  const filter = { q: words.slice(0, 100), metadata: { buyer: words.slice(0, 100) } };
  const until = toIso(OPENED_AT + 10 * DAY);
  const { holdId } = await caller.done<{ holdId: string }>('POST', '/v1/holds', { filter, until, reason: words });
  await caller.done('DELETE', `/v1/holds/${holdId}`, { reason: `${words} has paid` });
  await caller.call('POST', `${SUBSCRIPTION}/cycles/0/retry`, { reason: `${words} insists` });
  await caller.call('GET', `/v1/subscriptions?q=${encodeURIComponent(words)}`);
}

/** Requests a payment whose capture needs an approval, which is rejected with a reason. */
async function payOnce(stage: Stage, caller: Caller, { asking, deciding }: OperatorKeys): Promise<string> {
  const { paymentId } = await caller.done<{ paymentId: string }>('POST', '/v1/payments', {
    ...{ plan: 'EVENT_DEPENDENT', amount: EUR(4999), timeToCapture: 604_800, returnURL: 'https://shop.example/return' },
    ...{ billingAddress: address, payer: { email, reference }, metadata: { buyer: address.name } },
  });
  stage.stack.sandbox.payer(paymentId).approve();
  const path = `/v1/payments/${paymentId}`;
  await caller.done('POST', `${path}/consent-check`);
  await untilIs(caller, path, 'authorized');
  const approvalId = await approvalFor(caller, `${path}/captures`, { amount: EUR(4999) }, asking);
  const reason = `${address.name} has it already`;
  await bodyOf(caller.call('POST', `/v1/approvals/${approvalId}/reject`, { reason }, deciding));
  await caller.done('POST', `${path}/release`, { reason: `${address.name} sent it back` });
  await untilIs(caller, path, 'released');
  return paymentId;
}

async function keyOf({ db }: Stage, holder: string): Promise<string> {
  const act = { actor: 'campaign', reason: null, at: OPENED_AT, realAt: Date.now() };
  const issued = await issueKey(db, { name: `erasure ${holder}`, role: 'admin', holder }, act);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return issued.key;
}

/** Makes a request that needs approval by a second person. @returns the id of the approval */
async function approvalFor(caller: Caller, path: string, body: unknown, key: string): Promise<string> {
  const asked = await caller.call('POST', path, body, key);
  const { approvalId = '' } = JSON.parse(asked.text) as { approvalId?: string };
  if (approvalId === '') throw new Error(`expected that an approval is required; got ${asked.text}`);
  return approvalId;
}

/** A job that pauses the payer's subscription, found by name. */
async function runJob(caller: Caller, { asking, deciding }: OperatorKeys): Promise<string> {
  const bulk = { action: 'pause', parameters: { reason: `for ${address.name}` }, filter: { q: 'Lüdenscheidt' } };
  const { token } = await bodyOf<{ token: string }>(caller.call('POST', '/v1/bulk', { ...bulk, dryRun: true }, asking));
  const approvalId = await approvalFor(caller, '/v1/bulk', { token }, asking);
  const reason = `${address.name} is on holiday`;
  await bodyOf(caller.call('POST', `/v1/approvals/${approvalId}/approve`, { reason }, deciding));
  const headers = { 'content-type': 'application/json', 'dueday-approval': approvalId };
  const body = JSON.stringify({ token });
  const { jobId } = await bodyOf<{ jobId: string }>(
    ask(caller.url, { method: 'POST', path: '/v1/bulk', key: asking, body, headers }),
  );
  const hasFinished = async () =>
    (await caller.done<{ state: string }>('GET', `/v1/jobs/${jobId}`)).state !== 'running';
  await waitUntil('the job has finished', hasFinished, MAX_WAIT);
  return jobId;
}

/** Ends everything of the payer that is under way, as an operator would. */
async function end({ stack }: Stage, caller: Caller, endpointId: string): Promise<void> {
  type Notices = { readonly items: readonly { readonly noticeId: string; readonly type: string }[] };
  const pending = `/v1/notices?state=pending&subscriptionId=${ID}`;
  const { items } = await caller.done<Notices>('GET', pending);
  const toPayer = items.filter(({ type }) => type === 'payment.failed');
  if (toPayer.length === 0) throw new Error('expected a notice to the payer that was not delivered');
  const told = { channel: 'phone', toldAt: toIso(stack.clock.now() - 1), evidence: `spoke to ${address.name}` };
  for (const { noticeId } of toPayer) await caller.done('POST', `/v1/notices/${noticeId}/told`, told);
  // Cancelled only now: after a cancellation, a notice that announces a retry is given up at its next try.
  await caller.done('POST', `${SUBSCRIPTION}/cancel`, { reason: `${address.name} of ${address.city} asked for it` });
  await untilIs(caller, SUBSCRIPTION, 'cancelled');
  stack.receiver.outOfOrder(ID, 0);
  const isDelivered = async () => (await caller.done<Notices>('GET', pending)).items.length === 0;
  await waitUntil('no notice is pending', isDelivered, MAX_WAIT);
  await caller.done('POST', `${SUBSCRIPTION}/acknowledge`, { reason: `${address.name} knows` });
  const deliveries = `/v1/webhook-endpoints/${endpointId}/deliveries?limit=200`;
  const isAnswered = async () => (await caller.call('GET', deliveries)).text.includes(ANSWER);
  await waitUntil('an answer of the endpoint is kept', isAnswered, MAX_WAIT);
  await caller.done('PATCH', `/v1/webhook-endpoints/${endpointId}`, { enabled: false });
}

async function untilIs(caller: Caller, path: string, wanted: string): Promise<void> {
  const isIt = async () => (await caller.done<{ status: string }>('GET', path)).status === wanted;
  await waitUntil(`${path} is ${wanted}`, isIt, MAX_WAIT);
}
