/**
 * `npm run trace`: plays the collection of one cycle, with a retry, against the simulator, and writes its trace to
 * docs/traces/collection.json and docs/images/trace.svg, the same each time. Last line: `trace: 61 spans`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openChaosLedgers } from '../chaos/chaos-ledger';
import { makeDocuments, PICTURE_FILE, TRACE_FILE } from './documents';

async function main(): Promise<void> {
  const opened = await openChaosLedgers(1);
  const [ledger] = opened.ledgers;
  if (ledger === undefined) throw new Error('there is no ledger');
  try {
    const { json, picture, spans } = await makeDocuments(ledger);
    await mkdir(dirname(TRACE_FILE), { recursive: true });
    await Promise.all([writeFile(TRACE_FILE, json), writeFile(PICTURE_FILE, picture)]);
    process.stdout.write(`trace: ${spans.length} spans\n`);
  } finally {
    await opened.close();
  }
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
