import { REASON_CODES } from '../../domain/audit/reason-codes';
import { type Db, readRecords, readValue, readValues } from '../sql/statements';
import type { PayerRecord, PostalAddress } from '../rows/subscription';
import type { PayerSubjects } from './subjects';

interface Named extends Pick<PayerRecord, 'name' | 'email' | 'reference'> {
  readonly billingAddress: PostalAddress | null;
  readonly shippingAddress: PostalAddress | null;
  /** Names, e-mails and references that were replaced. */
  readonly formerTerms: readonly string[];
}

/** Shorter parts of a name occur in many texts that do not name a payer. */
const MIN_TERM_LENGTH = 3;
/** Minimum length of the part of an e-mail before the @: shorter ones are words such as mail. */
const MIN_MAILBOX_LENGTH = 5;

/**
 * Terms by which texts may name these payers: names, each part of them, addresses, e-mails and references, including former
 * ones.
 */
export async function termsOf(db: Db, payerIds: readonly string[]): Promise<readonly string[]> {
  const payers = await readRecords<Named>(
    db,
    'select name, email, reference, billing_address, shipping_address, former_terms from payers where payer_id = any ($1)',
    [payerIds],
  );
  const terms = payers.flatMap(termsOfPayer);
  return [...new Set(terms.filter((term) => term.length >= MIN_TERM_LENGTH))];
}

function termsOfPayer({ name, email, reference, billingAddress, shippingAddress, formerTerms }: Named): string[] {
  const addresses = [billingAddress, shippingAddress].filter((each) => each !== null);
  const names = [name, ...addresses.map((address) => address.name)].filter((each) => each != null);
  const emails = [email, ...addresses.map((address) => address.email), ...formerTerms].filter((each) => each != null);
  const terms = [
    ...names.flatMap((each) => [each, reversed(each), ...each.split(/\s+/)]),
    ...addresses.flatMap(({ street, city, postalCode }) => [street, city, postalCode]),
    ...emails.flatMap((each) => [each, mailboxOf(each)]),
    reference,
  ];
  return terms.filter((term) => term != null);
}

function reversed(name: string): string {
  return name.split(/\s+/).toReversed().join(' ');
}

function mailboxOf(email: string): string {
  const mailbox = email.includes('@') ? email.slice(0, email.lastIndexOf('@')) : '';
  return mailbox.length >= MIN_MAILBOX_LENGTH ? mailbox : '';
}

/** Whether a text names a payer by one of the terms, in any spelling. */
export async function namesAny(db: Db, text: string, terms: readonly string[]): Promise<boolean> {
  return (await readValue<boolean>(db, 'select names_any($1, $2)', [text, terms])) === true;
}

/**
 * Erases every text that an operator or another system wrote about these subscriptions and payments, regardless of its content.
 * Texts about anything else, and metadata, are erased only if they name the payer.
 */
export async function eraseWords(db: Db, subjects: PayerSubjects, terms: readonly string[]): Promise<void> {
  const jobIds = await eraseJobs(db, subjects);
  await eraseEntries(db, subjects, jobIds);
  await eraseNotices(db, subjects);
  await eraseItems(db, subjects);
  await eraseSends(db, subjects);
  await eraseOwnRows(db, subjects);
  await eraseMetadata(db, subjects, terms);
  await eraseNamed(db, terms);
}

/** Condition on the subjects, with {@link parametersOf} as the first three parameters. */
const OF_SUBJECTS = '(subscription_id = any ($2) or payment_id = any ($3))';

function parametersOf({ subscriptionIds, paymentIds, mandateIds }: PayerSubjects) {
  return [REASON_CODES, subscriptionIds, [...paymentIds, ...mandateIds]];
}

/**
 * Removes dry runs, whose parameters may contain anything, and erases the texts of ended jobs. A running job prevents the erasure
 * of its subscriptions.
 * @returns jobs with a call for one of the subscriptions
 */
async function eraseJobs(db: Db, { subscriptionIds }: PayerSubjects): Promise<readonly string[]> {
  const OF_JOBS = 'job_id in (select job_id from job_items where subscription_id = any ($1))';
  await db.query(`delete from jobs where state = 'proposed' and ${OF_JOBS}`, [subscriptionIds]);
  const jobs = await readRecords<{ readonly jobId: string }>(
    db,
    `update jobs set work = jsonb_set(work, '{parameters}', erase_words(work -> 'parameters', $2))
     where ${OF_JOBS} returning job_id`,
    [subscriptionIds, REASON_CODES],
  );
  await db.query(
    `update job_items set problem = jsonb_set(problem, '{detail}', to_jsonb(erased_text()))
     where subscription_id = any ($1) and problem ? 'detail'`,
    [subscriptionIds],
  );
  return jobs.map(({ jobId }) => jobId);
}

/** Erases the texts of audit entries about the subjects, and about the jobs with a call for one of them. */
async function eraseEntries(db: Db, subjects: PayerSubjects, jobIds: readonly string[]): Promise<void> {
  const IS_CHANGED = 'data is distinct from erase_words(data, $1)';
  const parameters = parametersOf(subjects);
  await db.query(`update events set data = erase_words(data, $1) where ${OF_SUBJECTS} and ${IS_CHANGED}`, parameters);
  await db.query(
    `update events set data = erase_words(data, $1)
     where subscription_id is null and payment_id is null
       and (data ->> 'jobId' = any ($2) or data #>> '{facts,jobId}' = any ($2)) and ${IS_CHANGED}`,
    [REASON_CODES, jobIds],
  );
}

async function eraseNotices(db: Db, subjects: PayerSubjects): Promise<void> {
  await db.query(
    `update notices set data = erase_words(data, $1),
       evidence = case jsonb_typeof(evidence) when 'object' then erase_words(evidence, $1) else evidence end
     where ${OF_SUBJECTS}`,
    parametersOf(subjects),
  );
}

async function eraseItems(db: Db, subjects: PayerSubjects): Promise<void> {
  const withoutDetail = (side: string) =>
    `case when ${side} ? 'detail' then ${side} || jsonb_build_object('detail', erased_text()) else ${side} end`;
  await db.query(
    `update attention_items set
       assignee = case when assignee is not null then erased_text() end,
       note = case when note is not null then erased_text() end,
       close_reason = case when close_reason is not null and close_reason <> all ($1) then erased_text() else close_reason end,
       ledger = ${withoutDetail('ledger')}, service = ${withoutDetail('service')}
     where ${OF_SUBJECTS}`,
    parametersOf(subjects),
  );
  await db.query(
    `update reconciliation_differences set reason = erased_text()
     where ${OF_SUBJECTS} and reason is not null and reason <> all ($1)`,
    parametersOf(subjects),
  );
}

const SENT_TEXTS = ['description', 'reason', 'accepted_answer'];

/** Assignments that erase text columns, except for the codes `$1`, and a condition on the rows that contain such text. */
function erasing(columns: readonly string[]): string {
  const isErased = (column: string) => `(${column} <> all ($1) and not is_removed_text(${column}))`;
  const set = columns.map((each) => `${each} = case when ${isErased(each)} then erased_text() else ${each} end`);
  return `set ${set.join(', ')} where (${columns.map(isErased).join(' or ')})`;
}

/** Erases what operators, banks and the payment service wrote about sends. Codes are kept. */
async function eraseSends(db: Db, subjects: PayerSubjects): Promise<void> {
  const { subscriptionIds } = subjects;
  const [codes, , paymentIds] = parametersOf(subjects);
  await db.query(`update attempts ${erasing([...SENT_TEXTS, 'evidence'])} and subscription_id = any ($2)`, [
    codes,
    subscriptionIds,
  ]);
  await db.query(`update order_sends ${erasing(SENT_TEXTS)} and payment_id = any ($2)`, [codes, paymentIds]);
  await db.query('update orders set reason = erased_text() where payment_id = any ($1) and reason is not null', [
    paymentIds,
  ]);
  await db.query(
    `delete from back_offs where split_part(key, '/', 1) = any ($1)
       or key in (select order_id from orders where payment_id = any ($2))`,
    [subscriptionIds, paymentIds],
  );
}

async function eraseOwnRows(db: Db, { subscriptionIds, paymentIds }: PayerSubjects): Promise<void> {
  const consent = `consent_reason = case when consent_reason <> all ($1) then erased_text() else consent_reason end`;
  await db.query(
    `update subscriptions set ${consent}, draft_answer = null,
       cancellation = case when cancellation is not null then erase_words(cancellation, $1) end
     where subscription_id = any ($2)`,
    [REASON_CODES, subscriptionIds],
  );
  await db.query(
    `update payments set ${consent}, draft_answer = null,
       authorization_description = case when authorization_description is not null then erased_text() end
     where payment_id = any ($2)`,
    [REASON_CODES, paymentIds],
  );
}

/**
 * Erases the values of metadata that name the payer; all others, such as the merchant's own ids, remain. In the audit
 * entry of a change, all pairs before it are erased together if one of them names the payer, and so are all pairs after
 * it.
 */
async function eraseMetadata(
  db: Db,
  { subscriptionIds, paymentIds }: PayerSubjects,
  terms: readonly string[],
): Promise<void> {
  for (const [table, id, ids] of [
    ['subscriptions', 'subscription_id', subscriptionIds],
    ['payments', 'payment_id', paymentIds],
  ] as const)
    await db.query(
      `update ${table} set metadata = erase_named(metadata, $1)
       where ${id} = any ($2) and metadata is distinct from erase_named(metadata, $1)`,
      [terms, ids],
    );
  await db.query(
    `update events set data = data || named.erased
     from (
       select id, jsonb_object_agg(field, erased_text()) as erased from events, jsonb_each(data) as f (field, said)
       where ${OF_SUBJECTS} and type = 'metadata.changed' and jsonb_typeof(said) = 'object'
         and said <> erase_named(said, $1)
       group by id
     ) named
     where events.id = named.id`,
    [terms, subscriptionIds, paymentIds],
  );
}

/**
 * Erases texts that concern no subscription or payment, if they name this payer. Entries about sessions, of which there are many,
 * are skipped: they contain only codes.
 */
async function eraseNamed(db: Db, terms: readonly string[]): Promise<void> {
  const named = await readValues<number>(
    db,
    `select id from events
     where subscription_id is null and payment_id is null and type not like 'session.%' and exists (
       select from jsonb_each(data) as f (field, said) where holds_words(field, said) and names_any(said #>> '{}', $1)
     )`,
    [terms],
  );
  await db.query(
    `update events set data = data || (
       select erase_named(jsonb_object_agg(field, said), $1)
       from jsonb_each(data) as f (field, said) where holds_words(field, said)
     ) where id = any ($2)`,
    [terms, named],
  );
  await db.query(
    `update attention_items set
       assignee = case when names_any(assignee, $1) then erased_text() else assignee end,
       note = case when names_any(note, $1) then erased_text() else note end,
       close_reason = case when names_any(close_reason, $1) then erased_text() else close_reason end
     where subscription_id is null and payment_id is null
       and (names_any(assignee, $1) or names_any(note, $1) or names_any(close_reason, $1))`,
    [terms],
  );
  await db.query('update halt set reason = erased_text() where names_any(reason, $1)', [terms]);
  await db.query('update holds set reason = erased_text() where names_any(reason, $1)', [terms]);
  await db.query('update webhook_endpoints set description = erased_text() where names_any(description, $1)', [terms]);
  // Responses about another subscription or payment belong to that subject.
  await db.query(
    `delete from idempotency_keys
     where method_path !~ ' /v1/(subscriptions|payments)(/|$)' and names_any(body::text, $1)`,
    [terms],
  );
  await eraseSearches(db, terms);
}

/**
 * Erases filters that name the payer. A job and a hold use what their filter has found; a dry run would need its filter again,
 * and is deleted.
 */
async function eraseSearches(db: Db, terms: readonly string[]): Promise<void> {
  await db.query(
    `delete from jobs where state = 'proposed'
       and (names_any(work #>> '{filter,q}', $1) or names_any(work #>> '{filter,metadata}', $1))`,
    [terms],
  );
  await db.query(
    `update jobs set work = jsonb_set(work, '{filter,q}', to_jsonb(erased_text()))
     where names_any(work #>> '{filter,q}', $1)`,
    [terms],
  );
  await db.query(
    `update jobs set work = jsonb_set(work, '{filter,metadata}', erase_named(work #> '{filter,metadata}', $1))
     where names_any(work #>> '{filter,metadata}', $1)`,
    [terms],
  );
  await db.query(
    `update holds set filter = jsonb_set(filter, '{q}', to_jsonb(erased_text())) where names_any(filter ->> 'q', $1)`,
    [terms],
  );
  await db.query(
    `update holds set filter = jsonb_set(filter, '{metadata}', erase_named(filter -> 'metadata', $1))
     where filter ? 'metadata' and names_any(filter ->> 'metadata', $1)`,
    [terms],
  );
}
