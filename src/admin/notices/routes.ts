import type { NoticeId } from '../../domain/ids';
import { type Instant, toIso } from '../../domain/time';
import {
  getNotice,
  noticeCursor,
  listNotices,
  type NoticeRecord,
  readList,
  readRevision,
  recordManualNotification,
  reopenNotice,
} from '../../ledger';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import { listOf, pageOf } from '../http/fields';
import { invalidRequest, notFound, type Problem, stateConflict } from '../http/problems';
import { EmptyBody } from '../http/bodies';
import { NoticeOut, NoticeParams, NoticesQuery, PreviewOut, PreviewQuery, ToldBody, viewNotice } from './schema';

const tags = ['notices'];

/** `GET /notices`, `GET /notices/preview`, `POST /notices/{id}/resend` and `…/told`. */
export function noticeRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/notices',
    call('viewer', 'notices', {
      tags,
      operationId: 'listNotices',
      summary: 'Lists the notices to payers and to the merchant, newest first',
      querystring: NoticesQuery,
      response: { 200: listOf(NoticeOut) },
    }),
    async ({ query }) => {
      const page = pageOf(query, noticeCursor.is);
      const { items, nextCursor } = await readList(listing(deps), (db) => listNotices(db, query, page));
      return { items: items.map(viewNotice), nextCursor };
    },
  );
  app.get(
    '/notices/preview',
    call('viewer', 'notices', {
      tags,
      operationId: 'previewNotice',
      summary: 'Returns the e-mail of a notice as an invented payer would get it, in the given language',
      querystring: PreviewQuery,
      response: { 200: PreviewOut },
    }),
    async ({ query: { type, language } }) => ({ type, language, ...deps.previewEmail(type, language) }),
  );
  app.post(
    '/notices/:id/resend',
    call('operator', 'notices', {
      tags,
      operationId: 'resendNotice',
      summary: 'Delivers a notice again at once, with the same webhook-id; an undeliverable notice is reopened',
      params: NoticeParams,
      body: EmptyBody,
      response: { 202: NoticeOut.describe('The notice was queued and is sent in the background.') },
    }),
    async (request, reply) => {
      const { noticeId } = await findNotice(deps, request.params);
      const act = { ...actorOfCaller(callerOf(request)), at: deps.clock.now() };
      const reopened = await reopenNotice(deps.db, noticeId, act);
      return reply.code(202).send(viewNotice(reopened));
    },
  );
  app.post(
    '/notices/:id/told',
    call('operator', 'notices', {
      tags,
      operationId: 'recordTold',
      summary:
        'Records that the payer was notified by other means: the notice counts as delivered, and a retry that waits for it can follow',
      params: NoticeParams,
      body: ToldBody,
      response: { 200: NoticeOut },
    }),
    async (request) => {
      const { clock, db } = deps;
      const { noticeId } = await findNotice(deps, request.params);
      const [at, { toldAt }] = [clock.now(), request.body];
      if (toldAt > at) throw invalidToldAt(`a time not after now, ${toIso(at)}`, toldAt);
      const who = { noticeId, ...actorOfCaller(callerOf(request)), at, realAt: clock.realNow() };
      const result = await recordManualNotification(db, { ...request.body, ...who });
      if (result.kind === 'not_for_payer') throw stateConflict('The notice is for the merchant, not for a payer.');
      if (result.kind === 'too_early')
        throw invalidToldAt(`a time after the event it reports, ${toIso(result.after)}`, toldAt);
      if (result.kind === 'delivered') throw stateConflict(describeDelivery(result.notice));
      const { subscriptionId } = result.notice;
      const revision = subscriptionId === null ? null : await readRevision(db, subscriptionId);
      // If Temporal is unreachable, a job notifies the workflow later.
      if (subscriptionId !== null && revision !== null)
        void deps.subscriptions.notify(subscriptionId, revision).catch(() => undefined);
      return viewNotice(result.notice);
    },
  );
}

/** @throws Problem `not_found`. */
async function findNotice({ db }: AdminDeps, { id }: { readonly id: string }): Promise<NoticeRecord> {
  const notice = await getNotice(db, id as NoticeId);
  if (notice === null) throw notFound(`There is no notice ${id}.`);
  return notice;
}

function invalidToldAt(expected: string, got: Instant): Problem {
  return invalidRequest([{ path: 'toldAt', message: `expected ${expected}; got ${toIso(got)}` }]);
}

function describeDelivery({ channel, deliveredAt }: NoticeRecord): string {
  const when = deliveredAt === null ? '' : ` at ${toIso(deliveredAt)}`;
  return `The notice was already delivered${when}, by ${channel ?? 'an unknown channel'}.`;
}
