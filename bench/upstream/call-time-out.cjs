/**
 * Measures a call into a workflow's context with the time-out that the SDK's worker sets, and without one: Node starts a
 * thread for each call with a time-out. Needs only Node: `node bench/upstream/call-time-out.cjs`.
 */
const vm = require('node:vm');

const CALLS = 20_000;
const context = vm.createContext({ called: 0 });
const script = new vm.Script('called += 1');

function microsecondsOf(options) {
  for (let call = 0; call < 1_000; call += 1) script.runInContext(context, options);
  const [startedAt, before] = [process.hrtime.bigint(), process.cpuUsage()];
  for (let call = 0; call < CALLS; call += 1) script.runInContext(context, options);
  const { user, system } = process.cpuUsage(before);
  const wall = Number(process.hrtime.bigint() - startedAt) / 1000;
  return { wall: wall / CALLS, processor: (user + system) / CALLS };
}

for (const [name, options] of [
  ['with a time-out', { timeout: 60_000 }],
  ['without a time-out', {}],
]) {
  const { wall, processor } = microsecondsOf(options);
  process.stdout.write(`${name}: ${processor.toFixed(1)} µs of processor, ${wall.toFixed(1)} µs of time a call\n`);
}
