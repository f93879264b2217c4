/** Every type of entry that the trail may get, by subject. Rules cited and sentences are held to be complete by these. */

export const SUBSCRIPTION_EVENTS = [
  'subscription.requested',
  'subscription.imported',
  'subscription.paused',
  'subscription.resumed',
  'subscription.cancel_requested',
  'subscription.cancelled',
  'subscription.completed',
  'subscription.replacement_requested',
  'subscription.replacement_failed',
  'subscription.replaced',
  'subscription.orphaned',
  'subscription.restarted',
  'consent.requested',
  'consent.granted',
  'consent.failed',
  'attention.changed',
  'attention.acknowledged',
  'request.refused',
] as const;

export const AMOUNT_EVENTS = [
  'amount_change.accepted',
  'amount_change.withdrawn',
  'amount_change.dropped',
  'amount_change.refused',
  'amount_change.announcing',
  'amount_change.notice_delivered',
  'amount_change.notice_undeliverable',
] as const;

export const CYCLE_EVENTS = [
  'cycle.collected',
  'cycle.collected_late',
  'cycle.dunning',
  'cycle.skipped',
  'cycle.missed',
  'cycle.failed',
  'cycle.unresolved',
  'cycle.resolved',
  'cycle.skip_requested',
  'cycle.retry_requested',
] as const;

export const ATTEMPT_EVENTS = [
  'attempt.sending',
  'attempt.pending',
  'attempt.successful',
  'attempt.rejected_retryable',
  'attempt.rejected',
  'attempt.rejected_finally',
  'attempt.capture_failed',
  'attempt.not_sent',
  'attempt.unknown',
  'attempt.unresolved',
  'attempt.contradicted',
  'attempt.pending_past_window',
  'attempt.unknown_past_window',
  'attempt.settled_absent',
  'attempt.clocks_differ',
  'attempt.halted',
  'authorizations.unreadable',
  'consent.unreadable',
] as const;

export const REFUND_EVENTS = [
  'refund.requested',
  'refund.refused',
  'refund.sending',
  'refund.pending',
  'refund.successful',
  'refund.failed',
  'refund.not_sent',
  'refund.unknown',
  'refund.unresolved',
  'refund.contradicted',
  'refund.stopped',
  'refund.cannot_be_sent',
  'refund.clocks_differ',
  'refund.halted',
  'refunds.unreadable',
] as const;

export const PAYMENT_EVENTS = [
  'payment.requested',
  'payment.consent_granted',
  'payment.consent_failed',
  'payment.authorized',
  'payment.failed',
  'payment.captured',
  'payment.deadline_near',
  'payment.release_requested',
  'payment.release_refused',
  'payment.released',
  'payment.expired',
  'payment.orphaned',
  'payment.restarted',
] as const;

export const CAPTURE_EVENTS = [
  'capture.requested',
  'capture.refused',
  'capture.sending',
  'capture.pending',
  'capture.successful',
  'capture.failed',
  'capture.not_sent',
  'capture.unknown',
  'capture.unresolved',
  'capture.contradicted',
  'capture.stopped',
  'capture.cannot_be_sent',
  'capture.clocks_differ',
  'capture.halted',
  'captures.unreadable',
] as const;

export const HOUSE_EVENTS = [
  'notice.delivered',
  'notice.undeliverable',
  'alert.outcome_unknown',
  'alert.sent_in_vain',
  'alert.window_closing',
  'reconciliation.begun',
  'reconciliation.stopped',
  'reconciliation.difference',
  'halt.begun',
  'halt.lifted',
  'key.created',
  'key.revoked',
] as const;

export const EVENT_TYPES = [
  ...SUBSCRIPTION_EVENTS,
  ...AMOUNT_EVENTS,
  ...CYCLE_EVENTS,
  ...ATTEMPT_EVENTS,
  ...REFUND_EVENTS,
  ...PAYMENT_EVENTS,
  ...CAPTURE_EVENTS,
  ...HOUSE_EVENTS,
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** What an entry says besides its type, time and actor. Instants are ISO texts. */
export type EventData = Readonly<Record<string, unknown>>;

/** False for what another release of the program wrote. */
export function isEventType(type: string): type is EventType {
  return (EVENT_TYPES as readonly string[]).includes(type);
}
