import type { Pool } from '../../src/ledger';

/** Something that happens around one statement of a transaction. */
export interface StatementHook {
  readonly matches: RegExp;
  readonly before?: () => Promise<void> | void;
  readonly after?: () => Promise<void> | void;
}

/**
 * The ledger's pool with hooks on its transactions. A hook for `commit` counts only for a transaction that has seen
 * `within` before.
 */
export function hookedPool(pool: Pool, hook: StatementHook, within: RegExp = /./): Pool {
  let armed = true;
  const connect = async () => {
    const client = await pool.connect();
    let seen = false;
    const query = async (text: string, values?: unknown[]) => {
      seen ||= within.test(text);
      const hit = armed && seen && hook.matches.test(text);
      if (hit) armed = false;
      if (hit) await hook.before?.();
      const result = await client.query(text, values);
      if (hit) await hook.after?.();
      return result;
    };
    return proxyOf(client, { query });
  };
  return proxyOf(pool, { connect: connect });
}

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

export const INSERTS_SEND = /insert into attempts/;
export const RECORDS_OUTCOME = /update attempts set\s+state/;

/** The same of captures and refunds. */
export const INSERTS_ORDER_SEND = /insert into order_sends/;
export const RECORDS_ORDER_OUTCOME = /update order_sends set\s+state/;
