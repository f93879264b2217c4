import { performance } from 'node:perf_hooks';
import { Webhook } from 'standardwebhooks';
import { type Agent, type Dispatcher, request } from 'undici';
import type { Clock } from '../platform/clock';
import { SECOND } from '../domain/time';
import { ANY_ADDRESS, type AddressCheck, createCheckedAgent } from './address';
import { readRetryAfter, type TryOutcome } from './verdict';

export interface Post {
  readonly url: string;
  /** `whsec_…`; two during a rotation. */
  readonly secrets: readonly string[];
  /** `webhook-id`. */
  readonly id: string;
  readonly body: string;
  /** Whether the URL is from the configuration, not chosen by a caller, and may be at any address. */
  readonly isOwn?: boolean;
}

export interface PostResult extends TryOutcome {
  /** Real ms. */
  readonly ms: number;
  /** A code without a message; null if there was a response. */
  readonly error: string | null;
  /** The beginning of the response body, as text. */
  readonly answer: string | null;
}

/** Sends all signed posts: events to endpoints, and notices. */
export interface WebhookSender {
  /** Signs and posts once. Never rejects. */
  post(post: Post): Promise<PostResult>;
  close(): Promise<void>;
}

/** Maximum number of bytes read of a response body. */
const ANSWER_BYTES = 2_048;

/** Standard Webhooks 1.0. Redirects are not followed, and proxies from the environment are not used. */
export function createWebhookSender(check: AddressCheck, clock: Clock, timeoutMs = 15 * SECOND): WebhookSender {
  const checked = createCheckedAgent(check, timeoutMs);
  // A new connection for each post: reusing one that the receiver is closing would cost a back-off.
  const own = createCheckedAgent(ANY_ADDRESS, timeoutMs, 0);
  return {
    post: async (post) => {
      const startedAt = performance.now();
      const timed = () => ({ ms: performance.now() - startedAt });
      try {
        const agent = post.isOwn === true ? own : checked;
        const { statusCode: status, headers, body } = await send(agent, clock, post, timeoutMs);
        const answer = await beginningOf(body);
        const retryAfter = readRetryAfter(headers['retry-after']?.toString(), clock.realNow());
        return { status, retryAfter, answer, error: null, ...timed() };
      } catch (error) {
        return { status: null, retryAfter: null, answer: null, error: codeOf(error), ...timed() };
      }
    },
    close: async () => {
      await Promise.all([checked.close(), own.close()]);
    },
  };
}

function send(agent: Agent, clock: Clock, { url, secrets, id, body }: Post, timeoutMs: number) {
  const at = clock.realNow();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / SECOND)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body)).join(' '),
  };
  return request(url, { method: 'POST', headers, body, dispatcher: agent, signal: AbortSignal.timeout(timeoutMs) });
}

/** Reads no more than the beginning of a body. If it breaks off, returns what was received. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  body.on('error', () => undefined);
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length >= ANSWER_BYTES) break;
    }
  } catch {
    // The status has arrived, and only it counts.
  }
  body.destroy();
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8');
}

/** @throws Error if the secret is invalid; the message does not contain it */
export function requireSecret(secret: string): void {
  try {
    new Webhook(secret);
  } catch {
    throw new Error('a webhook secret must be whsec_ followed by base64');
  }
}

/** The code of an error, else its name: messages of network errors contain hosts, addresses and text of the peer (rule 28). */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no code';
  if (error.name === 'TimeoutError') return 'TIMEOUT';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
