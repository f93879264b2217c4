import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { LocalStackOptions } from '../../src/process/local-stack';
import type * as localStack from '../../src/process/local-stack';
import { runDemo } from '../../src/cli/demo/run-demo';
import { createClock } from '../../src/platform/clock';
import { requireFreshBuild } from '../support/fresh-build';

/** The demo without stories, with a stack whose messenger still receives a notice while the stack is being stopped. */
jest.mock('../../src/cli/demo/stories', () => ({ STORIES: [] }));
jest.mock('../../src/cli/demo/audit-printer', () => ({ printAuditLog: () => ({ stop: () => Promise.resolve() }) }));
// The type makes the compiler check the name of the mocked function.
jest.mock('../../src/process/local-stack', (): Partial<typeof localStack> => ({
  openLocalStack: (options) => Promise.resolve(stackOf(options) as never),
}));

function stackOf({ onNotice }: LocalStackOptions) {
  return {
    adminUrl: 'http://admin.test',
    adminKey: 'key',
    sandboxUrl: 'http://sandbox.test',
    temporalUiUrl: null,
    parts: { clock: createClock(null) },
    failed: new Promise(() => undefined),
    async stop() {
      const data = { subscriptionId: 'declined', paymentId: null };
      onNotice({ type: 'consent.failed', timestamp: '2027-01-29T09:00:00.000Z', data });
    },
  };
}

let lines: string[];

beforeEach(() => {
  lines = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ items: [] }));
});

afterEach(() => {
  jest.restoreAllMocks();
});

test("the demo's closing line is the last one, even if a notice arrives while the stack is being stopped", async () => {
  await runDemo();
  expect(lines).toContainEqual(expect.stringMatching(/> notice: consent.failed\n$/));
  expect(lines.at(-1)).toBe('demo: ledger and service agree, 0 debits, 0.00 EUR\n');
});

test('log lines on a terminal appear before output that is printed later', () => {
  requireFreshBuild();
  const program = `
    const { createLogger } = require(${JSON.stringify(join(__dirname, '../../dist/src/platform/log.js'))});
    createLogger('info', { pretty: true }).info('logged');
    process.stdout.write('the last line\\n');`;
  const written = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  expect(written).toMatch(/logged.*\nthe last line\n$/);
});
