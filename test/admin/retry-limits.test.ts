import { loadConfig } from '../../src/config';
import { startAdmin } from './admin-under-test';

/** The constant differs from its real value, so that these tests fail if other code repeats the value as a literal. */
jest.mock('../../src/domain/subscription/retries', () => ({
  ...jest.requireActual<object>('../../src/domain/subscription/retries'),
  MAX_RETRIES: 5,
}));
const RAISED = 5;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly maximum?: number;
}

/** The greatest value that each count may have in a response, by field name. */
const GREATEST: Readonly<Record<string, number>> = { attempt: RAISED, attempts: RAISED + 1, retriesLeft: RAISED };

async function schemasOfApi(): Promise<Readonly<Record<string, Schema>>> {
  const admin = await startAdmin();
  const answer = await admin.call('GET', '/openapi.json');
  await admin.stop();
  return answer.json<{ components: { schemas: Record<string, Schema> } }>().components.schemas;
}

it('if MAX_RETRIES is raised, the schema of every response that counts retries permits exactly as many', async () => {
  const counts = Object.entries(await schemasOfApi()).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([field, { maximum }]) => {
      const greatest = GREATEST[field];
      return maximum === undefined || greatest === undefined ? [] : [{ of: `${name}.${field}`, maximum, greatest }];
    }),
  );
  expect(counts).toEqual(counts.map((count) => ({ ...count, maximum: count.greatest })));
  const known = ['Attempt.attempt', 'Cycle.retriesLeft', 'Deadline.attempts', 'Deadline.retriesLeft'];
  expect(counts.map((count) => count.of)).toEqual(expect.arrayContaining(known));
});

it('if MAX_RETRIES is raised, the configuration accepts an offset for each retry, and says how many it accepts', () => {
  const offsets = (count: number) => ({
    RETRY_OFFSETS_HOURS: Array.from({ length: count }, (_, n) => n + 1).join(','),
  });
  expect(loadConfig(offsets(RAISED)).RETRY_OFFSETS_HOURS).toHaveLength(RAISED);
  expect(() => loadConfig(offsets(RAISED + 1))).toThrow(`up to ${RAISED} ascending hours`);
});
