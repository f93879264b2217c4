import { z } from 'zod';
import { isTerminal, SUBSCRIPTION_STATUSES, STANDINGS } from '../../domain/subscription/state';
import type { KeyPowers, SelectedSubscription, SelectionChange, SubscriptionRecord } from '../../ledger';
import type { Needs } from '../access/powers';
import { type Instant, isoOrNull } from '../../domain/time';
import { sumOf } from '../../domain/money';
import { InstantOut, MoneyOut, SubscriptionIdText } from '../http/fields';
import { invalidRequest } from '../http/problems';
import { faultsOf } from '../http/validation';
import { PayerOut, viewPayer } from '../payers/schema';
import { ChangeAmountBody, PauseBody, RetryBody, STEERING_NEEDS, SubscriptionsFilter } from '../subscriptions/schema';
import { EmptyBody, ReasonBody, RequiredReasonBody } from '../http/bodies';

/** The bulk actions: the role and scope they need, and the body of the individual call. */
export const BULK_ACTIONS = {
  pause: { ...STEERING_NEEDS.pause, body: PauseBody },
  resume: { ...STEERING_NEEDS.resume, body: ReasonBody },
  cancel: { ...STEERING_NEEDS.cancel, body: ReasonBody },
  retry: { ...STEERING_NEEDS.retry, body: RetryBody },
  'consent-check': { ...STEERING_NEEDS['consent-check'], body: EmptyBody },
  acknowledge: { ...STEERING_NEEDS.acknowledge, body: RequiredReasonBody },
  'amount-change': { ...STEERING_NEEDS['amount-change'], body: ChangeAmountBody.omit({ dryRun: true }) },
} as const satisfies Readonly<Record<keyof typeof STEERING_NEEDS, Needs & { body: z.ZodType }>>;

export type BulkAction = keyof typeof BULK_ACTIONS;
const ACTIONS = Object.keys(BULK_ACTIONS) as [BulkAction, ...BulkAction[]];

/** Whether a filter selects everything: it is empty, or has only empty metadata. */
export function isEmptyFilter({ metadata = {}, ...others }: z.output<typeof BulkFilter>): boolean {
  return Object.keys(others).length === 0 && Object.keys(metadata).length === 0;
}

/** The filter of the list of subscriptions. */
export const ListedFilter = SubscriptionsFilter.meta({
  minProperties: 1,
  description: 'The same filters as for the list of subscriptions; at least one',
});

/** To select more subscriptions, use the other filters. The limit of values in a body (`http/json/size`) allows for this many ids. */
const MAX_IDS = 1_000;

const BulkFilter = SubscriptionsFilter.safeExtend({
  subscriptionIds: z
    .array(SubscriptionIdText)
    .min(1)
    .max(MAX_IDS)
    .optional()
    .meta({ description: 'Selects these subscriptions; an id without a subscription selects nothing' }),
}).meta({
  minProperties: 1,
  description: 'The filters of the list of subscriptions, and subscriptionIds; at least one',
});

/** The body of `POST /v1/bulk`. */
export const BulkBody = z
  .strictObject({
    action: z.enum(ACTIONS).optional(),
    parameters: z.record(z.string(), z.unknown()).optional().meta({
      description: 'The body of the call for one subscription; a retry applies to the cycle that waits for a retry',
    }),
    filter: BulkFilter.optional(),
    dryRun: z.boolean().default(false),
    token: z
      .string()
      .regex(/^bulk_[\w-]{43}$/, 'the token of a dry run')
      .optional()
      .meta({
        description:
          'The token of the dry run, which starts the job. Any other fields must be the same as in the dry run',
      }),
  })
  .superRefine(({ action, filter, dryRun, token }, context) => {
    const expect = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (dryRun && token !== undefined) expect('token', 'no token in a dry run');
    if (!dryRun && token === undefined) expect('token', 'the token of a dry run, or dryRun: true');
    if (token === undefined && action === undefined) expect('action', `one of ${ACTIONS.join(', ')}`);
    if (token === undefined && filter === undefined) expect('filter', 'an object with at least one field');
  })
  .meta({ id: 'Bulk', description: 'A dry run of the same call for many subscriptions, or the start of the job.' });

export type BulkBody = z.output<typeof BulkBody>;

export const SelectedOut = z
  .object({
    subscriptionId: z.string(),
    status: z.enum(SUBSCRIPTION_STATUSES),
    standing: z.enum(STANDINGS),
    amount: MoneyOut,
    nextDueAt: InstantOut.nullable(),
    payer: PayerOut,
  })
  .meta({ id: 'SelectedSubscription', description: 'A subscription that the filter selects.' });

/** What a bulk job would affect; nothing is done. */
export const BulkDryRunOut = z
  .object({
    action: z.enum(ACTIONS),
    total: z.int().min(0),
    counts: z
      .partialRecord(z.enum(SUBSCRIPTION_STATUSES), z.int().min(0))
      .meta({ description: 'Number of subscriptions by status' }),
    amount: MoneyOut.meta({ description: 'The total that the next cycles of the subscriptions collect' }),
    amountAfter: MoneyOut.optional().meta({ description: 'That total after the change of amount' }),
    items: z.array(SelectedOut).meta({ description: 'The first 20' }),
    token: z.string().meta({ description: 'Starts the job; valid once, and only while the selection is unchanged' }),
    tokenValidUntil: InstantOut.meta({ description: 'In real time' }),
  })
  .meta({
    id: 'BulkDryRun',
    description: 'What the filter selects, and the token that starts the job. Nothing has been done yet.',
  });

export type BulkDryRunOut = z.output<typeof BulkDryRunOut>;

/** Maximum number of subscriptions that a response shows. */
export const MAX_SHOWN = 20;

export interface DryRun {
  readonly action: BulkAction;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly selected: readonly SelectedSubscription[];
  /** The first of the selected subscriptions, with their payers. */
  readonly shown: readonly Pick<SubscriptionRecord, 'subscriptionId' | 'payer'>[];
  readonly caller: Pick<KeyPowers, 'role' | 'scopes'>;
  readonly token: string;
  /** Real time. */
  readonly until: Instant;
}

export function viewDryRun({ action, parameters, selected, shown, caller, token, until }: DryRun): BulkDryRunOut {
  const payers = new Map(shown.map(({ subscriptionId, payer }) => [subscriptionId, viewPayer(payer, caller)]));
  // An ended subscription is selected too, although the job's call will be refused; it has no next cycle.
  const live = selected.filter(({ status }) => !isTerminal(status));
  const amount = sumOf(live.map((each) => ({ amount: each.amount, count: 1 }))).amount;
  return {
    action,
    total: selected.length,
    counts: countByStatus(selected),
    amount,
    ...(action === 'amount-change' ? { amountAfter: amountAfter(parameters, live.length) } : {}),
    items: selected.slice(0, MAX_SHOWN).map((each) => ({ ...each, payer: payers.get(each.subscriptionId) ?? {} })),
    token,
    tokenValidUntil: until,
  };
}

function countByStatus(selected: readonly SelectedSubscription[]): BulkDryRunOut['counts'] {
  const counts: BulkDryRunOut['counts'] = {};
  for (const { status } of selected) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function amountAfter(parameters: Readonly<Record<string, unknown>>, count: number) {
  const { amount } = BULK_ACTIONS['amount-change'].body.parse(parameters);
  return { ...amount, value: amount.value * count };
}

/** The changes since the dry run: the number of each kind, and the first 20. */
export function viewSelectionChange({ added, removed, changed }: SelectionChange) {
  const shown = changed.slice(0, MAX_SHOWN).map(({ subscriptionId, was, is }) => ({
    subscriptionId,
    was: { ...was, nextDueAt: isoOrNull(was.nextDueAt) },
    is: { ...is, nextDueAt: isoOrNull(is.nextDueAt) },
  }));
  return {
    added: { count: added.length, subscriptionIds: added.slice(0, MAX_SHOWN) },
    removed: { count: removed.length, subscriptionIds: removed.slice(0, MAX_SHOWN) },
    changed: { count: changed.length, subscriptions: shown },
  };
}

/**
 * The parameters of a bulk job as the body of the individual call.
 * @throws Problem `invalid_request` if the individual call would refuse them: in a dry run, or if another release
 * stored the job
 */
export function parseParameters<Body extends z.ZodType>(body: Body, parameters: unknown): z.output<Body> {
  const read = body.safeParse(parameters);
  if (read.success) return read.data;
  const faults = faultsOf(read.error, parameters);
  throw invalidRequest(faults.map(({ path, message }) => ({ path: inParameters(path), message })));
}

/** The path of a field of the parameters in the body of the bulk call. */
export function inParameters(path: string): string {
  return path === '' ? 'parameters' : `parameters.${path}`;
}
