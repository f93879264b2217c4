export { notice } from './notice';
export { subscription } from './subscription';
