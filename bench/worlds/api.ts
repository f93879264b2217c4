import { randomUUID } from 'node:crypto';
import { variablesOf } from './dueday';
import { type Program, startProgram } from './program';
import type { World } from './world';

/** The admin API over the world's ledger, in a separate process, and calls to it with an unrestricted key. */
export interface Api {
  readonly url: string;
  readonly key: string;
  readonly program: Program;
  /**
   * Sends a new Idempotency-Key with each call, and reads the whole answer.
   * @throws Error if the status is not an expected one
   */
  post(path: string, body: object, expected: readonly number[]): Promise<void>;
  /**
   * @returns ms until the whole answer is read
   * @throws Error if the status is not 200
   */
  get(path: string): Promise<number>;
}

/** @param env variables that complete or replace dueday's defaults */
export async function startApi(world: World, env: Readonly<Record<string, string>> = {}): Promise<Api> {
  const key = `bench-${randomUUID()}`;
  const variables = { ...variablesOf(world), ADMIN_PORT: '0', ADMIN_BOOTSTRAP_KEY: key, ...env };
  const program = startProgram('bin/dueday.js', ['api'], variables);
  const { url } = JSON.parse(await program.says('admin API on')) as { readonly url: string };
  const authorization = `Bearer ${key}`;
  return {
    url,
    key,
    program,
    async post(path, body, expected) {
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      await answer(await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }), expected);
    },
    async get(path) {
      const asked = performance.now();
      await answer(await fetch(`${url}${path}`, { headers: { authorization } }), [200]);
      return performance.now() - asked;
    },
  };
}

async function answer(response: Response, expected: readonly number[]): Promise<void> {
  const text = await response.text();
  if (expected.includes(response.status)) return;
  throw new Error(`${response.url} was answered with ${response.status}: ${text.slice(0, 500)}`);
}
