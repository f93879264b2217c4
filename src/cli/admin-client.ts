import { randomUUID } from 'node:crypto';
import { CommandError } from './command-error';

/** The admin API as a command uses it: over HTTP, with a key. */
export interface AdminClient {
  get<T>(path: string): Promise<T>;
  /** Each call is an order of its own: it carries a new idempotency key. */
  post<T>(path: string, body?: unknown): Promise<T>;
}

/** @throws CommandError with the problem's own words where the API refuses. */
export function createAdminClient(url: string, key: string): AdminClient {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(method === 'POST' ? { 'content-type': 'application/json', 'idempotency-key': randomUUID() } : {}),
      },
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new CommandError(`${method} ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as T;
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
  };
}
