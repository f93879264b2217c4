import { databaseOf, loadConfig } from '../config';
import { type TrailVerdict, verifyTrail } from '../ledger';
import { refuseOldSchema, withPool } from '../process/command';
import { BadInputError, reaching } from '../process/command-error';
import { print, printObjects } from './output';

export interface VerifyArguments {
  /** A hash that has left the house as `audit.head`. */
  readonly head?: string;
  readonly json?: boolean;
}

/** Holds the trail against its hash chain, on the ledger itself; exit code 1 where anything was changed. */
export async function verifyAudit({ head, json = false }: VerifyArguments): Promise<void> {
  const published = readHash(head);
  const config = loadConfig(process.env, ['DATABASE_URL']);
  await withPool({ ...databaseOf(config), purpose: 'audit', max: 1 }, async (ledger) => {
    await refuseOldSchema(ledger);
    const verdict = await reaching('the ledger cannot be read', () =>
      verifyTrail(ledger, published, ({ entryId, text }) => {
        if (json) printObjects([{ entryId, text }]);
        else print(entryId === null ? text : `entry ${entryId}: ${text}`);
      }),
    );
    if (json) printObjects([verdict]);
    else print(inWords(verdict));
    if (verdict.faults > 0) process.exitCode = 1;
  });
}

const HASH = /^[0-9a-f]{64}$/;

/** @throws BadInputError */
function readHash(text: string | undefined): string | null {
  if (text === undefined) return null;
  const hash = text.toLowerCase();
  if (HASH.test(hash)) return hash;
  throw new BadInputError([
    `--head: expected the 64 hexadecimal digits of an audit.head event; got ${JSON.stringify(text)}`,
  ]);
}

function inWords({ entries, head, faults, withoutWords, unchained }: TrailVerdict): string {
  const more = [
    ...(withoutWords === 0 ? [] : [`${withoutWords} without words that were removed`]),
    ...(unchained === 0 ? [] : [`${unchained} newer ones not chained yet`]),
  ];
  const found = faults === 0 ? 'verified' : `followed, ${faults} ${faults === 1 ? 'difference' : 'differences'}`;
  return [`audit: ${entries} entries ${found}, head ${head}`, ...more].join('; ');
}
