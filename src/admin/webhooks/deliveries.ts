import { randomUUID } from 'node:crypto';
import {
  type EndpointRecord,
  ENV,
  findEvent,
  numberCursor,
  listDeliveries,
  type MerchantEventType,
  countReplay,
  orderReplay,
  readList,
  readReplay,
  resendEvent,
  sendTest,
  typesMatching,
} from '../../ledger';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { listOf, pageOf } from '../http/fields';
import { stateConflict } from '../http/problems';
import { ReplayJobOut, viewReplayJob } from '../jobs/schema';
import { mayActAs } from '../access/powers';
import {
  DeliveriesQuery,
  DeliveryOut,
  EndpointParams,
  EventParams,
  QueuedOut,
  ReplayBody,
  ReplayCountOut,
  ResendBody,
  TestBody,
  viewDelivery,
} from './endpoint-schema';
import { actOf, findEndpoint } from './endpoints';
import { eventNotFound } from './routes';

const tags = ['events'];

/** `GET /webhook-endpoints/{id}/deliveries`, `POST …/test`, `…/replay`, and `POST /events/{id}/resend`. */
export function deliveryRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/webhook-endpoints/:id/deliveries',
    call('viewer', 'endpoints', {
      tags,
      operationId: 'listWebhookDeliveries',
      summary: 'Lists the deliveries to an endpoint, newest first, with each try; admins also see the responses',
      params: EndpointParams,
      querystring: DeliveriesQuery,
      response: { 200: listOf(DeliveryOut) },
    }),
    async (request) => {
      const { limit, cursor, type, ...filter } = request.query;
      const { endpointId } = await findEndpoint(deps, request.params.id);
      const page = pageOf({ limit, cursor }, numberCursor.is);
      const types = type === undefined ? undefined : typesMatching(type);
      const isAdmin = mayActAs(callerOf(request).role, 'admin');
      const { items, nextCursor } = await readList(deps.reading, (db) =>
        listDeliveries(db, endpointId, { ...filter, types }, page),
      );
      return { items: items.map((each) => viewDelivery(each, isAdmin)), nextCursor };
    },
  );
  app.post(
    '/webhook-endpoints/:id/replay',
    call('operator', ['events', 'endpoints'], {
      config: { hasLocation: true },
      tags,
      operationId: 'replayEvents',
      summary:
        'Resends the events of a period to an endpoint, undelivered ones first, or counts them with `dryRun`; `Location` is the path of the job',
      params: EndpointParams,
      body: ReplayBody,
      response: {
        200: ReplayCountOut.describe('With `dryRun`: nothing was sent.'),
        202: ReplayJobOut.describe('The job was started; `Location` is its path.'),
      },
    }),
    async (request, reply) => {
      const { since, until = null, types, onlyFailed, dryRun } = request.body;
      const { endpointId, types: wanted } = refuseNotices(refuseDisabled(await findEndpoint(deps, request.params.id)));
      const wantedTypes = typesMatching(wanted).filter(
        (type) => types === undefined || typesMatching(types).includes(type),
      );
      const replayed = { endpointId, types: wantedTypes, since, until, onlyFailed };
      if (dryRun) return reply.code(200).send({ total: await countReplay(deps.db, replayed) });
      const jobId = randomUUID();
      await orderReplay(deps.db, { jobId, ...replayed }, actOf(deps, request));
      const replay = await readReplay(deps.db, jobId);
      if (replay === null) throw new Error(`the replay ${jobId} was started but cannot be found`);
      return reply.code(202).header('location', `/v1/jobs/${jobId}`).send(viewReplayJob(replay));
    },
  );
  app.post(
    '/webhook-endpoints/:id/test',
    call('operator', 'endpoints', {
      tags,
      operationId: 'testWebhookEndpoint',
      summary:
        'Sends a sample event of a type, with `test: true`, to one endpoint only; no list of events shows the sample',
      params: EndpointParams,
      body: TestBody,
      response: { 202: QueuedOut },
    }),
    async (request, reply) => {
      const { endpointId } = refuseDisabled(await findEndpoint(deps, request.params.id));
      const type = request.body.type as MerchantEventType;
      const queued = await sendTest(deps.db, endpointId, type, actOf(deps, request));
      return reply.code(202).send({ ...queued, endpointId });
    },
  );
  app.post(
    '/events/:id/resend',
    call('operator', 'events', {
      tags,
      operationId: 'resendEvent',
      summary:
        'Resends an event to an endpoint at once, with the same id, together with the pending events of the endpoint',
      params: EventParams,
      body: ResendBody,
      response: { 202: QueuedOut },
    }),
    async (request, reply) => {
      const { endpointId } = refuseNotices(refuseDisabled(await findEndpoint(deps, request.body.endpointId)));
      const { id } = request.params;
      const event = await readList(deps.reading, (db) => findEvent(db, id));
      if (event === null || event.isTest) throw eventNotFound(id);
      const queued = await resendEvent(deps.db, endpointId, id, actOf(deps, request));
      return reply.code(202).send({ ...queued, endpointId });
    },
  );
}

function refuseDisabled(record: EndpointRecord): EndpointRecord {
  if (record.enabled) return record;
  throw stateConflict(`The endpoint ${record.endpointId} is disabled: enable it first.`);
}

function refuseNotices(record: EndpointRecord): EndpointRecord {
  if (record.endpointId !== ENV) return record;
  throw stateConflict(
    'The endpoint env receives notices, which are resent with POST /v1/notices/{id}/resend; events cannot be sent to it again.',
  );
}
