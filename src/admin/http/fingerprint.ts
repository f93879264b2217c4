import { createHash } from 'node:crypto';
import { canonical } from '../../domain/canonical';
import { toIso } from '../../domain/time';
import { parseInstant } from './fields';

/** What distinguishes one request from another, as far as the kind of request has it. */
export interface FingerprintedRequest {
  /**
   * The id of the first key in the caller's chain of replacements: a request repeated with a replacement key is the
   * same one.
   */
  readonly apiKeyId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Method and path, or the route. */
  readonly call?: string;
  readonly params?: unknown;
  /** The body, either as received or parsed: the two have different fingerprints. */
  readonly body?: unknown;
  /** The scope in which an Idempotency-Key identifies one request, such as a day; unlimited if left out. */
  readonly within?: string | number;
}

/**
 * Identifies a repeated request: the SHA-256 of what distinguishes it. The order of fields, white space and the spelling of
 * instants (their offset, or trailing zeros) make no difference.
 */
export function requestFingerprint(request: FingerprintedRequest): Buffer {
  return createHash('sha256')
    .update(canonical(withInstantsByMeaning(request)), 'utf8')
    .digest();
}

function withInstantsByMeaning(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withInstantsByMeaning);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, withInstantsByMeaning(inner)]));
  }
  const instant = typeof value === 'string' ? parseInstant(value) : null;
  return instant === null ? value : toIso(instant);
}
