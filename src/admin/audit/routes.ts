import { z } from 'zod';
import { explain } from '../../domain/audit/events';
import { type EventRecord, numberCursor, listEvents, readList, redactEntry } from '../../ledger';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import {
  checkSpan,
  InstantIn,
  InstantOut,
  leftOut,
  PAGE_FIELDS,
  line,
  PaymentIdText,
  SubscriptionIdText,
  pageOf,
  listOf,
  wholeNumber,
} from '../http/fields';
import { notFound, stateConflict } from '../http/problems';
import { RequiredReasonBody } from '../http/bodies';

/** The numbered rule that a decision rests on, in the service's words or, where they say nothing, in ours. */
const RuleOut = z
  .object({ decision: z.int(), sentence: z.string(), source: z.enum(['reference', 'dueday']) })
  .meta({ id: 'Rule', description: 'The rule that a decision rests on, with its source.' });

const TrailEntry = {
  at: InstantOut,
  actor: z.string(),
  keyId: z
    .string()
    .nullable()
    .describe('Of the API key that acted, or whose session did; null where none of `GET /v1/keys` did'),
  type: z.string(),
  text: z.string().describe('The entry in a few plain sentences'),
  rule: RuleOut.nullable(),
  data: z.record(z.string(), z.unknown()),
};

/** One entry of the trail of a subscription or of a one-time payment. */
export const EventOut = z
  .object(TrailEntry)
  .meta({ id: 'Event', description: 'One entry of the audit log of a subscription or a payment.' });

/** One entry of the whole trail; `subscriptionId` is null where it concerns none, `paymentId` is a one-time payment's. */
export const AuditEntryOut = z
  .object({
    id: z.int().describe('By which `POST /v1/audit/{id}/redact` names it'),
    ...TrailEntry,
    subscriptionId: z.string().nullable(),
    paymentId: leftOut(z.string()),
  })
  .meta({ id: 'AuditEntry', description: 'One entry of the audit log.' });

export const AuditQuery = z
  .strictObject({
    ...PAGE_FIELDS,
    subscriptionId: SubscriptionIdText.optional(),
    paymentId: PaymentIdText.optional(),
    actor: line(100).optional(),
    keyId: z.uuid('a UUID').optional(),
    type: line(100).optional(),
    from: InstantIn.optional(),
    to: InstantIn.optional(),
  })
  .superRefine((query, context) => checkSpan(query, ['from', 'to'], context));

export function viewEvent(event: EventRecord) {
  return { ...event, text: explain(event), data: { ...event.data } };
}

const EntryParams = z.object({
  id: wholeNumber(1, Number.MAX_SAFE_INTEGER),
});

/** `GET /audit` and `POST /audit/{id}/redact`. */
export function trailRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/audit',
    call('viewer', 'audit', {
      tags: ['trail'],
      operationId: 'listAudit',
      summary: 'Lists the whole trail, newest first; `from` inclusive, `to` exclusive',
      querystring: AuditQuery,
      response: { 200: listOf(AuditEntryOut) },
    }),
    async ({ query }) => {
      const { paymentId: ofPayment, ...filter } = query;
      const page = pageOf(query, numberCursor.is);
      const { items, nextCursor } = await readList(listing(deps), (db) =>
        listEvents(db, { ...filter, ofPayment }, page),
      );
      return { items: items.map(viewEvent), nextCursor };
    },
  );
  app.post(
    '/audit/:id/redact',
    call('admin', 'audit', {
      tags: ['trail'],
      operationId: 'redactAuditEntry',
      summary: 'Removes the words of one entry of the trail, for good: they are shown as `[redacted]`',
      description:
        'Of `data` that is `reason`, `evidence`, `note`, `message`, `description` and `error`; everything else stays, and the hash chain too. The same words are removed where the ledger has them of the same subscription or payment. It is 409 where the entry has no words, or none any more.',
      params: EntryParams,
      body: RequiredReasonBody,
      response: { 200: AuditEntryOut },
    }),
    async (request) => {
      const { id: entryId } = request.params;
      const by = { ...actorOfCaller(callerOf(request)), at: deps.clock.now() };
      const result = await redactEntry(deps.db, { entryId, ...request.body, ...by });
      switch (result.kind) {
        case 'unknown':
          throw notFound(`The trail has no entry ${entryId}.`);
        case 'no_words':
          throw stateConflict(`Entry ${entryId} has no words that could be removed.`);
        case 'redacted':
          return viewEvent(result.entry);
      }
    },
  );
}
