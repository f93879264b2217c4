import { issueKey, type KeyAct, withdrawKey } from '../admin';
import { createClock } from '../clock';
import { loadConfig } from '../config';
import { createPool, listKeys as readKeys, type Role, ROLES } from '../ledger';
import { BadInputError, CommandError } from '../process/command-error';
import { needed } from '../process/dependencies';
import { print, printTable } from './output';
import { refuseOldSchema } from '../process/daemon';

type Ledger = ReturnType<typeof createPool>;

/** Creates a key and prints it, once and for all. */
export async function createKey(asked: { name?: string; role?: string }): Promise<void> {
  const { name, role } = readWanted(asked);
  await withLedger(async (ledger, act) => {
    const result = await issueKey(ledger, { name, role }, act);
    if (result.kind === 'name_taken') throw new CommandError(`--name: ${name} is in use`);
    print(`key ${result.record.keyId} (${role}, ${name}); it is shown this once:`);
    print(result.key);
  });
}

/** @throws BadInputError with every fault. */
function readWanted({ name = '', role = '' }: { name?: string; role?: string }): { name: string; role: Role } {
  const isName = /^[\w.:@-][\w .:@-]{0,63}$/.test(name);
  if (isName && isRole(role)) return { name, role };
  const got = (value: string) => (value === '' ? 'nothing' : JSON.stringify(value));
  throw new BadInputError([
    ...(isName ? [] : [`--name: expected 1 to 64 letters, digits, spaces or . : @ _ -; got ${got(name)}`]),
    ...(isRole(role) ? [] : [`--role: expected ${ROLES.join(', ')}; got ${got(role)}`]),
  ]);
}

export async function listKeys({ json }: { json?: boolean }): Promise<void> {
  await withLedger(async (ledger) => {
    const keys = (await readKeys(ledger)).map(
      ({ keyId, name, role, createdRealAt, revokedRealAt, lastUsedRealAt }) => ({
        ...{ keyId, name, role, createdAt: iso(createdRealAt) },
        ...{ lastUsedAt: iso(lastUsedRealAt), revokedAt: iso(revokedRealAt) },
      }),
    );
    if (json === true) {
      print(JSON.stringify(keys, null, 2));
      return;
    }
    printTable([
      ['KEY', 'NAME', 'ROLE', 'CREATED', 'LAST USED', 'REVOKED'],
      ...keys.map((key) => [
        key.keyId,
        key.name,
        key.role,
        key.createdAt ?? '',
        key.lastUsedAt ?? '',
        key.revokedAt ?? '',
      ]),
    ]);
  });
}

const KEY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function revokeKey(keyId: string): Promise<void> {
  if (!KEY_ID.test(keyId)) {
    throw new BadInputError([`expected the id of a key, see dueday keys list; got ${JSON.stringify(keyId)}`]);
  }
  await withLedger(async (ledger, act) => {
    const revoked = await withdrawKey(ledger, keyId, act);
    if (revoked === null) throw new CommandError(`there is no key ${keyId}`);
    print(`key ${keyId} (${revoked.role}, ${revoked.name}) is revoked`);
  });
}

async function withLedger(work: (ledger: Ledger, act: KeyAct) => Promise<void>): Promise<void> {
  const config = loadConfig(process.env, ['DATABASE_URL']);
  const clock = createClock(config.TEST_CLOCK ?? null);
  const ledger = createPool({ databaseUrl: needed(config.DATABASE_URL, 'DATABASE_URL'), max: 2 });
  try {
    await refuseOldSchema(ledger);
    await work(ledger, { actor: 'command line', reason: null, at: clock.now(), realAt: clock.realNow() });
  } finally {
    await ledger.end();
  }
}

function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

function iso(real: number | null): string | null {
  return real === null ? null : new Date(real).toISOString();
}
