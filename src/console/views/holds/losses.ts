import type { Hold } from '../common/schemas';

/** The windows that a hold loses, added up. */
export function lossesOf(hours: Hold['windowsLost']) {
  const windows = hours.reduce((sum, { count }) => sum + count, 0);
  const value = hours.reduce((sum, { amount }) => sum + amount.value, 0);
  return { windows, amount: { value, currency: 'EUR' as const } };
}
