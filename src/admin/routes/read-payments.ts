import { isCreationCursor, isNumberCursor, listEvents, listPayments, readList } from '../../ledger';
import type { AdminDeps } from '../admin-deps';
import { findPayment } from '../found-payment';
import { pageOf } from '../page';
import { listOf, PageQuery } from '../schemas/listing';
import { PaymentOut } from '../schemas/payment';
import { PaymentParams, PaymentsQuery } from '../schemas/payment-request';
import { FAULT_ANSWERS } from '../schemas/problem';
import { EventOut } from '../schemas/trail';
import { viewEvent } from '../views/event-view';
import { viewPayment } from '../views/payment-view';
import type { TypedApp } from './typed-app';

const READ = { config: { role: 'viewer' } } as const;
const tags = ['payments'];

/** The one-time payments, one of them, and its trail. */
export function readPaymentRoutes(app: TypedApp, { reading }: AdminDeps): void {
  app.get(
    '/payments',
    {
      ...READ,
      schema: {
        tags,
        operationId: 'listPayments',
        summary: 'Lists one-time payments, newest first',
        querystring: PaymentsQuery,
        response: { 200: listOf(PaymentOut), ...FAULT_ANSWERS },
      },
    },
    async ({ query }) => {
      const page = pageOf(query, isCreationCursor);
      const { items, nextCursor } = await readList(reading, (db) => listPayments(db, query, page));
      return { items: items.map(viewPayment), nextCursor };
    },
  );
  app.get(
    '/payments/:id',
    {
      ...READ,
      schema: {
        tags,
        operationId: 'getPayment',
        summary: 'Shows one one-time payment',
        params: PaymentParams,
        response: { 200: PaymentOut, ...FAULT_ANSWERS },
      },
    },
    async ({ params }) => viewPayment(await readList(reading, (db) => findPayment(db, params))),
  );
  app.get(
    '/payments/:id/events',
    {
      ...READ,
      schema: {
        tags,
        operationId: 'listPaymentEvents',
        summary: 'Lists the trail of one one-time payment, newest first',
        params: PaymentParams,
        querystring: PageQuery,
        response: { 200: listOf(EventOut), ...FAULT_ANSWERS },
      },
    },
    async ({ params, query }) => {
      const page = pageOf(query, isNumberCursor);
      const { items, nextCursor } = await readList(reading, async (db) => {
        const { paymentId } = await findPayment(db, params);
        return listEvents(db, { ofPayment: paymentId }, page);
      });
      return { items: items.map(viewEvent), nextCursor };
    },
  );
}
