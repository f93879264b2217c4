import { ownTimeZone } from '../../format';
import { may } from '../../session';
import { type Asked, useAnswer } from './answers';
import type { TodayReport } from './schemas';

/** The figures of today in the time zone of the page, and whether sending is halted; nothing if the key may not read reports. */
export function useToday(): Asked<TodayReport> {
  const query = { timeZone: ownTimeZone() };
  return useAnswer(['reports'], '/v1/reports/today', { query }, { enabled: may('reportToday') });
}
