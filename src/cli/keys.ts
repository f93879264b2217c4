import type { z } from 'zod';
import { issueKey, type KeyAct, rotateKey as rotate, revokeKeyWithEntry } from '../admin/access/key-ring';
import { CreateKey, RotateKey, wantedOf } from '../admin/access/key-schema';
import { faultsOf } from '../admin/http/validation';
import type { Field } from '../client';
import { OPERATIONS } from '../client/operations';
import { createClock } from '../platform/clock';
import { databaseOf, loadConfig } from '../config';
import { isoOrNull } from '../domain/time';
import { type KeyRecord, listKeys as readKeys, type Pool } from '../ledger';
import { refuseOldSchema, withPool } from '../process/command';
import { BadInputError, CommandError } from '../process/command-error';
import { flagOf, readFields, type Typed } from './api/options';
import { print, printObjects, printTable } from './output';

const FIELDS = OPERATIONS.createKey.body.filter(({ name }) => name !== 'limits');
const LIMITS = (['refundPerDay', 'changePerCall'] as const).map((name): Field => ({
  name,
  kind: 'money',
  isRequired: false,
}));

/** Creates a key and prints it; it cannot be shown again. */
export async function createKey(typed: Typed): Promise<void> {
  const limits = readFields(LIMITS, typed);
  const given = readFields(FIELDS, typed);
  const asked = readAs(CreateKey, Object.keys(limits).length === 0 ? given : { ...given, limits });
  await withLedger(async (ledger, act) => {
    const wanted = wantedOf(asked);
    if (wanted.expiresRealAt !== null && wanted.expiresRealAt <= act.realAt)
      throw new BadInputError([`--expires-at: expected a time after now; got ${JSON.stringify(typed['expiresAt'])}`]);
    const result = await issueKey(ledger, wanted, act);
    if (result.kind === 'name_taken')
      throw new CommandError(`--name: ${wanted.name} is already taken, and names are never reused`);
    showOnce(result);
  });
}

function showOnce({ record, key }: { readonly record: KeyRecord; readonly key: string }): void {
  print(`key ${record.keyId} (${record.role}, ${record.name}); it is shown only once:`);
  print(key);
}

/** @throws BadInputError with every fault, named by its option. */
function readAs<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw new BadInputError(faultsOf(read.error, given).map(({ path, message }) => `${flagOfPath(path)}: ${message}`));
}

/** `limits.refundPerDay.value` was typed as `--refund-per-day`. */
function flagOfPath(path: string): string {
  const [first = '', second = first] = path.split('.');
  return flagOf(first === 'limits' ? second : first);
}

/** Replaces a key by a new one and prints the new key, which cannot be shown again. */
export async function rotateKey(keyId: string, typed: Typed): Promise<void> {
  requireKeyId(keyId);
  const { overlapHours } = readAs(RotateKey, readFields(OPERATIONS.rotateKey.body, typed));
  await withLedger(async (ledger, act) => {
    const result = await rotate(ledger, { keyId, overlapHours, check: () => undefined }, act);
    switch (result.kind) {
      case 'unknown':
        throw new CommandError(`there is no key ${keyId}`);
      case 'bootstrap':
        throw new CommandError(
          `key ${keyId} is configured by ADMIN_BOOTSTRAP_KEY: create an admin key, which replaces it`,
        );
      case 'ended':
        throw new CommandError(`key ${keyId} is revoked or has expired: create a new one`);
      case 'replaced':
        throw new CommandError(`key ${keyId} was replaced by ${result.by}: rotate or revoke that one`);
      case 'rotated':
        showOnce(result);
    }
  });
}

export async function listKeys({ json }: { json?: boolean }): Promise<void> {
  await withLedger(async (ledger) => {
    const keys = (await readKeys(ledger)).map(shownOf);
    if (json === true) {
      printObjects(keys);
      return;
    }
    printTable([
      ['KEY', 'NAME', 'ROLE', 'PREFIX', 'HOLDER', 'SCOPES', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'],
      ...keys.map((key) => [
        ...[key.keyId, key.name, key.role, key.prefix ?? '', key.holder ?? '', key.scopes.join(' ')],
        ...[key.createdAt ?? '', key.lastUsedAt ?? '', key.expiresAt ?? '', key.revokedAt ?? ''],
      ]),
    ]);
  });
}

function shownOf(record: KeyRecord) {
  const { keyId, name, role, prefix, holder, scopes, replaces } = record;
  const limits = { refundPerDay: record.refundPerDayAmount, changePerCall: record.changePerCallAmount };
  const times = {
    createdAt: isoOrNull(record.createdRealAt),
    expiresAt: isoOrNull(record.expiresRealAt),
    lastUsedAt: isoOrNull(record.lastUsedRealAt),
    revokedAt: isoOrNull(record.revokedRealAt),
  };
  return { keyId, name, role, prefix, holder, scopes, limits, ...times, replaces };
}

const KEY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws BadInputError */
function requireKeyId(keyId: string): void {
  if (KEY_ID.test(keyId)) return;
  throw new BadInputError([`expected the id of a key, see dueday keys list; got ${JSON.stringify(keyId)}`]);
}

export async function revokeKey(keyId: string): Promise<void> {
  requireKeyId(keyId);
  await withLedger(async (ledger, act) => {
    const revoked = await revokeKeyWithEntry(ledger, keyId, act);
    if (revoked === null) throw new CommandError(`there is no key ${keyId}`);
    print(`key ${keyId} (${revoked.role}, ${revoked.name}) is revoked`);
  });
}

async function withLedger(work: (ledger: Pool, act: KeyAct) => Promise<void>): Promise<void> {
  const config = loadConfig(process.env, ['DATABASE_URL']);
  const clock = createClock(config.TEST_CLOCK ?? null);
  await withPool({ ...databaseOf(config), purpose: 'keys', max: 2 }, async (ledger) => {
    await refuseOldSchema(ledger);
    await work(ledger, { actor: 'command line', reason: null, at: clock.now(), realAt: clock.realNow() });
  });
}
