import type { Instant } from '../../src/domain/time';
import { runDueday } from '../cli/dueday-process';
import type { AdminApi } from '../scenarios/admin-api';
import type { Life, Surroundings } from '../scenarios/life';
import { orderOf } from '../scenarios/order';
import type { Ground } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';

/** Text that a page must show as it is. */
export const HTML = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const RIGHT_TO_LEFT = '\u202Eمرحبا بالعالم\u202C';

/** Writes markup, right-to-left text and very long words wherever the API takes text about a subscription. */
export async function writeHostileText(admin: AdminApi, hostile: Life): Promise<void> {
  const patch = async (path: string, body: object) => {
    const { status } = await admin.patch(path, body);
    expect({ path, status }).toEqual({ path, status: 200 });
  };
  await patch(`/v1/subscriptions/${hostile.id}/payer`, { reference: HTML });
  await patch(`/v1/subscriptions/${hostile.id}`, {
    metadata: { [HTML.slice(0, 40)]: RIGHT_TO_LEFT, long: 'W'.repeat(200) },
  });
  await hostile.steer('pause', { reason: `${HTML}${RIGHT_TO_LEFT}${'W'.repeat(400)}` });
  await hostile.steer('resume', {});
}

/** An Event Dependent payment of 100.00 EUR, of which 30.00 EUR are captured and booked. @returns its id */
export async function capturedInPart(
  { admin, sandbox }: Pick<Surroundings, 'admin' | 'sandbox'>,
  now: Instant,
): Promise<string> {
  const { returnURL, billingAddress } = orderOf({ name: 'once', cents: 10_000 }, now);
  const terms = { plan: 'EVENT_DEPENDENT', partialCapture: true, multipleCapture: true };
  const order = { ...terms, amount: { value: 10_000, currency: 'EUR' }, returnURL, billingAddress };
  const { body } = await admin.post<{ paymentId: string }>('/v1/payments', order);
  sandbox.payer(body.paymentId).approve();
  const path = `/v1/payments/${body.paymentId}`;
  await waitUntil('the payment is authorized', async () => {
    return (await admin.get<{ status: string }>(path)).body.status === 'authorized';
  });
  const capture = await admin.post(`${path}/captures`, { amount: { value: 3_000, currency: 'EUR' } });
  expect(capture.status).toBe(201);
  await waitUntil('the capture is booked', async () => {
    const { captures } = (await admin.get<{ captures: { status: string }[] }>(path)).body;
    return captures.every(({ status }) => status === 'successful');
  });
  return body.paymentId;
}

/** Creates a key with the CLI, as an operator of the installation does for each holder who requests or approves. */
export async function createHoldersKey({ env }: Pick<Ground, 'env'>, holder: string): Promise<string> {
  const args = ['--name', `desk of ${holder}`, '--role', 'admin', '--holder', holder];
  const { stdout } = await runDueday(['keys', 'create', ...args], env);
  return stdout.trimEnd().split('\n').at(-1)!;
}
