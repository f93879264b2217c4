import type { Decision } from '../../domain/approvals';
import { decideApproval, type DecideApprovalResult, approvalCursor, listApprovals, readList } from '../../ledger';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { listOf, pageOf } from '../http/fields';
import { notFound, Problem, stateConflict } from '../http/problems';
import { RequiredReasonBody } from '../http/bodies';
import { actOf, UNKNOWN_CREATOR } from './require';
import { ApprovalOut, ApprovalParams, ApprovalsQuery, viewApproval } from './schema';

const tags = ['approvals'];

/** `GET /approvals`, `POST /approvals/{id}/approve` and `…/reject`. */
export function approvalRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/approvals',
    call('viewer', 'approvals', {
      tags,
      operationId: 'listApprovals',
      summary: 'Lists requests that wait for a second person, and decided ones, newest first',
      querystring: ApprovalsQuery,
      response: { 200: listOf(ApprovalOut) },
    }),
    async ({ query }) => {
      const page = pageOf(query, approvalCursor.is);
      const list = await readList(deps.reading, (db) => listApprovals(db, query, page, deps.clock.realNow()));
      return { ...list, items: list.items.map(viewApproval) };
    },
  );
  decisionRoute(app, deps, {
    path: '/approvals/:id/approve',
    decision: 'approved',
    operationId: 'approveRequest',
    summary: 'Approves the request of another person, who then repeats it with the id of the approval',
  });
  decisionRoute(app, deps, {
    path: '/approvals/:id/reject',
    decision: 'rejected',
    operationId: 'rejectRequest',
    summary: 'Rejects a request, even an approved one whose approval has not been used yet',
  });
}

interface DecisionCall {
  readonly path: '/approvals/:id/approve' | '/approvals/:id/reject';
  readonly decision: Decision;
  readonly operationId: string;
  readonly summary: string;
}

function decisionRoute(app: TypedApp, deps: AdminDeps, { path, decision, operationId, summary }: DecisionCall): void {
  app.post(
    path,
    call('admin', 'approvals', {
      tags,
      operationId,
      summary,
      params: ApprovalParams,
      body: RequiredReasonBody,
      response: { 200: ApprovalOut },
    }),
    async (request) => {
      const caller = callerOf(request);
      const { id: approvalId } = request.params;
      const { holder } = caller;
      const act = { ...actOf(deps, caller), ...request.body, approvalId, decision, holder };
      const result = await decideApproval(deps.db, act);
      if (result.kind === 'decided') return viewApproval(result.approval);
      throw refusalOf(result, approvalId);
    },
  );
}

function refusalOf(result: Exclude<DecideApprovalResult, { kind: 'decided' }>, approvalId: string): Problem {
  switch (result.kind) {
    case 'unknown':
      return notFound(`There is no approval ${approvalId}.`);
    case 'over':
      return stateConflict(`Approval ${approvalId} is ${result.state}.`);
    case 'no_holder':
      return new Problem('forbidden', 'Approving requires a key with a holder, so that the approver is known.');
    case 'same_holder':
      return new Problem(
        'forbidden',
        `The request was made with a key of ${result.holder}: another person must approve it.`,
      );
    case 'creator':
      return new Problem(
        'forbidden',
        `${result.holder} holds or has created or rotated, directly or indirectly, both the key of the request and the approving key: another person must approve the request.`,
      );
    case 'unknown_creator':
      return new Problem(
        'forbidden',
        `The key of the request or the approving key ${UNKNOWN_CREATOR}. Such keys can neither request nor give an approval.`,
      );
  }
}
