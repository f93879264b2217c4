import type { TargetedSubmitEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api, ApiError, ask } from '../../client';
import { count } from '../../format';
import { Empty, ErrorNote, Field, Refused } from '../../parts';
import { may } from '../../session';
import { useAddress } from '../common/address';
import { Filters } from '../common/filters';
import { pathTo } from '../common/paths';
import type { BulkAction, BulkDryRun } from '../common/schemas';
import { isEverything, SELECTION_FILTERS, type Selection, selectionOf } from '../common/selection';
import { bulkActions, BULK_CHOICES, BulkFields, parametersOf } from './actions';
import { DryRun } from './dry-run';
import { InForce } from './in-force';
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
  return may('runBulk') ? <Order /> : <Empty>Your key does not change many subscriptions at once.</Empty>;
}

/** The filter in force, the action, and what a dry run says of both; only then it can be carried out. */
function Order() {
  const { query, change } = useAddress();
  const selection = selectionOf(query);
  const offered = bulkActions();
  const action = offered.find((each) => each === query['action']) ?? 'pause';
  return (
    <>
      <p>
        One action for all subscriptions of a filter. A dry run shows first whom it concerns; nothing is done by it.
      </p>
      <Filters of={SELECTION_FILTERS} />
      {isEverything(selection) ? (
        <Empty>Choose a filter: an action for all subscriptions there are is not taken.</Empty>
      ) : (
        <>
          <InForce of={selection} />
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
          <Tried key={`${action} ${JSON.stringify(selection)}`} action={action} selection={selection} />
        </>
      )}
    </>
  );
}

interface TriedProps {
  readonly action: BulkAction;
  readonly selection: Selection;
}

/** Forgets its dry run as soon as something is typed that it was not made with. */
function Tried({ action, selection }: TriedProps) {
  const { route } = useLocation();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [dryRun, setDryRun] = useState<BulkDryRun | null>(null);
  const edition = useRef(0);
  const forget = () => {
    edition.current += 1;
    setDryRun(null);
    setError(null);
  };
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (isRunning) return;
    setRunning(true);
    forget();
    const asked = edition.current;
    // What was typed since the call is another order: the answer is not for it.
    const isStillAsked = () => edition.current === asked;
    await tryOut(action, selection, form).then(
      (answer) => isStillAsked() && setDryRun(answer),
      (fault: unknown) => isStillAsked() && setError(fault),
    );
    setRunning(false);
  };
  return (
    <>
      <form class="narrow" onInput={forget} onSubmit={(event) => void submit(event)}>
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
          onBegun={(jobId) => route(pathTo('bulk', jobId))}
          onChanged={(refusal) => {
            setDryRun(null);
            setError(refusal);
          }}
        />
      )}
    </>
  );
}

/** By how many subscriptions the selection differs from that of the dry run. */
function Changed({ since: { more } }: { readonly since: ApiError }) {
  return (
    <ul>
      <li>Selected besides: {count(countOf(more['added']))}</li>
      <li>No longer selected: {count(countOf(more['removed']))}</li>
      <li>Of another status, standing, amount or due date: {count(countOf(more['changed']))}</li>
    </ul>
  );
}

function countOf(part: unknown): number {
  const found = typeof part === 'object' && part !== null && 'count' in part ? part.count : 0;
  return typeof found === 'number' ? found : 0;
}

async function tryOut(action: BulkAction, filter: Selection, form: FormData): Promise<BulkDryRun> {
  const body = { action, parameters: parametersOf(form), filter, dryRun: true };
  // A job only where a token was given.
  return (await ask(api.POST('/v1/bulk', { body }))) as BulkDryRun;
}
