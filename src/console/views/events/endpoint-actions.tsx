import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { EVENT_TYPES } from '../../../client/values';
import { api, ask, post } from '../../client';
import { Field } from '../../parts';
import { Action, requiredText, textOf } from '../common/action';
import type { Endpoint } from '../common/schemas';
import { offeredOf } from './offered';

const CHANGES = ['webhook-endpoints'];

type EventType = (typeof EVENT_TYPES)[number];

/** The button with which an admin creates an endpoint. */
export function NewEndpoint() {
  return (
    <Action
      label="New endpoint"
      title="Create an endpoint"
      action="Create endpoint"
      needs="createWebhookEndpoint"
      changes={CHANGES}
      consequences={
        <p>
          It receives events from now on; a replay can send earlier ones. The secret for checking signatures is shown
          only once.
        </p>
      }
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
      <Field label="Types" hint="Separated by commas: event types, cycle.*, or * for all.">
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

interface EndpointActionsProps extends OfEndpoint {
  /** Further actions, which come first. */
  readonly children?: ComponentChildren;
}

/** The actions for an endpoint; the one configured in the environment can only be tested. */
export function EndpointActions({ endpoint, children }: EndpointActionsProps) {
  return (
    <div class="actions" role="group" aria-label="Actions">
      {children}
      {offeredOf(endpoint).isTestable ? <SendTest endpoint={endpoint} /> : null}
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

function SendTest({ endpoint: { endpointId: id } }: OfEndpoint) {
  return (
    <Action
      label="Send a test event"
      title="Send a test event"
      action="Send test event"
      needs="testWebhookEndpoint"
      changes={CHANGES}
      consequences={
        <p>Only this endpoint receives it, marked with “test”: true. Its delivery appears in the list below.</p>
      }
      run={(form, key) =>
        post('/v1/webhook-endpoints/{id}/test', { id }, { type: requiredText(form, 'type') as EventType }, key)
      }
    >
      <Field label="Type">
        <select name="type">
          {['endpoint.test', ...EVENT_TYPES.filter((type) => type !== 'endpoint.test')].map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </select>
      </Field>
    </Action>
  );
}

function Change({ endpoint }: OfEndpoint) {
  const { endpointId: id } = endpoint;
  return (
    <Action
      label="Change"
      title="Change this endpoint"
      action="Change endpoint"
      needs="changeWebhookEndpoint"
      changes={CHANGES}
      consequences={<p>Pending events are sent to the new URL.</p>}
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
            ? 'Pending events wait until it is enabled again. Later ones are sent only if you then replay them.'
            : 'Pending and new events are sent. Then replay the events from the time it was disabled.'}
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
      title="Create a new secret"
      action="Create secret"
      needs="rotateWebhookSecret"
      changes={CHANGES}
      consequences={
        <p>For the hours entered here, events are signed with both secrets, so that your system can switch over.</p>
      }
      run={async (form, key) => {
        const body = { overlapHours: Number(requiredText(form, 'overlapHours')) };
        return (await post('/v1/webhook-endpoints/{id}/rotate-secret', { id }, body, key)).secret;
      }}
      shows="The new secret"
    >
      <Field label="Hours with both secrets">
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
      isApart
      needs="deleteWebhookEndpoint"
      isGrave
      changes={CHANGES}
      consequences={
        <p>Its pending events are never sent, and its delivery history is deleted. This cannot be undone.</p>
      }
      run={async () => {
        await ask(api.DELETE('/v1/webhook-endpoints/{id}', { params: { path: { id } } }));
        route('/events', true);
      }}
    />
  );
}

/** Resends one event to one endpoint. */
export function Resend({ eventId: id, endpointId }: { readonly eventId: string; readonly endpointId: string }) {
  return (
    <Action
      label="Send again"
      title="Send this event again"
      needs="resendEvent"
      changes={CHANGES}
      consequences={<p>It is sent once more with the same ID, after any new events.</p>}
      run={(_form, key) => post('/v1/events/{id}/resend', { id }, { endpointId }, key)}
    />
  );
}
