/**
 * Stryker's runner for tests that need nothing but our code. Each process of Stryker loads them once and runs them for
 * every mutant; Jest would start again for each, which takes a second and more. Parts of Jest collect and run them.
 */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { jestExpect } from '@jest/expect';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import globals, { addEventHandler, describe, getState, resetState, run } from 'jest-circus';

/** What the mutated code shares with its runner: which mutant is on, which test runs, what each test has reached. */
const shared = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});

function* testsOf(block) {
  for (const child of block.children) {
    if (child.type === 'test') yield child;
    else yield* testsOf(child);
  }
}

/** `<file> <describe> <test>` */
function idOf({ name, parent }) {
  return parent.parent === undefined ? name : `${idOf(parent)} ${name}`;
}

class PureTests {
  /** Stryker's copy of the project, whose code has the mutants: it loads this file before it goes there. */
  #copy = process.cwd();
  #require = createRequire(join(this.#copy, 'package.json'));
  #folder = join(this.#copy, 'test/domain');
  /** What circus collected of each file, and the longest that the file has taken so far, in ms. */
  #files = [];
  #bails = false;
  #hasFailed = false;

  /** A mutant is on only while tests run, so no module has to be loaded again for the next one. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  init() {
    this.#require('./test/support/typescript.cjs');
    this.#require('./test/support/fast-check.cjs');
    this.#require('./test/mutate/quick-properties.cjs');
    Object.assign(globalThis, globals, { expect: jestExpect });
    addEventHandler((event) => this.#handle(event));
    this.#load();
  }

  async dryRun() {
    const result = await this.#run(null, true);
    const { mutantCoverage } = shared;
    if (mutantCoverage === undefined) throw new Error(`the tests reach no mutant in ${this.#copy}`);
    return { ...result, mutantCoverage };
  }

  /**
   * A mutant is killed only by tests that pass without it. One may change what tests share, such as an array of a module;
   * the tests that then fail must not count as killing the next one, so all modules are loaded again.
   */
  async mutantRun(options) {
    if (options.mutantActivation === 'static') throw new Error('static mutants need modules that are loaded again');
    const result = await this.#runMutant(options);
    if (result.status !== MutantRunStatus.Killed || (await this.#pass(result.killedBy))) return result;
    this.#load();
    const second = await this.#runMutant(options);
    this.#load();
    if (second.status !== MutantRunStatus.Killed || (await this.#pass(second.killedBy))) return second;
    throw new Error(`fails without a mutant: ${second.killedBy.join(', ')}`);
  }

  async #runMutant({ activeMutant, testFilter, hitLimit, disableBail }) {
    const hitCount = hitLimit === undefined ? undefined : 0;
    Object.assign(shared, { activeMutant: activeMutant.id, hitLimit, hitCount });
    try {
      const result = await this.#run(testFilter, disableBail);
      return toMutantRunResult(determineHitLimitReached(shared.hitCount, hitLimit) ?? result, disableBail);
    } finally {
      Object.assign(shared, { activeMutant: undefined, hitLimit: undefined, hitCount: undefined });
    }
  }

  async #pass(ids) {
    const { status, tests } = await this.#run(ids, true);
    return status === DryRunStatus.Complete && tests.every((test) => test.status !== TestStatus.Failed);
  }

  #load() {
    const { cache } = this.#require;
    for (const path of Object.keys(cache)) if (path.startsWith(this.#copy + sep)) delete cache[path];
    resetState();
    const names = readdirSync(this.#folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.test.ts'),
    );
    for (const name of names) describe(name, () => void this.#require(join(this.#folder, name)));
    const took = new Map(this.#files.map(({ block, took }) => [block.name, took]));
    this.#files = getState().rootDescribeBlock.children.map((block) => {
      const tests = [...testsOf(block)].map((test) => ({ test, id: idOf(test), mode: test.mode }));
      return { block, tests, took: took.get(block.name) ?? 0 };
    });
  }

  /** Only tests with one of these ids, or all; unless told otherwise only until one fails. */
  async #run(ids, disableBail) {
    const wanted = ids && new Set(ids);
    const isWanted = ({ id }) => wanted?.has(id) ?? true;
    const files = this.#files.filter(({ tests }) => tests.some(isWanted)).sort((one, other) => one.took - other.took);
    for (const each of files.flatMap(({ tests }) => tests)) {
      Object.assign(each.test, { errors: [], duration: null, mode: isWanted(each) ? each.mode : 'skip' });
    }
    this.#bails = !disableBail;
    this.#hasFailed = false;
    const state = getState();
    state.rootDescribeBlock.children = files.map(({ block }) => block);
    state.unhandledErrors = [];
    const { testResults, unhandledErrors } = await run();
    if (unhandledErrors.length > 0) return { status: DryRunStatus.Error, errorMessage: unhandledErrors.join('\n') };
    for (const file of files) {
      const took = file.tests.reduce((sum, { test }) => sum + (test.duration ?? 0), 0);
      file.took = Math.max(file.took, took);
    }
    return { status: DryRunStatus.Complete, tests: testResults.map((result) => this.#resultOf(result)) };
  }

  /** Stryker's result of a test, from the one of circus. */
  #resultOf({ testPath: [, file, ...titles], status, errors, duration }) {
    const id = [file, ...titles].join(' ');
    const base = { id, name: id, fileName: join(this.#folder, file), timeSpentMs: duration ?? 0 };
    if (status !== 'done') return { ...base, status: TestStatus.Skipped };
    if (errors.length === 0) return { ...base, status: TestStatus.Success };
    return { ...base, status: TestStatus.Failed, failureMessage: errors.join(', ') };
  }

  #handle({ name, test }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
    if (name === 'test_done' || name === 'test_skip') shared.currentTestId = undefined;
    if (name !== 'test_start') return;
    shared.currentTestId = idOf(test);
    if (this.#bails && this.#hasFailed) test.mode = 'skip';
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'pure', PureTests)];
