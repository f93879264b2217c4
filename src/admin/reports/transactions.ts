import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isoOrNull } from '../../domain/time';
import {
  findTransactionPosition,
  insertEvent,
  transactionCursor,
  listTransactions,
  readList,
  readTransactions,
  type TransactionFilter,
  type TransactionPosition,
} from '../../ledger';
import { type AdminDeps, listing, type TypedApp } from '../dependencies';
import { callerOf, logSecurity, actorWithAddress } from '../http/caller';
import { listOf, pageOf } from '../http/fields';
import { preferredType } from '../csv/media-types';
import { CSV_TYPE, ExportAnswers } from '../csv/stream';
import { ERROR_RESPONSES, invalidRequest } from '../http/problems';
import { fault } from '../http/validation';
import {
  TRANSACTION_COLUMNS,
  transactionCells,
  TransactionOut,
  TransactionsQuery,
  viewTransaction,
} from './transaction-schema';

const JSON_TYPE = 'application/json';

const description =
  'Debits, captures and refunds of all plans, one item each, in the order in which they started, which never changes. A transaction that dueday learns of later, such as a Single Immediate payment that is polled after an outage or a debit of another system that is adopted, takes its place among the earlier ones: to follow transactions as they happen, read events, not this list from its last item on. With `Accept: text/csv`, all items are streamed regardless of `limit`: a header, then one line per item (RFC 4180), with amounts in cents and as decimals. So that no spreadsheet evaluates a cell as a formula, an apostrophe is inserted before `=`, `+`, `-`, `@`, a tab or a line break at the beginning of a text or after `;`, `,`, a tab or a quote. To resume an interrupted stream, pass the transactionId of its last complete line as `after`.';

/** `GET /transactions`: a page as JSON, or all of them as CSV. */
export function transactionRoutes(app: TypedApp, deps: AdminDeps): void {
  const answers = new ExportAnswers(app);
  app.get(
    '/transactions',
    {
      config: { role: 'viewer', scope: 'reports' },
      schema: {
        tags: ['transactions'],
        operationId: 'listTransactions',
        summary: 'Lists all transactions, oldest first, or streams all of them as CSV',
        description,
        querystring: TransactionsQuery,
        response: {
          200: {
            description: 'A page of the list; with `Accept: text/csv`, the whole list as a stream.',
            content: { [JSON_TYPE]: { schema: listOf(TransactionOut) }, [CSV_TYPE]: { schema: z.string() } },
          },
          ...ERROR_RESPONSES,
        },
      },
    },
    async (request, reply) => {
      const type = preferredType(request.headers.accept, [JSON_TYPE, CSV_TYPE]);
      const { limit, cursor, after, ...filter } = request.query;
      const position = await positionOf(deps, { limit, cursor, after });
      if (type === JSON_TYPE) {
        const { items, nextCursor } = await readList(listing(deps), (db) =>
          listTransactions(db, filter, position, limit),
        );
        return { items: items.map(viewTransaction), nextCursor };
      }
      await recordExport(deps, request, filter);
      return answers.send(reply, listing(deps), 'transactions', {
        columns: TRANSACTION_COLUMNS,
        cells: transactionCells,
        read: (db, last, batchSize) => readTransactions(db, filter, last ?? position, batchSize),
        onEnd: (rows) => request.log.info({ rows, actor: callerOf(request).name }, 'transactions exported'),
      });
    },
  );
}

/**
 * Called before the first row is sent: nothing is exported without an audit entry. It omits the reference, which is
 * personal data.
 */
async function recordExport(
  { db, clock }: AdminDeps,
  request: FastifyRequest,
  { from, to, reference, ...filter }: TransactionFilter,
): Promise<void> {
  const { address, ...by } = actorWithAddress(request);
  const period = { from: isoOrNull(from ?? null), to: isoOrNull(to ?? null) };
  const data = { ...filter, ...period, byReference: reference !== undefined, address };
  await insertEvent(db, { ...by, subscriptionId: null, at: clock.now(), type: 'transactions.exported', data });
  logSecurity(request, 'transactions.exported');
}

/** The position after which the list starts. @throws Problem `invalid_request` if `after` or the cursor does not belong to this list */
async function positionOf(deps: AdminDeps, query: TransactionsQuery): Promise<TransactionPosition | null> {
  const { after } = query;
  if (after === undefined) return transactionCursor.read(pageOf(query, transactionCursor.is).cursor);
  const position = await readList(listing(deps), (db) => findTransactionPosition(db, after));
  if (position === null) throw invalidRequest([fault('after', 'the transactionId of a listed transaction', after)]);
  return position;
}
