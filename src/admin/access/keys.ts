import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isActGuarded } from '../../domain/approvals';
import { getKey, type KeyRecord, listKeys, readList } from '../../ledger';
import { toIso } from '../../domain/time';
import { requireApproval } from '../approvals/require';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { callerOf, logSecurity, securityActOf } from '../http/caller';
import { cutPage, listOf, PageQuery, reasonOf } from '../http/fields';
import { invalidRequest, notFound, type Problem, stateConflict } from '../http/problems';
import { ReasonBody } from '../http/bodies';
import { BOOTSTRAP } from './bootstrap-key';
import {
  issueFirstAdminKey,
  issueKey,
  type KeyAct,
  rotateKey,
  type RotateResult,
  type WantedKey,
  withdrawKey,
} from './key-ring';
import { requireMayMake, requireMayReplace } from './powers';
import {
  CreateKey,
  CreatedKeyOut,
  KeyOut,
  KeyParams,
  KeyQuery,
  NewKeyOut,
  RotateKey,
  viewKey,
  wantedOf,
} from './key-schema';

const tags = ['keys'];

/** `GET`, `POST` and `DELETE /keys`, and `POST /keys/{id}/rotate`. */
export function keyRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/keys',
    call('admin', 'keys', {
      tags,
      operationId: 'listKeys',
      summary: 'Lists the keys, revoked ones too, oldest first',
      querystring: PageQuery,
      response: { 200: listOf(KeyOut) },
    }),
    async ({ query }) => {
      const { items, nextCursor } = cutPage(await readList(deps.reading, listKeys), query, placeOf);
      return { items: items.map(viewKey), nextCursor };
    },
  );
  createRoute(app, deps);
  rotateRoute(app, deps);
  revokeRoute(app, deps);
}

function placeOf({ keyId: id, createdRealAt: createdAt }: KeyRecord) {
  return { createdAt, id };
}

function createRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/keys',
    call('admin', 'keys', {
      config: { sealed: true, hasLocation: true, approvable: true },
      tags,
      operationId: 'createKey',
      summary: 'Makes a key; it is shown this once',
      description:
        'A key that is itself limited in scopes, money or time makes only keys that are so, too; one that is limited in what it refunds, none that refunds.',
      body: CreateKey,
      response: { 201: CreatedKeyOut },
    }),
    async (request, reply) => {
      const { reason, ...body } = request.body;
      const caller = callerOf(request);
      const wanted = wantedOf(body);
      refuseExpired(wanted.expiresRealAt, deps.clock.realNow());
      requireMayMake(caller, wanted);
      const issued = await issueGuarded(deps, request, wanted, actOf(deps, request, reason));
      if (issued.kind === 'name_taken')
        throw stateConflict(`The name ${wanted.name} is taken: the trail tells keys by name, for ever.`);
      logSecurity(request, 'key.created', { newKeyId: issued.record.keyId, name: wanted.name, role: wanted.role });
      const bootstrapEndsAt = issued.bootstrapEndsRealAt ?? undefined;
      if (bootstrapEndsAt !== undefined)
        logSecurity(request, 'key.superseded', { name: BOOTSTRAP, expiresAt: toIso(bootstrapEndsAt) });
      reply.header('location', `/v1/keys/${issued.record.keyId}`);
      return reply.code(201).send({ ...viewKey(issued.record), key: issued.key, bootstrapEndsAt });
    },
  );
}

/** Another admin key than the first ones is made once a second person has approved. @throws Problem */
async function issueGuarded(deps: AdminDeps, request: FastifyRequest, wanted: WantedKey, act: KeyAct) {
  if (wanted.role === 'admin' && isActGuarded(deps.policy)) {
    const first = await issueFirstAdminKey(deps.db, wanted, act);
    if (first !== null) return first;
    const { name, role, holder = null, scopes = [] } = wanted;
    await requireApproval(deps, request, { facts: { name, role, holder, scopes } });
  }
  return issueKey(deps.db, wanted, act);
}

/** @throws Problem where the key would have ended before it began. */
function refuseExpired(expiresRealAt: number | null, realNow: number): void {
  if (expiresRealAt === null || expiresRealAt > realNow) return;
  const message = `expected a time after now, in real time ${toIso(realNow)}; got ${toIso(expiresRealAt)}`;
  throw invalidRequest([{ path: 'expiresAt', message }]);
}

function rotateRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/keys/:id/rotate',
    call('admin', 'keys', {
      config: { sealed: true, hasLocation: true, approvable: true },
      tags,
      operationId: 'rotateKey',
      summary: 'Puts a new key in the place of one, which ends after the overlap; it is shown this once',
      description:
        'Name, role, holder, scopes, limits and expiry are those of the old key, and an Idempotency-Key that was used with one of both was used with the other.',
      params: KeyParams,
      body: RotateKey,
      response: { 201: NewKeyOut },
    }),
    async (request, reply) => {
      const { overlapHours, reason } = request.body;
      const caller = callerOf(request);
      const check = (record: KeyRecord) => requireMayReplace(caller, record);
      await guardRotation(deps, request, check);
      const rotation = { keyId: request.params.id, overlapHours, check };
      const rotated = await rotateKey(deps.db, rotation, actOf(deps, request, reason));
      if (rotated.kind !== 'rotated') throw refusalOf(rotated, request.params.id);
      logSecurity(request, 'key.rotated', { oldKeyId: request.params.id, newKeyId: rotated.record.keyId });
      reply.header('location', `/v1/keys/${rotated.record.keyId}`);
      return reply.code(201).send({ ...viewKey(rotated.record), key: rotated.key });
    },
  );
}

type RotateRequest = FastifyRequest<{ Params: z.output<typeof KeyParams> }>;

/** Who replaces another person's admin key could act as that person. @throws Problem where a second one must approve it */
async function guardRotation(deps: AdminDeps, request: RotateRequest, check: (record: KeyRecord) => void) {
  const record = await getKey(deps.db, request.params.id);
  if (record?.role !== 'admin' || record.isBootstrap || !isActGuarded(deps.policy)) return;
  if (record.firstKeyId === callerOf(request).firstKeyId) return;
  check(record);
  const { keyId, name, role, holder } = record;
  await requireApproval(deps, request, { facts: { keyId, name, role, holder } });
}

function refusalOf(result: Exclude<RotateResult, { kind: 'rotated' }>, keyId: string): Problem {
  switch (result.kind) {
    case 'unknown':
      return notFound(`There is no key ${keyId}.`);
    case 'bootstrap':
      return stateConflict('The bootstrap key is configured: make an admin key, which takes its place.');
    case 'ended':
      return stateConflict('The key is revoked or has expired: make a new one.');
    case 'replaced':
      return stateConflict(`Key ${result.by} is in its place: rotate or revoke that one.`);
  }
}

function revokeRoute(app: TypedApp, deps: AdminDeps): void {
  app.delete(
    '/keys/:id',
    call('admin', 'keys', {
      tags,
      operationId: 'revokeKey',
      summary: 'Revokes a key, at once and for good',
      params: KeyParams,
      querystring: KeyQuery,
      body: ReasonBody,
      response: { 200: KeyOut },
    }),
    async (request) => {
      const act = actOf(deps, request, reasonOf(request));
      const record = await withdrawKey(deps.db, request.params.id, act);
      if (record === null) throw notFound(`There is no key ${request.params.id}.`);
      logSecurity(request, 'key.revoked', { revokedKeyId: record.keyId });
      return viewKey(record);
    },
  );
}

function actOf(deps: AdminDeps, request: FastifyRequest, reason: string | undefined): KeyAct {
  return { ...securityActOf(request), reason: reason ?? null, at: deps.clock.now(), realAt: deps.clock.realNow() };
}
