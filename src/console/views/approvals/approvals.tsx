import { useState } from 'preact/hooks';
import { keptRequest, offeredOf } from '../../approvals';
import { type Answer, post } from '../../client';
import { type Column, Instant, Money, StatusBadge } from '../../parts';
import { session } from '../../session';
import { Action, ReasonField, requiredText } from '../common/action';
import { useAnswer } from '../common/answers';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import type { Approval } from '../common/schemas';
import { Asked, type OfApproval, What } from './asked';
import { type Approved, Made, MakeNow } from './make-now';

const CHANGES = ['approvals'];

/** Ms: an approval expires with time, and no event tells of it. */
const ASK_EVERY = 10_000;

const FILTERS: FiltersOf<'listApprovals'> = [
  {
    kind: 'choice',
    name: 'state',
    label: 'State',
    values: ['pending', 'approved', 'rejected', 'used', 'expired'] satisfies Approval['state'][],
  },
];

/** What waits for a second person. */
export default function Approvals() {
  const query = usePageQuery<'listApprovals'>(FILTERS);
  const page = useAnswer(
    ['approvals'],
    '/v1/approvals',
    { query },
    { keepsPrevious: true, refetchInterval: ASK_EVERY },
  );
  const [chosen, setChosen] = useState<Approved | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  return (
    <>
      <h1>Approvals</h1>
      <Filters of={FILTERS} />
      <Listing
        what="approvals"
        page={page}
        columns={[...COLUMNS, { head: 'Actions', cell: (approval) => <Decide of={approval} onMake={setChosen} /> }]}
        keyOf={({ approvalId }) => approvalId}
        empty="Nothing waits for a second person."
      />
      {chosen === null ? null : <MakeNow of={chosen} onMade={setAnswer} onClose={() => setChosen(null)} />}
      {answer === null ? null : <Made answer={answer} onClose={() => setAnswer(null)} />}
    </>
  );
}

const COLUMNS: readonly Column<Approval>[] = [
  { head: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { head: 'What', cell: (approval) => <What of={approval} /> },
  { head: 'Amount', cell: ({ amount }) => (amount === undefined ? null : <Money of={amount} />), align: 'end' },
  { head: 'Asked for by', cell: ({ holder, requestedBy }) => `${holder} (${requestedBy})` },
  { head: 'Until', cell: ({ expiresAt }) => <Instant at={expiresAt} /> },
  { head: 'Decided by', cell: ({ decidedBy }) => decidedBy ?? '' },
];

interface DecideProps extends OfApproval {
  readonly onMake: (approved: Approved) => void;
}

function Decide({ of: approval, onMake }: DecideProps) {
  const { approvalId: id, holder } = approval;
  const { isApprovable, isRejectable, toMake } = offeredOf(approval, session.value?.name, keptRequest(id));
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
                <strong>{holder}</strong> may make this request, once:
              </p>
              <Asked of={approval} />
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
              <p>This approval permits nothing then. The request may be made again.</p>
              <Asked of={approval} />
            </>
          }
          run={(form, key) => post('/v1/approvals/{id}/reject', { id }, { reason: requiredText(form, 'reason') }, key)}
        >
          <ReasonField isRequired />
        </Action>
      ) : null}
      {toMake === null ? null : (
        <button type="button" onClick={() => onMake({ approval, kept: toMake })}>
          Make this request now
        </button>
      )}
    </span>
  );
}
