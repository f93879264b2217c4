import { useState } from 'preact/hooks';
import { post } from '../../client';
import { count } from '../../format';
import { Field } from '../../parts';
import { Action, instantOf, textOf } from '../common/action';
import { Shown, useJob } from '../common/answers';
import { listOf } from './endpoint-actions';

interface ReplayProps {
  /** The endpoint's id. */
  readonly id: string;
  readonly isOffered: boolean;
}

/** Sends the events of a period again and shows the progress, even if no further replay is offered. */
export function Replay({ id, isOffered }: ReplayProps) {
  const [jobId, setJobId] = useState<string | null>(null);
  return (
    <>
      {isOffered ? <StartReplay id={id} onStarted={setJobId} /> : null}
      {jobId === null ? null : <Progress id={jobId} />}
    </>
  );
}

interface StartReplayProps extends Pick<ReplayProps, 'id'> {
  readonly onStarted: (jobId: string) => void;
}

function StartReplay({ id, onStarted }: StartReplayProps) {
  return (
    <Action
      label="Replay"
      title="Replay the events of a period"
      needs="replayEvents"
      changes={['webhook-endpoints']}
      consequences={
        <p>
          Events of the period whose types the endpoint receives are sent again with the same ids, and its pending
          events at once. Events that were already delivered come last; the receiver must recognise them by their ids.
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
        onStarted(job.jobId);
      }}
    >
      <Field label="Since" hint="In your local time.">
        <input name="since" type="datetime-local" required />
      </Field>
      <Field label="Until" hint="If empty, until now.">
        <input name="until" type="datetime-local" />
      </Field>
      <Field label="Types" hint="Separated by commas. If empty, all types of the endpoint.">
        <input name="types" />
      </Field>
      <Field label="Only undelivered events">
        <input name="onlyFailed" type="checkbox" defaultChecked />
      </Field>
    </Action>
  );
}

function Progress({ id }: { readonly id: string }) {
  return (
    <Shown what="the progress of the replay" of={useJob(id, 'replay')}>
      {({ state, done, total, newDone, newTotal, refused }) => (
        <p class="note" role="status">
          Replay {state}: {count(done)} of {count(total)}
          {newTotal === total ? '' : `, previously undelivered ${count(newDone)} of ${count(newTotal)}`}
          {refused === 0 ? '' : `, ${count(refused)} failed`}.
        </p>
      )}
    </Shown>
  );
}
