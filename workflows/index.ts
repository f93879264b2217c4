export { housekeeping } from './housekeeping';
export { notice } from './notice';
export { reconciliation } from './reconciliation';
export { refund } from './refund';
export { subscription } from './subscription';
