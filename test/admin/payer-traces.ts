import { randomUUID } from 'node:crypto';
import type { SubscriptionId } from '../../src/domain/ids';
import { HOUR, toIso } from '../../src/domain/time';
import { applyChange, applyPaymentChange, type Pool } from '../../src/ledger';
import { queueEvents, tryAll } from '../ledger/delivery-fixture';
import { orderPaymentFailedNotice } from '../ledger/ledger-fixture';
import { type AdminUnderTest, NOW } from './admin-under-test';
import { order } from './order';
import { createOpened } from './payment-order';

/** A payer whose words occur nowhere else in the program. */
export const CANARY = {
  name: 'Kanarie Vogelsang',
  street: 'Zwitscherweg 4711',
  postalCode: 'ZW98431',
  city: 'Singhausen',
  email: 'kanarie@voliere.example',
  billed: 'rechnung@voliere.example',
  reference: 'kanarie/4711 ü',
  returned: 'https://shop.example/zurueck?wer=kanarienfrau',
} as const;

/** Parts of those words, in lower case. */
export const CANARY_WORDS = [
  'kanarie',
  'vogelsang',
  'zwitscherweg',
  'zw98431',
  'singhausen',
  'voliere',
  'kanarienfrau',
] as const;

const { name, street, postalCode, city, email, billed, reference, returned } = CANARY;

export const CANARY_ADDRESS = { name, street, postalCode, city, country: 'DE', email: billed };

const PERSONAL = {
  billingAddress: CANARY_ADDRESS,
  shippingAddress: CANARY_ADDRESS,
  returnURL: returned,
  payer: { email, reference, language: 'de' },
};

/** The subscription of {@link CANARY}. */
export const CANARY_ID = 'sub_canary' as SubscriptionId;

/** Does everything that leaves a trace of the payer, through the API where possible. */
export async function leaveTraces(admin: AdminUnderTest): Promise<void> {
  const call = async (url: string, body?: unknown, idempotencyKey: string = randomUUID()) => {
    const answer = await admin.call('POST', url, { body: body ?? {}, idempotencyKey });
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.body}`);
    return answer;
  };
  await call('/v1/webhook-endpoints', { url: 'https://shop.example/', types: ['*'] });
  const orderKey = `order-of-${encodeURIComponent(reference)}`;
  await call('/v1/subscriptions', order({ ...PERSONAL, subscriptionId: CANARY_ID }), orderKey);
  await applyChange(admin.db, {
    subscriptionId: CANARY_ID,
    key: 'active',
    at: NOW,
    actor: 'dueday',
    events: [{ type: 'cycle.missed', data: { cycle: 0, reason: `as ${name} wished` } }],
    subscription: { status: 'active', attention: ['notice_undeliverable:0'] },
  });
  await call(`/v1/subscriptions/${CANARY_ID}/pause`, { reason: `${name} is on holiday` });
  await admin.call('PATCH', `/v1/subscriptions/${CANARY_ID}/payer`, { body: { email } });
  const notice = { subscriptionId: CANARY_ID, cycle: 0, attempt: 0, data: {}, createdAt: NOW };
  const { noticeId } = await orderPaymentFailedNotice(admin.db, notice);
  admin.clock.business += HOUR;
  const told = { channel: 'phone', toldAt: toIso(NOW + 1000), evidence: `spoke to ${name}` };
  await call(`/v1/notices/${noticeId}/told`, told);
  const [item] = (await admin.call('GET', '/v1/attention')).json<{ items: { item: string }[] }>().items;
  await call(`/v1/attention/${item?.item ?? ''}/note`, { note: `write to ${email}` });
  await call('/v1/bulk', { action: 'pause', filter: { q: 'Vogelsang' }, dryRun: true });
  const { paymentId } = await createOpened(admin, PERSONAL);
  await applyPaymentChange(admin.db, {
    paymentId,
    at: NOW,
    patch: { consent: { status: 'failed', reason: 'declined' } },
  });
  await admin.db.query(`update payments set status = 'consent_failed' where payment_id = $1`, [paymentId]);
  await deliverAll(admin.db, `no customer ${reference}`);
}

/** Records that every endpoint has received every event of its types, and what it answered. */
export async function deliverAll(db: Pool, answer: string): Promise<void> {
  await queueEvents(db);
  const { rows } = await db.query<{ endpoint_id: string }>('select distinct endpoint_id from webhook_queues');
  for (const { endpoint_id: endpointId } of rows) await tryAll(db, endpointId, { status: 200, answer }, NOW);
}

interface Traced {
  readonly table: string;
  readonly word: string;
  readonly row: string;
}

/** Rows of any table that have one of the words in any column, as text or as bytes. */
export async function rowsWith(db: Pool, words: readonly string[]): Promise<readonly Traced[]> {
  const found: Traced[] = [];
  for (const table of await allTables(db)) {
    const { rows } = await db.query<Traced>(
      `select $1 as table, word, t::text as row from ${table} t, unnest($2::text[]) as word
       where position(word in lower(t::text)) > 0 or position(encode(convert_to(word, 'UTF8'), 'hex') in t::text) > 0`,
      [table, words],
    );
    found.push(...rows);
  }
  return found;
}

export async function allTables(db: Pool): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  return rows.map(({ name: table }) => table);
}
