import type { PaymentId, SubscriptionId } from '../../domain/ids';
import {
  type CreationPlace,
  creationStart,
  type Db,
  isCreationCursor,
  isNumberCursor,
  listEvents,
  listOrphanedPayments,
  listSubscriptions,
  mergePages,
  type Page,
  readHalt,
  readList,
} from '../../ledger';
import type { AdminDeps } from '../admin-deps';
import { pageOf } from '../page';
import { AttentionOut } from '../schemas/attention';
import { listOf, PageQuery } from '../schemas/listing';
import { FAULT_ANSWERS } from '../schemas/problem';
import { AuditEntryOut, AuditQuery } from '../schemas/trail';
import { viewAttention, viewHaltAttention, viewOrphanedPayment } from '../views/attention-view';
import { viewAuditEntry } from '../views/event-view';
import type { TypedApp } from './typed-app';

/** `GET /audit` and `GET /attention`. */
export function trailRoutes(app: TypedApp, { reading }: AdminDeps): void {
  app.get(
    '/audit',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['trail'],
        operationId: 'listAudit',
        summary: 'Lists the whole trail, newest first; `from` inclusive, `to` exclusive',
        querystring: AuditQuery,
        response: { 200: listOf(AuditEntryOut), ...FAULT_ANSWERS },
      },
    },
    async ({ query }) => {
      const { subscriptionId, paymentId, ...rest } = query;
      const filter = {
        ...rest,
        subscriptionId: subscriptionId as SubscriptionId | undefined,
        ofPayment: paymentId as PaymentId | undefined,
      };
      const page = pageOf(query, isNumberCursor);
      const { items, nextCursor } = await readList(reading, (db) => listEvents(db, filter, page));
      return { items: items.map(viewAuditEntry), nextCursor };
    },
  );
  app.get(
    '/attention',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['trail'],
        operationId: 'listAttention',
        summary:
          'Lists what waits for a person, and why: first a halt of all sending, then subscriptions and one-time payments, newest first',
        querystring: PageQuery,
        response: { 200: listOf(AttentionOut), ...FAULT_ANSWERS },
      },
    },
    async ({ query }) => readList(reading, (db) => listAttention(db, pageOf(query, isCreationCursor))),
  );
}

interface AttentionPage {
  items: AttentionOut[];
  nextCursor: string | null;
}

/** A halt comes first, and counts as an item of the first page; then what was created last. */
async function listAttention(db: Db, page: Page): Promise<AttentionPage> {
  const halt = page.cursor === null ? await readHalt(db) : null;
  const first = halt === null ? [] : [viewHaltAttention(halt)];
  const limit = page.limit - first.length;
  if (limit === 0) return { items: first, nextCursor: creationStart() };
  const subscriptions = await listSubscriptions(db, { standing: 'needs_attention' }, { ...page, limit });
  const payments = await listOrphanedPayments(db, { ...page, limit });
  const { items, nextCursor } = mergePages<CreationPlace & { readonly item: AttentionOut }>(limit, [
    {
      ...subscriptions,
      items: subscriptions.items.map((each) => {
        return { createdAt: each.createdAt, id: each.subscriptionId, item: viewAttention(each) };
      }),
    },
    { ...payments, items: payments.items.map((each) => ({ ...each, item: viewOrphanedPayment(each) })) },
  ]);
  return { items: [...first, ...items.map(({ item }) => item)], nextCursor };
}
