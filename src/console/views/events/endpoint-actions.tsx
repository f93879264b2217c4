import { useLocation } from 'preact-iso';
import { api, ask, post } from '../../client';
import { Field } from '../../parts';
import { Action, requiredText, textOf } from '../common/action';
import type { Endpoint } from '../common/schemas';
import { offeredOf } from './offered';

const CHANGES = ['webhook-endpoints'];

/** For admins, who keep endpoints. */
export function NewEndpoint() {
  return (
    <Action
      label="New endpoint"
      title="Make an endpoint"
      action="Make endpoint"
      needs="createWebhookEndpoint"
      changes={CHANGES}
      consequences={<p>It gets what happens from now on. The secret by which it checks signatures is shown once.</p>}
      run={async (form, key) => {
        const body = { ...fieldsOf(form), description: textOf(form, 'description') };
        const headers = { 'idempotency-key': key };
        return (await ask(api.POST('/v1/webhook-endpoints', { body, headers }))).secret;
      }}
      shows="The endpoint’s secret"
    >
      <EndpointFields />
    </Action>
  );
}

function EndpointFields({ endpoint }: { readonly endpoint?: Endpoint }) {
  return (
    <>
      <Field label="URL" hint="Without credentials.">
        <input name="url" type="url" required maxLength={2048} defaultValue={endpoint?.url} />
      </Field>
      <Field label="Types" hint="Separated by commas: names, cycle.*, or * for all of them.">
        <input name="types" required defaultValue={endpoint?.types.join(', ') ?? '*'} />
      </Field>
      <Field label="Description" hint="Optional.">
        <input name="description" maxLength={200} defaultValue={endpoint?.description ?? ''} />
      </Field>
    </>
  );
}

function fieldsOf(form: FormData): { url: string; types: string[] } {
  return { url: requiredText(form, 'url'), types: listOf(requiredText(form, 'types')) };
}

export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

interface OfEndpoint {
  readonly endpoint: Endpoint;
}

/** What can be done with an endpoint; that of the environment can only be tested. */
export function EndpointActions({ endpoint }: OfEndpoint) {
  return (
    <div class="actions" role="group" aria-label="Actions">
      {offeredOf(endpoint).isTestable ? <SendSample endpoint={endpoint} /> : null}
      {endpoint.readOnly ? null : (
        <>
          <Change endpoint={endpoint} />
          <Switch endpoint={endpoint} />
          <Rotate endpoint={endpoint} />
          <Delete endpoint={endpoint} />
        </>
      )}
    </div>
  );
}

function SendSample({ endpoint: { endpointId: id } }: OfEndpoint) {
  return (
    <Action
      label="Send a sample"
      title="Send a sample"
      action="Send it"
      needs="testWebhookEndpoint"
      changes={CHANGES}
      consequences={<p>This endpoint alone gets a sample with “test”: true. No list of events shows it.</p>}
      run={(_form, key) => post('/v1/webhook-endpoints/{id}/test', { id }, {}, key)}
    />
  );
}

function Change({ endpoint }: OfEndpoint) {
  const { endpointId: id } = endpoint;
  return (
    <Action
      label="Change"
      title="Change this endpoint"
      action="Change it"
      needs="changeWebhookEndpoint"
      changes={CHANGES}
      consequences={<p>What is pending goes to the new URL.</p>}
      run={(form) => {
        const body = { ...fieldsOf(form), description: textOf(form, 'description') ?? null };
        return ask(api.PATCH('/v1/webhook-endpoints/{id}', { params: { path: { id } }, body }));
      }}
    >
      <EndpointFields endpoint={endpoint} />
    </Action>
  );
}

function Switch({ endpoint: { endpointId: id, enabled } }: OfEndpoint) {
  return (
    <Action
      label={enabled ? 'Disable' : 'Enable'}
      title={enabled ? 'Disable this endpoint' : 'Enable this endpoint'}
      needs="changeWebhookEndpoint"
      changes={CHANGES}
      consequences={
        <p>
          {enabled
            ? 'Nothing is posted to it. What is pending waits until it is enabled again.'
            : 'It goes on with what was pending.'}
        </p>
      }
      run={() =>
        ask(api.PATCH('/v1/webhook-endpoints/{id}', { params: { path: { id } }, body: { enabled: !enabled } }))
      }
    />
  );
}

function Rotate({ endpoint: { endpointId: id } }: OfEndpoint) {
  return (
    <Action
      label="New secret"
      title="Give it a new secret"
      action="Make secret"
      needs="rotateWebhookSecret"
      changes={CHANGES}
      consequences={<p>The old one signs, too, for the hours named here, so that both are accepted meanwhile.</p>}
      run={async (form, key) => {
        const body = { overlapHours: Number(requiredText(form, 'overlapHours')) };
        return (await post('/v1/webhook-endpoints/{id}/rotate-secret', { id }, body, key)).secret;
      }}
      shows="The new secret"
    >
      <Field label="Hours in which both sign">
        <input name="overlapHours" type="number" min={0} max={720} defaultValue="24" required />
      </Field>
    </Action>
  );
}

function Delete({ endpoint: { endpointId: id } }: OfEndpoint) {
  const { route } = useLocation();
  return (
    <Action
      label="Delete"
      title="Delete this endpoint"
      needs="deleteWebhookEndpoint"
      isGrave
      changes={CHANGES}
      consequences={<p>All that is pending for it is never posted, and its deliveries are forgotten. For good.</p>}
      run={async () => {
        await ask(api.DELETE('/v1/webhook-endpoints/{id}', { params: { path: { id } } }));
        route('/events', true);
      }}
    />
  );
}

/** One event, to one endpoint. */
export function Resend({ eventId: id, endpointId }: { readonly eventId: string; readonly endpointId: string }) {
  return (
    <Action
      label="Send again"
      title="Send this event again"
      needs="resendEvent"
      changes={CHANGES}
      consequences={<p>It is posted once more with the same id, behind what is live.</p>}
      run={(_form, key) => post('/v1/events/{id}/resend', { id }, { endpointId }, key)}
    />
  );
}
