import { DAY, SECOND } from '../../src/domain/time';
import { retentionOf } from '../../src/process/messages';

test('events are kept for the configured time, but at least until the last delivery attempt is over', () => {
  const kept = (days: number, waits: number[]) =>
    retentionOf({ EVENT_RETENTION_DAYS: days, EVENT_BACKOFF_SECONDS: waits });
  expect(kept(90, [5, 86_400])).toBe(90 * DAY);
  expect(kept(2, [5, 86_395])).toBe(2 * DAY);
  expect(kept(2, [6, 86_395])).toBe(2 * DAY + SECOND);
});
