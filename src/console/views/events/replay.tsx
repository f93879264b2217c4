import { useState } from 'preact/hooks';
import { post } from '../../client';
import { count, now } from '../../format';
import { DAY } from '../../../domain/time';
import { Field } from '../../parts';
import { Action, instantOf, localField, textOf } from '../common/action';
import { pathTo } from '../common/address';
import { Shown, useJob } from '../common/answers';
import type { Endpoint } from '../common/schemas';
import { listOf } from './endpoint-actions';
import { offeredOf } from './offered';

/** Sends the events of a period again and shows the progress, even if no further replay is offered. */
export function Replay({ endpoint }: { readonly endpoint: Endpoint }) {
  const [jobId, setJobId] = useState<string | null>(null);
  return (
    <>
      {offeredOf(endpoint).isReplayable ? <StartReplay id={endpoint.endpointId} onStarted={setJobId} /> : null}
      {jobId === null ? null : <Progress id={jobId} />}
    </>
  );
}

interface StartReplayProps {
  readonly id: string;
  readonly onStarted: (jobId: string) => void;
}

/** Two days before, so that a night and the day before it are included. */
const STARTS_BEFORE = 2 * DAY;

function StartReplay({ id, onStarted }: StartReplayProps) {
  return (
    <Action
      label="Replay"
      title="Replay what was not delivered"
      action="Replay"
      isMain
      needs="replayEvents"
      changes={['webhook-endpoints', 'jobs']}
      consequences={
        <p>
          All events of the period that this endpoint accepts and has not received are sent with their original IDs,
          also those from before the endpoint was created; pending events at once. If delivered events are included,
          they come last; the receiver must recognise them by their IDs. The number is known, and shown here, once the
          replay has started; you can stop it under Jobs.
        </p>
      }
      run={async (form, key) => {
        const types = textOf(form, 'types');
        const body = {
          since: instantOf(form, 'since') ?? '',
          until: instantOf(form, 'until'),
          types: types === undefined ? undefined : listOf(types),
          onlyFailed: form.get('delivered') !== 'on',
        };
        const job = await post('/v1/webhook-endpoints/{id}/replay', { id }, body, key);
        onStarted(job.jobId);
      }}
    >
      <SinceField />
      <Field label="Until" hint="If empty, until now.">
        <input name="until" type="datetime-local" />
      </Field>
      <Field label="Types" hint="Separated by commas. If empty, all types of the endpoint.">
        <input name="types" />
      </Field>
      <Field label="Include events that were delivered">
        <input name="delivered" type="checkbox" />
      </Field>
    </Action>
  );
}

function SinceField() {
  // Read once: the dialog is not redrawn as time passes.
  const [start] = useState(() => localField(now() - STARTS_BEFORE));
  return (
    <Field label="Since" hint="In your local time.">
      <input name="since" type="datetime-local" required defaultValue={start} />
    </Field>
  );
}

function Progress({ id }: { readonly id: string }) {
  return (
    <Shown what="the progress of the replay" of={useJob(id)}>
      {(job) => (
        <p class="note" role="status">
          Replay {job.state}: {count(job.done)} of {count(job.total ?? 0)}
          {job.refused === 0 ? '' : `, ${count(job.refused)} failed`}. <a href={pathTo('jobs', id)}>Open the job</a>
        </p>
      )}
    </Shown>
  );
}
