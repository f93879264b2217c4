export { consentCheck, paymentCheck } from './consent-check';
export { housekeeping } from './housekeeping';
export { notice } from './notice';
export { payment } from './payment';
export { reconciliation } from './reconciliation';
export { refund } from './refund';
export { subscription } from './subscription';
