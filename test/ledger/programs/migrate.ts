import { migrate } from '../../../src/ledger/schema/migrate';

/** node-pg-migrate is an ES module, which jest's own module loader does not take: a process of its own does. */
async function main(databaseUrl: string): Promise<void> {
  process.stdout.write(`${JSON.stringify(await migrate({ databaseUrl }))}\n`);
}

void main(process.argv[2] ?? '');
