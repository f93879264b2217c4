import { loadConfig } from '../../src/config';
import { type Machine, readMachine, sizesOf } from '../../src/process/worker-sizes';

const MB = 2 ** 20;
const GB = 2 ** 30;
/** A machine on which half of the heap, not a quarter of the memory, limits the cache of workflows. */
const LARGE: Machine = { cores: 16, heap: 4 * GB, memory: 64 * GB };

const sizes = (env: Readonly<Record<string, string>>, machine: Partial<Machine> = {}) =>
  sizesOf(loadConfig(env), { ...LARGE, ...machine });

it.each([
  ['half of the heap', { heap: 2 * GB }, 2048],
  ["a quarter of the container's memory", { memory: GB }, 512],
  ['at least the memory of 40 workflows, four for each of the fewest slots', { memory: 64 * MB }, 40],
])('the cache of workflows uses %s, half a megabyte per workflow', (_what, machine, cachedWorkflows) => {
  expect(sizes({}, machine)).toMatchObject({ cachedWorkflows });
});

it('the cache of workflows has the configured size', () => {
  expect(sizes({ WORKFLOW_CACHE_SIZE: '77' })).toMatchObject({ cachedWorkflows: 77 });
});

it('the cache of workflows grows with the configured slots, so that it stays well above them', () => {
  expect(sizes({ ACTIVITY_SLOTS: '300' }, { memory: GB })).toMatchObject({ cachedWorkflows: 1200 });
});

it.each([
  ['100 slots per core', {}, { cores: 2 }, 200],
  ['40 slots per connection that collects', { DATABASE_POOL_SIZE: '4' }, {}, 80],
  ['as many slots as a quarter of the cache of workflows', {}, { memory: 256 * MB }, 32],
  ['as many slots as a quarter of the configured cache', { WORKFLOW_CACHE_SIZE: '100' }, {}, 25],
  ['at least ten slots', { WORKFLOW_CACHE_SIZE: '10' }, {}, 10],
])('a worker has %s', (_what, env, machine, others) => {
  expect(sizes(env, machine).slots).toMatchObject({ collecting: others, others });
});

it('slots of the collecting queue are limited by the cap on calls, but at least ten', () => {
  const slotsUnder = (cap: string) => sizes({ PAYMENT_SERVICE_MAX_RPS: cap }, { cores: 2 }).slots;
  expect(slotsUnder('5')).toMatchObject({ collecting: 60, others: 200 });
  expect(slotsUnder('0.1')).toMatchObject({ collecting: 10, others: 200 });
  expect(slotsUnder('1000')).toMatchObject({ collecting: 200, others: 200 });
});

test('concurrent workflow tasks of the collecting queue follow the cap on calls: at least two, and ten without a cap', () => {
  const tasksUnder = (cap: string) => sizes({ PAYMENT_SERVICE_MAX_RPS: cap }).workflowTasks;
  expect(tasksUnder('10')).toEqual({ collecting: 2, interactive: 10 });
  expect(tasksUnder('41')).toEqual({ collecting: 3, interactive: 10 });
  expect(tasksUnder('1000')).toEqual({ collecting: 10, interactive: 10 });
  expect(sizes({}).workflowTasks).toEqual({ collecting: 10, interactive: 10 });
});

const inPlace = (env: Readonly<Record<string, string>> = {}) => sizes({ COLLECT_IN_PLACE: 'true', ...env });

it('without configuration no attempts are made within workflow tasks', () => {
  expect(sizes({})).toMatchObject({ inPlace: null, workflowTaskPolls: { collecting: 10, interactive: 10 } });
  expect(sizes({ PAYMENT_SERVICE_MAX_RPS: '10' }).workflowTaskPolls).toEqual({ collecting: 2, interactive: 10 });
});

it('if attempts are made within workflow tasks, there is a workflow task for each of their slots and each poll, and twenty more, with or without a cap on calls', () => {
  expect(inPlace()).toMatchObject({ inPlace: 100, workflowTasks: { collecting: 130, interactive: 10 } });
  const capped = inPlace({ PAYMENT_SERVICE_MAX_RPS: '1' });
  expect(capped).toMatchObject({ inPlace: 24, workflowTasks: { collecting: 54, interactive: 10 } });
  expect(capped.workflowTaskPolls).toEqual({ collecting: 10, interactive: 10 });
});

test('the machine reports its cores, heap limit and memory', () => {
  const { cores, heap, memory } = readMachine();
  expect(cores).toBeGreaterThanOrEqual(1);
  expect(heap).toBeGreaterThan(32 * MB);
  expect(memory).toBeGreaterThan(128 * MB);
});
