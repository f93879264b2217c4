import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { isNumberCursor, isCreationCursor, listEvents, listSubscriptions, readList } from '../../ledger';
import type { AdminDeps } from '../admin-deps';
import { pageOf } from '../page';
import { AttentionOut } from '../schemas/attention';
import { listOf, PageQuery } from '../schemas/listing';
import { FAULT_ANSWERS } from '../schemas/problem';
import { AuditEntryOut, AuditQuery } from '../schemas/trail';
import { viewAttention } from '../views/attention-view';
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
        summary: 'Lists the subscriptions that wait for a person, and why',
        querystring: PageQuery,
        response: { 200: listOf(AttentionOut), ...FAULT_ANSWERS },
      },
    },
    async ({ query }) => {
      const page = pageOf(query, isCreationCursor);
      const waiting = { standing: 'needs_attention' } as const;
      const { items, nextCursor } = await readList(reading, (db) => listSubscriptions(db, waiting, page));
      return { items: items.map(viewAttention), nextCursor };
    },
  );
}
