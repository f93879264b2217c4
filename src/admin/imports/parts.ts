import { createHash } from 'node:crypto';
import type { StreamedBody } from '../approvals/require';

/** A body is hashed in parts, so that each can be known before anything of it is taken, and none has to be stored. */
const PART_BYTES = 1024 * 1024;

const HASH_BYTES = 32;

/** Cuts a stream into parts of {@link PART_BYTES}, the last one shorter, however its bytes come. Holds one part at most. */
async function* partsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    for (let rest = chunk; rest.length > 0;) {
      const taken = rest.subarray(0, PART_BYTES - length);
      held.push(taken);
      length += taken.length;
      rest = rest.subarray(taken.length);
      if (length < PART_BYTES) break;
      yield Buffer.concat(held);
      [held, length] = [[], 0];
    }
  }
  if (length > 0) yield Buffer.concat(held);
}

/** Reads a body to its end. */
export async function hashBodyInParts(
  chunks: AsyncIterable<Buffer>,
): Promise<StreamedBody & { readonly bytes: number }> {
  const whole = createHash('sha256');
  const hashes: Buffer[] = [];
  let bytes = 0;
  for await (const part of partsOf(chunks)) {
    whole.update(part);
    hashes.push(hashOf(part));
    bytes += part.length;
  }
  return { sha256: whole.digest('hex'), partHashes: Buffer.concat(hashes), bytes };
}

/**
 * The same bytes, each part once it is known to be the one that was hashed: nothing of another one is handed on.
 * @throws what `mismatch` makes at the first part that is another, after those before it
 */
export async function* onlyParts(
  chunks: AsyncIterable<Buffer>,
  partHashes: Buffer,
  mismatch: () => Error,
): AsyncGenerator<Buffer, void, undefined> {
  let at = 0;
  for await (const part of partsOf(chunks)) {
    if (!hashOf(part).equals(partHashes.subarray(at, at + HASH_BYTES))) throw mismatch();
    at += HASH_BYTES;
    yield part;
  }
}

function hashOf(part: Buffer): Buffer {
  return createHash('sha256').update(part).digest();
}
