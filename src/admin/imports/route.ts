import { PassThrough, Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/authentication';
import { Problem, FAULT_ANSWERS } from '../http/problems';
import { refuseUnreleased } from '../subscriptions/rules';
import { type Import, LineJudge, WorkerWatch, ImportAnswer, ImportLine } from './import-line';
import { inOrder, readRawLines } from './lines';

const NDJSON = 'application/x-ndjson';

/** Lines under way at once. More would not be quicker: the workers' own pace bounds them. */
const WIDTH = 16;

/**
 * `POST /subscriptions/import`: lines in, answers out, neither kept. In a scope of its own, whose bodies are streams
 * whatever their type is said to be.
 */
export function importRoute(app: TypedApp, deps: AdminDeps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const judge = new LineJudge(deps);
    const closing = new AbortController();
    scope.addHook('preClose', async () => closing.abort());
    // The answer is a stream, which no schema describes as a whole.
    (scope as unknown as FastifyInstance).post(
      '/subscriptions/import',
      {
        config: { role: 'admin' },
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
        const by = { actor: callerOf(request).name, log: request.log, workers };
        const answers = answerLines(bodyOf(request, closing.signal), judge, by);
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
 * is no line; and where this program stops, which leaves the connection for the answers that are under way.
 */
function bodyOf({ raw }: FastifyRequest, closing: AbortSignal): PassThrough {
  const body = new PassThrough({ signal: closing });
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('the client went away'));
  });
  return raw.pipe(body);
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
