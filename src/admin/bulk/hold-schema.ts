import { z } from 'zod';
import { REPETITIONS } from '../../domain/subscription/schedule';
import { STANDINGS, SUBSCRIPTION_STATUSES } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import type { HoldRecord, KeyPowers } from '../../ledger';
import { seesEmails } from '../access/powers';
import {
  InstantIn,
  InstantOut,
  MetadataOut,
  MoneyOut,
  omitNull,
  PAGE_FIELDS,
  Reason,
  SubscriptionIdText,
} from '../http/fields';
import { isEmptyFilter, ListedFilter } from './schema';

const HoldFilter = ListedFilter.refine(
  (filter) => !isEmptyFilter(filter),
  'an object with at least one field; POST /v1/halt stops all sending',
);

/** The body of `POST /v1/holds`. */
export const HoldBody = z.strictObject({ filter: HoldFilter, until: InstantIn, reason: Reason }).meta({
  id: 'CreateHold',
  description: 'What is held, when the hold ends automatically, and the reason for it.',
});

export const HoldParams = z.object({ id: z.string().regex(/^hold_[0-9a-f]{32}$/, 'the id of a hold') });

export const HoldsQuery = z.strictObject({
  ...PAGE_FIELDS,
  state: z
    .enum(['in_force', 'over'])
    .optional()
    .meta({ description: '`over`: lifted, or ended automatically, in the last 90 days' }),
  subscriptionId: SubscriptionIdText.optional().meta({ description: 'Only holds of this subscription' }),
});

const HoldFilterOut = z
  .object({
    createdFrom: InstantOut.optional(),
    createdTo: InstantOut.optional(),
    dueFrom: InstantOut.optional(),
    dueTo: InstantOut.optional(),
    dueBefore: InstantOut.optional(),
    metadata: MetadataOut.optional(),
    q: z.string().optional().meta({ description: 'Shown as *** to keys that see no e-mail addresses' }),
    status: z.enum(SUBSCRIPTION_STATUSES).optional(),
    standing: z.enum(STANDINGS).optional(),
    repetition: z.enum(REPETITIONS).optional(),
  })
  .meta({ id: 'HoldFilter', description: 'The filter that selected the subscriptions when the hold was created.' });

const LostInHourOut = z
  .object({
    hour: InstantOut.meta({ description: 'The beginning of the hour, UTC' }),
    count: z.int().min(1),
    amount: MoneyOut,
  })
  .meta({
    id: 'WindowsLost',
    description: 'The collection windows that end within one hour: how many, and their total amount.',
  });

export const HoldOut = z
  .object({
    holdId: z.string(),
    state: z.enum(['in_force', 'ended', 'lifted']),
    filter: HoldFilterOut,
    until: InstantOut.meta({ description: 'When the hold ends automatically' }),
    reason: z.string(),
    matched: z.int().min(0).meta({ description: 'Number of subscriptions held, fixed when the hold was created' }),
    createdAt: InstantOut,
    createdBy: z.string().meta({ description: 'The name of the API key that created the hold' }),
    endedAt: omitNull(InstantOut),
    liftedBy: omitNull(z.string()).meta({ description: 'The name of the API key that lifted the hold' }),
    firstWindowLostAt: InstantOut.nullable().meta({
      description:
        'When the first collection window ends while the hold is in force, as computed in the last hour; null if none does',
    }),
    windowsLost: z.array(LostInHourOut).meta({
      description:
        'The windows of the next 14 days that end while the hold is in force, by hour, as computed in the last hour',
    }),
  })
  .meta({ id: 'Hold', description: 'A hold: until it ends, no attempt of the matched subscriptions begins.' });

export type HoldOut = z.output<typeof HoldOut>;

/** A hold as the API shows it to this caller. Its search may contain an e-mail address, and is masked if the caller sees none. */
export function viewHold(hold: HoldRecord, caller: Pick<KeyPowers, 'role' | 'scopes'>, now: Instant): HoldOut {
  const { filter, heldBy: createdBy } = hold;
  const state = stateOf(hold, now);
  const isInForce = state === 'in_force';
  const search = filter.q === undefined || seesEmails(caller) ? {} : { q: '***' };
  return {
    ...hold,
    createdBy,
    state,
    filter: { ...filter, ...search },
    endedAt: hold.endedAt ?? (hold.until <= now ? hold.until : null),
    firstWindowLostAt: isInForce ? hold.firstWindowLostAt : null,
    windowsLost: isInForce ? [...hold.windowsLost] : [],
  };
}

function stateOf({ endedAt, liftedBy, until }: HoldRecord, now: Instant): HoldOut['state'] {
  if (liftedBy !== null) return 'lifted';
  return endedAt !== null || until <= now ? 'ended' : 'in_force';
}
