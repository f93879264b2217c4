import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { inTraceOf, startTracing } from '../../src/platform/tracing';
import { waitUntil } from '../support/wait-until';
import { openOtlpReceiver } from './otlp-receiver';

/** A collector that is unavailable, becomes available again, or never answers. */

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reason?: string;
}

const WARN = 40;
/** A refused batch is exported again after 800 ms at the earliest, and not at all if its time limit has passed by then. */
const QUICK = { OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_EXPORTER_OTLP_TIMEOUT: '700' };
const before = { ...process.env };
beforeEach(() => void Object.assign(process.env, QUICK));
afterEach(() => {
  for (const name of [...Object.keys(QUICK), 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG']) {
    if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before[name];
  }
});

async function tracingTo(endpoint: string) {
  const lines: Line[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  const tracing = await startTracing({ endpoint, role: 'worker', version: '0', instance: 'the test', log });
  return { lines, tracing };
}

const work = () => inTraceOf({ subscriptionId: 'gym', cycle: 0 }, 'work', async () => 'done');

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('an unavailable collector is logged once, not for each batch, and once more when it is back', async () => {
  const port = await unusedPort();
  const { lines, tracing } = await tracingTo(`http://127.0.0.1:${port}`);
  const lost = () => lines.filter(({ level, msg }) => level < WARN && msg.includes('ECONNREFUSED')).length;
  for (const batches of [1, 2, 3]) {
    expect(await work()).toBe('done');
    await waitUntil('a batch is lost', () => lost() >= batches);
  }
  const told = () => lines.filter(({ msg }) => /not delivered|delivered again/.test(msg));
  expect(told()).toMatchObject([{ level: WARN, reason: 'ECONNREFUSED' }]);
  const receiver = await openOtlpReceiver(port);
  await work();
  await waitUntil('it is said that traces arrive', () => told().length === 2);
  expect(told()[1]?.msg).toBe('traces are delivered again');
  expect(receiver.spans().map(({ name }) => name)).toContain('work');
  await tracing.stop();
  await receiver.close();
});

test('a collector that never answers blocks neither the work nor the end of the process', async () => {
  const held: ServerResponse[] = [];
  const silent = createHttpServer((_incoming, outgoing) => void held.push(outgoing)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '60000';
  const { lines, tracing } = await tracingTo(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  expect(await work()).toBe('done');
  await waitUntil('a batch is there', () => held.length === 1);
  await tracing.stop();
  // The export was not answered, and nothing waits for it any more.
  expect(held[0]?.writableEnded).toBe(false);
  expect(lines.filter(({ level }) => level === WARN)).toEqual([]);
  held[0]?.writeHead(200, { connection: 'close' }).end('{}');
  silent.close();
  await once(silent, 'close');
});

test('an invalid sampler is reported with its name, its value and what is used instead', async () => {
  process.env['OTEL_TRACES_SAMPLER'] = 'sometimes';
  const { lines, tracing } = await tracingTo('http://127.0.0.1:1');
  expect(lines.filter(({ level }) => level === WARN).map(({ msg }) => msg)).toEqual([
    'OTEL_TRACES_SAMPLER value "sometimes" invalid, defaulting to "parentbased_always_on".',
  ]);
  await tracing.stop();
});

test('if only a share of traces is collected, every process collects the same ones, by their ids', async () => {
  Object.assign(process.env, { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' });
  process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '60000';
  const sampled = async () => {
    const receiver = await openOtlpReceiver();
    const { tracing } = await tracingTo(receiver.url);
    for (let cycle = 0; cycle < 40; cycle += 1)
      await inTraceOf({ subscriptionId: 'gym', cycle }, 'work', async () => undefined);
    await tracing.stop();
    await receiver.close();
    return receiver.spans().map(({ attributes }) => attributes['dueday.cycle']);
  };
  const [one, other] = [await sampled(), await sampled()];
  expect(one).toEqual(other);
  expect(one.length).toBeGreaterThan(5);
  expect(one.length).toBeLessThan(35);
});
