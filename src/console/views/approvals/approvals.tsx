import { post } from '../../client';
import { words } from '../../format';
import { type Column, Instant, Money, StatusBadge } from '../../parts';
import { Action, ReasonField, requiredText } from '../common/action';
import { useAnswer } from '../common/answers';
import { Facts, Id } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import type { Approval } from '../common/schemas';

const CHANGES = ['approvals'];

/** Ms: others ask while the page is looked at, and no event tells of it. */
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
  return (
    <>
      <h1>Approvals</h1>
      <Filters of={FILTERS} />
      <Listing
        what="approvals"
        page={page}
        columns={COLUMNS}
        keyOf={({ approvalId }) => approvalId}
        empty="Nothing waits for a second person."
      />
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
  { head: 'Actions', cell: (approval) => <Decide of={approval} /> },
];

interface OfApproval {
  readonly of: Approval;
}

function What({ of: { approvalId, call, facts } }: OfApproval) {
  return (
    <>
      <code>{call}</code>
      <Facts of={Object.entries(facts).map(([name, value]) => [words(name), said(value)])} />
      <Id of={approvalId} />
    </>
  );
}

function said(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Decide({ of: approval }: OfApproval) {
  const { approvalId: id, state, call, holder } = approval;
  return (
    <span class="row-actions">
      {state === 'pending' ? (
        <Action
          label="Approve"
          title="Approve a request"
          needs="approveRequest"
          isGrave
          changes={CHANGES}
          consequences={
            <p>
              <strong>{holder}</strong> may make this request, once: <code>{call}</code>
            </p>
          }
          run={(form, key) => post('/v1/approvals/{id}/approve', { id }, { reason: requiredText(form, 'reason') }, key)}
        >
          <ReasonField isRequired />
        </Action>
      ) : null}
      {state === 'pending' || state === 'approved' ? (
        <Action
          label="Reject"
          title="Reject a request"
          needs="rejectRequest"
          changes={CHANGES}
          consequences={<p>This approval permits nothing then. The request may be asked for anew.</p>}
          run={(form, key) => post('/v1/approvals/{id}/reject', { id }, { reason: requiredText(form, 'reason') }, key)}
        >
          <ReasonField isRequired />
        </Action>
      ) : null}
    </span>
  );
}
