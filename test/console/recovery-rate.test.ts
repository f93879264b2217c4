import { ofHowMany, recoveryRate, summaryOf } from '../../src/console/views/recovery/rate';
import { euros } from './lives';

type Total = Parameters<typeof summaryOf>[0];

const figure = (count: number) => ({ count, amount: euros(count * 1_000) });
const total = (more: Partial<Total> = {}): Total => ({
  ...{ firstAttempt: figure(90), recovered: figure(4), recoveredByLink: figure(0), lost: figure(4), open: figure(2) },
  hoursToRecover: null,
  ...more,
});

test('the recovery rate and its numbers count the same payments, including those paid by link and excluding open ones', () => {
  const { says, details } = summaryOf(total({ recoveredByLink: figure(2) }), undefined);
  expect(says).toBe('6 of 10 payments (60%) that the first attempt did not collect were recovered: €60.00.');
  expect(details).toBe(
    'By payment link: 2 (€20.00); a missed payment counts only if it was paid by link. Lost: 4 (€40.00). Still open, and not counted: 2 (€20.00).',
  );
  expect(recoveryRate(total({ recoveredByLink: figure(2) }))).toBe('6 of 10 (60%)');
});

test('the recovery rate of the previous period is shown if that period has one', () => {
  expect(summaryOf(total(), total({ lost: figure(12) })).details).toMatch(
    /^In the period before: 4 of 16 \(25%\)[.] Lost/,
  );
  expect(summaryOf(total(), total({ recovered: figure(0), lost: figure(0) })).details).toMatch(/^Lost/);
});

test('a period in which every payment is still open has no recovery rate', () => {
  const undecided = total({ recovered: figure(0), lost: figure(0) });
  expect(summaryOf(undecided, undefined).says).toBe(
    'All payments that their first attempt did not collect are still open.',
  );
  expect(summaryOf({ ...undecided, open: figure(0) }, undefined)).toEqual({
    says: 'No cycle of this period was declined.',
    details: '',
  });
});

test('the summary shows the median time in which retries recovered payments', () => {
  const hoursToRecover = { median: 24, mean: 30 };
  expect(summaryOf(total({ hoursToRecover }), undefined).details).toMatch(/took at most 24 hours[.]$/);
});

test('a share of payments is shown with both numbers, and as a percentage', () => {
  expect([ofHowMany(2, 2), ofHowMany(0, 1204), ofHowMany(0, 0)]).toEqual(['2 of 2 (100%)', '0 of 1,204 (0%)', '–']);
});
