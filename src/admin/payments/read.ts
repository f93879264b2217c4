import type { PaymentId } from '../../domain/ids';
import {
  type Db,
  getPayment,
  type PaymentRecord,
  numberCursor,
  listEvents,
  listPaymentIds,
  listPayments,
  paymentsByRequest,
  readList,
} from '../../ledger';
import { type AdminDeps, type TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { pageOf, listOf, PageQuery } from '../http/fields';
import { readSortedPage } from '../http/list-query';
import { notFound, ERROR_RESPONSES } from '../http/problems';
import { READS_PAYMENTS, seesEmails } from '../access/powers';
import { EventOut, viewEvent } from '../audit/routes';
import { OF_PAYMENT, PaymentOut, PaymentsQuery, viewPayment } from './schema';

/** @throws Problem `not_found`, also for a draft, which has no id yet */
export async function findPayment(db: Db, id: PaymentId): Promise<PaymentRecord> {
  const record = await getPayment(db, id);
  if (record === null) throw notFound(`There is no payment ${id}.`);
  return record;
}

const READ = { config: { role: 'viewer', scope: READS_PAYMENTS } } as const;

const PAYMENTS = { page: listPayments, ids: listPaymentIds, byId: paymentsByRequest };

/** The one-time payments, one of them, and its audit log. */
export function readPaymentRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/payments',
    {
      ...READ,
      schema: {
        tags: ['payments'],
        operationId: 'listPayments',
        summary: 'Lists one-time payments, newest first by default',
        querystring: PaymentsQuery,
        response: { 200: listOf(PaymentOut), ...ERROR_RESPONSES },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const filter = { ...request.query, hidesEmail: !seesEmails(caller) };
      const asked = { filter, query: request.query, keyId: caller.firstKeyId };
      const { items, nextCursor } = await readSortedPage(deps, PAYMENTS, asked);
      return { items: items.map((each) => viewPayment(each, caller)), nextCursor };
    },
  );
  app.get(
    '/payments/:id',
    {
      ...READ,
      schema: {
        ...OF_PAYMENT,
        operationId: 'getPayment',
        summary: 'Returns a one-time payment',
      },
    },
    async (request) => {
      const record = await readList(deps.reading, (db) => findPayment(db, request.params.id));
      return viewPayment(record, callerOf(request));
    },
  );
  app.get(
    '/payments/:id/events',
    {
      ...READ,
      schema: {
        ...OF_PAYMENT,
        operationId: 'listPaymentEvents',
        summary: 'Lists the audit log of a one-time payment, newest first (not its webhook events)',
        querystring: PageQuery,
        response: { 200: listOf(EventOut), ...ERROR_RESPONSES },
      },
    },
    async ({ params, query }) => {
      const page = pageOf(query, numberCursor.is);
      const { items, nextCursor } = await readList(deps.reading, async (db) => {
        const { paymentId } = await findPayment(db, params.id);
        return listEvents(db, { ofPayment: paymentId }, page);
      });
      return { items: items.map(viewEvent), nextCursor };
    },
  );
}
