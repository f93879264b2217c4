import { REPLACED_BY_ANOTHER } from '../subscription/replacements';
import { CLOSED_BECAUSE } from './cycles';
import { AMOUNT_RULES } from './rules';
import { NOT_GIVEN } from './subscriptions';

/**
 * The codes that dueday and the payment service use as reasons. An erasure keeps them, as they explain what happened and name
 * no one; any other text may have been written about the payer.
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
