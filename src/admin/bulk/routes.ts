import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { canonical } from '../../domain/canonical';
import { APPROVAL_LIFE, isActGuarded } from '../../domain/approvals';
import type { Money } from '../../domain/money';
import { type Instant, MINUTE, toIso } from '../../domain/time';
import {
  type BulkWork,
  findOpenProposal,
  keepProposal,
  MOST_SELECTED,
  proposeBulk,
  readBulkJob,
  type SelectedSubscription,
  startBulk,
  type StartBulkResult,
} from '../../ledger';
import { requireApproval } from '../approvals/require';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { type Caller, callerOf, logSecurity, securityActOf } from '../http/caller';
import { invalidRequest, Problem, stateConflict } from '../http/problems';
import { fault, faultsOf } from '../http/validation';
import { requireChangeWithin, requirePowers, seesEmails } from '../access/powers';
import { JobOut, viewBulkJob } from '../jobs/schema';
import { amountFaults } from '../subscriptions/rules';
import { BULK_ACTIONS, type BulkAction, BulkBody, BulkDryRunOut, viewDryRun, viewSelectionChange } from './schema';

/** Real time. */
const TOKEN_LIFE = 15 * MINUTE;

/** `POST /bulk`: a dry run first, and with its token the same as a job. */
export function bulkRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/bulk',
    call('operator', 'bulk', {
      config: { approvable: true, hasLocation: true },
      tags: ['subscriptions'],
      operationId: 'runBulk',
      summary: 'Makes one call for each of many subscriptions, after a dry run',
      description: `With \`dryRun\` it tells what the filter selects, and gives a token that is valid for 15 minutes, once, with the same key. With the token it begins a job that makes the single call for each of them, also where other calls are refused. Where the filter selects others by then, or one of them stands otherwise, it is 409 \`selection_changed\` with what changed. It needs the role of the single call, and takes ${MOST_SELECTED} subscriptions at most.`,
      body: BulkBody,
      response: { 200: BulkDryRunOut, 202: JobOut.describe('The job is started; `Location` names it.') },
    }),
    async (request, reply) => {
      const caller = callerOf(request);
      if (request.body.token === undefined) return dryRun(deps, request.body, caller);
      await guard(deps, request, request.body, request.body.token);
      const jobId = await start(deps, request.body, request.body.token, request);
      logSecurity(request, 'bulk.begun', { jobId });
      const job = await readBulkJob(deps.db, jobId);
      if (job === null) throw new Error(`the job ${jobId} was begun and is gone`);
      return reply.code(202).header('location', `/v1/jobs/${jobId}`).send(viewBulkJob(job));
    },
  );
}

async function dryRun(deps: AdminDeps, body: BulkBody, caller: Caller): Promise<BulkDryRunOut> {
  const { action, parameters = {}, filter } = body;
  if (action === undefined || filter === undefined) throw new Error('a dry run without action or filter was let in');
  requirePowers(caller, BULK_ACTIONS[action], action);
  if (Object.keys(filter).length === 0) {
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
    role: caller.role,
    tokenHash: hashToken(token),
    realAt,
    tokenUntilReal: until,
  });
  if (selected.length > MOST_SELECTED) {
    const message = `expected a filter that selects ${MOST_SELECTED} subscriptions at most; got one that selects more`;
    throw invalidRequest([{ path: 'filter', message }]);
  }
  if (action === 'amount-change') requireChangeWithin(caller, changeOf(parameters, selected));
  return viewDryRun({ action, parameters, selected, token, until });
}

/** Cents by which all of them together would be changed, up or down. */
function changeOf(parameters: unknown, selected: readonly SelectedSubscription[]): number {
  const { amount } = BULK_ACTIONS['amount-change'].body.parse(parameters);
  return selected.reduce((sum, each) => sum + Math.abs(amount.value - each.amount.value), 0);
}

/** What of a single call's body depends on more than its form. */
interface Given {
  readonly amount?: Money | undefined;
  readonly until?: Instant | undefined;
  readonly reason?: string | undefined;
}

/** @throws Problem where the single call would refuse the body for every subscription. */
function checkParameters({ policy, clock }: AdminDeps, action: BulkAction, parameters: unknown): void {
  const read = BULK_ACTIONS[action].body.safeParse(parameters);
  if (!read.success) {
    throw invalidRequest(
      faultsOf(read.error, parameters).map(({ path, message }) => ({ path: inParameters(path), message })),
    );
  }
  const { amount, until }: Given = read.data;
  const faults = amount === undefined ? [] : amountFaults({ amount }, policy);
  if (until !== undefined && until <= clock.now()) {
    faults.push({ path: 'until', message: `expected a time after now, ${toIso(clock.now())}; got ${toIso(until)}` });
  }
  if (faults.length > 0) throw invalidRequest(faults.map((each) => ({ ...each, path: inParameters(each.path) })));
}

function inParameters(path: string): string {
  return path === '' ? 'parameters' : `parameters.${path}`;
}

/**
 * A second person approves what the dry run has shown; for that long its token stays good. What cannot be started anyway is
 * not approved.
 * @throws Problem where no second person has approved it
 */
async function guard(deps: AdminDeps, request: FastifyRequest, body: BulkBody, token: string): Promise<void> {
  if (!isActGuarded(deps.policy)) return;
  const caller = callerOf(request);
  const of = { tokenHash: hashToken(token), firstKeyId: caller.firstKeyId };
  const realNow = deps.clock.realNow();
  const proposal = await findOpenProposal(deps.db, of, realNow);
  if (proposal === null || otherThan(proposal.work, body).length > 0) return;
  const { jobId, work, total } = proposal;
  const action = work.action as BulkAction;
  requirePowers(caller, BULK_ACTIONS[action], action);
  await keepProposal(deps.db, jobId, realNow + APPROVAL_LIFE);
  await requireApproval(deps, request, { facts: { jobId, action, total, parameters: withoutWords(work) } });
}

/** What a person typed stays with the job: it may name a payer. */
function withoutWords({ parameters }: BulkWork): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'reason'));
}

async function start(deps: AdminDeps, body: BulkBody, token: string, request: FastifyRequest): Promise<string> {
  const caller = callerOf(request);
  const { db, clock } = deps;
  const result = await startBulk(db, {
    tokenHash: hashToken(token),
    ...securityActOf(request),
    firstKeyId: caller.firstKeyId,
    hidesEmail: !seesEmails(caller),
    at: clock.now(),
    realAt: clock.realNow(),
    means: (work) => {
      const action = work.action as BulkAction;
      requirePowers(caller, BULK_ACTIONS[action], action);
      return otherThan(work, body).length === 0;
    },
  });
  if (result.kind === 'started') return result.jobId;
  throw refusalOf(result, body);
}

function refusalOf(result: Exclude<StartBulkResult, { kind: 'started' }>, body: BulkBody): Problem {
  switch (result.kind) {
    case 'unknown':
      return invalidRequest([fault('token', 'the token of a dry run that was made with this key', body.token)]);
    case 'expired':
      return stateConflict(`The token was valid until ${toIso(result.untilReal)}, in real time. Make another dry run.`);
    case 'used':
      return new Problem('token_used', `It has begun job ${result.jobId}.`, { jobId: result.jobId });
    case 'other_work': {
      const fields = otherThan(result.work, body);
      return invalidRequest(
        fields.map((path) => ({ path, message: 'expected the same as in the dry run; got another' })),
      );
    }
    case 'selection_changed':
      return new Problem(
        'selection_changed',
        'The filter selects others than in the dry run, or some of them stand otherwise. Nothing was done; make another dry run.',
        viewSelectionChange(result.change),
      );
  }
}

/** The fields that are given with the token and differ from the dry run's. */
function otherThan(work: BulkWork, body: BulkBody): string[] {
  return (['action', 'parameters', 'filter'] as const).filter(
    (field) => body[field] !== undefined && canonical(body[field]) !== canonical(work[field]),
  );
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
