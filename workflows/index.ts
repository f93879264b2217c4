export { consentCheck, paymentCheck } from './consent-check';
export { housekeeping, reconciliation } from './housekeeping';
export { notice } from './notice';
export { payment } from './payment';
export { refund } from './refund';
export { subscription } from './subscription/subscription';
