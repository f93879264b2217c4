/**
 * Jest's way of loading modules, but for packages and `.cjs` files: the process loads those once, for all of its test files.
 * Our own modules are still loaded anew for each file, so that what one file leaves in them is not seen by the next.
 */
const { createRequire } = require('node:module');
const { default: Runtime } = require('jest-runtime');

const SHARED = /[\\/]node_modules[\\/]|\.cjs$/;
/** They keep a list of the schemas that our modules name: each name may stand in it once. */
const NOT_SHARED = /[\\/]node_modules[\\/](zod|fastify-type-provider-zod)[\\/]/;

class SharedPackages extends Runtime {
  requireModule(from, name, options, isActual) {
    const path = options?.isInternalModule === true ? null : this.sharedPath(from, name);
    return path === null ? super.requireModule(from, name, options, isActual) : createRequire(from)(path);
  }

  sharedPath(from, name) {
    if (name === undefined || this._resolution.isCoreModule(name)) return null;
    const path = this._resolution.resolveCjsStub(from, name) ?? this._resolution.resolveCjs(from, name);
    return SHARED.test(path) && !NOT_SHARED.test(path) ? path : null;
  }
}

module.exports = SharedPackages;
