import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AdminDeps, limitsOf, type TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/authentication';
import { Problem, FAULT_ANSWERS } from '../http/problems';
import { bodyIsLate } from '../http/protection';
import { refuseUnreleased } from '../subscriptions/rules';
import { type Import, LineJudge, WorkerWatch } from './import-line';
import { inOrder, readRawLines } from './lines';
import { ImportAnswer, ImportLine } from './schema';

const NDJSON = 'application/x-ndjson';

/** Lines under way at once. More would not be quicker: the workers' own pace bounds them. */
const WIDTH = 16;

/** A client may wait for the answer to one line before it sends the next: its pauses are longer than a JSON body's. */
const PAUSES = 4;

/**
 * `POST /subscriptions/import`: lines in, answers out, neither kept. In a scope of its own, which reads every body as
 * a stream, regardless of its content type.
 */
export function importRoute(app: TypedApp, deps: AdminDeps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const judge = new LineJudge(deps);
    const { bodyTimeoutMs } = limitsOf(deps);
    const closing = new AbortController();
    scope.addHook('preClose', async () => closing.abort());
    // The answer is a stream, which no schema describes as a whole.
    (scope as unknown as FastifyInstance).post(
      '/subscriptions/import',
      {
        config: { role: 'admin', scope: 'imports', streamed: true },
        // Nothing is kept of a file of any length; repeating it adds nothing anyway.
        onRequest: async ({ headers }) => {
          delete headers['idempotency-key'];
        },
        bodyLimit: Number.MAX_SAFE_INTEGER,
        // Each line is judged alone, by the same schema.
        validatorCompiler: () => () => true,
        schema: {
          tags: ['subscriptions'],
          operationId: 'importSubscriptions',
          summary: 'Takes over mandates granted elsewhere: one a line, answered one a line, in order',
          consumes: [NDJSON],
          body: ImportLine,
          response: {
            200: { description: 'One line each', content: { [NDJSON]: { schema: ImportAnswer } } },
            ...FAULT_ANSWERS,
          },
        },
      },
      async (request, reply) => {
        refuseUnreleased(deps.policy);
        await refuseWithoutWorker(deps);
        const workers = new WorkerWatch(deps.subscriptions);
        const by = { ...actorOfCaller(callerOf(request)), log: request.log, workers };
        const answers = answerLines(bodyOf(request, reply, closing.signal, PAUSES * bodyTimeoutMs), judge, by);
        return reply.type(NDJSON).send(Readable.from(answers));
      },
    );
  });
}

/** One answer for the whole file: without a worker each line would wait for one as long as it may. */
async function refuseWithoutWorker({ subscriptions }: AdminDeps): Promise<void> {
  if (await subscriptions.hasWorker()) return;
  throw new Problem('not_ready', 'No worker is there, or Temporal cannot be reached: nothing of the file was taken.');
}

/**
 * The body apart from its connection. Destroyed where the client goes away with the body half sent, so that half a line
 * is no line, or sends nothing for so long; and where this program stops, which leaves the connection for the answers
 * that are under way.
 */
function bodyOf({ raw }: FastifyRequest, reply: FastifyReply, closing: AbortSignal, patienceMs: number): PassThrough {
  const body = new PassThrough({ signal: closing });
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('the client went away'));
  });
  raw.pipe(body);
  destroyWhenIdle(raw, body, patienceMs);
  // Left open, the connection would wait for a body of which nothing more is read.
  body.once('error', () => reply.raw.once('finish', () => raw.socket.end()));
  return body;
}

/** While lines are worked on the body is paused: only silence of the client counts. */
function destroyWhenIdle(raw: IncomingMessage, body: PassThrough, patienceMs: number): void {
  const late = setTimeout(() => {
    if (raw.isPaused()) late.refresh();
    else body.destroy(bodyIsLate(patienceMs));
  }, patienceMs);
  const goOn = () => late.refresh();
  raw.on('data', goOn).on('resume', goOn);
  body.once('close', () => clearTimeout(late));
  raw.once('end', () => clearTimeout(late));
}

async function* answerLines(body: Readable, judge: LineJudge, by: Import): AsyncGenerator<string> {
  let [lines, problems] = [0, 0];
  try {
    for await (const answer of inOrder(readRawLines(body), WIDTH, (raw) => judge.judge(raw, by))) {
      lines += 1;
      if ('problem' in answer) problems += 1;
      yield `${JSON.stringify(answer)}\n`;
    }
  } finally {
    body.destroy();
    by.log.info({ lines, problems, actor: by.actor }, 'import ended');
  }
}
