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

function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

async function untilAnswered(status: number): Promise<string> {
  let said = '';
  await waitUntil(`the API answers with ${status}`, async () => {
    const { statusCode, body } = await ask(app);
    said = body;
    return statusCode === status;
  });
  return said;
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
    expect((await ask(patient)).statusCode).toBe(200);
    await pause(100);
  }
  await patient.close();
});
