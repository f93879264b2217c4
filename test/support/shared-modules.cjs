/**
 * Loads modules as Jest does, except for packages, our own modules and the helpers of tests: the process loads these
 * once, for all of its test files. No module of ours keeps a state that one file could leave for the next, except for
 * the addresses of hosts, which are cached for three seconds: a test that counts lookups uses a host that no other test
 * uses. A file that mocks a module gets its own copies of our modules.
 */
const { createRequire } = require('node:module');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = /[\\/]node_modules[\\/]|\.cjs$/;
/** Packages that keep a list of the schemas that dueday's modules name; a name may occur in it only once. */
const NAMES_SCHEMAS = /[\\/]node_modules[\\/](zod|fastify-type-provider-zod)[\\/]/;
const OURS = /(?<!\.test)\.ts$/;

/** The runtime of the test file that is running. */
let current = null;

require.extensions['.ts'] = (module, path) => module._compile(current.transformCache.transform(path), path);

/** Source maps, created on request: a stack may contain a module that another test file has loaded. */
class SourceMaps extends Map {
  get(path) {
    if (!this.has(path) && OURS.test(path)) current.transformCache.transform(path);
    return super.get(path);
  }
}

class SharedModules extends Runtime {
  hasOursToItself = false;

  constructor(...made) {
    super(...made);
    this.transformCache.sourceMaps = new SourceMaps();
    current = this;
  }

  setMock(...mock) {
    this.hasOursToItself = true;
    super.setMock(...mock);
  }

  requireModule(from, name, options, isActual) {
    const path = options?.isInternalModule === true ? null : this.sharedPath(from, name);
    return path === null ? super.requireModule(from, name, options, isActual) : createRequire(from)(path);
  }

  sharedPath(from, name) {
    if (name === undefined || this._resolution.isCoreModule(name)) return null;
    const path = this._resolution.resolveCjsStub(from, name) ?? this._resolution.resolveCjs(from, name);
    return this.isShared(path) ? path : null;
  }

  isShared(path) {
    if (!this.hasOursToItself) return PACKAGES.test(path) || OURS.test(path);
    return PACKAGES.test(path) && !NAMES_SCHEMAS.test(path);
  }
}

module.exports = SharedModules;
