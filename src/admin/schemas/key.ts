import { z } from 'zod';
import { ROLES } from '../../ledger';
import { InstantOut } from './instants';
import { line, Reason } from './text';

export const CreateKey = z
  .strictObject({ name: line(100), role: z.enum(ROLES), reason: Reason.optional() })
  .meta({ id: 'CreateKey' });

export const KeyParams = z.object({ id: z.uuid('a UUID') });

export const KeyQuery = z.strictObject({ reason: Reason.optional() });

/** A key as it may be shown: everything but the key. */
export const KeyOut = z
  .object({
    keyId: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    createdAt: InstantOut,
    lastUsedAt: InstantOut.optional(),
    revokedAt: InstantOut.optional(),
  })
  .meta({ id: 'Key' });

/** The one answer that shows the key itself. */
export const NewKeyOut = KeyOut.extend({ key: z.string() }).meta({ id: 'NewKey' });

export type KeyOut = z.output<typeof KeyOut>;
