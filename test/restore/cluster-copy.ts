import { execFile } from 'node:child_process';
import { appendFile, chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Pool } from '../../src/ledger';
import type { Server } from '../processes/server';

const run = promisify(execFile);

/** The way in which PostgreSQL is restored. */
export type RestoreWay =
  /** The state after `pg_basebackup` and archived WAL: PostgreSQL itself ends its recovery and begins a new timeline. */
  | 'a recovery to a point in time'
  /** The state of the volume at that time, in which nothing that PostgreSQL says about itself differs. */
  | "a disk's snapshot";

/** A copy of a cluster's files, made while its server was down. */
export class ClusterCopy {
  private constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {}

  private get copy(): string {
    return `${this.folder}.copy`;
  }

  /** Stops the server while the copy is made. Programs that use it must tolerate that. */
  static async make(server: Server, db: Pool): Promise<ClusterCopy> {
    const { rows } = await db.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
    const copy = new ClusterCopy(server, rows[0]!.folder);
    await server.stop();
    await rm(copy.copy, { recursive: true, force: true });
    await run('cp', ['-a', copy.folder, copy.copy]);
    await server.start();
    return copy;
  }

  /** Replaces the cluster by the copy. What was written since is lost. */
  async restore(way: RestoreWay): Promise<void> {
    await this.server.stop();
    await rm(this.folder, { recursive: true });
    await run('cp', ['-a', this.copy, this.folder]);
    if (way === 'a recovery to a point in time') await this.askForRecovery();
    await this.server.start();
  }

  /** Configures a recovery to the end of the WAL, which is that of the copy. */
  private async askForRecovery(): Promise<void> {
    const { uid, gid } = await stat(this.folder);
    const signal = join(this.folder, 'recovery.signal');
    await writeFile(signal, '', { mode: 0o600 });
    await chown(signal, uid, gid);
    await appendFile(join(this.folder, 'postgresql.auto.conf'), "restore_command = 'false'\n");
  }
}
