import { migrate } from '../../../src/ledger/sql/migrate';

/** node-pg-migrate is an ES module, which jest's own module loader does not take: a process of its own does. */
async function main(databaseUrl: string, folder?: string, lockPatienceMs?: string): Promise<void> {
  const made = await migrate(
    { databaseUrl },
    {
      ...(folder === undefined ? {} : { folder }),
      ...(lockPatienceMs === undefined ? {} : { lockPatienceMs: Number(lockPatienceMs) }),
    },
  );
  process.stdout.write(`${JSON.stringify(made)}\n`);
}

const [databaseUrl = '', folder, lockPatienceMs] = process.argv.slice(2);
void main(databaseUrl, folder, lockPatienceMs);
