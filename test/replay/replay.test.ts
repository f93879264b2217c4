import { hostname } from 'node:os';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils';
import { Worker } from '@temporalio/worker';
import { builtWorkflows } from '../support/built-workflows';
import { quietRuntime } from '../support/quiet-runtime.cjs';
import { testWorkflows } from '../support/temporal';
import { PATHS } from './paths';
import { fileOf, keepHistory, readHistory, recordedHistories } from './recording';

const files = recordedHistories();
const recorded = (path: (typeof PATHS)[number]) =>
  readHistory(files.findLast((file) => file.endsWith(`/${fileOf(path, 0)}`))!);

beforeAll(quietRuntime);

test('every workflow path has a recorded history, and no history is left over', () => {
  const missing = PATHS.filter((path) => !files.some((file) => file.endsWith(`/${fileOf(path, 0)}`)));
  const known = new Set(PATHS.map((path) => fileOf(path, 0).replace(/0\.json$/, '')));
  const leftOver = files.filter((file) => !known.has(file.replace(/^[^/]+\//, '').replace(/\d+\.json$/, '')));

  expect({ missing, leftOver }).toEqual({ missing: [], leftOver: [] });
});

describe('runReplayHistories', () => {
  /**
   * What replaying each history came to, with the code of a real worker, which sends activities to queues of their own; one
   * worker replays them all, as a new one for each takes far longer.
   */
  const errors = new Map<string, Error | undefined>();

  beforeAll(async () => {
    const histories = files.map((file) => ({ workflowId: file, history: JSON.parse(readHistory(file)) as unknown }));
    const replayed = Worker.runReplayHistories(builtWorkflows(), histories);
    for await (const { workflowId, error } of replayed) errors.set(workflowId, error);
  });

  test.each(files)('fault 27: the current workflows replay %s', (file) => {
    expect([...errors.keys()]).toContain(file);
    expect(errors.get(file)).toBeUndefined();
  });
});

test('fault 27: replaying fails for a workflow that decides differently', async () => {
  const history = recorded('the order of a life').replaceAll('"collectPayment"', '"takePayment"');

  await expect(Worker.runReplayHistory(testWorkflows(), JSON.parse(history))).rejects.toThrow(
    /collectPayment|takePayment|[Nn]ondeterminism/,
  );
});

test('fault 27: replaying fails for an interpreter that shows each step after carrying it out', async () => {
  const { code } = builtWorkflows().workflowBundle;
  const reordered = code
    .replace('this.show(step);', 'const shown = step;')
    .replace('?? this.waitForRelease)(step);', '?? this.waitForRelease)(step); this.show(shown);');
  expect(reordered).not.toBe(code);
  const options = { workflowBundle: { code: reordered } };

  await expect(Worker.runReplayHistory(options, JSON.parse(recorded('search attributes')))).rejects.toThrow(
    /[Nn]ondeterminism/,
  );
});

test('a history survives JSON and back', () => {
  const json = historyToJSON(historyFromJSON(JSON.parse(recorded('continued every six cycles'))));

  const [before, after] = [recorded('continued every six cycles'), json].map((text) => {
    return historyFromJSON(JSON.parse(text)).events;
  });
  expect(after).toEqual(before);
  expect(before?.length).toBeGreaterThan(40);
});

test('a recorded history is never overwritten, and the same events are not recorded twice', () => {
  const path = 'the order of a life';
  const before = recorded(path);
  const other = JSON.parse(before) as { events: unknown[] };
  other.events.pop();

  keepHistory(path, 0, before.replace('{', '{ '));
  keepHistory(path, 0, JSON.stringify(other));
  expect([recorded(path), recordedHistories()]).toEqual([before, files]);
});

test('no history names the machine that recorded it', () => {
  for (const file of files) {
    const text = readHistory(file);
    expect(text).not.toContain(hostname());
    expect(text).not.toContain(process.cwd());
    expect(text).not.toMatch(/node_modules|"identity":"(?!worker")/);
  }
});
