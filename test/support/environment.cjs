/**
 * A test environment without a context of its own. Jest would give each test file globals of its own and load every module
 * anew into them: two or three seconds of processor time for each file that touches Temporal. Here a test file runs among the
 * globals of its process. With it goes `shared-modules.cjs`.
 */
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { endContexts } = require('./contexts.cjs');

/** Stands for the process's own context where Jest asks for one: Node has no name for that. */
const OF_THE_PROCESS = vm.createContext({});
const { compileFunction, Script } = vm;
const { runInContext } = Script.prototype;

vm.compileFunction = (code, params, { parsingContext, ...options } = {}) =>
  compileFunction(code, params, parsingContext === OF_THE_PROCESS ? options : { parsingContext, ...options });

Script.prototype.runInContext = function (context, options) {
  return context === OF_THE_PROCESS ? this.runInThisContext(options) : runInContext.call(this, context, options);
};

const OF_NODE = new Set(Reflect.ownKeys(globalThis));

/** What the test file before left among the globals: Jest keeps its handlers of events there, for one. */
function forgetLastFile() {
  for (const key of Reflect.ownKeys(globalThis)) if (!OF_NODE.has(key)) Reflect.deleteProperty(globalThis, key);
}

module.exports = class SharedEnvironment {
  constructor({ projectConfig }) {
    forgetLastFile();
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext() {
    return OF_THE_PROCESS;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    endContexts();
  }
};
