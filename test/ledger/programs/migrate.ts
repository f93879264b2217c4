import { migrate } from '../../../src/ledger/sql/migrate';

/** node-pg-migrate is an ES module, which jest's own module loader cannot load; a separate process can. */
async function main(databaseUrl: string, folder?: string, lockTimeoutMs?: string): Promise<void> {
  const made = await migrate(
    { databaseUrl },
    {
      ...(folder === undefined ? {} : { folder }),
      ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs: Number(lockTimeoutMs) }),
    },
  );
  process.stdout.write(`${JSON.stringify(made)}\n`);
}

const [databaseUrl = '', folder, lockTimeoutMs] = process.argv.slice(2);
void main(databaseUrl, folder, lockTimeoutMs);
