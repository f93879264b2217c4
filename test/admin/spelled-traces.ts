import { randomUUID } from 'node:crypto';
import type { SubscriptionId } from '../../src/domain/ids';
import { HOUR, toIso } from '../../src/domain/time';
import { applyChange } from '../../src/ledger';
import { orderPaymentFailedNotice } from '../ledger/ledger-fixture';
import { SPELLED_PAYER, SPELLINGS } from '../ledger/payer-spellings';
import { type AdminUnderTest, NOW } from './admin-under-test';
import { order } from './order';

/** The id of the subscription of {@link SPELLED_PAYER}. */
export const SPELLED_ID = 'sub_spelled' as SubscriptionId;
const { address, email, reference } = SPELLED_PAYER;

type Write = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<unknown>;

function writing(admin: AdminUnderTest): Write {
  return async (method, path, body) => {
    const answer = await admin.call(method, `/v1/${path}`, { body, idempotencyKey: randomUUID() });
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`);
    return answer.body === '' ? null : answer.json();
  };
}

/** Writes each spelling of the payer's data into reasons, notes and assignees, and the payer's name into other free texts. */
export async function writeEverywhere(admin: AdminUnderTest): Promise<void> {
  const write = writing(admin);
  await write('POST', 'subscriptions', {
    ...order({
      subscriptionId: SPELLED_ID,
      billingAddress: address,
      payer: { email: 'former@voliere.example', reference },
    }),
    metadata: { order: '4711', buyer: 'Zoë Lüdenscheidt' },
  });
  await applyChange(admin.db, {
    ...{ subscriptionId: SPELLED_ID, key: 'active', at: NOW, actor: 'dueday', events: [] },
    subscription: { status: 'active', attention: ['notice_undeliverable:0'] },
  });
  await write('PATCH', `subscriptions/${SPELLED_ID}/payer`, { email });
  const { items } = (await admin.call('GET', '/v1/attention')).json<{ items: { item: string }[] }>();
  const item = items[0]?.item ?? '';
  const { noticeId } = await orderPaymentFailedNotice(admin.db, {
    ...{ subscriptionId: SPELLED_ID, cycle: 0, attempt: 0, data: {}, createdAt: NOW },
  });
  for (const [n, spelling] of [...SPELLINGS, 'former@voliere.example'].entries()) {
    const words = spelling.replaceAll('\n', ' ');
    await write('POST', `subscriptions/${SPELLED_ID}/${n % 2 === 0 ? 'pause' : 'resume'}`, { reason: `for ${words}` });
    await write('POST', `attention/${item}/note`, { note: `call ${words}` });
    await write('POST', `attention/${item}/assign`, { assignee: words });
    await write('POST', 'halt', { reason: `${words} was here` });
    await write('DELETE', 'halt', { reason: `${words} has left` });
    await holdFor(write, words);
  }
  await write('POST', 'webhook-endpoints', {
    ...{ url: 'https://shop.example/', types: ['cycle.*'], description: `asked for by ${address.name}` },
  });
  await runJob(write);
  await write('POST', `subscriptions/${SPELLED_ID}/cancel`, { reason: `${address.name} of ${address.city}` });
  admin.clock.business += HOUR;
  await write('POST', `notices/${noticeId}/told`, {
    ...{ channel: 'phone', toldAt: toIso(NOW + 1000), evidence: `spoke to ${address.name}` },
  });
  await write('POST', `subscriptions/${SPELLED_ID}/acknowledge`, { reason: `${address.name} knows` });
}

/** Places and lifts a hold whose filter and reasons name the payer. */
async function holdFor(write: Write, words: string): Promise<void> {
  const filter = { q: words.slice(0, 100), metadata: { buyer: words.slice(0, 100) } };
  const until = toIso(NOW + 24 * HOUR);
  const { holdId } = (await write('POST', 'holds', { filter, until, reason: `for ${words}` })) as { holdId: string };
  await write('DELETE', `holds/${holdId}`, { reason: `${words} has paid` });
}

/** Starts a bulk job with one call for the payer, and stops it. */
async function runJob(write: Write): Promise<void> {
  const bulk = { action: 'pause', parameters: { reason: `for ${address.name}` }, filter: { q: 'Lüdenscheidt' } };
  const { token } = (await write('POST', 'bulk', { ...bulk, dryRun: true })) as { token: string };
  const { jobId } = (await write('POST', 'bulk', { token })) as { jobId: string };
  await write('DELETE', `jobs/${jobId}`, undefined);
}

/** Ends everything of the payer that is under way, by writing to the ledger. */
export async function endEverything({ db }: AdminUnderTest): Promise<void> {
  await applyChange(db, {
    ...{ subscriptionId: SPELLED_ID, key: 'end', at: NOW, actor: 'dueday', events: [] },
    subscription: { status: 'cancelled', nextDueAt: null, attention: [], dunning: false },
  });
  await db.query(
    `update notices set state = 'delivered', delivered_at = now(), delivered_real_at = now(), channel = 'webhook',
       evidence = '{"httpStatus": 204}' where state <> 'delivered'`,
  );
  await db.query(`update webhook_endpoints set enabled = false, disabled_reason = 'disabled_by_admin'`);
}
