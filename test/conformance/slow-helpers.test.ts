import type { Clock } from '../../src/platform/clock';
import { checkToken, chooseRows, Merchant, playRows } from '../../src/conformance';
import { SECOND } from '../../src/domain/time';
import { CREDENTIALS, openService } from './service-under-test';

const ASKED_AT = Date.parse('2027-01-31T10:00:00.000Z');

/** The clock skew that the suite measures. @param tookMs how long the service takes to answer @param shown its Date header */
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

it('the clock of a service that takes seconds to issue a token still counts as right', async () => {
  expect(await skewSeen(6 * SECOND, 'Sun, 31 Jan 2027 10:00:06 GMT')).toBe(0);
  expect(await skewSeen(6 * SECOND, 'Sun, 31 Jan 2027 10:00:01 GMT')).toBe(0);
});

it('the clock of a service counts as ahead or behind if it is wrong by more than the answer took', async () => {
  expect(await skewSeen(SECOND, 'Sun, 31 Jan 2027 10:01:01 GMT')).toBe(60 * SECOND);
  expect(await skewSeen(SECOND, 'Sun, 31 Jan 2027 09:59:00 GMT')).toBeLessThan(-50 * SECOND);
});

it('a row cannot be tried if the payer approves only after the session has ended', async () => {
  const { world, close } = await openService();
  const now = jest.spyOn(performance, 'now');
  try {
    // The operator is asked ten seconds before the session ends, takes half a minute, and then confirms.
    const late = async () => {
      const at = performance.now();
      now.mockImplementation(() => at + 620 * SECOND);
    };
    const found = await playRows(
      { ...world, act: async (trial) => world.pass(trial, 30).then(late) },
      chooseRows(['limits/session'])!,
    );
    expect(found).toMatchObject([
      {
        verdict: 'cannot be tried',
        why: 'the payer took longer than the last 10 seconds of the session to approve',
      },
    ]);
  } finally {
    now.mockRestore();
    await close();
  }
});
