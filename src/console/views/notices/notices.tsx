import { useRoute } from 'preact-iso';
import { MERCHANT_NOTICES, PAYER_NOTICES } from '../../../contract/notices';
import { post } from '../../client';
import { count } from '../../format';
import { type ChosenColumn, Field, Instant, StatusBadge, useColumns } from '../../parts';
import { Action, instantOf, requiredText } from '../common/action';
import { useAnswer } from '../common/answers';
import { Subject } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import type { Notice } from '../common/schemas';
import { NoticeTabs, Preview, previewOf } from './preview';

const FILTERS: FiltersOf<'listNotices'> = [
  { kind: 'choice', name: 'state', label: 'State', values: ['pending', 'delivered', 'undeliverable'] },
  { kind: 'choice', name: 'type', label: 'Type', values: [...PAYER_NOTICES, ...MERCHANT_NOTICES] },
  { kind: 'text', name: 'subscriptionId', label: 'Subscription' },
  { kind: 'text', name: 'paymentId', label: 'Payment' },
];

const CHANGES = ['notices', 'subscription', 'attention'];

/** The notices to payers and the merchant or, if the address says so, the preview of what payers read. */
export default function Notices() {
  return useRoute().params['page'] === 'preview' ? <Preview /> : <Sent />;
}

function Sent() {
  const query = usePageQuery<'listNotices'>(FILTERS);
  const page = useAnswer(['notices'], '/v1/notices', { query }, { keepsPrevious: true });
  const { shown, menu } = useColumns('notices', COLUMNS);
  return (
    <>
      <header class="heading">
        <h1>Notices</h1>
        {menu}
      </header>
      <NoticeTabs />
      <Filters of={FILTERS} />
      <Listing
        what="notices"
        page={page}
        columns={shown}
        keyOf={({ noticeId }) => noticeId}
        empty="No notice matches. Clear a filter to see more."
      />
    </>
  );
}

const COLUMNS: readonly ChosenColumn<Notice>[] = [
  { head: 'Type', cell: ({ type }) => <NoticeType of={type} />, isFixed: true },
  { head: 'To', cell: ({ to }) => <span class="word">{to}</span> },
  { head: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { head: 'About', cell: (notice) => <Subject of={notice} none="–" /> },
  { head: 'Attempts', cell: ({ deliveries }) => count(deliveries), align: 'end' },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { head: 'Delivered', cell: (notice) => <Delivered of={notice} /> },
  { head: 'Actions', cell: (notice) => <Actions of={notice} />, isFixed: true },
];

interface OfNotice {
  readonly of: Notice;
}

/** The type of a notice to a payer links to the preview of what the payer reads. */
function NoticeType({ of: type }: { readonly of: Notice['type'] }) {
  const preview = previewOf(type);
  const name = <code class="word">{type}</code>;
  return preview === null ? name : <a href={preview}>{name}</a>;
}

function Delivered({ of: { deliveredAt, channel, lastError } }: OfNotice) {
  if (deliveredAt === null) return lastError ?? 'not yet';
  return (
    <>
      <Instant at={deliveredAt} /> {channel === undefined ? '' : `by ${channel}`}
    </>
  );
}

function Actions({ of: notice }: OfNotice) {
  return (
    <span class="row-actions">
      <Resend of={notice} />
      {notice.to === 'payer' && notice.state !== 'delivered' ? <RecordNotified of={notice} /> : null}
    </span>
  );
}

function Resend({ of: { noticeId: id, state } }: OfNotice) {
  return (
    <Action
      label="Send again"
      title="Send this notice again"
      needs="resendNotice"
      changes={CHANGES}
      consequences={
        <p>
          It is sent now, with the same ID.{' '}
          {state === 'delivered' ? 'It was already delivered, so the recipient gets it twice.' : ''}
        </p>
      }
      run={(_form, key) => post('/v1/notices/{id}/resend', { id }, {}, key)}
    />
  );
}

function RecordNotified({ of: { noticeId: id } }: OfNotice) {
  return (
    <Action
      label="Payer was notified"
      title="Record that you notified the payer"
      action="Record"
      needs="recordTold"
      changes={CHANGES}
      consequences={
        <p>
          The notice counts as delivered at that time; after a failed payment, a retry can follow. Your name and what
          you enter here are recorded in the audit log.
        </p>
      }
      run={(form, key) => {
        const body = {
          channel: requiredText(form, 'channel'),
          toldAt: instantOf(form, 'toldAt') ?? '',
          evidence: requiredText(form, 'evidence'),
        };
        return post('/v1/notices/{id}/told', { id }, body, key);
      }}
    >
      <Field label="Channel" hint="For example: phone.">
        <input name="channel" required maxLength={40} />
      </Field>
      <Field
        label="Notified at"
        hint="In your local time: after the event that the notice reports, and not in the future."
      >
        <input name="toldAt" type="datetime-local" required step={1} />
      </Field>
      <Field label="Evidence" hint="Recorded in the audit log. Enter no personal data.">
        <textarea name="evidence" required maxLength={500} rows={3} />
      </Field>
    </Action>
  );
}
