/**
 * Stryker's runner of our tests. Each process of Stryker loads them once and runs them for every mutant: those that reach it,
 * most likely killers first, until one fails. InProcess.#rankOf has their order.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { KeptTests } from './kept-tests.mjs';

/** State that the mutated code shares with its runner: the active mutant, the running test, what each test has reached. */
const shared = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});

/** How many killers are remembered: neighbouring mutants are often killed by the same test. */
const KILLERS = 8;
const SLOW_MS = 5_000;
/** The longest times of a test: long without a mutant, for a busy machine; with a mutant, a longer test counts as hanging. */
const MOST_MS = 600_000;
const MOST_WITH_MUTANT_MS = 10_000;
/** The factor by which a test may take longer with a mutant than without one. */
const TIMES_ALONE = 10;
/**
 * A mutant that no test notices within this time counts as not noticed, so the score is never too high: hundreds of tests reach
 * some mutants, and the tests that notice most of them are among the fastest.
 */
const MOST_PER_MUTANT_MS = 45_000;

class InProcess {
  static inject = [commonTokens.options, commonTokens.logger];
  /** Stryker's copy of the project, whose code has the mutants: it loads this file before it goes there. */
  #copy = process.cwd();
  #tests;
  #log;
  /** Ids of the tests that killed last, the latest first. */
  #killers = [];
  /**
   * By the id of a test: the ms that it takes, whether it is the fastest of its file, and what a test of its file costs. The cost is
   * the average ms times the average number of mutants that it reaches, as a test of one part is more likely to notice a mutant there
   * than a test of the whole. All processes have it from the one that ran the tests without a mutant.
   */
  #took = {};
  #tookPath = join(this.#copy, 'took.json');

  constructor({ inProcess }, log) {
    this.#log = log;
    this.#tests = new KeptTests(this.#copy, inProcess, (id) => (shared.currentTestId = id));
  }

  /** A mutant is on only while tests run, so no module has to be loaded again for the next one. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  init() {
    this.#tests.load();
  }

  async dispose() {
    await this.#tests.close();
  }

  /**
   * Runs all tests without a mutant. Code that still runs after a test has ended counts as reached by the next test, or by none:
   * a mutant in such code is later run with more tests than could notice it, or with fewer.
   */
  async dryRun() {
    const result = await this.#run(undefined, { bails: false, mostMs: () => MOST_MS });
    const { mutantCoverage } = shared;
    if (mutantCoverage === undefined) throw new Error(`the tests reach no mutant in ${this.#copy}`);
    if (result.status === DryRunStatus.Complete) this.#keepTimes(result.tests, mutantCoverage.perTest);
    return { ...result, mutantCoverage };
  }

  /**
   * A mutant is killed only by tests that pass without it. A mutant may change what tests share, such as an array of a module or
   * rows of a database, or leave work behind that still locks them; the tests that then fail must not count as killing the next
   * one, so all is closed and loaded again.
   */
  async mutantRun(options) {
    if (options.mutantActivation === 'static') throw new Error('static mutants need modules that are loaded again');
    const first = await this.#runMutant(options);
    if (await this.#isSure(first)) return first;
    await this.#reload(first.killedBy);
    const again = await this.#runMutant(options);
    if (await this.#isSure(again)) return again;
    await this.#reload(again.killedBy);
    if (await this.#isSure(again)) return again;
    throw new Error(`fails without a mutant: ${again.killedBy.join(', ')}`);
  }

  async #runMutant({ activeMutant, testFilter, hitLimit, disableBail }) {
    this.#readTimes();
    const how = { bails: !disableBail, mostMs: (id) => this.#most(id), forMs: MOST_PER_MUTANT_MS };
    const tested = await this.#run(testFilter, how, { activeMutant: activeMutant.id, hitLimit });
    const result = toMutantRunResult(tested, disableBail);
    const { killedBy = [] } = result;
    this.#killers = [...new Set([...killedBy, ...this.#killers])].slice(0, KILLERS);
    if (this.#tests.hasHung) await this.#reload(killedBy);
    return result;
  }

  #most(id) {
    return Math.max(MOST_WITH_MUTANT_MS, TIMES_ALONE * (this.#took[id]?.ms ?? 0));
  }

  async #isSure({ status, killedBy }) {
    if (status !== MutantRunStatus.Killed) return true;
    const without = await this.#run(killedBy, { bails: true, mostMs: () => MOST_MS });
    return without.status === DryRunStatus.Complete && without.tests.every((test) => test.status !== TestStatus.Failed);
  }

  async #reload(because) {
    this.#log.debug('loads everything again behind %s', because);
    await this.#tests.reload();
  }

  async #run(ids, how, { activeMutant, hitLimit } = {}) {
    await this.#tests.open(ids);
    Object.assign(shared, { activeMutant, hitLimit, hitCount: hitLimit === undefined ? undefined : 0 });
    const inOrder = (one, other) => this.#compare(one, other);
    const { results, unhandledErrors } = await this.#tests.run(ids, { ...how, inOrder });
    const tooOften = determineHitLimitReached(shared.hitCount, hitLimit);
    Object.assign(shared, { activeMutant: undefined, hitLimit: undefined, hitCount: undefined });
    if (tooOften !== undefined) return tooOften;
    if (unhandledErrors.length > 0) return { status: DryRunStatus.Error, errorMessage: unhandledErrors.join('\n') };
    return { status: DryRunStatus.Complete, tests: results.map(resultOf) };
  }

  #compare(one, other) {
    const [first, second] = [one, other].map((id) => this.#rankOf(id));
    const [its, others] = [one, other].map((id) => this.#took[id] ?? NOT_RUN);
    return first - second || its.cost - others.cost || its.ms - others.ms;
  }

  /**
   * The tests that killed last, those in the file of the last one, the fastest of each file, all others. The tests of a file are
   * alike: one of each notices more than all of some.
   */
  #rankOf(id) {
    const killer = this.#killers.indexOf(id);
    if (killer >= 0) return killer;
    const [last] = this.#killers;
    if (last !== undefined && fileOf(id) === fileOf(last)) return KILLERS;
    return KILLERS + (this.#took[id]?.isFastest === true ? 1 : 2);
  }

  #keepTimes(tests, reached) {
    const files = new Map();
    for (const { id, fileName, timeSpentMs } of tests) {
      const { ms, mutants, count, least } = files.get(fileName) ?? { ms: 0, mutants: 0, count: 0, least: Infinity };
      const more = Object.keys(reached[id] ?? {}).length;
      const sums = { ms: ms + timeSpentMs, mutants: mutants + more, count: count + 1 };
      files.set(fileName, { ...sums, least: Math.min(least, timeSpentMs) });
    }
    for (const [file, { ms }] of files)
      if (ms > SLOW_MS) this.#log.info('%s takes %d s', relative(this.#copy, file), Math.round(ms / 1000));
    const costOf = ({ ms, mutants, count }) => (ms / count) * (mutants / count);
    const took = ({ fileName, timeSpentMs: ms }) => {
      const file = files.get(fileName);
      return { ms, cost: costOf(file), isFastest: ms === file.least };
    };
    this.#took = Object.fromEntries(tests.map((test) => [test.id, took(test)]));
    writeFileSync(this.#tookPath, JSON.stringify(this.#took));
  }

  #readTimes() {
    const isKnown = Object.keys(this.#took).length > 0;
    if (!isKnown && existsSync(this.#tookPath)) this.#took = JSON.parse(readFileSync(this.#tookPath, 'utf8'));
  }
}

/** Of a test that did not run without a mutant. */
const NOT_RUN = { ms: 0, cost: 0, isFastest: false };

/** Ids begin with the path of their file. */
function fileOf(id) {
  return id.slice(0, id.indexOf(' '));
}

/** A result in the form that Stryker expects. */
function resultOf({ id, path, isDone, errors, ms }) {
  const base = { id, name: id, fileName: path, timeSpentMs: ms };
  if (!isDone) return { ...base, status: TestStatus.Skipped };
  if (errors.length === 0) return { ...base, status: TestStatus.Success };
  return { ...base, status: TestStatus.Failed, failureMessage: errors.join(', ') };
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcess)];

/** The option of Stryker for this runner, see stryker.mjs. */
export const strykerValidationSchema = {
  properties: {
    inProcess: {
      type: 'object',
      properties: { tests: { type: 'array', items: { type: 'string' } }, propertyMs: { type: 'number' } },
      required: ['tests', 'propertyMs'],
      additionalProperties: false,
    },
  },
};
