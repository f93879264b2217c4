import { post } from '../../client';
import { Action, ReasonField, requiredText } from '../common/action';

const CHANGES = ['subscription', 'subscriptions', 'attention'];

/** Closes the items that give the subscription the standing `needs_attention`. */
export function Acknowledge({ id }: { readonly id: string }) {
  return (
    <Action
      label="Acknowledge"
      title="Acknowledge attention items"
      needs="acknowledgeSubscription"
      changes={CHANGES}
      consequences={
        <p>
          The items that give this subscription the standing “needs attention” are closed. Others, such as differences
          and contradictions, stay open. Nothing else changes: an unknown outcome stays unknown.
        </p>
      }
      run={(form, key) =>
        post('/v1/subscriptions/{id}/acknowledge', { id }, { reason: requiredText(form, 'reason') }, key)
      }
    >
      <ReasonField isRequired />
    </Action>
  );
}
