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

/** Blocks the event loop, then waits until timers that were due meanwhile have run: the process has then measured the delay. */
async function holdUp(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until);
  await pause(1);
}

/**
 * Repeats a request until it is answered with the status, because load is measured every 0.1 s.
 * @param before runs before each request
 */
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
