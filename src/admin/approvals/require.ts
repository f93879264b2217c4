import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { APPROVAL_LIFE, type ApprovalState } from '../../domain/approvals';
import { toIso } from '../../domain/time';
import {
  type ApprovalRecord,
  type ApprovalSubject,
  readMakers,
  readRequestMark,
  requestApproval,
  type RequestMark,
  type TimedAct,
  useApproval,
} from '../../ledger';
import type { AdminDeps } from '../dependencies';
import { actorOfCaller, type Caller, callerOf } from '../http/caller';
import { requestFingerprint } from '../http/fingerprint';
import { keyOf } from '../http/idempotency';
import { invalidRequest, Problem } from '../http/problems';
import { fault } from '../http/validation';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A second person may have to approve the call: {@link requireApproval}. */
    approvable?: boolean;
  }
}

/** What the person who decides is shown of a request. */
export type Asked = Partial<Pick<ApprovalSubject, 'subscriptionId' | 'paymentId' | 'amount' | 'facts'>>;

/** A body that is read as it comes has its own hashes. */
export interface StreamedBody {
  /** Of the whole. */
  readonly sha256: string;
  /** Of each part, one after the other. */
  readonly partHashes: Buffer;
}

const APPROVAL_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Lets a request on that a second person has approved, and uses the approval up: with any outcome of the request, it
 * permits no other one. Called last before the act, once nothing else speaks against it.
 * @throws Problem `approval_required` where no second person has approved yet, or another of its codes; `forbidden` where
 * the key has no holder
 */
export async function requireApproval(deps: AdminDeps, request: FastifyRequest, asked: Asked): Promise<void> {
  const caller = callerOf(request);
  // The job was approved as a whole.
  if (caller.jobId !== undefined) return;
  const approvalId = approvalIdOf(request);
  if (approvalId === null) throw await askForApproval(deps, request, asked);
  const mark = await findMark(deps, request, approvalId);
  if (!mark.fingerprint.equals(fingerprintOf(request, request.body))) throw mismatch();
  await permit(deps, request, approvalId);
}

/** The caller's approval; null where none came. @throws Problem where it is no id */
export function approvalIdOf({ headers }: FastifyRequest): string | null {
  const given = headers['dueday-approval'];
  if (given === undefined) return null;
  if (typeof given === 'string' && APPROVAL_ID.test(given)) return given;
  throw invalidRequest([fault('Dueday-Approval', 'the approvalId of an approval', given)]);
}

/** @returns the answer to the caller: that a second person must approve, and by which approval */
export async function askForApproval(
  deps: AdminDeps,
  request: FastifyRequest,
  { subscriptionId = null, paymentId = null, amount = null, facts = {} }: Asked,
  body?: StreamedBody,
): Promise<Problem> {
  const { method, url, routeOptions } = request;
  const caller = callerOf(request);
  const act = actOf(deps, caller);
  const { config, schema } = routeOptions;
  const holder = holderOf(caller);
  await refuseUnknownMaker(deps, caller);
  if (config.approvable !== true) throw new Error(`${method} ${routeOptions.url ?? ''} is not said to be approvable`);
  const approval = await requestApproval(deps.db, {
    ...act,
    approvalId: randomUUID(),
    firstKeyId: caller.firstKeyId,
    fingerprint: fingerprintOf(request, body?.sha256 ?? request.body),
    partHashes: body?.partHashes ?? null,
    operation: (schema as { readonly operationId: string }).operationId,
    call: `${method} ${url}`,
    ...{ subscriptionId, paymentId, amount, facts },
    holder,
    expiresRealAt: act.realAt + APPROVAL_LIFE,
  });
  return required(approval);
}

/** The request that an approval of this caller is of. @throws Problem where the caller has no such one */
export async function findMark(deps: AdminDeps, request: FastifyRequest, approvalId: string): Promise<RequestMark> {
  const mark = await readRequestMark(deps.db, approvalId);
  if (mark?.firstKeyId !== callerOf(request).firstKeyId) throw mismatch();
  return mark;
}

/** Uses it up. @throws Problem where it permits nothing */
export async function permit(deps: AdminDeps, request: FastifyRequest, approvalId: string): Promise<void> {
  const caller = callerOf(request);
  const idempotencyKey = keyOf(request);
  const usedFor = idempotencyKey === null ? null : fingerprintOf(request, request.body, idempotencyKey).toString('hex');
  const result = await useApproval(deps.db, { ...actOf(deps, caller), approvalId, usedFor });
  if (result !== 'permitted') throw refusalOf(result, approvalId);
}

function refusalOf(state: ApprovalState, approvalId: string): Problem {
  const more = { approvalId };
  switch (state) {
    case 'pending':
    case 'approved':
      return new Problem('approval_required', `Nobody has decided on approval ${approvalId} yet.`, more);
    case 'rejected':
      return new Problem('approval_rejected', `The trail says who rejected approval ${approvalId}, and why.`, more);
    case 'used':
      return new Problem('approval_used', `Approval ${approvalId} has permitted its one request.`, more);
    case 'expired':
      return new Problem('approval_expired', `Approval ${approvalId} was good for 24 hours. ${ASK_ANEW}`, more);
  }
}

const ASK_ANEW = 'Without the header Dueday-Approval the request asks for another one.';

export function mismatch(): Problem {
  const detail = `No approval of this id is of this very request: same key, path and body. ${ASK_ANEW}`;
  return new Problem('approval_mismatch', detail);
}

function required({ approvalId, expiresRealAt }: ApprovalRecord): Problem {
  const detail = `A second person must approve this: approval ${approvalId}. Then repeat the same request with the header Dueday-Approval.`;
  return new Problem('approval_required', detail, { approvalId, expiresAt: toIso(expiresRealAt) });
}

/** Both persons have to be known. @throws Problem `forbidden` */
function holderOf({ holder, name }: Caller): string {
  if (holder !== null) return holder;
  const detail = `A second person must approve this, and of the key "${name}" nobody is said to be the holder: use a key with a holder.`;
  throw new Problem('forbidden', detail);
}

export const UNKNOWN_MAKER =
  'A key without a holder, such as the bootstrap key, has created one of the keys, itself or through others.';

/** What is asked for with such a key may be another's wish. @throws Problem `forbidden` */
async function refuseUnknownMaker({ db }: AdminDeps, { firstKeyId }: Caller): Promise<void> {
  const makers = await readMakers(db, firstKeyId);
  if (makers.every(({ holder }) => holder !== null)) return;
  const detail = `A second person must approve this. ${UNKNOWN_MAKER} Use a key that \`dueday keys create\`, or a key with a holder, has created.`;
  throw new Problem('forbidden', detail);
}

/** Good for one request of one line of keys. */
function fingerprintOf(request: FastifyRequest, body: unknown, idempotencyKey?: string): Buffer {
  const { method, url } = request;
  return requestFingerprint({ apiKeyId: callerOf(request).firstKeyId, idempotencyKey, call: `${method} ${url}`, body });
}

/** Who acts, and when. */
export function actOf({ clock }: AdminDeps, caller: Caller): TimedAct {
  return { ...actorOfCaller(caller), at: clock.now(), realAt: clock.realNow() };
}
