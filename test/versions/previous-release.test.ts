import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeTemporaryFolder } from '../../src/embedded/folders';
import { runDueday, startDueday } from '../cli/dueday-process';
import { onDatabase } from '../cli/ledger-states';
import { adminApiOf, type Ground, openGround, placeOrder } from '../scenarios/world';
import { type ReleaseCopy, releaseOfCommit } from './release-copy';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

/** The commit of the release before this one; to be moved with each release. */
const PREVIOUS_RELEASE = '9539b4fb8788dcf0273dab9b62cabe9b4984c2ac';

/** A checkout of the newest commit alone, or one without Git, has no release before it; any other must have it. */
function hasHistory(): boolean {
  const asked = spawnSync('git', ['rev-parse', '--is-shallow-repository'], { cwd: ROOT, encoding: 'utf8' });
  return asked.status === 0 && asked.stdout.trim() === 'false';
}

const describeHistory = hasHistory() ? describe : describe.skip;

describeHistory('the release before', () => {
  let ground: Ground;
  let folder: string;
  let previous: ReleaseCopy;

  beforeAll(async () => {
    folder = await makeTemporaryFolder('release');
    [ground, previous] = await Promise.all([openGround(), releaseOfCommit(PREVIOUS_RELEASE, folder)]);
    // This release's schema, and what the next migration may add to it.
    await onDatabase(ground.database.url, 'alter table subscriptions add column tomorrow text');
    await onDatabase(
      ground.database.url,
      "insert into schema_migrations (name, run_on) values ('9999_tomorrow', now())",
    );
  });

  afterAll(async () => {
    await ground.close();
    await rm(folder, { recursive: true });
  });

  test('the release before collects, pauses and cancels on the schema of this one', async () => {
    const { sandbox, url } = await ground.openSandbox();
    const env = { ...ground.env, PAYMENT_SERVICE_BASE_URL: url };
    const daemon = startDueday(['daemon'], env, false, previous.program);
    try {
      await daemon.says(`release ${previous.buildId} is current`);
      const surroundings = { admin: await adminApiOf(daemon), sandbox, sandboxUrl: url, receiver: ground.receiver };
      const life = await placeOrder(surroundings, ground.clock, { name: 'before', cents: 999 });
      await life.approvedWith();
      await life.collected(1);
      expect((await life.steer('pause', { reason: 'on holiday' })).status).toBe(200);
      expect((await life.steer('resume', { reason: 'back' })).status).toBe(200);
      await life.cancelled();
      await life.agrees();
      const listed = await runDueday(['audit', 'verify'], env, previous.program);
      expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(/^audit: \d+ entries verified/)]);
    } finally {
      expect((await daemon.stop()).code).toBe(0);
    }
  });

  test('no history of the release before has changed or gone: they go on replaying', async () => {
    const { stdout } = await run('git', ['ls-tree', '-r', PREVIOUS_RELEASE, 'test/replay/histories'], { cwd: ROOT });
    const before = stdout
      .trim()
      .split('\n')
      .map((line) => /^\d+ blob (\S+)\t(.+)$/.exec(line)!.slice(1));
    expect(before.length).toBeGreaterThan(100);
    const changed = before.filter(([blob, path = '']) => blob !== blobOf(join(ROOT, path)));
    expect(changed).toEqual([]);
  });

  /** As git names a content; null where the file is gone. */
  function blobOf(path: string): string | null {
    if (!existsSync(path)) return null;
    const content = readFileSync(path);
    return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  }
});
