#!/usr/bin/env node
// Names are resolved on threads of libuv's pool, on half of them at once, each until the resolver answers. Of the usual
// four, two endpoints of events whose names hang would keep the payment service's name waiting; there may be twenty. The
// pool reads this once, as it is first used.
process.env.UV_THREADPOOL_SIZE ??= '64';

require('../dist/src/cli/index.js');
