import { useQuery } from '@tanstack/preact-query';
import { TriangleAlert } from 'lucide-preact';
import { useRoute } from 'preact-iso';
import { get } from '../../client';
import { counted, money, now, withAmounts, words } from '../../format';
import { Instant, Money, StatusBadge } from '../../parts';
import { may } from '../../session';
import { Facts, Id, Metadata, Status, WorkflowLink } from '../common/facts';
import { Shown, useAnswer, useToday } from '../common/answers';
import { detailsOf, nameOf } from '../common/subscription';
import { AuditSection } from '../audit/audit-log';
import type { Subscription as Shape } from '../common/schemas';
import { addressOf, pathTo, useAddress } from '../common/address';
import { OpenItems } from '../attention/open-items';
import { Actions } from './actions';
import { Cycles } from './cycles';
import { type Life, lifeOf } from './life';
import { nextOf } from './next';
import { Others } from './others';
import { Timeline } from './timeline';
import { unpaidOf } from './unpaid';

/** One subscription: its state, what happens next and why, its history, and the actions. */
export default function Subscription() {
  const id = useRoute().params['id'] ?? '';
  const life = useQuery({
    queryKey: ['subscription', id, 'life'],
    queryFn: ({ signal }) => readLife(id, signal),
  });
  return (
    <>
      <p class="crumbs">
        <a href="/subscriptions">Subscriptions</a>
      </p>
      <Shown what="the subscription" of={life}>
        {(read) => <Whole key={id} life={read} />}
      </Shown>
    </>
  );
}

const MAX_ITEMS = 200;
const COMING = 12;
/** Audit entries about pauses and the end. */
const CHANGE_TYPES = ['subscription.paused', 'subscription.resumed', 'subscription.cancelled'] as const;

/** An empty page, if the key may not read the list. */
const NOTHING = { items: [], nextCursor: null };

/** @throws ApiError if there is no such subscription */
async function readLife(id: string, signal: AbortSignal): Promise<Life> {
  const path = { id };
  const [subscription, cycles, coming, notices, ...changes] = await Promise.all([
    get('/v1/subscriptions/{id}', { path }, signal),
    get('/v1/subscriptions/{id}/cycles', { path, query: { limit: MAX_ITEMS } }, signal),
    get('/v1/subscriptions/{id}/schedule', { path, query: { count: COMING } }, signal),
    may('listNotices') ? get('/v1/notices', { query: { subscriptionId: id, limit: MAX_ITEMS } }, signal) : NOTHING,
    ...CHANGE_TYPES.map((type) =>
      may('listAudit') ? get('/v1/audit', { query: { subscriptionId: id, type, limit: MAX_ITEMS } }, signal) : NOTHING,
    ),
  ]);
  return lifeOf({ subscription, cycles, coming, notices, changes });
}

function Whole({ life }: { readonly life: Life }) {
  const { subscription } = life;
  const { subscriptionId, warnings = [], payer, amount, repetition } = subscription;
  const name = nameOf(payer);
  const unpaid = unpaidOf(life, now());
  return (
    <>
      <header class="subject">
        <h1>
          {name === undefined ? null : `${name} · `}
          {money(amount)} {words(repetition).toLowerCase()} <Id of={subscriptionId} />
        </h1>
        <Status of={subscription} />
      </header>
      <OpenItems of={{ subscriptionId }} />
      {unpaid === null ? null : (
        <div class="headline headline-bad">
          <TriangleAlert aria-hidden="true" size={20} />
          <div>
            <p class="headline-first">{unpaid.says}</p>
            {unpaid.remedy === null ? null : <p>{unpaid.remedy}</p>}
          </div>
        </div>
      )}
      <NextLine life={life} />
      {warnings.map((warning) => (
        <p key={warning} class="note">
          {withAmounts(warning)}
        </p>
      ))}
      <Actions life={life} />
      <Cycles life={life} />
      <Timeline life={life} />
      <section aria-labelledby="details-heading" class="panel">
        <h2 id="details-heading">Details</h2>
        <Facts of={factsOf(subscription)} />
      </section>
      {payer.reference === undefined ? null : <Others of={subscription} reference={payer.reference} />}
      <History id={subscriptionId} />
    </>
  );
}

/** What happens next, why, and the rule. */
function NextLine({ life }: { readonly life: Life }) {
  const isHalted = useToday().data?.halted != null;
  const { says, why, rule } = nextOf(life, now(), isHalted);
  return (
    <p class="next">
      <strong>{says}</strong> {why} <span class="muted">Rule {rule}.</span>
    </p>
  );
}

function factsOf(subscription: Shape) {
  const { payer, consent, metadata, paymentId, workflowId, replaces, replacedBy, endAt, heldUntil } = subscription;
  return [
    ['Amount', <Money of={subscription.amount} />],
    ['Consent amount', <Money of={subscription.consentAmount} />],
    ['Repetition', words(subscription.repetition).toLowerCase()],
    ['First payment', <Instant at={subscription.firstPaymentAt} />],
    ['Ends', endAt === null ? 'when cancelled' : <Instant at={endAt} />],
    ['Next due', nextDueOf(subscription)],
    ['On hold until', heldUntil === undefined ? null : <OnHold until={heldUntil} id={subscription.subscriptionId} />],
    ['Collected', counted(subscription.cyclesCollected, 'cycle')],
    ['Pending change', <PendingChange of={subscription} />],
    ['Consent', <StatusBadge status={consent.status} />],
    ['Consent checked', consent.checkedAt === null ? null : <Instant at={consent.checkedAt} />],
    ['Payer', detailsOf(payer)],
    ['Payment', paymentId === null ? null : <Id of={paymentId} />],
    ['Replaces', replaces === undefined ? null : <Id of={replaces} to={pathTo('subscriptions', replaces)} />],
    ['Replaced by', replacedBy === undefined ? null : <Id of={replacedBy} to={pathTo('subscriptions', replacedBy)} />],
    ['Created', <Instant at={subscription.createdAt} />],
    ['Workflow', <WorkflowLink id={workflowId} />],
    ['Metadata', Object.keys(metadata).length === 0 ? null : <Metadata of={metadata} />],
  ] as const;
}

/** When the holds of a subscription end. They are linked, as they say why, if the user may read them. */
function OnHold({ until, id: subscriptionId }: { readonly until: string; readonly id: string }) {
  return (
    <>
      <Instant at={until} />
      {may('listHolds') ? (
        <>
          {' '}
          <a href={addressOf('/holds', { state: 'in_force', subscriptionId })}>its holds</a>
        </>
      ) : null}
    </>
  );
}

/** A subscription that is paused without an end has a next due date that nothing collects. */
function nextDueOf({ nextDueAt, status, pausedUntil }: Shape) {
  if (status === 'paused' && pausedUntil === undefined) return 'none until it is resumed';
  return nextDueAt === null ? null : <Instant at={nextDueAt} />;
}

function PendingChange({ of: { pendingAmountChange: change } }: { readonly of: Shape }) {
  if (change === undefined) return <>none</>;
  return (
    <>
      <Money of={change.amount} /> from cycle {change.fromCycle} on, <Instant at={change.effectiveAt} />; the payer’s
      notice: {words(change.payerNotice)}
    </>
  );
}

function History({ id }: { readonly id: string }) {
  const query = { limit: 25, cursor: useAddress().query['cursor'] };
  return (
    <AuditSection page={useAnswer(['subscription', id], '/v1/subscriptions/{id}/events', { path: { id }, query })} />
  );
}
