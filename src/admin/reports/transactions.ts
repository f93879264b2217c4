import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isoOrNull } from '../../domain/time';
import {
  findTransactionPlace,
  insertEvent,
  transactionCursor,
  listTransactions,
  readList,
  readTransactions,
  type TransactionFilter,
  type TransactionPlace,
} from '../../ledger';
import { type AdminDeps, listing, type TypedApp } from '../dependencies';
import { callerOf, logSecurity, securityActOf } from '../http/caller';
import { listOf, pageOf } from '../http/fields';
import { preferredType } from '../csv/media-types';
import { CSV_TYPE, CsvAnswers } from '../csv/stream';
import { FAULT_ANSWERS, invalidRequest } from '../http/problems';
import { fault } from '../http/validation';
import { TRANSACTION_COLUMNS, transactionCells } from './transaction-csv';
import { TransactionOut, TransactionsQuery } from './transaction-schema';

const JSON_TYPE = 'application/json';

const description =
  'Debits, captures and refunds of all plans, one item each, in the order in which they began, which never changes. With `Accept: text/csv` all of them are streamed, regardless of `limit`: a header, then one line each (RFC 4180), amounts in cents and as decimals. An apostrophe is put before `=`, `+`, `-`, `@`, a tab and a line end, if they stand at the beginning of a text or after `;`, `,`, a tab or a quote, so that no spreadsheet runs it. A stream that broke off is resumed by `after`, the transactionId of its last whole line.';

/** `GET /transactions`: a page as JSON, or all of them as CSV. */
export function transactionRoutes(app: TypedApp, deps: AdminDeps): void {
  const answers = new CsvAnswers(app);
  app.get(
    '/transactions',
    {
      config: { role: 'viewer', scope: 'reports' },
      schema: {
        tags: ['transactions'],
        operationId: 'listTransactions',
        summary: 'Lists every movement of money, oldest first, or streams all of them as CSV',
        description,
        querystring: TransactionsQuery,
        response: {
          200: {
            description: 'A page of the list; with Accept: text/csv all of it is streamed.',
            content: { [JSON_TYPE]: { schema: listOf(TransactionOut) }, [CSV_TYPE]: { schema: z.string() } },
          },
          ...FAULT_ANSWERS,
        },
      },
    },
    async (request, reply) => {
      const type = preferredType(request.headers.accept, [JSON_TYPE, CSV_TYPE]);
      const { limit, cursor, after, ...filter } = request.query;
      const place = await placeOf(deps, { limit, cursor, after });
      if (type === JSON_TYPE) {
        const { items, nextCursor } = await readList(listing(deps), (db) => listTransactions(db, filter, place, limit));
        return { items: [...items], nextCursor };
      }
      await recordExport(deps, request, filter);
      return answers.send(reply, listing(deps), 'transactions', {
        columns: TRANSACTION_COLUMNS,
        cells: transactionCells,
        read: (db, last, most) => readTransactions(db, filter, last ?? place, most),
        ended: (rows) => request.log.info({ rows, actor: callerOf(request).name }, 'transactions exported'),
      });
    },
  );
}

/** Before the first row leaves: what is not in the trail is not exported. The payer's reference is personal data and stays out of it. */
async function recordExport(
  { db, clock }: AdminDeps,
  request: FastifyRequest,
  { from, to, reference, ...filter }: TransactionFilter,
): Promise<void> {
  const { address, ...by } = securityActOf(request);
  const span = { from: isoOrNull(from ?? null), to: isoOrNull(to ?? null) };
  const data = { ...filter, ...span, byReference: reference !== undefined, address };
  await insertEvent(db, { ...by, subscriptionId: null, at: clock.now(), type: 'transactions.exported', data });
  logSecurity(request, 'transactions.exported');
}

/** Behind what the list begins. @throws Problem `invalid_request` where nothing of this list is named. */
async function placeOf(deps: AdminDeps, query: TransactionsQuery): Promise<TransactionPlace | null> {
  const { after } = query;
  if (after === undefined) return transactionCursor.read(pageOf(query, transactionCursor.is).cursor);
  const place = await readList(listing(deps), (db) => findTransactionPlace(db, after));
  if (place === null) throw invalidRequest([fault('after', 'the transactionId of a movement of money', after)]);
  return place;
}
