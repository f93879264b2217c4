import { noticeBackoff, readNoticeBody } from '../../src/notices';
import { about, failed } from './notice-samples';

it('readNoticeBody names wrong and missing fields without their values', () => {
  const wrong = { ...failed, amount: { value: '19.99', currency: 'EUR' }, retryAt: undefined };
  expect(() => readNoticeBody('payment.failed', wrong)).toThrow(
    'a payment.failed notice has invalid or missing fields: data.amount.value, data.retryAt',
  );
});

it('readNoticeBody refuses a type it does not know', () => {
  expect(() => readNoticeBody('payment.celebrated', about)).toThrow('a payment.celebrated notice');
});

it('readNoticeBody keeps fields that it does not know', () => {
  expect(readNoticeBody('subscription.completed', { ...about, note: 1 }).data).toMatchObject({ note: 1 });
});

const seconds = [5, 30, 120, 600, 1800];

it('noticeBackoff waits 5 s, 30 s, 2 min, 10 min, then 30 min again and again', () => {
  const waits = [1, 2, 3, 4, 5, 6, 100].map((delivery) => noticeBackoff(delivery, seconds));
  expect(waits).toEqual([5_000, 30_000, 120_000, 600_000, 1_800_000, 1_800_000, 1_800_000]);
});

it.each([0, -1, 1.5])('noticeBackoff refuses delivery %d', (delivery) => {
  expect(() => noticeBackoff(delivery, seconds)).toThrow(RangeError);
});

it('noticeBackoff refuses an empty list of waits', () => {
  expect(() => noticeBackoff(1, [])).toThrow(RangeError);
});
