import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { APPROVAL_LIFE, type ApprovalState } from '../../domain/approvals';
import { toIso } from '../../domain/time';
import {
  type ApprovalRecord,
  type ApprovalSubject,
  readCreators,
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

/** The details of a request that the approver sees. */
export type Asked = Partial<Pick<ApprovalSubject, 'subscriptionId' | 'paymentId' | 'amount' | 'facts'>>;

/** The hashes of a body that is read as a stream. */
export interface StreamedBody {
  /** The hash of the whole body. */
  readonly sha256: string;
  /** The hashes of all parts, concatenated. */
  readonly partHashes: Buffer;
}

const APPROVAL_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Permits a request that a second person has approved, and consumes the approval: whatever the outcome of the request, the
 * approval permits no other request. Called immediately before the act, after all other checks.
 * @throws Problem `approval_required` if no second person has approved yet, or another `approval_…` code; `forbidden` if the
 * key, or one with which it was created, has no holder
 */
export async function requireApproval(deps: AdminDeps, request: FastifyRequest, asked: Asked): Promise<void> {
  const approvalId = approvalIdOf(request);
  if (approvalId === null) throw await askForApproval(deps, request, asked);
  const mark = await findMark(deps, request, approvalId);
  if (!mark.fingerprint.equals(fingerprintOf(request, request.body))) throw mismatch();
  await permit(deps, request, approvalId);
}

/** The approval id in the request; null if there is none. @throws Problem if it is malformed */
export function approvalIdOf({ headers }: FastifyRequest): string | null {
  const given = headers['dueday-approval'];
  if (given === undefined) return null;
  if (typeof given === 'string' && APPROVAL_ID.test(given)) return given;
  throw invalidRequest([fault('Dueday-Approval', 'the approvalId of an approval', given)]);
}

/** Requests an approval. @returns the response to the caller: that a second person must approve, and the approval id */
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
  await refuseUnknownCreator(deps, caller);
  if (config.approvable !== true) throw new Error(`${method} ${routeOptions.url ?? ''} is not declared as approvable`);
  const approval = await requestApproval(deps.db, {
    ...act,
    approvalId: randomUUID(),
    firstKeyId: caller.firstKeyId,
    fingerprint: fingerprintOf(request, body?.sha256 ?? request.body),
    partHashes: body?.partHashes ?? null,
    operation: (schema as { readonly operationId: string }).operationId,
    call: `${method} ${url}`,
    subscriptionId,
    paymentId,
    amount,
    facts,
    holder,
    expiresRealAt: act.realAt + APPROVAL_LIFE,
  });
  return required(approval);
}

/** The request that the approval is for. @throws Problem if this caller has no such approval */
export async function findMark(deps: AdminDeps, request: FastifyRequest, approvalId: string): Promise<RequestMark> {
  const mark = await readRequestMark(deps.db, approvalId);
  if (mark?.firstKeyId !== callerOf(request).firstKeyId) throw mismatch();
  return mark;
}

/** Consumes the approval. @throws Problem if it does not permit the request */
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
      return new Problem('approval_required', `Approval ${approvalId} has not been decided yet.`, more);
    case 'approved':
      // Approved between the two statements of `useApproval`: the first one did not find the approval yet, so it was
      // not used.
      return new Problem('approval_required', `Approval ${approvalId} was given just now. Repeat the request.`, more);
    case 'rejected':
      return new Problem(
        'approval_rejected',
        `Approval ${approvalId} was rejected; the audit log says by whom and why.`,
        more,
      );
    case 'used':
      return new Problem('approval_used', `Approval ${approvalId} has already been used for its request.`, more);
    case 'expired':
      return new Problem('approval_expired', `Approval ${approvalId} was valid for 24 hours. ${ASK_AGAIN}`, more);
  }
}

const ASK_AGAIN = 'Repeat the request without the header Dueday-Approval to ask for a new approval.';

export function mismatch(): Problem {
  const detail = `There is no approval with this id for this request (same key, path and body). ${ASK_AGAIN}`;
  return new Problem('approval_mismatch', detail);
}

function required({ approvalId, expiresRealAt }: ApprovalRecord): Problem {
  const detail = `A second person must approve this request (approval ${approvalId}). Then repeat the same request with the header Dueday-Approval.`;
  return new Problem('approval_required', detail, { approvalId, expiresAt: toIso(expiresRealAt) });
}

/** The requester must be known. @throws Problem `forbidden` if the key has no holder */
function holderOf({ holder, name }: Caller): string {
  if (holder !== null) return holder;
  const detail = `A second person must approve this request, but the key "${name}" has no holder: use a key with a holder.`;
  throw new Problem('forbidden', detail);
}

/** The end of a sentence about a key that an unknown person may have, too. */
export const UNKNOWN_CREATOR =
  'was created, directly or indirectly, by a key without a holder, such as the bootstrap key';

/** Rejects keys with an unknown creator, who has seen the key and may also be the approver. @throws Problem `forbidden` */
async function refuseUnknownCreator({ db }: AdminDeps, { firstKeyId }: Caller): Promise<void> {
  const creators = await readCreators(db, firstKeyId);
  if (creators.every(({ holder }) => holder !== null)) return;
  const detail = `A second person must approve this request, but the key that makes it ${UNKNOWN_CREATOR}. Use a key that was created with \`dueday keys create\` or by a key with a holder.`;
  throw new Problem('forbidden', detail);
}

/** Identifies one request by one key, including keys that replace it. */
function fingerprintOf(request: FastifyRequest, body: unknown, idempotencyKey?: string): Buffer {
  const { method, url } = request;
  return requestFingerprint({ apiKeyId: callerOf(request).firstKeyId, idempotencyKey, call: `${method} ${url}`, body });
}

/** Who acts, and when. */
export function actOf({ clock }: AdminDeps, caller: Caller): TimedAct {
  return { ...actorOfCaller(caller), at: clock.now(), realAt: clock.realNow() };
}
