import type { ComponentChildren } from 'preact';
import { DIFFERENCE_KINDS } from '../../../domain/reconciliation/records';
import { post } from '../../client';
import { count, hoursLeft, now, words } from '../../format';
import { Field, Instant, Money, offerUndo } from '../../parts';
import { session } from '../../session';
import { Action, ReasonField, requiredText, textOf } from '../common/action';
import { Facts, Id } from '../common/facts';
import { pathTo } from '../common/paths';
import type { Attention, Evidence } from '../common/schemas';
import { Resolve } from '../subscription/cycle-actions';
import { ResolveOrder } from './resolve-order';

const CHANGES = ['attention', 'subscription', 'subscriptions'];

interface OfItem {
  readonly item: Attention;
}

/** One matter: what the ledger says beside what the service says, and what a person can do. */
export function ItemDetail({ item }: OfItem) {
  const { title, explanation, recommended, cycle, since, deadline, amount, assignee, note } = item;
  return (
    <>
      <h2>{title}</h2>
      <p>{explanation}</p>
      {recommended === null ? null : (
        <p>
          Recommended: <code>{`${recommended.method} ${recommended.path}`}</code>
        </p>
      )}
      <Sides item={item} />
      <Facts
        of={[
          ['About', <About item={item} />],
          ['Cycle', cycle === null ? null : count(cycle)],
          ['Amount', amount === null ? null : <Money of={amount} />],
          ['Since', <Instant at={since} />],
          ['Deadline', deadline === null ? 'none' : <Deadline at={deadline} />],
          ['Assignee', assignee ?? 'nobody'],
          ['Note', note],
        ]}
      />
      <Actions item={item} />
    </>
  );
}

function Deadline({ at }: { readonly at: string }) {
  return (
    <>
      <Instant at={at} /> ({hoursLeft(at, now())})
    </>
  );
}

function About({ item: { subscriptionId, paymentId, endpointId } }: OfItem) {
  if (subscriptionId !== null) return <Id of={subscriptionId} to={pathTo('subscriptions', subscriptionId)} />;
  if (paymentId !== null) return <Id of={paymentId} to={pathTo('payments', paymentId)} />;
  if (endpointId !== undefined) return <Id of={endpointId} to={pathTo('events', endpointId)} />;
  return <>the installation</>;
}

/** What a side says, line by line. */
const SAID: readonly (readonly [name: string, by: (side: Evidence | null) => ComponentChildren])[] = [
  ['State', (side) => words(side?.state ?? '–')],
  ['Amount', (side) => (side?.amount === undefined ? '–' : <Money of={side.amount} />)],
  ['At', (side) => (side?.at === undefined ? '–' : <Instant at={side.at} />)],
  ['Id', (side) => side?.id ?? '–'],
  ['Detail', (side) => side?.detail ?? '–'],
];

/** The ledger beside the service, each line against the other's. */
function Sides({ item: { ledger, service } }: OfItem) {
  if (ledger === null && service === null) return null;
  return (
    <table class="sides">
      <thead>
        <tr>
          <td />
          <th scope="col">The ledger</th>
          <th scope="col">The service</th>
        </tr>
      </thead>
      <tbody>
        {SAID.map(([name, by]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{by(ledger)}</td>
            <td>{by(service)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Actions({ item }: OfItem) {
  const { kind, subscriptionId, endpointId, cycle, amount } = item;
  const canResolve = kind === 'unresolved' && subscriptionId !== null && cycle !== null && amount !== null;
  const canClose = endpointId !== undefined || DIFFERENCE_KINDS.some((each) => each === kind);
  return (
    <div class="actions" role="group" aria-label="Actions">
      <Assign item={item} />
      <Note item={item} />
      {canResolve ? <Resolve id={subscriptionId} cycle={{ cycle, amount }} /> : null}
      <ResolveOrder item={item} />
      {canClose ? <Close item={item} /> : null}
      {subscriptionId !== null && !canResolve && !canClose ? (
        <a class="button" href={pathTo('subscriptions', subscriptionId)}>
          Open the subscription
        </a>
      ) : null}
      {endpointId === undefined ? null : (
        <a class="button" href={pathTo('events', endpointId)}>
          Open the endpoint
        </a>
      )}
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
      consequences={<p>The list shows who looks after it. Left empty, nobody does. The trail keeps it.</p>}
      run={async (form) => {
        const to = textOf(form, 'assignee') ?? null;
        await assign(item, to);
        const says = to === null ? 'Nobody looks after it now.' : `${to} looks after it.`;
        offerUndo({ says, changes: CHANGES, undo: () => assign(item, assignee) });
      }}
    >
      <Field label="Assignee">
        <input name="assignee" maxLength={100} defaultValue={assignee ?? session.value?.name ?? ''} />
      </Field>
    </Action>
  );
}

function assign(item: string, assignee: string | null) {
  return post('/v1/attention/{item}/assign', { item }, { assignee });
}

function Note({ item: { item, note } }: OfItem) {
  return (
    <Action
      label="Note"
      title="Note on this item"
      action="Keep note"
      needs="noteAttention"
      changes={CHANGES}
      consequences={<p>One note stands at a time; the trail keeps the ones before. No personal data.</p>}
      run={(form) => post('/v1/attention/{item}/note', { item }, { note: textOf(form, 'note') ?? null })}
    >
      <Field label="Note" hint="Left empty, it is taken away.">
        <textarea name="note" rows={3} maxLength={500} defaultValue={note ?? ''} />
      </Field>
    </Action>
  );
}

/** Of a difference that is explained, or of an endpoint's dead letters that nobody needs. */
function Close({ item: { item, endpointId } }: OfItem) {
  const isDifference = endpointId === undefined;
  return (
    <Action
      label="Close"
      title={isDifference ? 'Close this difference' : 'Close these dead letters'}
      needs="closeAttention"
      changes={CHANGES}
      consequences={
        <p>
          {isDifference
            ? 'It leaves the list. It comes back only where a side says otherwise than now. Neither side is changed.'
            : 'They leave the list, and come back with the next event that is given up here. None of them is deleted.'}
        </p>
      }
      run={(form) => post('/v1/attention/{item}/close', { item }, { reason: requiredText(form, 'reason') })}
    >
      <ReasonField isRequired />
    </Action>
  );
}
