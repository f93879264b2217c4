import { isActGuarded } from '../../domain/approvals';
import type { SubscriptionId } from '../../domain/ids';
import { type AdoptedFinding, getCycle, isAboutAdoption, resolveAdopted } from '../../ledger';
import { requireApproval } from '../approvals/require';
import type { AdminDeps, TypedApp } from '../dependencies';
import { ERROR_RESPONSES, invalidRequest, stateConflict } from '../http/problems';
import { callBy, problemOf, requestBy } from './steering';
import { findCycle, findSubscription } from './read';
import { CycleParams, PostponeBody, ResolveBody, RetryBody, STEERING_NEEDS } from './schema';
import { ReasonBody } from '../http/bodies';
import { carryOut, checkUnlessDone, refuseTerminal, steer } from './carry-out';
import { CycleOut, viewCycle } from './cycle-schema';

/** `POST /subscriptions/{id}/cycles/{n}/skip`, `…/postpone`, `…/retry` and `…/resolve`. */
export function steerCycleRoutes(app: TypedApp, deps: AdminDeps): void {
  skipRoute(app, deps);
  postponeRoute(app, deps);
  retryRoute(app, deps);
  resolveRoute(app, deps);
}

function skipRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cycles/:n/skip',
    {
      config: { role: 'operator', scope: 'subscriptions:steer', asks: 'skip' },
      schema: {
        tags: ['cycles'],
        operationId: 'skipCycle',
        summary: 'Skips a cycle permanently; only before its first attempt',
        params: CycleParams,
        body: ReasonBody,
        response: { 200: CycleOut, ...ERROR_RESPONSES },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, request.params.id);
      const asked = { ...requestBy(request, request.body), cycle: request.params.n };
      await checkUnlessDone(deps, 'skip', before.subscriptionId, asked, () => refuseTerminal(before));
      await steer(deps, 'skip', before.subscriptionId, asked);
      return viewCycle(await findCycle(deps.db, before.subscriptionId, request.params.n));
    },
  );
}

function postponeRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cycles/:n/postpone',
    {
      config: { role: 'operator', scope: 'subscriptions:steer', asks: 'postpone' },
      schema: {
        tags: ['cycles'],
        operationId: 'postponeCycle',
        summary:
          'Postpones the first attempt of a cycle inside its collection window; to undo it, postpone to the due date',
        params: CycleParams,
        body: PostponeBody,
        response: { 200: CycleOut, ...ERROR_RESPONSES },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, request.params.id);
      const { until } = request.body;
      const asked = { ...requestBy(request, request.body), cycle: request.params.n, until };
      await checkUnlessDone(deps, 'postpone', before.subscriptionId, asked, () => refuseTerminal(before));
      await steer(deps, 'postpone', before.subscriptionId, asked);
      return viewCycle(await findCycle(deps.db, before.subscriptionId, request.params.n));
    },
  );
}

function retryRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cycles/:n/retry',
    {
      config: { ...STEERING_NEEDS.retry, asks: 'retry' },
      schema: {
        tags: ['cycles'],
        operationId: 'retryCycle',
        summary: 'Makes the next retry of a cycle now, or at the given instant, instead of at its planned time',
        params: CycleParams,
        body: RetryBody,
        response: {
          202: CycleOut.describe('The retry was accepted and is made in the background.'),
          ...ERROR_RESPONSES,
        },
      },
    },
    async (request, reply) => {
      const { id, n: cycle } = request.params;
      const { at: retryAt = null } = request.body;
      await carryOut.retry(deps, id, { ...requestBy(request, request.body), cycle, retryAt });
      return reply.code(202).send(viewCycle(await findCycle(deps.db, id, cycle)));
    },
  );
}

/** An operator's resolution of an unresolved attempt (rule 18). */
function resolveRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cycles/:n/resolve',
    {
      config: { role: 'admin', scope: 'subscriptions:steer', asks: 'resolve', approvable: true },
      schema: {
        tags: ['cycles'],
        operationId: 'resolveCycle',
        summary: 'Resolves, with evidence, an attempt whose outcome the payment service does not show',
        params: CycleParams,
        body: ResolveBody,
        response: { 200: CycleOut, ...ERROR_RESPONSES },
      },
    },
    async (request) => {
      const { outcome, evidence, authorizationId = null, captureId = null, paidCycle } = request.body;
      const before = await findSubscription(deps.db, request.params.id);
      const { subscriptionId } = before;
      const target = { subscriptionId, cycle: request.params.n };
      refusePaidCycle(target.cycle, outcome, paidCycle);
      const resolution = { outcome, evidence, authorizationId, captureId, ...callBy(request) };
      const adopted = { ...target, ...resolution, paidCycle: paidCycle ?? target.cycle };
      const isAdoption = paidCycle !== undefined || (await isAboutAdoption(deps.db, adopted));
      if (isAdoption) requirePaidCycle(target.cycle, outcome, paidCycle);
      const paid = paidCycle === undefined ? {} : { paidCycle };
      const facts = { cycle: target.cycle, outcome, authorizationId, captureId, ...paid };
      if (isActGuarded(deps.policy)) {
        // Do not ask for approval of what the current state forbids.
        if (!isAdoption) await refuseSettled(deps, subscriptionId, request.params.n, resolution.actor);
        await requireApproval(deps, request, { subscriptionId, facts });
      }
      if (isAdoption) await resolveAdoption(deps, adopted);
      else await steer(deps, 'resolve', before.subscriptionId, { ...resolution, cycle: target.cycle });
      return viewCycle(await findCycle(deps.db, before.subscriptionId, request.params.n));
    },
  );
}

/** @throws Problem if `paidCycle` is impossible */
function refusePaidCycle(cycle: number, outcome: 'collected' | 'failed', paidCycle: number | undefined): void {
  if (paidCycle === undefined) return;
  const message =
    outcome === 'collected'
      ? `not allowed with outcome "collected"; got ${paidCycle}`
      : `expected ${cycle - 1}, the cycle before cycle ${cycle}; got ${paidCycle}`;
  if (outcome === 'collected' || paidCycle !== cycle - 1) throw invalidRequest([{ path: 'paidCycle', message }]);
}

/** @throws Problem unless it is clear which cycle an adopted debit paid instead */
function requirePaidCycle(cycle: number, outcome: 'collected' | 'failed', paidCycle: number | undefined): void {
  if (outcome === 'collected' || paidCycle !== undefined) return;
  const message = `expected ${cycle - 1}: the debit of cycle ${cycle} was made by another system and has paid either this cycle or the previous one`;
  throw invalidRequest([{ path: 'paidCycle', message }]);
}

/** Writes to the ledger first, then notifies the workflow: a job repeats the notification until it is acknowledged. */
async function resolveAdoption(
  { db, clock, subscriptions }: AdminDeps,
  finding: Omit<AdoptedFinding, 'at' | 'realAt'>,
): Promise<void> {
  const result = await resolveAdopted(db, { ...finding, at: clock.now(), realAt: clock.realNow() });
  if (result.kind === 'refused') throw problemOf({ kind: 'refused', ...result.refusal });
  if (result.kind === 'resolved')
    void subscriptions.notify(finding.subscriptionId, result.revision).catch(() => undefined);
}

/**
 * Refuses what the resolution itself would refuse. If this caller has already resolved the attempt, the resolution decides: the
 * request may be repeated because its response was lost.
 * @throws Problem if nothing in the cycle is unresolved
 */
async function refuseSettled({ db, clock }: AdminDeps, id: SubscriptionId, n: number, by: string): Promise<void> {
  const cycle = await getCycle(db, id, n);
  const last = cycle?.attempts.at(-1);
  if (cycle?.status === 'unresolved' || last?.resolvedBy === by) return;
  const isOverdue = cycle !== null && clock.now() >= cycle.collectBy;
  if (last?.state === 'pending' && (isOverdue || last.unlistedSinceReal !== null)) return;
  throw stateConflict(`nothing of cycle ${n} is unresolved`);
}
