import { databaseOf, loadConfig } from '../config';
import { counted } from '../domain/money';
import { type AuditVerdict, verifyAuditLog } from '../ledger';
import { refuseOldSchema, withPool } from '../process/command';
import { BadInputError, reaching } from '../process/command-error';
import { print, printObjects } from './output';

export interface VerifyArguments {
  /** A hash that was published as an `audit.head` event. */
  readonly head?: string;
  readonly json?: boolean;
}

/** Verifies the audit log against its hash chain, directly in the ledger; exit code 1 if anything was changed. */
export async function verifyAudit({ head, json = false }: VerifyArguments): Promise<void> {
  const published = readHash(head);
  const config = loadConfig(process.env, ['DATABASE_URL']);
  await withPool({ ...databaseOf(config), purpose: 'audit', max: 1 }, async (ledger) => {
    await refuseOldSchema(ledger);
    const verdict = await reaching('the ledger cannot be read', () =>
      verifyAuditLog(ledger, published, ({ entryId, text }) => {
        if (json) printObjects([{ entryId, text }]);
        else print(entryId === null ? text : `entry ${entryId}: ${text}`);
      }),
    );
    if (json) printObjects([verdict]);
    else print(describeVerdict(verdict));
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

function describeVerdict({ entries, head, faults, withoutWords, unchained }: AuditVerdict): string {
  const more = [
    ...(withoutWords === 0 ? [] : [`${withoutWords} with redacted text`]),
    ...(unchained === 0 ? [] : [`${unchained} newer entries not chained yet`]),
  ];
  const found = faults === 0 ? 'verified' : `checked, ${counted(faults, 'difference')}`;
  return [`audit: ${entries} entries ${found}, head ${head}`, ...more].join('; ');
}
