import { makeRecommended } from '../../client';
import { announce } from '../../parts';
import { Action } from '../common/action';
import type { Attention } from '../common/schemas';
import { doneText, offerOf, warningsIn } from './offers';

const CHANGES = ['attention', 'subscription', 'subscriptions', 'webhook-endpoints', 'transactions'];

/** The button for the call that the API recommends for the item; the first of its actions. */
export function Recommended({ item: { kind, recommended } }: { readonly item: Attention }) {
  const offer = recommended === null ? null : offerOf(recommended);
  if (recommended === null || offer === null) return null;
  const { label, needs, consequences, isGrave = false } = offer;
  return (
    <Action
      label={label}
      title={label}
      needs={needs}
      isMain
      isGrave={isGrave}
      changes={CHANGES}
      consequences={<p>{consequences}</p>}
      run={async (_, key) => {
        const answer = await makeRecommended(recommended, key);
        announce(doneText(label, kind), warningsIn(answer));
      }}
    />
  );
}
