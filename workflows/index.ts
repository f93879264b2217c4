export { consentCheck, paymentCheck } from './consent-check';
export { housekeeping, reconciliation } from './housekeeping';
export { notice } from './notice';
export { payment, refund } from './payment';
export { subscription } from './subscription/subscription';
