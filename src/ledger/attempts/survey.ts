import type { Instant } from '../../domain/time';
import { type Current, currentOf, type SubscriptionFacts } from '../deciding/facts';
import { type Db, readRecord } from '../sql/statements';
import { type Precheck, precheckOf } from '../rows/any-send';
import { ATTEMPT_COLUMNS, type AttemptRead, REOPENED_ATTEMPT } from '../rows/attempt';
import { backOffKey, type StoredBackOff } from '../rows/back-offs';
import type { KnownAuthorization } from './evidence';
import { type AdoptionTerms, type FingerprintedContext, listItemKey, type AttemptSubject } from './send-context';

/**
 * Everything the ledger says about an attempt before the service is called, in one statement and without a lock. A send based on
 * it is written only if the ledger still says the same under the locks: see {@link FingerprintedContext}.
 */
export interface Survey extends AttemptRead, FingerprintedContext {
  readonly current: Current;
  /** Every authorization that the ledger has for the payment, oldest first. */
  readonly knownAuthorizations: readonly KnownAuthorization[];
  readonly precheck: Precheck & Pick<AdoptionTerms, 'hasIncompleteListItem' | 'wasUnreadable'>;
  /** The back-off that an earlier activity has stored; null if there is none. */
  readonly storedBackOff: StoredBackOff | null;
}

type Row = Omit<Survey, 'current'> & { readonly facts: SubscriptionFacts };

/** Null if there is no such subscription, or it is still a draft. */
export async function surveyAttempt(
  db: Db,
  input: Omit<AttemptSubject, 'paymentId'>,
  now: Instant,
): Promise<Survey | null> {
  const { subscriptionId, cycle, attempt } = input;
  const values = [subscriptionId, cycle, attempt, backOffKey(input), listItemKey(input)];
  const row = await readRecord<Row>(db, SURVEY, values);
  if (row === null) return null;
  const { facts, ...survey } = row;
  return { ...survey, current: currentOf(facts, now) };
}

const SENT = ATTEMPT_COLUMNS.split(',')
  .map((column) => column.trim())
  .map((column) => `a.${column} as "send?.${column}"`)
  .join(', ');

const SURVEY = `
  select subscription_facts($1) as facts, seen.known_authorizations, seen.context, fingerprint_of(seen.context, seen.known_authorizations) as fingerprint, ${SENT},
    ${REOPENED_ATTEMPT} as reopened, g.accepted_real_at as "mark.epoch", coalesce((select max(id) from events), 0) as "mark.entry",
    p.sends as "precheck.sends", p.last_unknown_real as "precheck.last_unknown_real",
    p.is_halted as "precheck.is_halted", p.is_unanswered as "precheck.is_unanswered",
    exists (
      select from attention_items where item_id = attention_id($5) and closed_real_at is null
    ) as "precheck.has_incomplete_list_item", s.consent_unreadable_real_at is not null as "precheck.was_unreadable",
    b.since_real_at as "stored_back_off?.since_real", b.noted_real_at as "stored_back_off?.noted_real", b.again_real_at as "stored_back_off?.again_real",
    b.stop as "stored_back_off?.stop", b.reason as "stored_back_off?.reason"
  from subscriptions s
  cross join restore_guard g
  cross join lateral (
    select known_authorizations(s.payment_id), send_context($1, $2, $3, s.payment_id) as context offset 0
  ) seen
  cross join lateral (
    ${precheckOf('attempts where (subscription_id, cycle, attempt) = ($1, $2, $3)')}
  ) p
  left join back_offs b on b.key = $4
  left join lateral (
    select ${ATTEMPT_COLUMNS} from attempts
    where subscription_id = $1 and cycle = $2 and attempt = $3 order by send desc limit 1
  ) a on true
  where s.subscription_id = $1 and s.status <> 'draft'`;
