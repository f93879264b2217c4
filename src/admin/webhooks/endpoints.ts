import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HOUR } from '../../domain/time';
import {
  type Act,
  changeEndpoint,
  deleteEndpoint,
  type EndpointRecord,
  ENV,
  insertEndpoint,
  listEndpoints,
  MAX_ENDPOINTS,
  readEndpoint,
  readList,
  rotateSecret,
} from '../../ledger';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import { cutPage, listOf, PageQuery } from '../http/fields';
import { invalidRequest, notFound, stateConflict } from '../http/problems';
import {
  ChangeEndpoint,
  CreateEndpoint,
  EndpointOut,
  EndpointParams,
  NewSecretOut,
  RotateBody,
  viewEndpoint,
} from './endpoint-schema';

const tags = ['events'];

/** `GET`, `POST /webhook-endpoints`, `GET`, `PATCH`, `DELETE …/{id}`, `POST …/{id}/rotate-secret`. */
export function endpointRoutes(app: TypedApp, deps: AdminDeps): void {
  const { secrets, envUrl } = deps.events;
  app.get(
    '/webhook-endpoints',
    call('viewer', 'endpoints', {
      tags,
      operationId: 'listWebhookEndpoints',
      summary: 'Lists the endpoints: first the configured one, then oldest first',
      querystring: PageQuery,
      response: { 200: listOf(EndpointOut) },
    }),
    async ({ query }) => {
      const all = await readList(deps.reading, listEndpoints);
      const shown = all.filter(({ endpointId }) => endpointId !== ENV || envUrl !== null);
      const { items, nextCursor } = cutPage(shown, query, positionOf);
      return { items: items.map((each) => viewEndpoint(each, envUrl)), nextCursor };
    },
  );
  app.get(
    '/webhook-endpoints/:id',
    call('viewer', 'endpoints', {
      tags,
      operationId: 'getWebhookEndpoint',
      summary: 'Returns an endpoint',
      params: EndpointParams,
      response: { 200: EndpointOut },
    }),
    async ({ params }) => viewEndpoint(await findEndpoint(deps, params.id), envUrl),
  );
  app.post(
    '/webhook-endpoints',
    call('admin', 'endpoints', {
      config: { sealed: true, hasLocation: true },
      tags,
      operationId: 'createWebhookEndpoint',
      summary: 'Creates an endpoint, which receives events from now on; its secret is shown only once',
      body: CreateEndpoint,
      response: { 201: NewSecretOut.describe('The endpoint was created; its secret is shown only once.') },
    }),
    async (request, reply) => {
      requireSecretsKeys(deps);
      const { description = null, ...wanted } = request.body;
      await refuseUrl(deps, wanted.url);
      const secret = newSecret();
      const endpointId = `whe_${randomUUID().replaceAll('-', '')}`;
      const record = { ...wanted, endpointId, description, secret: secrets.seal(secret) };
      const created = await insertEndpoint(deps.db, record, actOf(deps, request));
      if (created === null) throw stateConflict(`There are already ${MAX_ENDPOINTS} endpoints, which is the maximum.`);
      reply.header('location', `/v1/webhook-endpoints/${endpointId}`);
      return reply.code(201).send({ ...viewEndpoint(created, envUrl, await othersWithUrlOf(deps, created)), secret });
    },
  );
  app.patch(
    '/webhook-endpoints/:id',
    call('admin', 'endpoints', {
      tags,
      operationId: 'changeWebhookEndpoint',
      summary: 'Changes an endpoint; enabling it or changing its URL sends pending events at once',
      params: EndpointParams,
      body: ChangeEndpoint,
      response: { 200: EndpointOut },
    }),
    async (request) => {
      const { id } = request.params;
      refuseEnv(id);
      if (request.body.url !== undefined) await refuseUrl(deps, request.body.url);
      const changed = found(await changeEndpoint(deps.db, id, request.body, actOf(deps, request)), id);
      return viewEndpoint(changed, envUrl, await othersWithUrlOf(deps, changed));
    },
  );
  app.delete(
    '/webhook-endpoints/:id',
    call('admin', 'endpoints', {
      tags,
      operationId: 'deleteWebhookEndpoint',
      summary: 'Deletes an endpoint, with its pending and past deliveries',
      params: EndpointParams,
      response: { 200: EndpointOut },
    }),
    async (request) => {
      const { id } = request.params;
      refuseEnv(id);
      const record = found(await readEndpoint(deps.db, id), id);
      await deleteEndpoint(deps.db, id, actOf(deps, request));
      return viewEndpoint({ ...record, enabled: false }, envUrl);
    },
  );
  app.post(
    '/webhook-endpoints/:id/rotate-secret',
    call('admin', 'endpoints', {
      config: { sealed: true },
      tags,
      operationId: 'rotateWebhookSecret',
      summary:
        'Replaces the secret of an endpoint, and shows the new one only once; the old one is also used during the overlap',
      params: EndpointParams,
      body: RotateBody,
      response: { 200: NewSecretOut },
    }),
    async (request) => {
      const { id } = request.params;
      refuseEnv(id);
      requireSecretsKeys(deps);
      const secret = newSecret();
      const overlapUntilReal = deps.clock.realNow() + request.body.overlapHours * HOUR;
      const sealed = { secret: secrets.seal(secret), overlapUntilReal };
      const record = found(await rotateSecret(deps.db, id, sealed, actOf(deps, request)), id);
      return { ...viewEndpoint(record, envUrl), secret };
    },
  );
}

/** Other endpoints with the same URL, possibly by mistake. */
async function othersWithUrlOf({ db, events }: AdminDeps, { endpointId, url }: EndpointRecord): Promise<string[]> {
  const all = await listEndpoints(db);
  const same = all.filter((other) => other.endpointId !== endpointId && (other.url ?? events.envUrl) === url);
  return same.map((other) => other.endpointId);
}

/** `env` comes first, whenever its row was created. */
function positionOf({ endpointId: id, createdRealAt }: EndpointRecord) {
  return { createdAt: id === ENV ? 0 : createdRealAt, id };
}

/** @throws Problem if there is no endpoint with this id; `env` exists only if it is configured */
export async function findEndpoint({ reading, events }: AdminDeps, id: string): Promise<EndpointRecord> {
  const isThere = id !== ENV || events.envUrl !== null;
  return found(isThere ? await readList(reading, (db) => readEndpoint(db, id)) : null, id);
}

function found(record: EndpointRecord | null, id: string): EndpointRecord {
  if (record === null) throw notFound(`There is no endpoint ${id}.`);
  return record;
}

export function actOf({ clock }: AdminDeps, request: FastifyRequest): Act {
  return { ...actorOfCaller(callerOf(request)), at: clock.now() };
}

/** @throws Problem for the configured endpoint, which is changed in the environment */
function refuseEnv(id: string): void {
  if (id === ENV)
    throw stateConflict('The endpoint env is configured as EVENT_WEBHOOK_URL and can only be changed there.');
}

function requireSecretsKeys({ events, policy }: AdminDeps): void {
  if (events.secrets.encrypts || policy.environment === 'sandbox') return;
  throw stateConflict('SECRETS_KEYS is not set: in production, no secrets are stored without it.');
}

/** Checks only the address that the name has now; each connection is checked again. */
async function refuseUrl({ events, policy }: AdminDeps, text: string): Promise<void> {
  const { protocol, hostname } = new URL(text);
  const expected = (what: string) => invalidRequest([{ path: 'url', message: what }]);
  if (policy.environment === 'production' && protocol !== 'https:')
    throw expected('expected an https URL in production; got an http URL');
  const refusal = await events.refusalOf(hostname);
  if (refusal !== null) throw expected(`expected a public address, or one in EVENT_ENDPOINT_NETWORKS; got ${refusal}`);
}

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}
