import { z } from 'zod';
import { type KeyRecord, ROLES, SCOPES } from '../../ledger';
import { InstantIn, InstantOut, leftOut, MoneyIn, MoneyOut, optionalBody, Reason } from '../http/fields';
import { KEY_NAME } from './key-ring';

const KeyName = z
  .string()
  .trim()
  .max(100)
  .regex(KEY_NAME, 'printable ASCII characters')
  .meta({ description: 'The trail tells keys by name: a name is taken for ever, in any case of its letters' });

const LimitsOut = z.object({ refundPerDay: MoneyOut.optional(), changePerCall: MoneyOut.optional() }).meta({
  id: 'KeyLimits',
  description: 'What may be refunded with the key in 24 hours, and by how much a call may change what is collected.',
});

const Holder = z.string().trim().max(100).regex(KEY_NAME, 'printable ASCII characters');

const LimitsIn = z
  .strictObject({
    refundPerDay: MoneyIn.optional().meta({ description: 'What may be refunded with it in 24 hours' }),
    changePerCall: MoneyIn.optional().meta({ description: 'By how much a call may change what is collected' }),
  })
  .refine((limits) => Object.keys(limits).length > 0, 'refundPerDay or changePerCall')
  .meta({ describedAs: LimitsOut });

export const CreateKey = z
  .strictObject({
    name: KeyName,
    role: z.enum(ROLES),
    holder: Holder.optional().meta({ description: 'The person who has it' }),
    expiresAt: InstantIn.optional().meta({ format: 'date-time', description: 'Real time' }),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'each scope once')
      .optional()
      .meta({ description: 'What of its role it may do; all where none is given' }),
    limits: LimitsIn.optional(),
    reason: Reason.optional(),
  })
  .meta({ id: 'CreateKey', description: 'The name, role and powers of the new key.' });

/** What is left out is not limited. */
export function wantedOf({ name, role, holder, expiresAt, scopes, limits }: z.output<typeof CreateKey>) {
  return {
    name,
    role,
    holder: holder ?? null,
    scopes: scopes ?? [],
    refundPerDayAmount: limits?.refundPerDay ?? null,
    changePerCallAmount: limits?.changePerCall ?? null,
    expiresRealAt: expiresAt ?? null,
  };
}

export const RotateKey = optionalBody(
  z
    .strictObject({
      overlapHours: z.number().min(0).max(720).default(24).meta({ description: 'For which the old key is still good' }),
      reason: Reason.optional(),
    })
    .meta({ id: 'RotateKey', description: 'For how long the old key stays valid.' }),
);

export const KeyParams = z.object({ id: z.uuid('a UUID') });

export const KeyQuery = z.strictObject({ reason: Reason.optional() });

/** A key as it may be shown: everything but the key. */
export const KeyOut = z
  .object({
    keyId: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    holder: leftOut(z.string()),
    prefix: leftOut(z.string()).meta({ description: 'How the key begins' }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'Empty: the whole role' }),
    limits: LimitsOut.optional(),
    createdAt: InstantOut,
    expiresAt: leftOut(InstantOut),
    lastUsedAt: leftOut(InstantOut),
    revokedAt: leftOut(InstantOut),
    replaces: leftOut(z.string()).meta({ description: 'The id of the key in whose place it came' }),
  })
  .meta({ id: 'Key', description: 'An API key without its secret.' });

/** The one answer that shows the key itself. */
export const NewKeyOut = KeyOut.extend({ key: z.string() }).meta({
  id: 'IssuedKey',
  description: 'The new key; its secret is shown this once.',
});

/** An admin key takes the place of the one that was configured to begin with. */
export const CreatedKeyOut = NewKeyOut.extend({
  bootstrapEndsAt: leftOut(InstantOut).meta({
    description: 'Real time at which the bootstrap key ends, as there is an admin key now',
  }),
}).meta({ id: 'CreatedKey', description: 'The key was created; its secret is shown this once.' });

export type KeyOut = z.output<typeof KeyOut>;

export function viewKey(record: KeyRecord): KeyOut {
  const { createdRealAt: createdAt, lastUsedRealAt: lastUsedAt, revokedRealAt: revokedAt } = record;
  const { refundPerDayAmount, changePerCallAmount, expiresRealAt: expiresAt } = record;
  const limits = { refundPerDay: refundPerDayAmount ?? undefined, changePerCall: changePerCallAmount ?? undefined };
  const isLimited = refundPerDayAmount !== null || changePerCallAmount !== null;
  return {
    ...record,
    ...{ createdAt, expiresAt, lastUsedAt, revokedAt },
    scopes: [...record.scopes],
    limits: isLimited ? limits : undefined,
  };
}
