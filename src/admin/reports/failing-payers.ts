import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { describeRefusal } from '../../domain/refusals';
import { CYCLE_STATUSES } from '../../domain/subscription/state';
import { isoOrNull, toIso } from '../../domain/time';
import {
  type FailingPayer,
  failingCursor,
  insertEvent,
  listFailingPayers,
  readFailingPayers,
  readList,
} from '../../ledger';
import type { Cell } from '../../domain/csv';
import { decimalOf } from '../../domain/money';
import { preferredType } from '../csv/media-types';
import { CSV_TYPE, ExportAnswers } from '../csv/stream';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { callerOf, logSecurity, actorWithAddress } from '../http/caller';
import { InstantOut, omitNull, listOf, MoneyOut, pageOf, PageQuery } from '../http/fields';
import { seesEmails } from '../access/powers';

const FailingPayerOut = z
  .object({
    subscriptionId: z.string(),
    reference: omitNull(z.string()).meta({ description: "The payer's reference" }),
    email: omitNull(z.string()).meta({ description: 'Omitted if the key may not see e-mail addresses' }),
    cycle: z.int().min(0),
    status: z.enum(CYCLE_STATUSES).meta({ description: 'Status of the cycle' }),
    amount: MoneyOut,
    dueAt: InstantOut,
    lastRefusal: z.string().meta({ description: 'Why the cycle was last refused, in plain words' }),
    refusedAt: InstantOut,
    nextAttemptAt: omitNull(InstantOut).meta({ description: 'Omitted if no retry is planned' }),
  })
  .meta({ id: 'FailingPayer', description: 'A payer whose last due cycle was refused and has not been collected.' });

type FailingPayerOut = z.output<typeof FailingPayerOut>;

const JSON_TYPE = 'application/json';

/** `GET /reports/failing-payers`: a page as JSON, or all of them as CSV. */
export function failingPayersRoute(app: TypedApp, deps: AdminDeps): void {
  const answers = new ExportAnswers(app);
  app.get(
    '/reports/failing-payers',
    call('viewer', 'reports', {
      tags: ['reports'],
      operationId: 'listFailingPayers',
      summary:
        'Lists the payers whose last due cycle was refused and has not been collected, or streams all of them as CSV',
      description:
        'One item for each such active or paused subscription, ordered by id. With `Accept: text/csv`, all items are streamed regardless of `limit`, as in `GET /v1/transactions`. The e-mail address is included if the key may see it.',
      querystring: PageQuery,
      response: {
        200: {
          description: 'A page of the list; with `Accept: text/csv`, the whole list as a stream.',
          content: { [JSON_TYPE]: { schema: listOf(FailingPayerOut) }, [CSV_TYPE]: { schema: z.string() } },
        },
      },
    }),
    async (request, reply) => {
      const page = pageOf(request.query, failingCursor.is);
      const now = deps.clock.now();
      const view = viewFor(request);
      if (preferredType(request.headers.accept, [JSON_TYPE, CSV_TYPE]) === JSON_TYPE) {
        const { items, nextCursor } = await readList(listing(deps), (db) => listFailingPayers(db, now, page));
        return { items: items.map(view), nextCursor };
      }
      await recordExport(deps, request);
      const first = failingCursor.read(page.cursor);
      return answers.send(reply, listing(deps), 'failing-payers', {
        columns: COLUMNS,
        cells: (payer: FailingPayer) => cellsOf(view(payer)),
        read: (db, last, limit) => readFailingPayers(db, now, last?.subscriptionId ?? first, limit),
        onEnd: (rows) => request.log.info({ rows, actor: callerOf(request).name }, 'failing payers exported'),
      });
    },
  );
}

function viewFor(request: FastifyRequest): (payer: FailingPayer) => FailingPayerOut {
  const showsEmail = seesEmails(callerOf(request));
  return ({ refusedWith, email, ...payer }) => ({
    ...payer,
    email: showsEmail ? email : null,
    lastRefusal: describeRefusal(refusedWith),
  });
}

/** The columns of the CSV: the fields of the API, with the amount split into cents, currency and decimal. */
const COLUMNS = [
  ...(['subscriptionId', 'reference', 'email', 'lastRefusal', 'amount', 'currency', 'amountDecimal'] as const),
  ...(['cycle', 'status', 'dueAt', 'refusedAt', 'nextAttemptAt'] as const),
];

function cellsOf(payer: FailingPayerOut): Cell[] {
  const { amount, dueAt, refusedAt } = payer;
  const cells: Readonly<Record<(typeof COLUMNS)[number], Cell>> = {
    ...payer,
    reference: payer.reference ?? null,
    email: payer.email ?? null,
    amount: amount.value,
    currency: amount.currency,
    amountDecimal: decimalOf(amount),
    dueAt: toIso(dueAt),
    refusedAt: toIso(refusedAt),
    nextAttemptAt: isoOrNull(payer.nextAttemptAt ?? null),
  };
  return COLUMNS.map((name) => cells[name]);
}

/** Called before the first row is sent: nothing is exported without an audit entry. */
async function recordExport({ db, clock }: AdminDeps, request: FastifyRequest): Promise<void> {
  const { address, ...by } = actorWithAddress(request);
  const data = { withEmails: seesEmails(callerOf(request)), address };
  await insertEvent(db, { ...by, subscriptionId: null, at: clock.now(), type: 'failing_payers.exported', data });
  logSecurity(request, 'failing_payers.exported');
}
