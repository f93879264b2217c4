export { notice } from './notice';
export { refund } from './refund';
export { subscription } from './subscription';
