import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ExportedSubscription, insertEvent, readExported } from '../../ledger';
import { mayDo, READS_SUBSCRIPTIONS, seesEmails } from '../access/powers';
import { preferredType } from '../csv/media-types';
import { CSV_TYPE, ExportAnswers, NDJSON_TYPE } from '../csv/stream';
import { type AdminDeps, listing, type TypedApp } from '../dependencies';
import { actorWithAddress, callerOf, logSecurity } from '../http/caller';
import { ERROR_RESPONSES } from '../http/problems';
import { SubscriptionsFilter } from '../subscriptions/schema';
import { EXPORT_COLUMNS, exportCells, exportLine } from './export-line';
import { ImportLine } from './schema';

const description =
  'The lines that `POST /v1/subscriptions/import` accepts, oldest subscription first, with `state`: the status, and accepted pauses, skips, postponements and changes of amount that still apply. `collectFrom` is the earliest due date for which nothing has been sent. Addresses and e-mails are included for admins whose key may read payers. A subscription that has ended is exported, but an import refuses its line.';

/** `GET /subscriptions/export`: all matching subscriptions, in the format of an import. */
export function exportRoute(app: TypedApp, deps: AdminDeps): void {
  const answers = new ExportAnswers(app);
  app.get(
    '/subscriptions/export',
    {
      config: { role: 'viewer', scope: READS_SUBSCRIPTIONS },
      schema: {
        tags: ['subscriptions'],
        operationId: 'exportSubscriptions',
        summary: 'Streams subscriptions in the format of an import, as NDJSON or CSV',
        description,
        querystring: SubscriptionsFilter,
        response: {
          200: {
            description: 'One line for each subscription; as CSV, after a header.',
            content: {
              [NDJSON_TYPE]: { schema: z.string().meta({ contentMediaType: NDJSON_TYPE, contentSchema: ImportLine }) },
              [CSV_TYPE]: { schema: z.string() },
            },
          },
          ...ERROR_RESPONSES,
        },
      },
    },
    async (request, reply) => {
      const type = preferredType(request.headers.accept, [NDJSON_TYPE, CSV_TYPE]);
      const caller = callerOf(request);
      const filter = { ...request.query, hidesEmail: !seesEmails(caller) };
      const showsPayer = mayDo(caller, { role: 'admin', scope: 'payers:read' });
      const now = deps.clock.now();
      await recordExport(deps, request, showsPayer);
      const rows = {
        read: (db: Parameters<typeof readExported>[0], last: ExportedSubscription | null, limit: number) =>
          readExported(db, filter, last, limit),
        onEnd: (count: number) => request.log.info({ rows: count, actor: caller.name }, 'subscriptions exported'),
      };
      const view = (each: ExportedSubscription) => exportLine(each, showsPayer, now);
      if (type === NDJSON_TYPE) {
        const line = (each: ExportedSubscription) => `${JSON.stringify(view(each))}\n`;
        return answers.sendLines(reply, listing(deps), 'subscriptions', { ...rows, line });
      }
      const cells = (each: ExportedSubscription) => exportCells(view(each));
      return answers.send(reply, listing(deps), 'subscriptions', { ...rows, columns: EXPORT_COLUMNS, cells });
    },
  );
}

/**
 * Called before the first line is sent: nothing is exported without an audit entry. It omits search terms, which may be
 * personal data.
 */
async function recordExport(
  { db, clock }: AdminDeps,
  request: FastifyRequest<{ Querystring: z.output<typeof SubscriptionsFilter> }>,
  withPayers: boolean,
): Promise<void> {
  const { address, ...by } = actorWithAddress(request);
  const { status, standing, repetition } = request.query;
  const data = { status, standing, repetition, filters: Object.keys(request.query).toSorted(), withPayers, address };
  await insertEvent(db, { ...by, subscriptionId: null, at: clock.now(), type: 'subscriptions.exported', data });
  logSecurity(request, 'subscriptions.exported');
}
