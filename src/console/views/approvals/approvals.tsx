import { useState } from 'preact/hooks';
import { waitingRequest, offeredOf } from '../../approvals';
import { type Answer, post } from '../../client';
import { type ChosenColumn, Instant, Money, StatusBadge, useColumns } from '../../parts';
import { session } from '../../session';
import { Action, ReasonField, requiredText } from '../common/action';
import { useAnswer } from '../common/answers';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import type { Approval } from '../common/schemas';
import { type OfApproval, RequestDetails, RequestSummary } from './request-details';
import { type Approved, SendApproved, Sent } from './send-approved';

const CHANGES = ['approvals'];

/** Polling interval in ms: approvals expire, and no event reports that. */
const POLL_EVERY = 10_000;

const FILTERS: FiltersOf<'listApprovals'> = [
  {
    kind: 'choice',
    name: 'state',
    label: 'State',
    values: ['pending', 'approved', 'rejected', 'used', 'expired'] satisfies Approval['state'][],
  },
];

/** Requests that need a second person's approval. */
export default function Approvals() {
  const query = usePageQuery<'listApprovals'>(FILTERS);
  const page = useAnswer(
    ['approvals'],
    '/v1/approvals',
    { query },
    { keepsPrevious: true, refetchInterval: POLL_EVERY },
  );
  const [chosen, setChosen] = useState<Approved | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const { shown, menu } = useColumns('approvals', [
    ...COLUMNS,
    { head: 'Actions', cell: (approval: Approval) => <Decide of={approval} onSend={setChosen} />, isFixed: true },
  ]);
  return (
    <>
      <header class="heading">
        <h1>Approvals</h1>
        {menu}
      </header>
      <Filters of={FILTERS} />
      <Listing
        what="approvals"
        page={page}
        columns={shown}
        keyOf={({ approvalId }) => approvalId}
        empty="Nothing waits for a second person."
      />
      {chosen === null ? null : <SendApproved of={chosen} onSent={setAnswer} onClose={() => setChosen(null)} />}
      {answer === null ? null : <Sent answer={answer} onClose={() => setAnswer(null)} />}
    </>
  );
}

const COLUMNS: readonly ChosenColumn<Approval>[] = [
  { head: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { head: 'What', cell: (approval) => <RequestSummary of={approval} />, isFixed: true },
  { head: 'Amount', cell: ({ amount }) => (amount === undefined ? null : <Money of={amount} />), align: 'end' },
  { head: 'Requested by', cell: ({ holder, requestedBy }) => `${holder} (${requestedBy})` },
  { head: 'Expires', cell: ({ expiresAt }) => <Instant at={expiresAt} /> },
  { head: 'Decided by', cell: ({ decidedBy }) => decidedBy ?? '' },
];

interface DecideProps extends OfApproval {
  readonly onSend: (approved: Approved) => void;
}

function Decide({ of: approval, onSend }: DecideProps) {
  const { approvalId: id, holder } = approval;
  const { isApprovable, isRejectable, toSend } = offeredOf(approval, session.value?.name, waitingRequest(id));
  return (
    <span class="row-actions">
      {isApprovable ? (
        <Action
          label="Approve"
          title="Approve a request"
          needs="approveRequest"
          isGrave
          changes={CHANGES}
          consequences={
            <>
              <p>
                <strong>{holder}</strong> may then send this request, once:
              </p>
              <RequestDetails of={approval} />
            </>
          }
          run={(form, key) => post('/v1/approvals/{id}/approve', { id }, { reason: requiredText(form, 'reason') }, key)}
        >
          <ReasonField isRequired />
        </Action>
      ) : null}
      {isRejectable ? (
        <Action
          label="Reject"
          title="Reject a request"
          needs="rejectRequest"
          changes={CHANGES}
          consequences={
            <>
              <p>The request cannot be sent with this approval. A new approval can be requested.</p>
              <RequestDetails of={approval} />
            </>
          }
          run={(form, key) => post('/v1/approvals/{id}/reject', { id }, { reason: requiredText(form, 'reason') }, key)}
        >
          <ReasonField isRequired />
        </Action>
      ) : null}
      {toSend === null ? null : (
        <button type="button" onClick={() => onSend({ approval, request: toSend })}>
          Send this request now
        </button>
      )}
    </span>
  );
}
