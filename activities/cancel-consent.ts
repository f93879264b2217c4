import { Context } from '@temporalio/activity';
import type { PaymentRef } from '../src/contract/activities';
import { hasSendOnWire, markConsentDeleted } from '../src/ledger';
import { remember } from './consent';
import type { Dependencies } from './dependencies';
import { growingPause, tryAgain } from './failures';
import { longestOnWire } from './freshness';
import { describe, retryAfter } from './service-answers';

/** Waits until no POST is on the wire, deletes, and asks until the service says so (decisions 24). */
export async function cancelConsent(deps: Dependencies, input: PaymentRef): Promise<void> {
  const { clock, service, settings } = deps;
  const pause = growingPause(clock.realNow() - Context.current().info.scheduledTimestampMs);
  if (await hasSendOnWire(deps.ledger, input.subscriptionId, clock.realNow() - longestOnWire(settings))) {
    throw tryAgain('blocked', 'an authorization is on the wire', pause);
  }
  await markConsentDeleted(deps.ledger, input.subscriptionId);
  const deleted = await service.cancelConsent(input.paymentId);
  const consent = await service.getConsent(input.paymentId);
  if (consent.kind === 'accepted') {
    await remember(deps, input, consent.value);
    if (consent.value.status === 'cancelled' || consent.value.status === 'failed') return;
  }
  const seen = consent.kind === 'accepted' ? consent.value.status : describe(consent);
  const message = `DELETE: ${describe(deleted)}; the consent reads: ${seen}`;
  throw tryAgain('service_unreadable', message, Math.max(pause, retryAfter(deleted), retryAfter(consent)));
}
