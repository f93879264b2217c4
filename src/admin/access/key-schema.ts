import { z } from 'zod';
import { type KeyRecord, ROLES, SCOPES } from '../../ledger';
import { InstantIn, InstantOut, omitNull, MoneyIn, MoneyOut, Reason } from '../http/fields';
import { optionalBody } from '../http/bodies';
import { KEY_NAME } from './key-ring';

const KeyName = z
  .string()
  .trim()
  .max(100)
  .regex(KEY_NAME, 'printable ASCII characters')
  .meta({ description: 'Identifies the key in the audit log: each name can be used only once, ignoring case' });

const LimitsOut = z.object({ refundPerDay: MoneyOut.optional(), changePerCall: MoneyOut.optional() }).meta({
  id: 'KeyLimits',
  description:
    'The most that the key may refund in 24 hours, and the most by which one call may change the amounts collected.',
});

const Holder = z.string().trim().max(100).regex(KEY_NAME, 'printable ASCII characters');

const LimitsIn = z
  .strictObject({
    refundPerDay: MoneyIn.optional().meta({ description: 'The most that the key may refund in 24 hours' }),
    changePerCall: MoneyIn.optional().meta({
      description: 'The most by which one call may change the amounts collected',
    }),
  })
  .refine((limits) => Object.keys(limits).length > 0, 'refundPerDay or changePerCall')
  .meta({ describedAs: LimitsOut });

export const CreateKey = z
  .strictObject({
    name: KeyName,
    role: z.enum(ROLES),
    holder: Holder.optional().meta({
      description: 'The person responsible for the key, who cannot approve their own requests',
    }),
    expiresAt: InstantIn.optional().meta({
      format: 'date-time',
      description: 'Real time at which the key expires; without it, the key does not expire',
    }),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'each scope once')
      .optional()
      .meta({ description: 'Restricts the key to parts of its role; without scopes, it has the whole role' }),
    limits: LimitsIn.optional(),
    reason: Reason.optional(),
  })
  .meta({ id: 'CreateKey', description: 'The name, role and powers of the new key.' });

/** What is omitted is not limited. */
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
      overlapHours: z
        .number()
        .min(0)
        .max(720)
        .default(24)
        .meta({ description: 'Hours for which the old key remains valid' }),
      reason: Reason.optional(),
    })
    .meta({ id: 'RotateKey', description: 'For how long the old key remains valid.' }),
);

export const KeyParams = z.object({ id: z.uuid('a UUID') });

export const KeyQuery = z.strictObject({ reason: Reason.optional() });

/** A key as it may be shown: everything except the secret. */
export const KeyOut = z
  .object({
    keyId: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    holder: omitNull(z.string()),
    prefix: omitNull(z.string()).meta({ description: 'The first characters of the key' }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'Empty: the whole role' }),
    limits: LimitsOut.optional(),
    createdAt: InstantOut,
    expiresAt: omitNull(InstantOut),
    lastUsedAt: omitNull(InstantOut),
    revokedAt: omitNull(InstantOut),
    replaces: omitNull(z.string()).meta({ description: 'The id of the key that this one replaced' }),
  })
  .meta({ id: 'Key', description: 'An API key without its secret.' });

/** The only response that contains the key itself. */
export const NewKeyOut = KeyOut.extend({ key: z.string() }).meta({
  id: 'IssuedKey',
  description: 'The new key; its secret is shown only once.',
});

/** Creating an admin key ends the configured bootstrap key. */
export const CreatedKeyOut = NewKeyOut.extend({
  bootstrapEndsAt: omitNull(InstantOut).meta({
    description: 'Real time at which the bootstrap key ends because there is now an admin key',
  }),
}).meta({ id: 'CreatedKey', description: 'The key was created; its secret is shown only once.' });

export type KeyOut = z.output<typeof KeyOut>;

export function viewKey(record: KeyRecord): KeyOut {
  const { createdRealAt: createdAt, lastUsedRealAt: lastUsedAt, revokedRealAt: revokedAt } = record;
  const { refundPerDayAmount, changePerCallAmount, expiresRealAt: expiresAt } = record;
  const limits = { refundPerDay: refundPerDayAmount ?? undefined, changePerCall: changePerCallAmount ?? undefined };
  const isLimited = refundPerDayAmount !== null || changePerCallAmount !== null;
  return {
    ...record,
    createdAt,
    expiresAt,
    lastUsedAt,
    revokedAt,
    scopes: [...record.scopes],
    limits: isLimited ? limits : undefined,
  };
}
