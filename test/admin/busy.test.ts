import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;
let app: FastifyInstance;
beforeAll(async () => {
  admin = await startAdmin();
  app = await admin.another({ limits: { eventLoopDelayMs: 100 } });
});
afterAll(async () => {
  await app.close();
  await admin.stop();
});

const ask = (on: FastifyInstance) => admin.call('GET', '/v1/subscriptions', { on });

/** What was due meanwhile runs first after it: the process has measured itself. */
async function holdUp(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until);
  await pause(1);
}

/** The result of a sample remains valid until the next one, a tenth of a second later. @param before each request */
async function untilAnswered(status: number, before = async () => {}): Promise<string> {
  let said = '';
  await waitUntil(`the API answers with ${status}`, async () => {
    await before();
    const { statusCode, body } = await ask(app);
    said = body;
    return statusCode === status;
  });
  return said;
}

test('an overloaded process rejects requests, and accepts them again once it has recovered', async () => {
  await untilAnswered(200);
  const refused = await untilAnswered(503, () => holdUp(3_000));
  expect(JSON.parse(refused)).toMatchObject({
    code: 'not_ready',
    detail: 'This API process is overloaded. Try again in a few seconds.',
  });
  await untilAnswered(200);
});

test('a process with an event loop delay below the limit rejects nothing', async () => {
  const slow = await admin.another({ limits: { eventLoopDelayMs: 60_000 } });
  await holdUp(1_500);
  for (let times = 0; times < 20; times += 1) {
    expect((await ask(slow)).statusCode).toBe(200);
    await pause(100);
  }
  await slow.close();
});
