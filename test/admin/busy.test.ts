import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
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

function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

async function untilAnswered(status: number): Promise<string> {
  for (;;) {
    const { statusCode, body } = await admin.call('GET', '/v1/subscriptions', { on: app });
    if (statusCode === status) return body;
    await pause(1);
  }
}

test('a process that was held up refuses what comes, and takes it again once it is not', async () => {
  await untilAnswered(200);
  holdUp(3_000);
  expect(JSON.parse(await untilAnswered(503))).toMatchObject({ code: 'not_ready', detail: 'Too busy at the moment.' });
  await untilAnswered(200);
});

test('one that was held up for less than it may refuses nothing', async () => {
  const patient = await admin.another({ limits: { eventLoopDelayMs: 60_000 } });
  holdUp(1_500);
  for (let times = 0; times < 20; times += 1) {
    const { statusCode } = await admin.call('GET', '/v1/subscriptions', { on: patient });
    expect(statusCode).toBe(200);
    await pause(100);
  }
  await patient.close();
});
