import type { FastifyInstance } from 'fastify';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import { openSimulatedStack, type SimulatedStack } from '../../src/simulation/simulated-stack';
import { type AdminUnderTest, BOOTSTRAP_KEY, startAdmin } from '../admin/admin-under-test';
import { importFile } from '../support/import-call';
import { silentLog } from '../support/silent-log';
import { FIRST, LIVES, simulateLives } from './simulated-lives';

let stack: SimulatedStack;
let left: FastifyInstance;
let entered: AdminUnderTest;

beforeAll(async () => {
  const retryPolicy = { offsets: [DAY, 2 * DAY], transit: MINUTE, gap: 6 * HOUR };
  stack = await openSimulatedStack({ startAt: FIRST - DAY, retryPolicy, log: silentLog() });
  await simulateLives(stack);
  entered = await startAdmin({ clock: stack.clock });
  left = await entered.another({ db: stack.ledger, reading: stack.ledger });
});
afterAll(async () => {
  await left.close();
  await entered.stop();
  await stack.stop();
});

async function read(app: FastifyInstance, key: string, url: string) {
  const answer = await app.inject({ url, headers: { authorization: `Bearer ${key}` } });
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body}`);
  return answer;
}

const schedule = async (app: FastifyInstance, key: string, id: string) =>
  (await read(app, key, `/v1/subscriptions/${id}/schedule?count=30`)).json<{ items: unknown[] }>().items;

test('subscriptions that one installation exports have the same schedule in the one that imports them, to the cent and millisecond', async () => {
  const { body } = await read(left, BOOTSTRAP_KEY, '/v1/subscriptions/export');
  const url = await entered.app.listen({ port: 0, host: '127.0.0.1' });

  const answers = await importFile(url, entered.keys.admin, body);

  const refused = answers.filter(({ problem }) => problem !== undefined);
  const hasEnded = [{ path: 'state.status', message: expect.stringContaining('the subscription has ended') }];
  expect(refused.map(({ problem }) => problem?.errors)).toEqual([hasEnded, hasEnded]);
  expect(answers).toHaveLength(Object.keys(LIVES).length + 2);
  for (const id of Object.keys(LIVES)) {
    const before = await schedule(left, BOOTSTRAP_KEY, id);
    expect([id, before.length > 20]).toEqual([id, id !== 'paused']);
    expect([id, await schedule(entered.app, entered.keys.admin, id)]).toEqual([id, before]);
  }
});

test('what was imported is exported as the same lines again', async () => {
  const linesOf = async (app: FastifyInstance, key: string) =>
    (await read(app, key, '/v1/subscriptions/export')).body.split('\n').toSorted();
  const before = await linesOf(left, BOOTSTRAP_KEY);
  const after = await linesOf(entered.app, entered.keys.admin);
  expect(after).toEqual(before.filter((line) => !line.includes('"cancelled"')));
});
