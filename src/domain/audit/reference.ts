/** Sentences of the payment service's own description, quoted word for word, on which dueday's rules are based. */

export const FIRST_PAYMENT = 'The first payment must equal exactly the amount given in the consent.';

export const EACH_DUE_DATE =
  'called by the merchant for the first time at the firstPaymentAt moment and then at each due date computed from repetition';

export const FIVE_DAYS =
  'Deviation from the scheduled payment date: up to 5 days (120 hours), whatever the interval. The interval itself cannot be repeatedly changed.';

export const THREE_ATTEMPTS =
  'After a failed authorization: at most 3 attempts within a 3-day window, and only after informing the payer.';

export const RETRYABLE =
  'Response with result FAILED, detail AUTHORIZATION_REJECTION_RETRYABLE, and a description asking the merchant to contact the payer before retrying.';

export const INCREASES =
  'Amount increase: allowed not more than once every 6 months (not applicable to the first payment), capped per interval as below.';

export const REDUCTIONS = 'Amount reduction: any time, any number of times, without limit.';

export const BACK_TO_CONSENT =
  'Increase after a reduction: any time, up to the originally agreed consent amount; beyond the original amount, the 6-month rule and caps apply.';

export const CONSENT_ABOVE_CAP =
  'If the initial consent amount already exceeds the cap for its interval, no increase is allowed.';

export const APPROVAL_ONLY = 'creating the consent only records approval';

export const MANDATE_STANDS =
  "After the payer grants consent and the payer's bank approves the mandate, the merchant initiates each later payment at fixed intervals without the payer acting in each cycle.";

export const CONSENT_TIMEOUT =
  'After a consent timeout, the payment is failed and no new authorization attempt is possible on it. A new payment request and consent are required.';

export const CONSENT_CHECK =
  'Before every later subscription payment, the merchant checks the consent validity with a GET on the consents resource of the payment';

export const FOUND_BY_CHECKING = 'Merchant detects it by checking the consent before each payment.';

export const NOTHING_FURTHER = 'No further payments can be processed.';

export const PAUSE = 'the merchant omits the authorization call for the planned pause duration';

export const QUERY_REPEATEDLY =
  'Because a capture can occasionally take more than a few seconds to finish, the merchant should query the status repeatedly (or use long polling).';

export const STUCK_IN_PENDING =
  'The merchant must not delete a transaction that seems stuck in a pending capture. To discontinue it, the merchant cancels it properly.';

export const EACH_STAGE = 'Each stage can succeed or fail independently of the others.';

export const ONLY_BY_REFUND = 'A capture cannot be cancelled; a capture is reversed only by a refund.';

export const REFUND_FORBIDDEN =
  'Refund on a failed or expired payment, refund above the captured amount, or sum of refunds above the captured total';

export const REFUND_MATCHES =
  'uses the capture identifiers when captures were partial or multiple, so that each refund matches a capture';

export const LIFECYCLE = 'The general lifecycle for all three payment plans is PENDING, then SUCCESSFUL or FAILED.';

export const RECONCILIATION = 'used for status checks, refunds, captures and reconciliation';

export const SINGLE_FAILS = 'consent given but authorization unsuccessful, or consent unsuccessful (Single Immediate)';

export const DEBITED_AT_ONCE =
  "Once the payer grants consent and the payer's bank authorizes, the full amount is debited at once.";

export const CAPTURE_DEADLINE =
  'Capture deadline: authorization createdAt (UTC) plus the number of seconds of timeToCapture.';

export const CAPTURED_AFTER_EVENT =
  'The payer authorizes up front, but the debit happens only when the merchant triggers a capture after a business event (shipment, start of a service, etc.).';

export const CAPTURE_TOTAL = 'Must not exceed the authorized amount';

export const ONE_CAPTURE = 'One capture only; partialCapture must also be true for multiple captures.';

export const FULL_CAPTURE = 'One capture only, for the full authorized amount.';

export const CAPTURE_TOO_LATE = 'Capture request fails.';

export const CATEGORY_MAXIMUM =
  'Merchants in these categories also have a maximum capture amount of 50 EUR, independent of the capture period.';

export const FINAL_CAPTURE =
  'When true, the payment is closed and any remainder of the authorized amount is released back to the payer.';

export const RELEASE = 'Reserved, uncaptured amount is released to the payer.';

export const EXPIRY = 'If no capture is made in time, the payment expires.';

export const ONLY_PREAUTHORIZATION = 'Only an Event Dependent pre-authorization can be cancelled.';
