import type { TargetedSubmitEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api, ApiError, ask } from '../../client';
import { count } from '../../format';
import { Empty, ErrorNote, Field, Refused } from '../../parts';
import { may } from '../../session';
import { pathTo, useAddress } from '../common/address';
import { Filters } from '../common/filters';
import type { BulkAction, BulkDryRun } from '../common/schemas';
import { isEverything, SELECTION_FILTERS, type Selection, selectionOf } from '../common/selection';
import { bulkActions, BULK_CHOICES, BulkFields, parametersOf } from './actions';
import { DryRun } from './dry-run';
import { CurrentFilter } from './current-filter';
import { Progress } from './progress';

/** One action for all subscriptions of a filter, or the job that the address names. */
export default function Bulk() {
  const job = useRoute().params['job'];
  return (
    <>
      <h1>Bulk</h1>
      {job === undefined || job === '' ? <Offered /> : <Progress id={job} />}
    </>
  );
}

function Offered() {
  return may('runBulk') ? <Order /> : <Empty>Your key may not run bulk actions.</Empty>;
}

/** The current filter, the action, and its dry run, which must come before carrying it out. */
function Order() {
  const { query, change } = useAddress();
  const selection = selectionOf(query);
  const offered = bulkActions();
  const action = offered.find((each) => each === query['action']) ?? 'pause';
  return (
    <>
      <p>
        One action for all subscriptions of a filter. A dry run shows first which subscriptions it affects, without
        changing anything.
      </p>
      <Filters of={SELECTION_FILTERS} />
      {isEverything(selection) ? (
        <Empty>Choose a filter first. An action cannot be run for all subscriptions.</Empty>
      ) : (
        <>
          <CurrentFilter of={selection} />
          <div class="narrow">
            <Field label="Action" hint={BULK_CHOICES[action].means}>
              <select value={action} onChange={(event) => change({ action: event.currentTarget.value })}>
                {offered.map((each) => (
                  <option key={each} value={each}>
                    {each.replaceAll('-', ' ')}
                  </option>
                ))}
              </select>
            </Field>
          </div>
          <DryRunForm key={`${action} ${JSON.stringify(selection)}`} action={action} selection={selection} />
        </>
      )}
    </>
  );
}

interface DryRunFormProps {
  readonly action: BulkAction;
  readonly selection: Selection;
}

/** Discards its dry run as soon as the user changes the input. */
function DryRunForm({ action, selection }: DryRunFormProps) {
  const { route } = useLocation();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [dryRun, setDryRun] = useState<BulkDryRun | null>(null);
  const edition = useRef(0);
  const discard = () => {
    edition.current += 1;
    setDryRun(null);
    setError(null);
  };
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (isRunning) return;
    setRunning(true);
    discard();
    const sent = edition.current;
    // If the input has changed since the call, the response no longer applies.
    const isCurrent = () => edition.current === sent;
    await requestDryRun(action, selection, form).then(
      (answer) => isCurrent() && setDryRun(answer),
      (fault: unknown) => isCurrent() && setError(fault),
    );
    setRunning(false);
  };
  return (
    <>
      <form class="narrow" onInput={discard} onSubmit={(event) => void submit(event)}>
        <Refused error={error} under="parameters">
          <BulkFields of={action} />
        </Refused>
        <button type="submit" class="main" disabled={isRunning}>
          {isRunning ? 'Dry run …' : 'Dry run'}
        </button>
      </form>
      {error === null ? null : <ErrorNote error={error} />}
      {error instanceof ApiError && error.code === 'selection_changed' ? <Changed since={error} /> : null}
      {dryRun === null ? null : (
        <DryRun
          of={dryRun}
          onStarted={(jobId) => route(pathTo('bulk', jobId))}
          onChanged={(refusal) => {
            setDryRun(null);
            setError(refusal);
          }}
        />
      )}
    </>
  );
}

/** How the selection differs from that of the dry run. */
function Changed({ since: { more } }: { readonly since: ApiError }) {
  return (
    <ul>
      <li>Newly selected: {count(countOf(more['added']))}</li>
      <li>No longer selected: {count(countOf(more['removed']))}</li>
      <li>Changed status, standing, amount or due date: {count(countOf(more['changed']))}</li>
    </ul>
  );
}

function countOf(part: unknown): number {
  const found = typeof part === 'object' && part !== null && 'count' in part ? part.count : 0;
  return typeof found === 'number' ? found : 0;
}

async function requestDryRun(action: BulkAction, filter: Selection, form: FormData): Promise<BulkDryRun> {
  const body = { action, parameters: parametersOf(form), filter, dryRun: true };
  // Without a token, never a job.
  return (await ask(api.POST('/v1/bulk', { body }))) as BulkDryRun;
}
