import { type Db, instantToColumn, readValue } from '../sql/statements';

/** What the POSTs of the whole installation, debits and orders alike, show about the service (rule 39). */

/** After this many POSTs in a row without a readable answer, only a few more go out. */
const UNANSWERED = 5;

/** POSTs that were sent and have ended: with a readable answer, or with an unknown outcome. */
const HAS_ENDED = `(unknown_since_real is not null or state not in ('sending', 'not_sent'))`;

/**
 * Rows that record a POST that dueday sent: neither another system's debit nor a finding of an operator about something that was
 * not sent.
 */
const OF_ATTEMPTS = `attempts where not adopted and (resolved_by is null or unknown_since_real is not null)`;
const OF_ORDERS = `order_sends where posted`;

/** SQL condition: the last POSTs all ended with an unknown outcome. */
export const IS_UNANSWERED = `(
  select count(*) = ${UNANSWERED} and bool_and(unknown_since_real is not null) from (
    select unknown_since_real from (
      (select sending_real_at, unknown_since_real from ${OF_ATTEMPTS} and ${HAS_ENDED}
       order by sending_real_at desc limit ${UNANSWERED})
      union all
      (select sending_real_at, unknown_since_real from ${OF_ORDERS} and ${HAS_ENDED}
       order by sending_real_at desc limit ${UNANSWERED})
    ) as posts order by sending_real_at desc limit ${UNANSWERED}
  ) as last
)`;

/** Whether a POST sent after this real time got a readable answer. */
export async function isAnsweredSince(db: Db, realAt: number): Promise<boolean> {
  const answered = `and sending_real_at > $1 and unknown_since_real is null and state not in ('sending', 'not_sent')`;
  const isAnswered = await readValue<boolean>(
    db,
    `select exists (select from ${OF_ATTEMPTS} ${answered}) or exists (select from ${OF_ORDERS} ${answered})`,
    [instantToColumn(realAt)],
  );
  return isAnswered === true;
}

/** The lock for probes, one POST at a time: "dued" in ASCII, and a number of its own. */
const PROBES = '1685415268, 4';

/**
 * Real ms until the next probe may be sent; 0 if one may be sent now, or none is needed. Other probes wait until this transaction
 * ends.
 */
export async function untilProbe(
  db: Db,
  { realAt, probeInterval }: { readonly realAt: number; readonly probeInterval?: number | undefined },
): Promise<number> {
  if (probeInterval === undefined) return 0;
  const last = await lastPostReal(db);
  const passed = last === null ? Infinity : realAt - last;
  // Negative if the clock was set back since: that must not cost the due date.
  return passed < 0 ? 0 : Math.max(0, probeInterval - passed);
}

/**
 * Real time of the last POST, for a transaction that is about to send a probe; null if there was none. Other probes wait until
 * this transaction ends.
 */
async function lastPostReal(db: Db): Promise<number | null> {
  await db.query(`select pg_advisory_xact_lock(${PROBES})`);
  return readValue<number>(
    db,
    `select greatest(
       (select max(sending_real_at) from ${OF_ATTEMPTS} and (unknown_since_real is not null or state <> 'not_sent')),
       (select max(sending_real_at) from ${OF_ORDERS} and (unknown_since_real is not null or state <> 'not_sent'))
     )`,
  );
}
