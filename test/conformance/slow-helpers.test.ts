import type { Clock } from '../../src/platform/clock';
import { checkToken, Merchant } from '../../src/conformance';
import { SECOND } from '../../src/domain/time';
import { CREDENTIALS } from './service-under-test';

const ASKED_AT = Date.parse('2027-01-31T10:00:00.000Z');

/** @param tookMs how long the service takes to answer @param shown its Date header */
async function skewSeen(tookMs: number, shown: string): Promise<number | null> {
  let real = ASKED_AT;
  const clock: Clock = { setting: null, now: () => real, realNow: () => real };
  const merchant = new Merchant({ baseUrl: '', tokenUrl: '', timeoutMs: 1 }, CREDENTIALS);
  merchant.requestToken = async () => {
    real += tookMs;
    const answer = { status: 200, headers: { date: shown }, text: '{"access_token": "t"}' };
    return { request: { method: 'POST', url: '', headers: {} }, answer };
  };
  const access = await checkToken(merchant, clock);
  return access.kind === 'given' ? access.skew : null;
}

it('a service that takes seconds to issue a token has the right time all the same', async () => {
  expect(await skewSeen(6 * SECOND, 'Sun, 31 Jan 2027 10:00:06 GMT')).toBe(0);
  expect(await skewSeen(6 * SECOND, 'Sun, 31 Jan 2027 10:00:01 GMT')).toBe(0);
});

it('a service whose clock is wrong by more than its answer took is ahead or behind', async () => {
  expect(await skewSeen(SECOND, 'Sun, 31 Jan 2027 10:01:01 GMT')).toBe(60 * SECOND);
  expect(await skewSeen(SECOND, 'Sun, 31 Jan 2027 09:59:00 GMT')).toBeLessThan(-50 * SECOND);
});
