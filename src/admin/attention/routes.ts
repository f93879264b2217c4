import {
  actOnAttention,
  type AttentionAction,
  type AttentionFilter,
  type Db,
  pairCursor,
  listAttention,
  type Page,
  pairStart,
  readHalt,
  readHaltItem,
  readList,
} from '../../ledger';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { actorOfCaller, type Caller, callerOf } from '../http/caller';
import { listOf, pageOf } from '../http/fields';
import { notFound, stateConflict } from '../http/problems';
import { AssignBody, AttentionOut, AttentionParams, AttentionQuery, CloseBody, NoteBody } from './schema';
import { viewAttention } from './view';

const tags = ['audit'];

/** `GET /attention`, and the actions of operators on its items. */
export function attentionRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/attention',
    call('viewer', 'attention', {
      tags,
      operationId: 'listAttention',
      summary:
        'Lists what waits for an operator, and why: a halt of all sending first, then the rest in the requested order',
      querystring: AttentionQuery,
      response: { 200: listOf(AttentionOut) },
    }),
    async (request) => {
      const page = pageOf(request.query, pairCursor.is);
      return readList(deps.reading, (db) => list(db, request.query, page, callerOf(request)));
    },
  );
  actionRoutes(app, deps);
}

function actionRoutes(app: TypedApp, deps: AdminDeps): void {
  const common = { tags, params: AttentionParams, response: { 200: AttentionOut } };
  app.post(
    '/attention/:item/assign',
    call('operator', 'attention', {
      ...common,
      operationId: 'assignAttention',
      summary: 'Assigns an attention item to an operator; null removes the assignee',
      body: AssignBody,
    }),
    async (request) => act(deps, request.params.item, { kind: 'assign', ...request.body }, callerOf(request)),
  );
  app.post(
    '/attention/:item/note',
    call('operator', 'attention', {
      ...common,
      operationId: 'noteAttention',
      summary: 'Replaces the note of an attention item; null removes the note',
      body: NoteBody,
    }),
    async (request) => act(deps, request.params.item, { kind: 'note', ...request.body }, callerOf(request)),
  );
  app.post(
    '/attention/:item/close',
    call('operator', 'attention', {
      ...common,
      operationId: 'closeAttention',
      summary: 'Closes an attention item that has been explained or is no longer needed',
      description:
        'Only items about a difference, a contradiction, an incomplete list, a refused record, an undelivered notice of a coming debit or dead letters can be closed; all other items close when their cause ends, or when they are acknowledged.',
      body: CloseBody,
    }),
    async (request) => act(deps, request.params.item, { kind: 'close', ...request.body }, callerOf(request)),
  );
}

/** @throws Problem if there is no such item, it is closed, or its kind cannot be closed manually */
async function act({ db, clock }: AdminDeps, item: string, action: AttentionAction, caller: Caller) {
  const result = await actOnAttention(db, item, action, { ...actorOfCaller(caller), at: clock.now() });
  switch (result.kind) {
    case 'done':
      return viewAttention(result.item, caller);
    case 'unknown':
      throw notFound(`There is no item ${item}.`);
    case 'closed':
      throw stateConflict('The item is already closed.');
    case 'not_closable':
      throw stateConflict(
        `Items of kind ${result.item.kind} cannot be closed manually; they close when their cause ends. For a subscription, use POST /v1/subscriptions/{id}/acknowledge; for a capture or a refund, POST /v1/captures/{orderId}/resolve or POST /v1/refunds/{refundId}/resolve.`,
      );
  }
}

/** A halt comes first, and counts as an item of the first page. */
async function list(db: Db, filter: AttentionFilter, page: Page, caller: Caller) {
  const [halt, item] = page.cursor === null ? [await readHalt(db), await readHaltItem(db, filter)] : [null, null];
  const first = item === null ? [] : [viewAttention(item, caller, halt)];
  const limit = page.limit - first.length;
  if (limit === 0) return { items: first, nextCursor: pairStart(filter.sort?.startsWith('-') ?? true) };
  const { items, nextCursor } = await listAttention(db, filter, { ...page, limit });
  return { items: [...first, ...items.map((each) => viewAttention(each, caller))], nextCursor };
}
