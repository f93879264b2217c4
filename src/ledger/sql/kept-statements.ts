import type { ClientBase } from 'pg';
import { faultOf } from '../../platform/tracing';
import { ask, type Query } from './traced-pool';

/**
 * The program has about three hundred statement texts. Beyond this limit statements are not prepared, as their texts would not
 * recur.
 */
const MAX_STATEMENTS = 1000;

/**
 * feature_not_supported: a migration has changed what a prepared statement returns, and its connection cannot run it any more.
 */
const OUTDATED = '0A000';

/** Names of prepared statements by text, the same on every connection of the process. */
const names = new Map<string, string>();
let named = 0;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_STATEMENTS) return known;
  named += 1;
  const name = `dueday_${named}`;
  names.set(text, name);
  return name;
}

/**
 * Prepares each statement of the connection that takes values, so that PostgreSQL parses it once and plans it a few times:
 * parsing and planning every time cost more than the work itself.
 */
export function keepStatements(client: ClientBase): void {
  const query = client.query.bind(client) as Query;
  client.query = ((...args: readonly unknown[]) => {
    const [text, values, ...answered] = args;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return query(...args);
    const name = nameOf(text);
    if (name === undefined) return query(...args);
    return ask(query, [{ name, text, values }, ...answered], (error) => {
      // The next caller prepares it again, under another name.
      if (faultOf(error) === OUTDATED) names.delete(text);
    });
  }) as ClientBase['query'];
}
