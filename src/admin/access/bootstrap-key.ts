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

/** By which the trail knows it. */
export const BOOTSTRAP = 'bootstrap';

/** Real ms for which it is still good once it is to end: an answer that showed the first admin key may be lost. */
const OVERLAP = DAY;

/** A stable id, in the form of a UUID; another key has another id. */
export function bootstrapKeyId(key: string): string {
  const hex = createHash('sha256').update(`bootstrap ${key}`, 'utf8').digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Who does it, and when. */
export interface BootstrapAct extends Actor {
  /** Business time. */
  readonly at: Instant;
  /** Real time: keys live in it. */
  readonly realAt: number;
}

/** What listing the key in the ledger needs. */
type ListingDeps = Pick<JobDeps, 'db' | 'clock'>;

/**
 * Lists the configured one, where there is one, when the API comes up, and tells the log when it ends. Without the ledger it is
 * listed once it is used.
 */
export function listBootstrapKey(app: FastifyInstance, deps: JobDeps, key: string | undefined): void {
  if (key === undefined) return;
  app.addHook('onReady', async () => {
    const record = await registerBootstrapKey(deps, key).catch((error: unknown) => {
      if (error instanceof TakenKey) throw error;
      deps.logger.warn({ err: loggable(error) }, 'the bootstrap key could not be listed');
    });
    if (record === undefined) return;
    const { expiresRealAt, revokedRealAt } = record;
    const endsRealAt = revokedRealAt ?? expiresRealAt;
    if (endsRealAt === null) return;
    deps.logger.warn({ endsAt: toIso(endsRealAt) }, 'the bootstrap key ends: take ADMIN_BOOTSTRAP_KEY away');
  });
}

/** For a ledger that was away when the API came up, or was restored since. Another request may list it at the same time. */
export async function listWhereMissing(deps: ListingDeps, key: string): Promise<void> {
  if ((await getKey(deps.db, bootstrapKeyId(key))) === null) await registerBootstrapKey(deps, key);
}

/** A key of the list is configured as the bootstrap key. */
class TakenKey extends Error {
  constructor() {
    super('ADMIN_BOOTSTRAP_KEY: expected a key of its own; got one that GET /v1/keys lists already');
  }
}

/** It ends where there is an admin key; one that was configured before ends, too. @throws TakenKey */
async function registerBootstrapKey({ db, clock }: ListingDeps, key: string): Promise<KeyRecord> {
  const [keyId, hash] = [bootstrapKeyId(key), hashApiKey(key)];
  const act = { actor: DUEDAY, at: clock.now(), realAt: clock.realNow() };
  return inTransaction(db, async (tx): Promise<KeyRecord> => {
    const isNew = await insertBootstrapKey(tx, { keyId, hash, name: BOOTSTRAP, createdRealAt: act.realAt });
    const record = await getKey(tx, keyId);
    if (record === null) throw new TakenKey();
    if (isNew) await tell(tx, 'key.created', record, act);
    const but = (await hasAdminKey(tx, act.realAt)) ? null : keyId;
    const ended = await supersede(tx, act, but);
    return ended.find((each) => each.keyId === keyId) ?? record;
  });
}

/** To be called where an admin key is made. @returns when the bootstrap key ends by that, in real time; null where nothing changes */
export async function endBootstrapKey(db: Db, act: BootstrapAct): Promise<number | null> {
  const [ended] = await supersede(db, act, null);
  return ended?.expiresRealAt ?? null;
}

async function supersede(db: Db, act: BootstrapAct, but: string | null): Promise<readonly KeyRecord[]> {
  const ended = await endBootstrapKeys(db, act.realAt + OVERLAP, but);
  for (const each of ended) await tell(db, 'key.superseded', each, act);
  return ended;
}

async function tell(
  db: Db,
  type: 'key.created' | 'key.superseded',
  { keyId, name, role, expiresRealAt }: KeyRecord,
  { at, ...by }: BootstrapAct,
): Promise<void> {
  const data = { keyId, name, role, expiresAt: isoOrNull(expiresRealAt) };
  await insertEvent(db, { ...actorOf(by), subscriptionId: null, at, type, data });
}
