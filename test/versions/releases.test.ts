import { randomBytes } from 'node:crypto';
import { type Finished, runDueday } from '../cli/dueday-process';
import { adminApiOf, type Ground, openGround } from '../scenarios/world';
import { orderOf } from '../scenarios/order';
import { DAY } from '../../src/domain/time';
import type { Sandbox } from '../../src/sandbox';
import { buildIdOf } from '../../src/platform/workflow-bundle';
import { builtWorkflows } from '../support/built-workflows';
import { waitUntil } from '../support/wait-until';

let ground: Ground;
let env: Readonly<Record<string, string>>;
let sandbox: Sandbox;

beforeAll(async () => {
  ground = await openGround();
  const opened = await ground.openSandbox();
  const { url } = opened;
  sandbox = opened.sandbox;
  // For this new task queue no release is current yet.
  const taskQueue = `releases-${randomBytes(4).toString('hex')}`;
  env = { ...ground.env, PAYMENT_SERVICE_BASE_URL: url, TEMPORAL_TASK_QUEUE: taskQueue };
});
afterAll(() => ground.close());

function dueday(...args: string[]): Promise<Finished> {
  return runDueday(args, env);
}

test('the first release of a task queue makes itself current, in a worker and in a daemon', async () => {
  const own = buildIdOf(builtWorkflows());
  expect((await dueday('versions', 'list', '--json')).stdout).toBe('');
  expect(await dueday('versions', 'rollback')).toMatchObject({
    code: 1,
    stderr: 'dueday: no other release has been current before\n',
  });
  const worker = ground.start('worker', env);
  await worker.says(`release ${own} gets new and continued work`);
  const admin = await adminApiOf(ground.start('api', env));
  const order = orderOf({ name: 'coffee', cents: 999, lead: 60 * DAY }, ground.clock.now());
  const created = admin.post<{ paymentId: string }>('/v1/subscriptions', order);

  const promoted = await dueday('versions', 'promote');
  expect(promoted).toMatchObject({ code: 0 });
  expect(promoted.stdout).toMatch(new RegExp(`\nrelease ${own} is already current\n$`));
  expect((await created).status).toBe(201);
  // The subscription's workflow continues on another queue once the payer has approved.
  sandbox.payer((await created).body.paymentId).approve('approves');
  const path = `/v1/subscriptions/${order.subscriptionId}`;
  await admin.post(`${path}/consent-check`);
  const isActive = async () => (await admin.get<{ status: string }>(path)).body.status === 'active';
  await waitUntil('it is active', isActive);
  expect((await dueday('versions', 'promote', '--without-verify')).stdout).toBe(`release ${own} is already current\n`);
  const listed = (await dueday('versions', 'list', '--json')).stdout.trimEnd().split('\n');
  expect(listed.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { buildId: own, state: 'current', workers: 1, leftAt: null },
  ]);

  const taskQueue = `${env['TEMPORAL_TASK_QUEUE'] ?? ''}-daemon`;
  const daemon = ground.start('daemon', { ...env, TEMPORAL_TASK_QUEUE: taskQueue });
  await daemon.says(`release ${own} is current`);
});

test('the histories of a cluster can be replayed by the release that wrote them', async () => {
  const { code, stdout } = await dueday('replay', 'verify', '--newest', '5');
  expect([code, stdout.split('\n').at(-2)]).toEqual([0, expect.stringMatching(/^replay: \d+ histories, 0 failed$/)]);
  expect(stdout).toMatch(/^subscription +1 +0$/m);
  expect(stdout).toMatch(/^housekeeping +1 +0$/m);
});

test.each([['0'], ['many'], ['1000000']])('the replay command exits 2 if --newest is %s', async (count) => {
  const { code, stderr } = await dueday('replay', 'verify', '--newest', count);
  expect([code, stderr]).toEqual([
    2,
    `dueday: --newest: expected a number of histories, 1 to 100000; got "${count}"\n`,
  ]);
});

test('the versions command exits 2 if no such release is listed', async () => {
  const { code, stderr } = await dueday('versions', 'rollback', '--to', 'yesterday');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^dueday: --to: expected a release that .*; got "yesterday"\n$/),
  ]);
});
