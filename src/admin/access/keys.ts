import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isActGuarded } from '../../domain/approvals';
import { getKey, type KeyRecord, listKeys, readList } from '../../ledger';
import { toIso } from '../../domain/time';
import { requireApproval } from '../approvals/require';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { callerOf, logSecurity, actorWithAddress } from '../http/caller';
import { cutPage, listOf, PageQuery } from '../http/fields';
import { invalidRequest, notFound, type Problem, stateConflict } from '../http/problems';
import { ReasonBody, reasonOf } from '../http/bodies';
import { BOOTSTRAP } from './bootstrap-key';
import {
  issueFirstAdminKey,
  issueKey,
  type KeyAct,
  rotateKey,
  type RotateResult,
  type WantedKey,
  revokeKeyWithEntry,
} from './key-ring';
import { requireMayCreate, requireMayReplace } from './powers';
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
      summary: 'Lists the keys, including revoked ones, oldest first',
      querystring: PageQuery,
      response: { 200: listOf(KeyOut) },
    }),
    async ({ query }) => {
      const { items, nextCursor } = cutPage(await readList(deps.reading, listKeys), query, positionOf);
      return { items: items.map(viewKey), nextCursor };
    },
  );
  createRoute(app, deps);
  rotateRoute(app, deps);
  revokeRoute(app, deps);
}

function positionOf({ keyId: id, createdRealAt: createdAt }: KeyRecord) {
  return { createdAt, id };
}

function createRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/keys',
    call('admin', 'keys', {
      config: { sealed: true, hasLocation: true, approvable: true },
      tags,
      operationId: 'createKey',
      summary: 'Creates a key; its secret is shown only once',
      description:
        'A key that is limited in scopes, amounts or time can only create keys with the same or narrower limits. A key with a refund limit cannot create keys that may refund.',
      body: CreateKey,
      response: { 201: CreatedKeyOut },
    }),
    async (request, reply) => {
      const { reason, ...body } = request.body;
      const caller = callerOf(request);
      const wanted = wantedOf(body);
      refuseExpired(wanted.expiresRealAt, deps.clock.realNow());
      requireMayCreate(caller, wanted);
      const issued = await issueGuarded(deps, request, wanted, actOf(deps, request, reason));
      if (issued.kind === 'name_taken')
        throw stateConflict(
          `The name ${wanted.name} is already taken. The audit log identifies keys by name, so a name cannot be reused.`,
        );
      logSecurity(request, 'key.created', { newKeyId: issued.record.keyId, name: wanted.name, role: wanted.role });
      const bootstrapEndsAt = issued.bootstrapEndsRealAt ?? undefined;
      if (bootstrapEndsAt !== undefined)
        logSecurity(request, 'key.superseded', { name: BOOTSTRAP, expiresAt: toIso(bootstrapEndsAt) });
      reply.header('location', `/v1/keys/${issued.record.keyId}`);
      return reply.code(201).send({ ...viewKey(issued.record), key: issued.key, bootstrapEndsAt });
    },
  );
}

/** Admin keys after the first ones need approval by a second person. @throws Problem */
async function issueGuarded(deps: AdminDeps, request: FastifyRequest, wanted: WantedKey, act: KeyAct) {
  if (wanted.role === 'admin' && isActGuarded(deps.policy)) {
    const first = await issueFirstAdminKey(deps.db, wanted, act);
    if (first !== null) return first;
    const { name, role, holder = null, scopes = [] } = wanted;
    await requireApproval(deps, request, { facts: { name, role, holder, scopes } });
  }
  return issueKey(deps.db, wanted, act);
}

/** @throws Problem if the key would already have expired */
function refuseExpired(expiresRealAt: number | null, realNow: number): void {
  if (expiresRealAt === null || expiresRealAt > realNow) return;
  const message = `expected a time after now (real time), ${toIso(realNow)}; got ${toIso(expiresRealAt)}`;
  throw invalidRequest([{ path: 'expiresAt', message }]);
}

function rotateRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/keys/:id/rotate',
    call('admin', 'keys', {
      config: { sealed: true, hasLocation: true, approvable: true },
      tags,
      operationId: 'rotateKey',
      summary: 'Replaces a key, which ends after the overlap; the new secret is shown only once',
      description:
        'The new key takes over name, role, holder, scopes, limits and expiry. Both keys share their Idempotency-Keys.',
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

/** Replacing another person's admin key would allow acting as that person. @throws Problem if approval is needed */
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
      return stateConflict(
        'The bootstrap key is configured and cannot be rotated: create an admin key, which replaces it.',
      );
    case 'ended':
      return stateConflict('The key was revoked or has expired: create a new one.');
    case 'replaced':
      return stateConflict(`Key ${result.by} has already replaced this key: rotate or revoke key ${result.by}.`);
  }
}

function revokeRoute(app: TypedApp, deps: AdminDeps): void {
  app.delete(
    '/keys/:id',
    call('admin', 'keys', {
      tags,
      operationId: 'revokeKey',
      summary: 'Revokes a key immediately and permanently',
      params: KeyParams,
      querystring: KeyQuery,
      body: ReasonBody,
      response: { 200: KeyOut },
    }),
    async (request) => {
      const act = actOf(deps, request, reasonOf(request));
      const record = await revokeKeyWithEntry(deps.db, request.params.id, act);
      if (record === null) throw notFound(`There is no key ${request.params.id}.`);
      logSecurity(request, 'key.revoked', { revokedKeyId: record.keyId });
      return viewKey(record);
    },
  );
}

function actOf(deps: AdminDeps, request: FastifyRequest, reason: string | undefined): KeyAct {
  return { ...actorWithAddress(request), reason: reason ?? null, at: deps.clock.now(), realAt: deps.clock.realNow() };
}
