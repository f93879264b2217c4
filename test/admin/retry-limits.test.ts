import { loadConfig } from '../../src/config';
import { startAdmin } from './admin-under-test';

/** The constant is another one than today's: every place that repeats it as a literal fails. */
jest.mock('../../src/domain/subscription/retries', () => ({
  ...jest.requireActual<object>('../../src/domain/subscription/retries'),
  MAX_RETRIES: 5,
}));
const RAISED = 5;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly maximum?: number;
}

/** The greatest value that a count may have, wherever an answer has one. */
const GREATEST: Readonly<Record<string, number>> = { attempt: RAISED, attempts: RAISED + 1, retriesLeft: RAISED };

async function schemasOfApi(): Promise<Readonly<Record<string, Schema>>> {
  const admin = await startAdmin();
  const answer = await admin.call('GET', '/openapi.json');
  await admin.stop();
  return answer.json<{ components: { schemas: Record<string, Schema> } }>().components.schemas;
}

it('more retries, and every answer that counts them takes so many and no more', async () => {
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

it('more retries, and the configuration takes an offset for each, and says so', () => {
  const offsets = (count: number) => ({
    RETRY_OFFSETS_HOURS: Array.from({ length: count }, (_, n) => n + 1).join(','),
  });
  expect(loadConfig(offsets(RAISED)).RETRY_OFFSETS_HOURS).toHaveLength(RAISED);
  expect(() => loadConfig(offsets(RAISED + 1))).toThrow(`up to ${RAISED} ascending hours`);
});
