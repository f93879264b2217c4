import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { canonical } from '../../domain/canonical';
import { APPROVAL_LIFE, isActGuarded } from '../../domain/approvals';
import type { Money } from '../../domain/money';
import { type Instant, MINUTE, toIso } from '../../domain/time';
import {
  type BulkWork,
  findOpenProposal,
  extendProposal,
  MAX_SELECTED,
  proposeBulk,
  readBulkJob,
  type SelectedSubscription,
  startBulk,
  type StartBulkResult,
  subscriptionsById,
} from '../../ledger';
import { requireApproval } from '../approvals/require';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { type Caller, callerOf, logSecurity, actorWithAddress } from '../http/caller';
import { invalidRequest, Problem, stateConflict } from '../http/problems';
import { fault, pastFaults } from '../http/validation';
import { requireChangeWithin, requirePowers, seesEmails } from '../access/powers';
import { JobOut, viewBulkJob } from '../jobs/schema';
import { amountFaults } from '../subscriptions/rules';
import {
  BULK_ACTIONS,
  type BulkAction,
  BulkBody,
  BulkDryRunOut,
  inParameters,
  isEmptyFilter,
  MAX_SHOWN,
  parseParameters,
  viewDryRun,
  viewSelectionChange,
} from './schema';

/** Real time. */
const TOKEN_LIFE = 15 * MINUTE;

/** `POST /bulk`: first a dry run, then, with its token, the job. */
export function bulkRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/bulk',
    call('operator', 'bulk', {
      config: { approvable: true, hasLocation: true },
      tags: ['subscriptions'],
      operationId: 'runBulk',
      summary: 'Makes the same call for each of many subscriptions, after a dry run',
      description: `With \`dryRun\`, shows what the filter selects and returns a token, which is valid once, for 15 minutes, with the same key. With that token, starts a job that makes the call for each selected subscription; refused calls do not stop the others. If the selection or the state of a selected subscription has changed since, the response is 409 \`selection_changed\` with the changes. Requires the role of the individual call; at most ${MAX_SELECTED} subscriptions.`,
      body: BulkBody,
      response: { 200: BulkDryRunOut, 202: JobOut.describe('The job was started; `Location` is its path.') },
    }),
    async (request, reply) => {
      const caller = callerOf(request);
      if (request.body.token === undefined) return dryRun(deps, request.body, caller);
      await guard(deps, request, request.body, request.body.token);
      const jobId = await start(deps, request.body, request.body.token, request);
      logSecurity(request, 'bulk.started', { jobId });
      const job = await readBulkJob(deps.db, jobId);
      if (job === null) throw new Error(`the job ${jobId} was started but cannot be found`);
      return reply.code(202).header('location', `/v1/jobs/${jobId}`).send(viewBulkJob(job));
    },
  );
}

async function dryRun(deps: AdminDeps, body: BulkBody, caller: Caller): Promise<BulkDryRunOut> {
  const { action, parameters = {}, filter } = body;
  if (action === undefined || filter === undefined)
    throw new Error('a dry run without action or filter passed validation');
  requirePowers(caller, BULK_ACTIONS[action], action);
  if (isEmptyFilter(filter)) {
    throw invalidRequest([fault('filter', 'an object with at least one field', filter)]);
  }
  checkParameters(deps, action, parameters);
  const token = `bulk_${randomBytes(32).toString('base64url')}`;
  const realAt = deps.clock.realNow();
  const until = realAt + TOKEN_LIFE;
  const selected = await proposeBulk(deps.db, {
    jobId: randomUUID(),
    action,
    parameters,
    filter,
    actor: caller.name,
    firstKeyId: caller.firstKeyId,
    hidesEmail: !seesEmails(caller),
    tokenHash: hashToken(token),
    realAt,
    tokenUntilReal: until,
  });
  if (selected.length > MAX_SELECTED) {
    const message = `expected a filter that selects at most ${MAX_SELECTED} subscriptions; got one that selects more`;
    throw invalidRequest([{ path: 'filter', message }]);
  }
  if (action === 'amount-change') requireChangeWithin(caller, changeOf(parameters, selected));
  // Reads the payers only of the subscriptions shown: a join would read the payers of all 50,000.
  const ids = selected.slice(0, MAX_SHOWN).map(({ subscriptionId }) => subscriptionId);
  const shown = await subscriptionsById(deps.db, ids);
  return viewDryRun({ action, parameters, selected, shown, caller, token, until });
}

/** The sum of the changes of all selected subscriptions in cents, in which a reduction counts as much as an increase. */
function changeOf(parameters: unknown, selected: readonly SelectedSubscription[]): number {
  const { amount } = BULK_ACTIONS['amount-change'].body.parse(parameters);
  return selected.reduce((sum, each) => sum + Math.abs(amount.value - each.amount.value), 0);
}

/** The fields of an individual call's body that need checks beyond the schema. */
interface CheckedParameters {
  readonly amount?: Money | undefined;
  readonly until?: Instant | undefined;
  readonly at?: Instant | undefined;
  readonly reason?: string | undefined;
}

/** @throws Problem if the individual call would refuse the body for every subscription */
function checkParameters({ policy, clock }: AdminDeps, action: BulkAction, parameters: unknown): void {
  const { amount, until, at }: CheckedParameters = parseParameters(BULK_ACTIONS[action].body, parameters);
  const faults = amount === undefined ? [] : amountFaults({ amount }, policy);
  if (until !== undefined) faults.push(...pastFaults('until', until, clock.now()));
  if (at !== undefined) faults.push(...pastFaults('at', at, clock.now()));
  if (faults.length > 0) throw invalidRequest(faults.map((each) => ({ ...each, path: inParameters(each.path) })));
}

/**
 * Requires that a second person has approved what the dry run has shown, and keeps the token valid meanwhile. Does not ask for
 * approval of a job that cannot be started.
 * @throws Problem unless a second person has approved the job
 */
async function guard(deps: AdminDeps, request: FastifyRequest, body: BulkBody, token: string): Promise<void> {
  if (!isActGuarded(deps.policy)) return;
  const caller = callerOf(request);
  const lookup = { tokenHash: hashToken(token), firstKeyId: caller.firstKeyId };
  const realNow = deps.clock.realNow();
  const proposal = await findOpenProposal(deps.db, lookup, realNow);
  if (proposal === null || differingFields(proposal.work, body).length > 0) return;
  const { jobId, work, total } = proposal;
  const action = work.action as BulkAction;
  requirePowers(caller, BULK_ACTIONS[action], action);
  await extendProposal(deps.db, jobId, realNow + APPROVAL_LIFE);
  await requireApproval(deps, request, { facts: { jobId, action, total, parameters: withoutReason(work) } });
}

/** Free text stays with the job, because it may name a payer. */
function withoutReason({ parameters }: BulkWork): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'reason'));
}

async function start(deps: AdminDeps, body: BulkBody, token: string, request: FastifyRequest): Promise<string> {
  const caller = callerOf(request);
  const { db, clock } = deps;
  const result = await startBulk(db, {
    tokenHash: hashToken(token),
    ...actorWithAddress(request),
    firstKeyId: caller.firstKeyId,
    hidesEmail: !seesEmails(caller),
    at: clock.now(),
    realAt: clock.realNow(),
    matches: (work) => {
      const action = work.action as BulkAction;
      requirePowers(caller, BULK_ACTIONS[action], action);
      return differingFields(work, body).length === 0;
    },
  });
  if (result.kind === 'started') return result.jobId;
  throw refusalOf(result, body);
}

function refusalOf(result: Exclude<StartBulkResult, { kind: 'started' }>, body: BulkBody): Problem {
  switch (result.kind) {
    case 'unknown':
      return invalidRequest([fault('token', 'the token of a dry run made with this key', body.token)]);
    case 'expired':
      return stateConflict(`The token was valid until ${toIso(result.untilReal)} (real time). Make another dry run.`);
    case 'used':
      return new Problem('token_used', `The token has already started job ${result.jobId}.`, { jobId: result.jobId });
    case 'other_work': {
      const fields = differingFields(result.work, body);
      return invalidRequest(
        fields.map((path) => ({ path, message: 'expected the same value as in the dry run; got a different one' })),
      );
    }
    case 'selection_changed':
      return new Problem(
        'selection_changed',
        'The filter no longer selects the same subscriptions as in the dry run, or some of them have changed. Nothing was done; make another dry run.',
        viewSelectionChange(result.change),
      );
  }
}

/** The fields given with the token that differ from the dry run. */
function differingFields(work: BulkWork, body: BulkBody): string[] {
  return (['action', 'parameters', 'filter'] as const).filter(
    (field) => body[field] !== undefined && canonical(body[field]) !== canonical(work[field]),
  );
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
