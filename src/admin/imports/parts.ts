import { createHash } from 'node:crypto';
import type { StreamedBody } from '../approvals/require';

/** A body is hashed in parts, so that each part can be verified before it is processed, without storing the body. */
const PART_BYTES = 1024 * 1024;

const HASH_BYTES = 32;

/** Splits a stream into parts of {@link PART_BYTES}; the last may be shorter. Holds at most one part in memory. */
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

/** Reads a body to its end, and hashes it as a whole and in parts. */
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
 * Yields the bytes part by part, after verifying the hash of each: nothing of a different body is passed on.
 * @throws the error created by `mismatch` at the first part that differs
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
