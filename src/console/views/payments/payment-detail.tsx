import { hoursLeft, money, now, words } from '../../format';
import { type Column, Instant, Money, StatusBadge, Table } from '../../parts';
import { useAddress } from '../common/address';
import { Facts, Id, Metadata, Subject, WorkflowLink } from '../common/facts';
import { Shown, useAnswer } from '../common/answers';
import { detailsOf, nameOf } from '../common/subscription';
import type { Payment } from '../common/schemas';
import { OpenItems } from '../attention/open-items';
import { AuditSection } from '../audit/audit-log';
import { PaymentActions } from './payment-actions';

/** A one-time payment: its authorizations, captures and refunds, and the actions that are still possible. */
export function PaymentDetail({ id }: { readonly id: string }) {
  const payment = useAnswer(['payment', id], '/v1/payments/{id}', { path: { id } });
  return (
    <>
      <p class="crumbs">
        <a href="/payments">Payments</a>
      </p>
      <Shown what="the payment" of={payment}>
        {(read) => <Whole key={id} payment={read} />}
      </Shown>
    </>
  );
}

function Whole({ payment }: { readonly payment: Payment }) {
  const { paymentId, payer, amount, status, authorizations, captures, refunds } = payment;
  const name = nameOf(payer);
  return (
    <>
      <header class="subject">
        <h1>
          {name === undefined ? null : `${name} · `}
          {money(amount)} <Id of={paymentId} />
        </h1>
        <StatusBadge status={status} />
      </header>
      <OpenItems of={{ paymentId }} />
      <PaymentActions payment={payment} />
      <Facts of={factsOf(payment)} />
      <h2>Authorizations</h2>
      <Table
        label="Authorizations"
        rows={authorizations}
        columns={AUTHORIZATIONS}
        keyOf={(each) => each.authorizationId}
        empty="No authorization yet."
      />
      <h2>Captures</h2>
      <Table
        label="Captures"
        rows={captures}
        columns={CAPTURES}
        keyOf={({ captureId, orderId, createdAt }) => captureId ?? orderId ?? createdAt}
        empty="No capture yet."
      />
      <h2>Refunds</h2>
      <Table label="Refunds" rows={refunds} columns={REFUNDS} keyOf={({ refundId }) => refundId} empty="No refund." />
      <History id={paymentId} />
    </>
  );
}

function factsOf(payment: Payment) {
  const { amount, remaining, captureBy, consent, metadata, partialCapture, multipleCapture, link } = payment;
  const captures = partialCapture ? (multipleCapture ? 'several, partial' : 'one, partial') : 'one, full amount';
  return [
    ['Amount', <Money of={amount} />],
    ['Left to capture', <Money of={remaining} />],
    ['Plan', words(payment.plan).toLowerCase()],
    ['Captures allowed', payment.plan === 'EVENT_DEPENDENT' ? captures : 'made by the service itself'],
    ['Capture by', captureBy === undefined ? null : <CaptureBy of={payment} />],
    ['Pays for', link === undefined ? null : <Subject of={link} />],
    ['Consent', <StatusBadge status={consent.status} />],
    ['The payer approves at', consent.redirectURL && <Id of={consent.redirectURL} />],
    ['Release requested', payment.releaseRequestedAt && <Instant at={payment.releaseRequestedAt} />],
    ['Released', payment.releasedAt && <Instant at={payment.releasedAt} />],
    ['Expired', payment.expiredAt && <Instant at={payment.expiredAt} />],
    ['Merchant category', payment.merchantCategoryCode],
    ['Payer', detailsOf(payment.payer)],
    ['Created', <Instant at={payment.createdAt} />],
    ['Workflow', <WorkflowLink id={payment.workflowId} />],
    ['Metadata', Object.keys(metadata).length === 0 ? null : <Metadata of={metadata} />],
  ] as const;
}

/** The time left is shown only while there is money to capture. */
export function CaptureBy({ of: { captureBy, remaining } }: { readonly of: Payment }) {
  if (captureBy === undefined) return <>–</>;
  return (
    <>
      <Instant at={captureBy} />{' '}
      {remaining.value > 0 ? <strong>({hoursLeft(captureBy, now()) ?? 'passed'})</strong> : null}
    </>
  );
}

const AUTHORIZATIONS: readonly Column<Payment['authorizations'][number]>[] = [
  { head: 'Authorization', cell: ({ authorizationId }) => <Id of={authorizationId} /> },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { head: 'Detail', cell: ({ detail, description }) => <span title={description}>{detail}</span> },
];

const CAPTURES: readonly Column<Payment['captures'][number]>[] = [
  { head: 'Capture', cell: ({ captureId }) => (captureId === null ? 'no ID yet' : <Id of={captureId} />) },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Final', cell: ({ finalCapture }) => (finalCapture ? 'yes' : 'no') },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { head: 'Detail', cell: ({ detail, description }) => <span title={description}>{detail}</span> },
];

const REFUNDS: readonly Column<Payment['refunds'][number]>[] = [
  { head: 'Refund', cell: ({ refundId }) => <Id of={refundId} /> },
  { head: 'Capture', cell: ({ captureId }) => captureId },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Reason', cell: ({ reason }) => reason },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
];

function History({ id }: { readonly id: string }) {
  const query = { limit: 25, cursor: useAddress().query['cursor'] };
  return <AuditSection page={useAnswer(['payment', id], '/v1/payments/{id}/events', { path: { id }, query })} />;
}
