import { isClosable } from '../../../domain/findings';
import { DIFFERENCE_KINDS } from '../../../domain/reconciliation/records';
import { post } from '../../client';
import { count, hoursLeft, money, now, withAmounts } from '../../format';
import { Field, Instant, Money, offerUndo } from '../../parts';
import { session } from '../../session';
import { addressOf, pathTo, useAddress } from '../common/address';
import { Action, ReasonField, requiredText, textOf } from '../common/action';
import { Facts, Id } from '../common/facts';
import { nameOf } from '../common/subscription';
import type { Attention } from '../common/schemas';
import { useAnswer } from '../common/answers';
import { adoptedText, mayBeAdopted } from './about';
import { Acknowledge } from './acknowledge';
import { Resolve } from '../subscription/cycle-actions';
import { SeverityBadge } from './columns';
import { EvidenceTable } from './evidence';
import { isAcknowledgeable, isResolvable, previousInQuestion } from './offers';
import { Recommended } from './recommended';
import { ResolveOrder } from './resolve-order';
import { severityOf } from './severity';

const CHANGES = ['attention', 'subscription', 'subscriptions'];

interface OfItem {
  readonly item: Attention;
}

interface DetailProps extends OfItem {
  /** The item below this one in the list; null for the last one. */
  readonly next: Attention | null;
  /** The items of the page, for the titles of related ones. */
  readonly listed: readonly Attention[];
  readonly onNext: (item: Attention) => void;
}

/** One item: what happened, what to do about it, and the records of the ledger and the payment service. */
export function ItemDetail({ item, next, listed, onNext }: DetailProps) {
  const { title, explanation, payer, cycle, since, deadline, amount, assignee, note, related } = item;
  return (
    <>
      <p class="detail-head">
        <span class="inline">
          <a href={addressOf('/attention', useAddress().query)}>All items</a>
          <SeverityBadge of={severityOf(item)} />
        </span>
        <NextItem next={next} onNext={onNext} />
      </p>
      <h2>{title}</h2>
      <p class="lead">
        {amount === null ? null : (
          <strong>
            <Money of={amount} />
          </strong>
        )}{' '}
        {nameOf(payer)} <About item={item} />
        {cycle === null ? '' : `, cycle ${count(cycle)}`}
      </p>
      <p>{withAmounts(explanation)}</p>
      {mayBeAdopted(item) ? <Adopted item={item} /> : null}
      <Actions item={item} />
      <EvidenceTable item={item} />
      <Facts
        of={[
          ['Since', <Instant at={since} />],
          ['Deadline', deadline === null ? 'none' : <Deadline at={deadline} />],
          ['Assignee', assignee ?? 'nobody'],
          ['Note', note],
          ['Related items', related.length === 0 ? null : <Related of={related} listed={listed} />],
        ]}
      />
    </>
  );
}

/** Maximum number of cycles that are read. */
const MAX_CYCLES = 200;

/** Says if a cycle has since adopted the debit that the ledger lacked: the item stays until the next comparison. */
function Adopted({ item }: OfItem) {
  const id = item.subscriptionId ?? '';
  const params = { path: { id }, query: { limit: MAX_CYCLES } };
  const { data } = useAnswer(['subscription', id], '/v1/subscriptions/{id}/cycles', params);
  const says = adoptedText(item, data?.items ?? []);
  return says === null ? null : <p class="note">{says}</p>;
}

/** Opens the item below; nothing if there is none. */
function NextItem({ next, onNext }: Pick<DetailProps, 'next' | 'onNext'>) {
  if (next === null) return null;
  return (
    <button type="button" class="quiet" title={next.title} onClick={() => onNext(next)}>
      Next item
    </button>
  );
}

/** What is shown once the open item has left the list. */
export function LeftList({ item, next, onNext }: Omit<DetailProps, 'listed'>) {
  const { title, payer, cycle, amount, subscriptionId } = item;
  const about = [
    amount === null ? null : money(amount),
    nameOf(payer) ?? subscriptionId,
    cycle === null ? null : `cycle ${count(cycle)}`,
  ];
  return (
    <>
      <p class="detail-head">
        <a href={addressOf('/attention', useAddress().query)}>All items</a>
        <NextItem next={next} onNext={onNext} />
      </p>
      <h2>{title}</h2>
      <p class="lead">{about.filter((each) => each !== null).join(', ')}</p>
      <p role="status">This item has left the list: it is closed, or the filter no longer matches it.</p>
      <p>
        <About item={item} />
      </p>
    </>
  );
}

interface RelatedProps {
  readonly of: Attention['related'];
  readonly listed: readonly Attention[];
}

/** Links to related items, by title, or by id for an item that is not on the page. */
function Related({ of, listed }: RelatedProps) {
  return (
    <ul class="pairs">
      {of.map((each) => (
        <li key={each}>
          <a href={pathTo('attention', each)}>{titleOf(each, listed)}</a>
        </li>
      ))}
    </ul>
  );
}

function titleOf(id: string, listed: readonly Attention[]): string {
  const known = listed.find(({ item }) => item === id);
  if (known === undefined) return id;
  return known.cycle === null ? known.title : `${known.title}, cycle ${count(known.cycle)}`;
}

function Deadline({ at }: { readonly at: string }) {
  return (
    <>
      <Instant at={at} /> ({hoursLeft(at, now()) ?? 'passed'})
    </>
  );
}

function About({ item: { subscriptionId, paymentId, endpointId } }: OfItem) {
  if (subscriptionId !== null) return <Id of={subscriptionId} to={pathTo('subscriptions', subscriptionId)} />;
  if (paymentId !== null) return <Id of={paymentId} to={pathTo('payments', paymentId)} />;
  if (endpointId !== undefined) return <Id of={endpointId} to={pathTo('events', endpointId)} />;
  return <>the installation</>;
}

function Actions({ item }: OfItem) {
  const { kind, subscriptionId, endpointId, cycle, amount, payer } = item;
  const previous = previousInQuestion(item);
  const isAsked = isResolvable(item) || previous !== null;
  const canResolve = isAsked && subscriptionId !== null && cycle !== null && amount !== null;
  return (
    <div class="actions" role="group" aria-label="Actions">
      <Recommended item={item} />
      {canResolve ? (
        <Resolve id={subscriptionId} who={nameOf(payer)} cycle={{ cycle, amount }} previous={previous} />
      ) : null}
      <ResolveOrder item={item} />
      {subscriptionId !== null && isAcknowledgeable(item) ? <Acknowledge id={subscriptionId} /> : null}
      {isClosable(kind) ? <Close item={item} /> : null}
      {subscriptionId !== null && !canResolve && !isDifference(kind) ? (
        <a class="button" href={pathTo('subscriptions', subscriptionId)}>
          Open the subscription
        </a>
      ) : null}
      {endpointId === undefined ? null : (
        <a class="button" href={pathTo('events', endpointId)}>
          Open the endpoint
        </a>
      )}
      <Assign item={item} />
      <Note item={item} />
    </div>
  );
}

function Assign({ item: { item, assignee } }: OfItem) {
  return (
    <Action
      label="Assign"
      title="Assign this item"
      needs="assignAttention"
      changes={CHANGES}
      consequences={
        <p>
          The list shows who handles the item. Leave the field empty to remove the assignee. The change is recorded in
          the audit log.
        </p>
      }
      run={async (form, key) => {
        const to = textOf(form, 'assignee') ?? null;
        await assign(item, to, key);
        const says = to === null ? 'Unassigned.' : `Assigned to ${to}.`;
        offerUndo({ says, changes: CHANGES, undo: () => assign(item, assignee) });
      }}
    >
      <Field label="Assignee">
        <input name="assignee" maxLength={100} defaultValue={assignee ?? session.value?.name ?? ''} />
      </Field>
    </Action>
  );
}

function assign(item: string, assignee: string | null, key?: string) {
  return post('/v1/attention/{item}/assign', { item }, { assignee }, key);
}

function Note({ item: { item, note } }: OfItem) {
  return (
    <Action
      label="Note"
      title="Note on this item"
      action="Save note"
      needs="noteAttention"
      changes={CHANGES}
      consequences={<p>An item has one note. Earlier notes stay in the audit log, so enter no personal data.</p>}
      run={(form, key) => post('/v1/attention/{item}/note', { item }, { note: textOf(form, 'note') ?? null }, key)}
    >
      <Field label="Note" hint="Leave it empty to remove the note.">
        <textarea name="note" rows={3} maxLength={500} defaultValue={note ?? ''} />
      </Field>
    </Action>
  );
}

function isDifference(kind: string): boolean {
  return DIFFERENCE_KINDS.some((each) => each === kind);
}

/** Closes an item that has been explained or is no longer needed. */
function Close({ item: { item, kind } }: OfItem) {
  const { title, effect } = closingOf(kind);
  return (
    <Action
      label="Close"
      title={title}
      needs="closeAttention"
      changes={CHANGES}
      consequences={<p>{effect}</p>}
      run={(form, key) => post('/v1/attention/{item}/close', { item }, { reason: requiredText(form, 'reason') }, key)}
    >
      <ReasonField isRequired />
    </Action>
  );
}

/** What closing an item of this kind does. */
function closingOf(kind: string): { readonly title: string; readonly effect: string } {
  if (kind === 'dead_letter')
    return {
      title: 'Close these dead letters',
      effect: 'They leave the list, and come back when another event to this endpoint fails for good. None is deleted.',
    };
  if (isDifference(kind))
    return {
      title: 'Close this difference',
      effect: 'It leaves the list, and comes back only if one of the two records changes. Neither record is changed.',
    };
  return {
    title: 'Close this item',
    effect: 'It leaves the list, and comes back only if its evidence changes. Nothing else changes.',
  };
}
