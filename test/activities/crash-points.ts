import type { Pool } from '../../src/ledger';

/** Something that happens around one statement of a transaction. */
export interface StatementHook {
  readonly matches: RegExp;
  readonly before?: () => Promise<void> | void;
  readonly after?: () => Promise<void> | void;
}

/**
 * The ledger's pool with a hook around the first statement that matches. A hook for `begin` or `commit` also runs around a
 * statement that writes a step of a collection as a transaction of its own.
 * @param within the hook runs only once a statement of the same transaction has matched this
 */
export function hookedPool(pool: Pool, hook: StatementHook, within: RegExp = /./): Pool {
  let armed = true;
  const around = async <T>(isHit: boolean, run: () => Promise<T>): Promise<T> => {
    const hit = armed && isHit;
    if (hit) armed = false;
    if (hit) await hook.before?.();
    const result = await run();
    if (hit) await hook.after?.();
    return result;
  };
  const isOfTransaction = [BEGIN, COMMIT].some((each) => hook.matches.test(each));
  const isHitOf = (shown: string) => hook.matches.test(shown) || (isOfTransaction && ONE_STEP.test(shown));
  const connect = async () => {
    const client = await pool.connect();
    let seen = false;
    const query = (text: string, values?: unknown[]) => {
      const shown = shownOf(text, values);
      seen ||= within.test(shown);
      return around(seen && (isTogether(text) ? isHitOf(shown) : hook.matches.test(shown)), () =>
        client.query(text, values),
      );
    };
    return proxyOf(client, { query });
  };
  const query = (text: string, values?: unknown[]) =>
    around(isHitOf(text) && within.test(text), () => pool.query(text, values));
  return proxyOf(pool, { connect, query });
}

/** A pool that always reports a query that waits for a connection, so that waiting steps of collections are written together. */
export function busyPool(pool: Pool): Pool {
  return proxyOf(pool, { waitingCount: 1 });
}

const isTogether = (text: string) => text.includes('write_steps(');

/** The text of a statement; for a message of several steps, with the calls that it makes. */
function shownOf(text: string, values: unknown[] = []): string {
  if (!isTogether(text)) return text;
  const steps = JSON.parse(String(values[0])) as { name: string }[];
  return steps.map(({ name }) => `${name}()`).join(', ');
}

const COMMIT = 'commit';
const BEGIN = 'begin isolation level read committed; select pg_advisory_xact_lock_shared(1, 1)';
/** Functions that write one step of a collection, as a transaction of their own. */
const ONE_STEP = /\b(?:begin_send|record_accepted|record_collected)\(/;

function proxyOf<T extends object>(target: T, changes: { readonly [name: string]: unknown }): T {
  return new Proxy(target, {
    get: (from, name) => {
      const changed = typeof name === 'string' ? changes[name] : undefined;
      if (changed !== undefined) return changed;
      const value: unknown = Reflect.get(from, name);
      return typeof value === 'function' ? (value.bind(from) as unknown) : value;
    },
  });
}

/** The calls that write the row of a debit's send, and its outcome. */
export const INSERTS_SEND = /\b(?:begin_send|write_send)\(/;
export const RECORDS_OUTCOME = /\b(?:settle_send|record_accepted|record_collected)\(/;

/** The statements that do the same for captures and refunds. */
export const INSERTS_ORDER_SEND = /insert into order_sends/;
export const RECORDS_ORDER_OUTCOME = /update order_sends set\s+state/;
