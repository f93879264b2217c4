import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { DAY, type Instant, isoOrNull, toIso } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import type { JobDeps } from '../../jobs/repeated-work';
import {
  type Db,
  DUEDAY,
  endBootstrapKeys,
  getKey,
  hasAdminKey,
  insertBootstrapKey,
  insertEvent,
  inTransaction,
  type KeyRecord,
} from '../../ledger';
import { loggable } from '../../platform/log';
import { hashApiKey } from './secret';

/** The name of the bootstrap key in the audit log. */
export const BOOTSTRAP = 'bootstrap';

/** Real ms for which a superseded bootstrap key remains valid: the response with the first admin key may have been lost. */
const OVERLAP = DAY;

/** A stable id in UUID form, derived from the key. */
export function bootstrapKeyId(key: string): string {
  const hex = createHash('sha256').update(`bootstrap ${key}`, 'utf8').digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Who acts, and when. */
export interface BootstrapAct extends Actor {
  /** Business time. */
  readonly at: Instant;
  /** Real time, which keys use. */
  readonly realAt: number;
}

/** What is needed to register the key in the ledger. */
type RegistrationDeps = Pick<JobDeps, 'db' | 'clock'>;

/**
 * Registers the configured bootstrap key, if any, when the API starts. If the key was superseded or revoked, logs the time at which
 * it ends. If the ledger is unreachable, the key is registered at its first use.
 */
export function registerBootstrapKeyAtStart(app: FastifyInstance, deps: JobDeps, key: string | undefined): void {
  if (key === undefined) return;
  app.addHook('onReady', async () => {
    const record = await registerBootstrapKey(deps, key).catch((error: unknown) => {
      if (error instanceof TakenKey) throw error;
      deps.logger.warn({ err: loggable(error) }, 'the bootstrap key could not be registered');
    });
    if (record === undefined) return;
    const { expiresRealAt, revokedRealAt } = record;
    const endsRealAt = revokedRealAt ?? expiresRealAt;
    if (endsRealAt === null) return;
    deps.logger.warn(
      { endsAt: toIso(endsRealAt) },
      'the bootstrap key was superseded or revoked: remove ADMIN_BOOTSTRAP_KEY',
    );
  });
}

/**
 * Registers the key if the ledger lacks it: the ledger was unreachable when the API started, or has been restored since. Other
 * requests may do so concurrently.
 */
export async function registerIfMissing(deps: RegistrationDeps, key: string): Promise<void> {
  if ((await getKey(deps.db, bootstrapKeyId(key))) === null) await registerBootstrapKey(deps, key);
}

/** An existing key is configured as the bootstrap key. */
class TakenKey extends Error {
  constructor() {
    super(
      'ADMIN_BOOTSTRAP_KEY: expected a separate key; got one that GET /v1/keys already lists. Use a key that dueday did not create, or remove ADMIN_BOOTSTRAP_KEY',
    );
  }
}

/**
 * Registers the key. If an admin key exists, the key is superseded at once; bootstrap keys that were configured earlier always are.
 * @throws TakenKey
 */
async function registerBootstrapKey({ db, clock }: RegistrationDeps, key: string): Promise<KeyRecord> {
  const [keyId, hash] = [bootstrapKeyId(key), hashApiKey(key)];
  const act = { actor: DUEDAY, at: clock.now(), realAt: clock.realNow() };
  return inTransaction(db, async (tx): Promise<KeyRecord> => {
    const isNew = await insertBootstrapKey(tx, { keyId, hash, name: BOOTSTRAP, createdRealAt: act.realAt });
    const record = await getKey(tx, keyId);
    if (record === null) throw new TakenKey();
    if (isNew) await recordKeyEvent(tx, 'key.created', record, act);
    const except = (await hasAdminKey(tx, act.realAt)) ? null : keyId;
    const ended = await supersede(tx, act, except);
    return ended.find((each) => each.keyId === keyId) ?? record;
  });
}

/** Called when an admin key is created. @returns when the bootstrap key therefore ends, in real time; null if unchanged */
export async function endBootstrapKey(db: Db, act: BootstrapAct): Promise<number | null> {
  const [ended] = await supersede(db, act, null);
  return ended?.expiresRealAt ?? null;
}

async function supersede(db: Db, act: BootstrapAct, except: string | null): Promise<readonly KeyRecord[]> {
  const ended = await endBootstrapKeys(db, act.realAt + OVERLAP, except);
  for (const each of ended) await recordKeyEvent(db, 'key.superseded', each, act);
  return ended;
}

async function recordKeyEvent(
  db: Db,
  type: 'key.created' | 'key.superseded',
  { keyId, name, role, expiresRealAt }: KeyRecord,
  { at, ...by }: BootstrapAct,
): Promise<void> {
  const data = { keyId, name, role, expiresAt: isoOrNull(expiresRealAt) };
  await insertEvent(db, { ...actorOf(by), subscriptionId: null, at, type, data });
}
