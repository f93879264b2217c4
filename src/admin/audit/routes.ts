import { z } from 'zod';
import { explain } from '../../domain/audit/events';
import { type EventRecord, numberCursor, listEvents, readList, redactEntry } from '../../ledger';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import {
  checkPeriod,
  InstantIn,
  InstantOut,
  omitNull,
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

/** The numbered rule behind a decision, quoted from the reference if possible, else in dueday's words. */
const RuleOut = z
  .object({
    decision: z.int().describe('The number of the rule'),
    sentence: z.string().describe('The sentence on which the decision is based'),
    source: z
      .enum(['reference', 'dueday'])
      .describe('`reference`: the sentence is from the description of the payment service; `dueday`: a rule of dueday'),
  })
  .meta({ id: 'Rule', description: 'The rule behind a decision, as it was at that time.' });

const AuditLogEntry = {
  at: InstantOut,
  actor: z.string(),
  keyId: z
    .string()
    .nullable()
    .describe(
      'The id of the API key that acted, also through a session; null if no key listed by `GET /v1/keys` acted',
    ),
  type: z.string(),
  text: z.string().describe('The entry in a few plain sentences'),
  rule: RuleOut.nullable(),
  data: z.record(z.string(), z.unknown()),
};

/** An audit entry of a subscription or one-time payment. */
export const EventOut = z
  .object(AuditLogEntry)
  .meta({ id: 'Event', description: 'One entry of the audit log of a subscription or a payment.' });

/** An entry of the whole audit log. `subscriptionId` is null if there is none; `paymentId` is for one-time payments. */
export const AuditEntryOut = z
  .object({
    id: z.int().describe('The id for `POST /v1/audit/{id}/redact`'),
    ...AuditLogEntry,
    subscriptionId: z.string().nullable(),
    paymentId: omitNull(z.string()),
  })
  .meta({ id: 'AuditEntry', description: 'One entry of the audit log.' });

export const AuditQuery = z
  .strictObject({
    ...PAGE_FIELDS,
    subscriptionId: SubscriptionIdText.optional(),
    paymentId: PaymentIdText.optional(),
    actor: line(100)
      .optional()
      .meta({ description: 'Only entries with this name of an API key, or dueday, as the actor' }),
    keyId: z.uuid('a UUID').optional().meta({ description: 'Only entries of actions with this API key' }),
    type: line(100).optional().meta({ description: 'Only entries of this type, such as cycle.collected' }),
    from: InstantIn.optional(),
    to: InstantIn.optional(),
  })
  .superRefine((query, context) => checkPeriod(query, ['from', 'to'], context));

export function viewEvent(event: EventRecord) {
  return { ...event, text: explain(event), data: { ...event.data } };
}

const EntryParams = z.object({
  id: wholeNumber(1, Number.MAX_SAFE_INTEGER),
});

/** `GET /audit` and `POST /audit/{id}/redact`. */
export function auditRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/audit',
    call('viewer', 'audit', {
      tags: ['audit'],
      operationId: 'listAudit',
      summary: 'Lists the audit log, newest first; `from` is inclusive, `to` exclusive',
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
      tags: ['audit'],
      operationId: 'redactAuditEntry',
      summary: 'Permanently removes the free text of an audit entry, which is then shown as `[redacted]`',
      description:
        'Affects `reason`, `evidence`, `note`, `message`, `description` and `error` in `data`, and the values before and after a change of metadata (`was`, `is`); everything else remains, and the hash chain stays valid. The same text is also removed from other records of the same subscription or payment. The response is 409 if the entry has no free text, or its text was already removed.',
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
          throw notFound(`There is no audit entry ${entryId}.`);
        case 'no_words':
          throw stateConflict(`Audit entry ${entryId} has no free text to remove.`);
        case 'redacted':
          return viewEvent(result.entry);
      }
    },
  );
}
