import { asSignedIn } from '../../src/console/client';
import { watchAttendance } from '../../src/console/session';
import { HOUR } from '../../src/domain/time';

const page = new EventTarget();
watchAttendance(page);

/** On the page's clock, ms: beyond what any process has lived. */
let now = 1e12;

beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => jest.restoreAllMocks());

/** What a request says of the user as it goes out. */
function unattended(method: string): string | null {
  const request = new Request('http://127.0.0.1/v1/subscriptions', { method });
  asSignedIn.onRequest({ request } as never);
  return request.headers.get('x-unattended');
}

test.each([
  ['GET', 'pointerdown'],
  ['POST', 'click'],
  ['PATCH', 'keydown'],
  ['DELETE', 'wheel'],
])('a %s does not keep the session of who went away, until there is a %s', (method, type) => {
  now += HOUR;
  expect(unattended(method)).toBe('true');
  page.dispatchEvent(new Event(type));
  expect(unattended(method)).toBeNull();
});
