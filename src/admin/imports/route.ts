import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isActGuarded } from '../../domain/approvals';
import { MANDATES_PER_TRANSACTION } from '../../ledger';
import { approvalIdOf, askForApproval, findMark, mismatch, permit } from '../approvals/require';
import { type AdminDeps, limitsOf, type TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import { invalidRequest, Problem, ERROR_RESPONSES } from '../http/problems';
import { bodyTimedOut } from '../http/protection';
import { faultsOf } from '../http/validation';
import { refuseUnreleased } from '../subscriptions/rules';
import { inBatches, inOrder } from './batches';
import { readCsv } from './csv';
import { type Import, Importer } from './importer';
import { type Line, readNdjson } from './lines';
import { hashBodyInParts, onlyParts } from './parts';
import { ImportAnswer, ImportLine, ImportQuery } from './schema';

const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';

/** How the lines of each media type are read. */
const READERS: ReadonlyMap<string, (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Line, void, undefined>> = new Map([
  [NDJSON, readNdjson],
  [CSV, readCsv],
]);

/** Request and response in the API description: text that consists of lines. */
const IMPORTED = {
  [NDJSON]: { schema: z.string().meta({ contentMediaType: NDJSON, contentSchema: ImportLine }) },
  [CSV]: {
    schema: z.string().meta({
      contentMediaType: CSV,
      description:
        'RFC 4180 with a header row: the same fields, with dots for nested ones, such as billingAddress.city; an empty cell is an omitted field',
    }),
  },
};
const ANSWERED = z.string().meta({ contentMediaType: NDJSON, contentSchema: ImportAnswer });

/** While one batch is stored, the next is checked at the service. */
const BATCHES_AT_ONCE = 2;
/** Ms for which a batch waits for more lines: a client may wait for the answer to one line before it sends the next. */
const BATCHED_WITHIN = 10;

/** How many time-outs of a JSON body a pause may last: a client may wait for the answer to one line before it sends the next. */
const PAUSES = 4;

/**
 * `POST /subscriptions/import`: streams lines in and answers out, and stores neither. Registered in a separate scope that reads
 * every body as a stream, regardless of its content type.
 */
export function importRoute(app: TypedApp, deps: AdminDeps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const importer = new Importer(deps);
    const { bodyTimeoutMs } = limitsOf(deps);
    const closing = new AbortController();
    scope.addHook('preClose', async () => closing.abort());
    // The response is a stream that no schema describes as a whole.
    (scope as unknown as FastifyInstance).post(
      '/subscriptions/import',
      {
        config: { role: 'admin', scope: 'imports', streamed: true, approvable: true },
        // Responses of any length are not stored, and repeating an import adds nothing anyway.
        onRequest: async ({ headers }) => {
          delete headers['idempotency-key'];
        },
        bodyLimit: Number.MAX_SAFE_INTEGER,
        // Each line is validated separately, with the same schema.
        validatorCompiler: () => () => true,
        schema: {
          tags: ['subscriptions'],
          operationId: 'importSubscriptions',
          summary: 'Imports existing mandates: one per line, with one line in the response for each, in order',
          querystring: ImportQuery,
          body: { content: IMPORTED },
          response: {
            200: {
              description: 'One line of JSON for each line of the request, in order.',
              content: { [NDJSON]: { schema: ANSWERED } },
            },
            ...ERROR_RESPONSES,
          },
        },
      },
      async (request, reply) => {
        refuseUnreleased(deps.policy);
        const read = readerOf(request);
        const isDryRun = readIsDryRun(request);
        const by = { ...actorOfCaller(callerOf(request)), log: request.log, isDryRun };
        const body = bodyOf(request, reply, closing.signal, PAUSES * bodyTimeoutMs);
        const approved = isDryRun ? { body, chunks: body } : await approvedBody(deps, request, body);
        return reply.type(NDJSON).send(Readable.from(answerLines(approved, read, importer, by)));
      },
    );
  });
}

/** @throws Problem if the query is not valid */
function readIsDryRun({ query }: FastifyRequest): boolean {
  const parsed = ImportQuery.safeParse(query);
  if (parsed.success) return parsed.data.dryRun === 'true';
  throw invalidRequest(faultsOf(parsed.error, query));
}

/** A body without a media type is read as NDJSON. @throws Problem if it has another type */
function readerOf({ headers }: FastifyRequest) {
  const type = (headers['content-type'] ?? NDJSON).replace(/;.*/s, '').trim().toLowerCase();
  const reader = READERS.get(type);
  if (reader !== undefined) return reader;
  const expected = [...READERS.keys()].join(' or ');
  throw new Problem('unsupported_media_type', `Content-Type: expected ${expected}; got ${type}.`);
}

/**
 * The body, separate from its connection. It is destroyed if the client disconnects before the body is complete, so that half a
 * line is not read as a line; if the client sends nothing for `timeoutMs`; and if this program stops, which leaves the
 * connection open for the answers in progress.
 */
function bodyOf({ raw }: FastifyRequest, reply: FastifyReply, closing: AbortSignal, timeoutMs: number): PassThrough {
  const body = new PassThrough({ signal: closing });
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('the client disconnected'));
  });
  raw.pipe(body);
  destroyWhenIdle(raw, body, timeoutMs);
  // Otherwise the connection would stay open, waiting for a body that is no longer read.
  body.once('error', () => reply.raw.once('finish', () => raw.socket.end()));
  return body;
}

/** The body is paused while lines are processed: only silence of the client counts. */
function destroyWhenIdle(raw: IncomingMessage, body: PassThrough, timeoutMs: number): void {
  const timer = setTimeout(() => {
    if (raw.isPaused()) timer.refresh();
    else body.destroy(bodyTimedOut(timeoutMs));
  }, timeoutMs);
  const restart = () => timer.refresh();
  raw.on('data', restart).on('resume', restart);
  body.once('close', () => clearTimeout(timer));
  raw.once('end', () => clearTimeout(timer));
}

/** A body, and the part of it that may be imported. */
interface ApprovedBody {
  readonly body: PassThrough;
  /** The approved bytes of the body. */
  readonly chunks: AsyncIterable<Buffer>;
}

/**
 * A file that a second person must approve is read to its end and hashed; nothing is imported or stored. When it is sent again
 * with its approval, it is imported part by part, after verifying the hash of each.
 * @throws Problem if it is not approved, or its first part differs
 */
async function approvedBody(deps: AdminDeps, request: FastifyRequest, body: PassThrough): Promise<ApprovedBody> {
  if (!isActGuarded(deps.policy)) return { body, chunks: body };
  try {
    const approvalId = approvalIdOf(request);
    if (approvalId === null) {
      const { bytes, ...hashes } = await hashBodyInParts(body);
      throw await askForApproval(deps, request, { facts: { sha256: hashes.sha256, bytes } }, hashes);
    }
    const { partHashes } = await findMark(deps, request, approvalId);
    if (partHashes === null) throw mismatch();
    const parts = onlyParts(body, partHashes, mismatch);
    const first = await parts.next();
    await permit(deps, request, approvalId);
    return { body, chunks: first.done === true ? parts : beginningWith(first.value, parts) };
  } catch (error) {
    body.destroy(error as Error);
    throw error;
  }
}

async function* beginningWith<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

async function* answerLines(
  { body, chunks }: ApprovedBody,
  read: ReturnType<typeof readerOf>,
  importer: Importer,
  by: Import,
): AsyncGenerator<string> {
  let [lines, problems, last] = [0, 0, 0];
  try {
    const batches = inBatches(read(chunks), MANDATES_PER_TRANSACTION, BATCHED_WITHIN);
    for await (const answers of inOrder(batches, BATCHES_AT_ONCE, (batch) => importer.importBatch(batch, by))) {
      lines += answers.length;
      last = answers.at(-1)?.line ?? last;
      problems += answers.filter((answer) => 'problem' in answer).length;
      yield answers.map((answer) => `${JSON.stringify(answer)}\n`).join('');
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'approval_mismatch') throw error;
    // From here on the file differs. What came before was approved, and is imported.
    problems += 1;
    body.destroy(error);
    yield `${JSON.stringify({ line: last + 1, problem: error.body() })}\n`;
  } finally {
    body.destroy();
    by.log.info({ lines, problems, dryRun: by.isDryRun, actor: by.actor }, 'import ended');
  }
}
