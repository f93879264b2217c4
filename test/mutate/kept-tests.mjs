/**
 * Tests that a process loads once and runs as often as it is asked to, any of them in any order: Jest would start again
 * and load every module again, which takes a second and more. Parts of Jest collect and run them. What the tests of a
 * file share, such as a database, is opened before the first of them and stays open.
 */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jestExpect } from '@jest/expect';
import globals, { addEventHandler, describe, getState, resetState, run } from 'jest-circus';
import { ModuleMocker } from 'jest-mock';

/** Real ms to close everything. What is not closed then, such as a pool whose connection is never returned, is abandoned. */
const MOST_TO_CLOSE = 5_000;
const OURS = /(?<!node_modules.*)\.ts$/;
/** Packages that keep a list of the schemas that dueday's modules name; a name may occur in it only once. */
const NAMES_SCHEMAS = /[\\/]node_modules[\\/](zod|fastify-type-provider-zod)[\\/]/;

function* testsOf(block) {
  for (const child of block.children) {
    if (child.type === 'test') yield child;
    else yield* testsOf(child);
  }
}

/** Removes the hooks from the block and its inner blocks, because `run` would call them each time. */
function* takeHooks(block, type) {
  for (const hook of block.hooks.filter((each) => each.type === type)) yield hook.fn;
  block.hooks = block.hooks.filter((each) => each.type !== type);
  for (const child of block.children) if (child.type === 'describeBlock') yield* takeHooks(child, type);
}

/** `<file> <describe> <test>` */
function idOf({ name, parent }) {
  return parent.parent === undefined ? name : `${idOf(parent)} ${name}`;
}

/** @param {readonly string[]} paths of test files, and of folders with such */
function filesOf(root, paths) {
  const within = (folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return paths
    .flatMap((path) => (path.endsWith('.ts') ? [path] : within(path)))
    .filter((path) => path.endsWith('.test.ts'));
}

export class KeptTests {
  /** Whether a test of the last run timed out, and so still runs. */
  hasHung = false;
  #root;
  #paths;
  #require;
  #mocker = new ModuleMocker(globalThis);
  #onTest;
  #endContexts;
  /** Each file with its tests, and what is to be called before the first of them and after the last. */
  #files = [];
  #bails = false;
  /** The time, in ms since the start of the process, after which no test starts. */
  #until = Infinity;
  #hasFailed = false;

  /**
   * @param {string} root of the project
   * @param {object} which
   * @param {readonly string[]} which.tests see {@link filesOf}
   * @param {number} which.propertyMs how long the examples of a property may take together
   * @param {(id: string | undefined) => void} onTest called as a test begins, and without an id as it ends
   */
  constructor(root, { tests, propertyMs }, onTest) {
    this.#root = root;
    this.#paths = filesOf(root, tests);
    this.#require = createRequire(join(root, 'package.json'));
    this.#onTest = onTest;
    this.#endContexts = this.#require('./test/support/contexts.cjs').endContexts;
    for (const name of ['typescript', 'fast-check']) this.#require(`./test/support/${name}.cjs`);
    this.#require('./test/mutate/quick-properties.cjs').endPropertiesAfter(propertyMs);
    Object.assign(globalThis, globals, { expect: jestExpect, jest: this.#mocker });
    addEventHandler((event) => this.#handle(event));
    // An exception in work that a test has started and no longer waits for. In Jest it fails the test that runs.
    process.on('uncaughtException', (error) => {
      const { currentlyRunningTest: test, unhandledErrors } = getState();
      if (test) test.errors.push([error, test.asyncError]);
      else unhandledErrors.push(error);
    });
  }

  load() {
    resetState();
    for (const path of this.#paths) describe(path, () => void this.#require(join(this.#root, path)));
    this.#files = getState().rootDescribeBlock.children.map((block) => {
      const tests = [...testsOf(block)].map((test) => ({ test, id: idOf(test), mode: test.mode }));
      const [opening, closing] = ['beforeAll', 'afterAll'].map((type) => [...takeHooks(block, type)]);
      return { name: block.name, tests, opening, closing, isOpen: false };
    });
  }

  async reload() {
    await this.close();
    const { cache } = this.#require;
    for (const path of Object.keys(cache))
      if ((path.startsWith(this.#root + sep) && OURS.test(path)) || NAMES_SCHEMAS.test(path)) delete cache[path];
    this.load();
  }

  async close() {
    this.#mocker.restoreAllMocks();
    await closeAll(this.#files);
    this.#files = [];
  }

  /**
   * Opens what tests share, such as a database.
   * @param {readonly string[]} [ids] of the tests; without it all
   */
  async open(ids) {
    const files = this.#files.filter(({ tests }) => tests.some(wantedOf(ids)));
    for (const file of files.filter(({ isOpen }) => !isOpen)) {
      file.isOpen = true;
      await inTurn(file.opening);
    }
  }

  /**
   * @param {readonly string[]} [ids] of the tests to run, which are open; without it all
   * @param {object} how
   * @param {boolean} how.bails ends with the first that fails
   * @param {(id: string) => number} how.mostMs a test, or a hook of one, that takes longer fails, and continues nevertheless
   * @param {number} [how.forMs] no test starts after it
   * @param {(one: string, other: string) => number} [how.inOrder] compares ids
   * @returns the results of circus, and errors that belong to no test
   */
  async run(ids, { bails, mostMs, forMs = Infinity, inOrder = () => 0 }) {
    const tests = this.#files.flatMap((file) => file.tests.filter(wantedOf(ids)));
    for (const { test, id, mode } of tests)
      Object.assign(test, { errors: [], duration: null, timeout: mostMs(id), mode });
    this.#bails = bails;
    this.#until = performance.now() + forMs;
    this.#hasFailed = false;
    this.hasHung = false;
    const state = getState();
    // Each test knows the blocks that it is in, and so what to call before and after it.
    state.rootDescribeBlock.children = tests
      .toSorted((one, other) => inOrder(one.id, other.id))
      .map(({ test }) => test);
    Object.assign(state, { testTimeout: Math.max(...tests.map(({ id }) => mostMs(id))), unhandledErrors: [] });
    const { testResults, unhandledErrors } = await run();
    return { results: testResults.map((result) => this.#resultOf(result)), unhandledErrors };
  }

  #resultOf({ testPath: [, file, ...titles], status, errors, duration }) {
    const isDone = status === 'done';
    return { id: [file, ...titles].join(' '), file, path: join(this.#root, file), isDone, errors, ms: duration ?? 0 };
  }

  #handle({ name, test, error }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') {
      this.#hasFailed = true;
      this.hasHung ||= String(error?.message ?? error).startsWith('Exceeded timeout of');
    }
    if (name === 'test_done' || name === 'test_skip') this.#onTest(undefined);
    if (name === 'test_done') this.#endContexts();
    if (name !== 'test_start') return;
    this.#onTest(idOf(test));
    if ((this.#bails && this.#hasFailed) || performance.now() > this.#until) test.mode = 'skip';
  }
}

async function closeAll(files) {
  const hooks = files.filter(({ isOpen }) => isOpen).map(({ closing }) => inTurn(closing));
  for (const file of files) file.isOpen = false;
  await Promise.race([Promise.allSettled(hooks), pause(MOST_TO_CLOSE, undefined, { ref: false })]);
}

function wantedOf(ids) {
  const wanted = ids && new Set(ids);
  return ({ id }) => wanted?.has(id) ?? true;
}

async function inTurn(hooks) {
  for (const hook of hooks) await hook();
}
