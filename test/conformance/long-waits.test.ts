import type * as timers from 'node:timers/promises';
import { readOrder } from '../../src/cli/conformance/options';
import { loadConfig } from '../../src/config';
import { createOperatedWorld, Merchant } from '../../src/conformance';
import { DAY, SECOND } from '../../src/domain/time';
import { createClock } from '../../src/platform/clock';

const mockPaused: number[] = [];

jest.mock('node:timers/promises', () => ({
  ...jest.requireActual<typeof timers>('node:timers/promises'),
  setTimeout: async (ms: number) => void mockPaused.push(ms),
}));

/** The longest wait of a Node timer, in ms; a timer that is set to more ends after a millisecond. */
const LONGEST_TIMER = 2 ** 31 - 1;

const SERVICE = { baseUrl: 'http://127.0.0.1:1', tokenUrl: 'http://127.0.0.1:1/oauth/token', timeoutMs: 1000 };
const MAIN = new Merchant(SERVICE, { clientId: 'a', clientSecret: 'b' });

function worldWith(timeout: number) {
  return createOperatedWorld({ clock: createClock(null), skew: 0, timeout, terms: {} }, MAIN);
}

test('a row that waits for months waits as long as it must, although no timer can be set so long', async () => {
  const days = 400;
  await worldWith((days * DAY) / SECOND).pass({} as never, (days * DAY) / SECOND);
  expect(Math.max(...mockPaused)).toBeLessThanOrEqual(LONGEST_TIMER);
  expect(mockPaused.reduce((sum, ms) => sum + ms, 0)).toBe(days * DAY);
});

test('the command accepts the time-out that a row names as long enough for its wait', async () => {
  const waiting = worldWith(20).pass({} as never, (366 * DAY) / SECOND);
  const why = await waiting.then(String, String);
  const [, advised = ''] = /--timeout (\d+) allows it$/.exec(why) ?? [];
  const asked = { baseUrl: 'http://127.0.0.1:1', clientId: 'a', timeout: advised };
  const { timeout } = readOrder(asked, loadConfig({ PAYMENT_SERVICE_CLIENT_SECRET: 'secret' }, []));
  expect(timeout).toBe((366 * DAY) / SECOND);
});
