import { changePayer, type EraseResult, erasePayer, type Unfinished, readList, readPayer } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import { invalidRequest, notFound, ERROR_RESPONSES, Problem, stateConflict } from '../http/problems';
import { findSubscription, showSubscription } from '../subscriptions/read';
import { ChangePayerBody, OF_SUBSCRIPTION } from '../subscriptions/schema';
import { RequiredReasonBody } from '../http/bodies';
import { ErasedPayerOut, PayerParams, PayerRecordOut } from './schema';

/** `PATCH /subscriptions/{id}/payer`, `GET /payers/{reference}` and `POST /payers/{reference}/erase`. */
export function payerRoutes(app: TypedApp, deps: AdminDeps): void {
  changePayerRoute(app, deps);
  showPayerRoute(app, deps);
  erasePayerRoute(app, deps);
}

function changePayerRoute(app: TypedApp, deps: AdminDeps): void {
  app.patch(
    '/subscriptions/:id/payer',
    {
      config: { role: 'operator', scope: ['subscriptions:steer', 'notices'] },
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'changePayer',
        summary:
          "Changes the payer's e-mail, reference or language; undelivered notices are sent to the new e-mail at once",
        body: ChangePayerBody,
      },
    },
    async (request) => {
      const { subscriptionId } = await findSubscription(deps.db, request.params.id);
      const act = { subscriptionId, ...actorOfCaller(callerOf(request)), at: deps.clock.now() };
      const result = await changePayer(deps.db, { ...act, patch: request.body });
      if (result.kind === 'erased') throw stateConflict("The payer's data was erased; no new data can be stored.");
      return showSubscription(deps, request, subscriptionId);
    },
  );
}

const tags = ['payers'];

function showPayerRoute(app: TypedApp, { reading, clock }: AdminDeps): void {
  app.get(
    '/payers/:reference',
    {
      config: { role: 'admin', scope: 'payers:read' },
      schema: {
        tags,
        operationId: 'getPayer',
        summary: 'Returns all data stored about a payer, across subscriptions, payments and drafts',
        params: PayerParams,
        response: { 200: PayerRecordOut, ...ERROR_RESPONSES },
      },
    },
    async ({ params: { reference } }) => {
      const stored = await readList(reading, (db) => readPayer(db, reference, clock.realNow()));
      if (stored === null) throw unknownPayer();
      return { reference, ...stored, records: [...stored.records], living: [...stored.living] };
    },
  );
}

function erasePayerRoute(app: TypedApp, { db, clock }: AdminDeps): void {
  app.post(
    '/payers/:reference/erase',
    {
      config: { role: 'admin', scope: 'payers:erase', personalPath: true },
      schema: {
        tags,
        operationId: 'erasePayer',
        summary: 'Permanently erases all personal data of a payer, across subscriptions, payments and drafts',
        description:
          'Records of money are kept. The response is 409 with `living` while something is still in progress, such as an active subscription, an undelivered notice or an undelivered event. The reason is stored and must not name the payer.',
        params: PayerParams,
        body: RequiredReasonBody,
        response: { 200: ErasedPayerOut, ...ERROR_RESPONSES },
      },
    },
    async (request) => {
      const [at, realAt] = [clock.now(), clock.realNow()];
      const by = actorOfCaller(callerOf(request));
      const result = await erasePayer(db, { ...request.params, ...request.body, ...by, at, realAt });
      if (result.kind !== 'erased') throw refusalOf(result);
      return { erasedAt: at, ...result };
    },
  );
}

/** Does not repeat the reference, which may contain anything. */
function unknownPayer(): Problem {
  return notFound('No payer has this reference.');
}

function refusalOf(result: Exclude<EraseResult, { kind: 'erased' }>): Problem {
  switch (result.kind) {
    case 'unknown':
      return unknownPayer();
    case 'reason_names_payer':
      return invalidRequest([
        { path: 'reason', message: 'expected a reason that does not name the payer, because it is stored' },
      ]);
    case 'living':
      return new Problem('state_conflict', `Still in progress: ${describe(result.living)}.`, { living: result.living });
  }
}

const MAX_DESCRIBED = 5;

function describe(living: readonly Unfinished[]): string {
  const first = living.slice(0, MAX_DESCRIBED).map(({ kind, subscriptionId, paymentId, state }) => {
    const id = subscriptionId ?? paymentId;
    return `${kind}${id === null ? '' : ` ${id}`} (${state})`;
  });
  const more = living.length - first.length;
  return `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
