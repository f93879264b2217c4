import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedMark, TrailMark } from '../../domain/trail/event';
import { type Db, readValue } from '../statements';

/**
 * Of the ledger since its first migration, so that one that was restored has the same. What a workflow brings back is believed
 * only with it: whoever may write to Temporal could else halt all sending.
 */
export async function readMarkSecret(db: Db): Promise<Buffer> {
  const secret = await readValue<Buffer>(db, 'select mark_secret from restore_guard');
  if (secret === null) throw new Error('restore_guard has no secret: it has one from its migration on');
  return secret;
}

export function signMark(secret: Buffer, { epoch, entry }: TrailMark): SignedMark {
  return { epoch, entry, mac: macOf(secret, { epoch, entry }).toString('hex') };
}

export function isGenuineMark(secret: Buffer, mark: SignedMark): boolean {
  const given = Buffer.from(mark.mac ?? '', 'hex');
  const own = macOf(secret, mark);
  return given.length === own.length && timingSafeEqual(given, own);
}

function macOf(secret: Buffer, { epoch, entry }: TrailMark): Buffer {
  return createHmac('sha256', secret).update(`audit log position ${epoch}/${entry}`).digest();
}
