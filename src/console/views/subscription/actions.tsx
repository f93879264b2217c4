import { useState } from 'preact/hooks';
import { givesStanding } from '../../../domain/findings';
import { api, ask, post } from '../../client';
import { now } from '../../format';
import { announce, Consequences, Field, offerUndo, UNDONE } from '../../parts';
import { Action, instantOf, ReasonField, requiredText, textOf } from '../common/action';
import { EditMetadata } from '../metadata/edit-metadata';
import { addressOf, pathTo } from '../common/address';
import type { Subscription } from '../common/schemas';
import { useOpenItems } from '../attention/open-items';
import { Acknowledge } from '../attention/acknowledge';
import { ChangeAmount, WithdrawChange } from './change-amount';
import { cancelTexts, pauseTexts, resumeTexts } from '../dialogs/subscription';
import { Skipped } from './skipped';
import { EditPayer } from './edit-payer';
import type { Life } from './life';
import { offeredOf } from './offered';
import { effectOfPause } from './waiting';

const CHANGES = ['subscription', 'subscriptions', 'attention'];

/** The actions that the user may take in the present state of the subscription. */
export function Actions({ life }: { readonly life: Life }) {
  const { subscription } = life;
  const { subscriptionId: id, metadata } = subscription;
  const offered = offeredOf(subscription);
  return (
    <div class="actions" role="group" aria-label="Actions">
      {offered.isResumable ? <Resume life={life} /> : null}
      {offered.isAcknowledgeable ? <Review id={id} /> : null}
      {offered.isPausable ? <Pause life={life} /> : null}
      {offered.isChangeable ? <ChangeAmount subscription={subscription} /> : null}
      {offered.hasChangeToWithdraw ? <WithdrawChange subscription={subscription} /> : null}
      {offered.isConsentCheckable ? <CheckConsent subscription={subscription} /> : null}
      {offered.isAcknowledgeable ? <Acknowledge id={id} /> : null}
      {offered.isRestartable ? <Restart subscription={subscription} /> : null}
      <EditPayer subscription={subscription} />
      <EditMetadata
        of={metadata}
        needs="changeSubscription"
        changes={CHANGES}
        save={(pairs) =>
          ask(api.PATCH('/v1/subscriptions/{id}', { params: { path: { id } }, body: { metadata: pairs } }))
        }
      />
      {offered.isCancellable ? <Cancel life={life} /> : null}
    </div>
  );
}

/** The main action if the subscription needs attention: opens the item that says why, beside the subscription's other items. */
function Review({ id: subscriptionId }: { readonly id: string }) {
  const item = useOpenItems({ subscriptionId }).find(({ kind }) => givesStanding(kind));
  if (item === undefined) return null;
  return (
    <a class="button main" href={addressOf(pathTo('attention', item.item), { subscriptionId })}>
      Review: {item.title}
    </a>
  );
}

function Pause({ life }: { readonly life: Life }) {
  const { subscriptionId: id } = life.subscription;
  const [until, setUntil] = useState<number | null>(null);
  return (
    <Action
      label="Pause"
      title="Pause this subscription"
      needs="pauseSubscription"
      changes={CHANGES}
      consequences={
        <>
          <Skipped id={id} until={until} />
          <Consequences of={pauseTexts(life, now(), effectOfPause)} />
        </>
      }
      run={async (form, key) => {
        const body = { until: instantOf(form, 'until'), reason: textOf(form, 'reason') };
        await post('/v1/subscriptions/{id}/pause', { id }, body, key);
        offerUndo({
          says: `${id} is paused.`,
          changes: CHANGES,
          undo: () => post('/v1/subscriptions/{id}/resume', { id }, { reason: UNDONE }),
        });
      }}
    >
      <Field label="Until" hint="In your local time. If empty, the pause lasts until you resume.">
        <input
          type="datetime-local"
          name="until"
          onInput={(event) => {
            const at = Date.parse(event.currentTarget.value);
            setUntil(Number.isNaN(at) ? null : at);
          }}
        />
      </Field>
      <ReasonField />
    </Action>
  );
}

function Resume({ life }: { readonly life: Life }) {
  const { subscriptionId: id } = life.subscription;
  return (
    <Action
      label="Resume"
      title="Resume this subscription"
      isMain
      needs="resumeSubscription"
      changes={CHANGES}
      consequences={<Consequences of={resumeTexts(life, now())} />}
      run={(form, key) => post('/v1/subscriptions/{id}/resume', { id }, { reason: textOf(form, 'reason') }, key)}
    >
      <ReasonField />
    </Action>
  );
}

function Cancel({ life }: { readonly life: Life }) {
  const { subscriptionId: id } = life.subscription;
  return (
    <Action
      label="Cancel subscription"
      title="Cancel this subscription"
      needs="cancelSubscription"
      isApart
      isGrave
      changes={CHANGES}
      consequences={<Consequences of={cancelTexts(life, now())} />}
      run={async (form, key) => {
        await post('/v1/subscriptions/{id}/cancel', { id }, { reason: textOf(form, 'reason') }, key);
        announce('Cancelled: no further payment is collected. The consent is being ended at the payment service.');
      }}
    >
      <ReasonField />
    </Action>
  );
}

interface OfSubscription {
  readonly subscription: Subscription;
}

function CheckConsent({ subscription: { subscriptionId: id, status } }: OfSubscription) {
  return (
    <Action
      label="Check consent"
      title="Check the consent now"
      needs="checkConsent"
      changes={CHANGES}
      consequences={
        <p>
          {status === 'pending_consent'
            ? 'dueday asks the payment service whether the payer has approved.'
            : 'dueday asks the payment service for the consent. If the consent has ended, the subscription is cancelled and its open cycle ends.'}
        </p>
      }
      run={(_form, key) => post('/v1/subscriptions/{id}/consent-check', { id }, {}, key)}
    />
  );
}

function Restart({ subscription: { subscriptionId: id } }: OfSubscription) {
  return (
    <Action
      label="Restart workflow"
      title="Restart the workflow"
      needs="restartSubscription"
      changes={CHANGES}
      consequences={
        <p>
          Starts a new workflow from the state in the ledger, and is not accepted if one is running. Payments that were
          collected, or whose outcome is unknown, are not sent again.
        </p>
      }
      run={(form, key) => post('/v1/subscriptions/{id}/restart', { id }, { reason: requiredText(form, 'reason') }, key)}
    >
      <ReasonField isRequired />
    </Action>
  );
}
