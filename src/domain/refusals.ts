/**
 * The meaning of refusals, for reports, exports and operators. The reference names only
 * `AUTHORIZATION_REJECTION_RETRYABLE`. `RESOLVED_AS_FAILED`, and `CAPTURE_FAILED` for a failed capture without a
 * detail, are dueday's own. The others are those that the service is assumed to have.
 */
const SENTENCES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AUTHORIZATION_REJECTION_RETRYABLE:
      "The payer's bank refused the debit for now, for example for insufficient funds or a transaction limit.",
    AUTHORIZATION_REJECTION_FINAL: "The payer's bank refused the debit for good.",
    CONSENT_NOT_VALID: "The payer's consent is no longer valid.",
    INTERVAL_NOT_MATCHED: 'The debit does not fit the interval that the payer has agreed to.',
    AMOUNT_NOT_ALLOWED: 'The amount is not allowed under the consent.',
    RETRY_NOT_ALLOWED: 'The limit of three retries within 72 hours does not allow another attempt.',
    CAPTURE_FAILED: 'The bank authorized the debit, but it was not carried out.',
    CAPTURE_EXCEEDS_AUTHORIZATION: 'The capture is higher than the authorized amount.',
    CAPTURE_PERIOD_ENDED: 'The capture came after the authorization had expired.',
    REFUND_EXCEEDS_CAPTURE: 'The refund is higher than the amount that was captured.',
    CAPTURE_ID_REQUIRED: 'The refund does not say which capture it returns.',
    STATE_CONFLICT: 'The state of the payment at the payment service does not allow it.',
    INVALID_REQUEST: 'The payment service did not accept the form of the request.',
    NOT_FOUND: 'The payment service does not know the payment.',
    RESOLVED_AS_FAILED: 'An operator found that the debit had failed.',
  }),
);

/** A sentence for an operator. @param detail the code of the refusal, in upper or lower case */
export function describeRefusal(detail: string): string {
  return SENTENCES.get(detail.toUpperCase()) ?? `The payment service refused it with ${detail}.`;
}
