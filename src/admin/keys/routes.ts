import { z } from 'zod';
import { toIso } from '../../domain/time';
import { ROLES, type KeyRecord, listKeys, readList } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { type Caller, callerOf } from '../http/authentication';
import { InstantOut, line, Reason, listOf, PageQuery, pageOf, isoOrNull, named } from '../http/fields';
import { notFound, stateConflict, FAULT_ANSWERS } from '../http/problems';
import { issueKey, type KeyAct, withdrawKey } from './key-ring';

export const CreateKey = z
  .strictObject({ name: line(100), role: z.enum(ROLES), reason: Reason.optional() })
  .meta({ id: 'CreateKey' });

export const KeyParams = z.object({ id: z.uuid('a UUID') });

export const KeyQuery = z.strictObject({ reason: Reason.optional() });

/** A key as it may be shown: everything but the key. */
export const KeyOut = z
  .object({
    keyId: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    createdAt: InstantOut,
    lastUsedAt: InstantOut.optional(),
    revokedAt: InstantOut.optional(),
  })
  .meta({ id: 'Key' });

/** The one answer that shows the key itself. */
export const NewKeyOut = KeyOut.extend({ key: z.string() }).meta({ id: 'NewKey' });

export type KeyOut = z.output<typeof KeyOut>;

const tags = ['keys'];

/** `GET`, `POST` and `DELETE /keys`. */
export function keyRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/keys',
    {
      config: { role: 'admin' },
      schema: {
        tags,
        operationId: 'listKeys',
        summary: 'Lists the keys, revoked ones too, oldest first',
        querystring: PageQuery,
        response: { 200: listOf(KeyOut), ...FAULT_ANSWERS },
      },
    },
    async ({ query }) => cutPage(await readList(deps.reading, listKeys), query),
  );
  app.post(
    '/keys',
    {
      config: { role: 'admin', sealed: true },
      schema: {
        tags,
        operationId: 'createKey',
        summary: 'Makes a key; it is shown this once',
        body: CreateKey,
        response: { 201: NewKeyOut, ...FAULT_ANSWERS },
      },
    },
    async (request, reply) => {
      const { reason, ...wanted } = request.body;
      const issued = await issueKey(deps.db, wanted, actOf(deps, callerOf(request), reason));
      if (issued.kind === 'name_taken')
        throw stateConflict(`The name ${wanted.name} is taken: the trail tells keys by name.`);
      return reply.code(201).send({ ...viewKey(issued.record), key: issued.key });
    },
  );
  app.delete(
    '/keys/:id',
    {
      config: { role: 'admin' },
      schema: {
        tags,
        operationId: 'revokeKey',
        summary: 'Revokes a key, at once and for good',
        params: KeyParams,
        querystring: KeyQuery,
        response: { 200: KeyOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const act = actOf(deps, callerOf(request), request.query.reason);
      const record = await withdrawKey(deps.db, request.params.id, act);
      if (record === null) throw notFound(`There is no key ${request.params.id}.`);
      return viewKey(record);
    },
  );
}

function actOf(deps: AdminDeps, caller: Caller, reason: string | undefined): KeyAct {
  return { actor: caller.name, reason: reason ?? null, at: deps.clock.now(), realAt: deps.clock.realNow() };
}

function viewKey(record: KeyRecord): KeyOut {
  return {
    keyId: record.keyId,
    name: record.name,
    role: record.role,
    createdAt: toIso(record.createdRealAt),
    ...named('lastUsedAt', isoOrNull(record.lastUsedRealAt)),
    ...named('revokedAt', isoOrNull(record.revokedRealAt)),
  };
}

/** Keys are few: they are read whole, and a page's place is the id of its last key. */
function cutPage(keys: readonly KeyRecord[], query: { limit: number; cursor?: string | undefined }) {
  const { limit, cursor } = pageOf(query, (text) => keys.some(({ keyId }) => keyId === text));
  const from = keys.findIndex(({ keyId }) => keyId === cursor) + 1;
  const items = keys.slice(from, from + limit);
  const hasMore = from + limit < keys.length;
  return { items: items.map(viewKey), nextCursor: hasMore ? (items.at(-1)?.keyId ?? null) : null };
}
