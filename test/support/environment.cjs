/**
 * A test environment without a separate VM context. By default, Jest gives each test file its own globals and loads
 * every module again for them, which takes two or three seconds of processor time for each file that uses Temporal.
 * Here a test file uses the globals of its process. `shared-modules.cjs` needs this environment.
 */
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { endContexts } = require('./contexts.cjs');

/** Represents the process's own context wherever Jest needs a context: Node has no object for it. */
const OF_THE_PROCESS = vm.createContext({});
const { compileFunction, Script } = vm;
const { runInContext } = Script.prototype;

vm.compileFunction = (code, params, { parsingContext, ...options } = {}) =>
  compileFunction(code, params, parsingContext === OF_THE_PROCESS ? options : { parsingContext, ...options });

Script.prototype.runInContext = function (context, options) {
  return context === OF_THE_PROCESS ? this.runInThisContext(options) : runInContext.call(this, context, options);
};

const OF_NODE = new Set(Reflect.ownKeys(globalThis));

/** Removes the globals that the previous test file has left, such as Jest's event handlers. */
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
