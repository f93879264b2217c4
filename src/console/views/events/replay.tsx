import { useState } from 'preact/hooks';
import { post } from '../../client';
import { count } from '../../format';
import { Field } from '../../parts';
import { Action, instantOf, textOf } from '../common/action';
import { Shown, useJob } from '../common/answers';
import { listOf } from './endpoint-actions';

interface ReplayProps {
  /** Of the endpoint. */
  readonly id: string;
  readonly isOffered: boolean;
}

/** Sends the events of a span again, and shows how far it has come, also where no other is offered any more. */
export function Replay({ id, isOffered }: ReplayProps) {
  const [jobId, setJobId] = useState<string | null>(null);
  return (
    <>
      {isOffered ? <OrderReplay id={id} onOrdered={setJobId} /> : null}
      {jobId === null ? null : <Progress id={jobId} />}
    </>
  );
}

interface OrderReplayProps extends Pick<ReplayProps, 'id'> {
  readonly onOrdered: (jobId: string) => void;
}

function OrderReplay({ id, onOrdered }: OrderReplayProps) {
  return (
    <Action
      label="Replay"
      title="Replay the events of a span"
      needs="replayEvents"
      changes={['webhook-endpoints']}
      consequences={
        <p>
          Events of the span that it wants are posted with the same ids, and all that is pending at once. Those that
          were delivered come last, and the receiver must recognise them by their ids.
        </p>
      }
      run={async (form, key) => {
        const types = textOf(form, 'types');
        const body = {
          since: instantOf(form, 'since') ?? '',
          until: instantOf(form, 'until'),
          types: types === undefined ? undefined : listOf(types),
          onlyFailed: form.get('onlyFailed') === 'on',
        };
        const job = await post('/v1/webhook-endpoints/{id}/replay', { id }, body, key);
        onOrdered(job.jobId);
      }}
    >
      <Field label="Since" hint="In your time.">
        <input name="since" type="datetime-local" required />
      </Field>
      <Field label="Until" hint="Left empty, until now.">
        <input name="until" type="datetime-local" />
      </Field>
      <Field label="Types" hint="Separated by commas. Left empty, all that it wants.">
        <input name="types" />
      </Field>
      <Field label="Only what was not delivered">
        <input name="onlyFailed" type="checkbox" defaultChecked />
      </Field>
    </Action>
  );
}

function Progress({ id }: { readonly id: string }) {
  return (
    <Shown what="how far the replay has come" of={useJob(id, 'replay')}>
      {({ state, done, total, newDone, newTotal, refused }) => (
        <p class="note" role="status">
          Replay {state}: {count(done)} of {count(total)}
          {newTotal === total ? '' : `, of what was not delivered before ${count(newDone)} of ${count(newTotal)}`}
          {refused === 0 ? '' : `, ${count(refused)} given up`}.
        </p>
      )}
    </Shown>
  );
}
