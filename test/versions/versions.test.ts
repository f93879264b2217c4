import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { type Clock, createClock } from '../../src/platform/clock';
import { CONSENT_CHECK_WORKFLOW } from '../../src/contract/messages';
import { REFUND_WORKFLOW } from '../../src/contract/payments';
import { MINUTE } from '../../src/domain/time';
import { deploymentOf } from '../../src/contract/versions';
import { heldRuns, releaseStrays, makeCurrent, movedBy, readVersions, type VersionAccess } from '../../src/temporal';
import { holdBack, releaseHeld } from '../../src/process/versions/hold';
import type { WorkflowCode } from '../../src/platform/workflow-bundle';
import { connectDevServerEnv } from '../support/temporal';
import { partOfRun } from '../support/test-run';
import { waitUntil } from '../support/wait-until';

let env: TestWorkflowEnvironment;
let taskQueue: string;
let access: VersionAccess;
/**
 * Activities fail and are retried until `isOpen`; those in `closed` then still wait. `doneBy` has the worker that ran
 * the last activity of each workflow, `tried` each workflow of which an activity has started.
 */
let isOpen: boolean;
let closed: Set<string>;
let doneBy: Map<string, string>;
let tried: Set<string>;
let running: Map<string, { readonly worker: Worker; readonly run: Promise<void> }>;

beforeAll(async () => {
  env = await connectDevServerEnv();
});
afterAll(() => env.teardown());

beforeEach(() => {
  taskQueue = `versions-${randomUUID()}`;
  access = { client: env.client, taskQueue, clock: createClock(null) };
  [isOpen, closed, doneBy, tried, running] = [false, new Set(), new Map(), new Set(), new Map()];
});
afterEach(async () => {
  for (const name of running.keys()) await stop(name);
});

/**
 * @param buildId of a versioned worker; null for an unversioned one
 * @param code its workflow code
 */
async function start(name: string, buildId: string | null = name, code = codeOf()): Promise<void> {
  const act = async ({
    refundId,
    subscriptionId,
  }: {
    readonly refundId?: string;
    readonly subscriptionId?: string;
  }) => {
    const what = refundId ?? subscriptionId ?? '';
    tried.add(what);
    if (!isOpen) throw ApplicationFailure.create({ message: 'not yet', nextRetryDelay: 50 });
    // Without a heartbeat Temporal would repeat the activity in the release that is current by then.
    await waitUntil(`${what} is let through`, () => {
      heartbeat();
      return !closed.has(what);
    });
    doneBy.set(what, name);
    return refundId === undefined ? { changed: null } : null;
  };
  const version = { deploymentName: deploymentOf(taskQueue), buildId: buildId ?? '' };
  const worker = await Worker.create({
    connection: env.nativeConnection,
    ...code,
    debugMode: true,
    taskQueue,
    activities: { refundPayment: act, checkConsent: act, [OTHER_WAY]: act },
    ...(buildId === null
      ? {}
      : {
          workerDeploymentOptions: { useWorkerVersioning: true, version, defaultVersioningBehavior: 'AUTO_UPGRADE' },
        }),
  });
  running.set(name, { worker, run: worker.run() });
}

/** The activity of a check in the release that behaves differently. */
const OTHER_WAY = 'askForConsent';

/** @param asks the activity that a check calls */
function codeOf(asks = 'checkConsent'): WorkflowCode {
  const { codePath } = partOfRun('workflowBundle');
  return { workflowBundle: { code: readFileSync(codePath, 'utf8').replaceAll(/\bcheckConsent\b/g, asks) } };
}

/** In this release a check calls its activity a second time after the first answer, for the subscription `again`. */
function codeThatAsksAgain(): WorkflowCode {
  const { code } = codeOf().workflowBundle;
  const asks = /const checked = (await [^;]+\.checkConsent\)?)\(reference\);/;
  const askingAgain = code.replace(asks, "$& $1({ subscriptionId: 'again', paymentId: 'pay' });");
  if (askingAgain === code) throw new Error('a check does not ask as it did');
  return { workflowBundle: { code: askingAgain } };
}

async function countOf(runs: AsyncIterable<unknown>): Promise<number> {
  const all: unknown[] = [];
  for await (const each of runs) all.push(each);
  return all.length;
}

async function stop(name: string): Promise<void> {
  const { worker, run } = running.get(name)!;
  running.delete(name);
  worker.shutdown();
  await run;
}

async function makeReleaseCurrent(buildId: string): Promise<void> {
  await waitUntil(`${buildId} is current`, async () => (await makeCurrent(access, buildId)).kind !== 'not_ready');
}

/** A refund, which stays at the release that started it. */
function refund(refundId: string) {
  const amount = { value: 100, currency: 'EUR' };
  const args = [{ refundId, subscriptionId: 'sub', paymentId: 'pay', cycle: 0, captureId: 'cap', amount }];
  return env.client.workflow.start(REFUND_WORKFLOW, { workflowId: `${refundId}/${taskQueue}`, taskQueue, args });
}

/** A check, which continues in the current release. */
function check(name: string) {
  const reference = { subscriptionId: name, paymentId: 'pay', status: 'active' };
  return env.client.workflow.start(CONSENT_CHECK_WORKFLOW, {
    workflowId: `${name}/${taskQueue}`,
    taskQueue,
    args: [reference],
  });
}

function hasBeenTried(name: string): Promise<void> {
  return waitUntil(`${name} has been tried`, () => tried.has(name));
}

const inShort = async () =>
  (await readVersions(access)).all.map(({ buildId, state, workers }) => [buildId, state, workers]).toSorted();

/** Temporal knows a new worker shortly after its first poll. */
const known = (versions: string) =>
  waitUntil(`Temporal knows ${versions}`, async () => JSON.stringify(await inShort()) === versions);

test('workers take no work until a release is current', async () => {
  expect(await readVersions(access)).toEqual({ current: null, all: [], unversioned: 0 });
  expect((await makeCurrent(access, 'a')).kind).toBe('not_ready');
  await start('a');
  await known('[["a","inactive",1]]');
  const told = await refund('one');
  isOpen = true;

  expect(await makeCurrent(access, 'a')).toEqual({ kind: 'promoted', before: null });
  await told.result();
  expect(doneBy.get('one')).toBe('a');
  expect(await makeCurrent(access, 'a')).toEqual({ kind: 'current' });
  expect((await readVersions(access)).current).toMatchObject({ buildId: 'a', leftRealAt: null });
});

test('unversioned workflows and their waiting activities continue in the first current release', async () => {
  await start('before', null);
  const [told, checked] = [await refund('told'), await check('checked')];
  await Promise.all([hasBeenTried('told'), hasBeenTried('checked')]);
  expect(await readVersions(access)).toEqual({ current: null, all: [], unversioned: 1 });
  await start('a');
  await makeReleaseCurrent('a');
  await stop('before');
  isOpen = true;

  await Promise.all([told.result(), checked.result()]);
  expect(Object.fromEntries(doneBy)).toEqual({ told: 'a', checked: 'a' });
});

test('a refund ends in the release that started it, a check continues in the current one', async () => {
  await start('a');
  await makeReleaseCurrent('a');
  const [told, checked] = [await refund('told'), await check('checked')];
  await Promise.all([hasBeenTried('told'), hasBeenTried('checked')]);
  await start('b');
  await makeReleaseCurrent('b');
  await known('[["a","draining",1],["b","current",1]]');
  isOpen = true;

  await Promise.all([told.result(), checked.result()]);
  expect(Object.fromEntries(doneBy)).toEqual({ told: 'a', checked: 'b' });
});

test('workflows pinned to a release without workers continue in the current one', async () => {
  await start('a');
  await makeReleaseCurrent('a');
  const told = await refund('told');
  await hasBeenTried('told');
  await start('b');
  await makeReleaseCurrent('b');
  await stop('a');
  isOpen = true;
  const listed = async () => {
    const query = `TemporalWorkflowVersioningBehavior = 'Pinned' and WorkflowId = 'told/${taskQueue}'`;
    return (await env.client.workflow.count(query)).count;
  };
  await waitUntil('Temporal lists it as pinned', async () => (await listed()) === 1);

  // The release's workers polled a moment ago, so they may just be restarting.
  const versions = await readVersions(access);
  expect(await releaseStrays(access, versions)).toBe(0);
  const later: Clock = { ...access.clock, realNow: () => Date.now() + 2 * MINUTE };
  const laterVersions = await readVersions({ ...access, clock: later });
  expect(laterVersions.all.map(({ workers }) => workers)).toEqual([0, 0]);
  expect(await releaseStrays(access, { ...laterVersions, current: null })).toBe(0);
  expect(await releaseStrays(access, laterVersions)).toBe(1);
  await told.result();
  expect(doneBy.get('told')).toBe('b');
});

test('workflows that the old release cannot replay are pinned to the new one in a rollback, until a current release can replay them', async () => {
  const otherWay = codeOf(OTHER_WAY);
  await start('a');
  await makeReleaseCurrent('a');
  await start('b', 'b', otherWay);
  await makeReleaseCurrent('b');
  const [one, two] = [await check('one'), await check('two')];
  await Promise.all([hasBeenTried('one'), hasBeenTried('two')]);
  const areListed = () => countOf(movedBy(access, 'b'));
  await waitUntil('Temporal lists what b has moved', async () => (await areListed()) === 2);
  const replaying = (code: WorkflowCode) => ({ client: env.client, taskQueue, dataConverter: {}, code });
  const back = async () => {
    const told: string[] = [];
    const leave = () => makeReleaseCurrent('a');
    const parts = { access, replaying: replaying(codeOf()) };
    await holdBack(parts, 'b', leave, ({ workflowId }) => told.push(workflowId));
    expect(told.toSorted()).toEqual([one.workflowId, two.workflowId]);
  };
  const areHeld = () => countOf(heldRuns(access));

  await back();
  await waitUntil('Temporal lists both as held', async () => (await areHeld()) === 2);
  expect(await releaseHeld({ access, replaying: replaying(codeOf()) })).toEqual({ released: 0, held: 2 });
  await makeReleaseCurrent('b');
  expect(await releaseHeld({ access, replaying: replaying(otherWay) })).toEqual({ released: 2, held: 0 });
  await waitUntil('none is held', async () => (await areHeld()) === 0);
  await back();
  const later = await check('later');
  isOpen = true;

  await Promise.all([one.result(), two.result(), later.result()]);
  expect(Object.fromEntries(doneBy)).toEqual({ one: 'b', two: 'b', later: 'a' });
});

test('a workflow that takes a new path during a rollback is pinned, although the old release could replay it before', async () => {
  await start('a');
  await makeReleaseCurrent('a');
  await start('b', 'b', codeThatAsksAgain());
  await makeReleaseCurrent('b');
  const one = await check('one');
  await hasBeenTried('one');
  await waitUntil('Temporal lists what b has moved', async () => (await countOf(movedBy(access, 'b'))) === 1);
  closed.add('again');
  const leave = async () => {
    isOpen = true;
    await hasBeenTried('again');
    await makeReleaseCurrent('a');
  };
  const told: string[] = [];
  const replaying = { client: env.client, taskQueue, dataConverter: {}, code: codeOf() };

  await holdBack({ access, replaying }, 'b', leave, ({ workflowId }) => told.push(workflowId));

  expect(told).toEqual([one.workflowId]);
  closed.clear();
  await one.result();
  expect(Object.fromEntries(doneBy)).toEqual({ one: 'b', again: 'b' });
});

test('a deployment name contains no character that Temporal reserves, and is unique per task queue', () => {
  expect(deploymentOf('billing')).toBe('dueday/billing');
  const names = ['a.b', 'a:b', 'a%b', 'a%2eb', 'a/b'].map(deploymentOf);
  expect(names.join()).not.toMatch(/[.:]/);
  expect(new Set(names).size).toBe(5);
});
