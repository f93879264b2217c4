import { REPLACED_BY_ANOTHER } from '../subscription/pauses';
import { CLOSED_BECAUSE } from './cycles';
import { AMOUNT_RULES } from './rules';
import { NOT_GIVEN } from './subscriptions';

/**
 * What dueday and the payment service give as a reason in place of words. An erasure leaves these, as they explain what happened
 * and name nobody; any other text may have been written about the payer.
 */
export const REASON_CODES: readonly string[] = [
  ...new Set([
    ...CLOSED_BECAUSE,
    ...Object.keys(NOT_GIVEN),
    ...Object.keys(AMOUNT_RULES),
    'not_announced',
    REPLACED_BY_ANOTHER,
    'payer',
    'merchant',
  ]),
];
