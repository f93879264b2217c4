import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { SECOND } from '../../src/domain/time';
import { ask } from './ask';
import type { Check } from '../support/campaign';
import { noneOf } from './check';
import type { Stage } from './stage';

const CONNECTIONS = 40;
/** Real ms between two bytes. */
const PAUSE = SECOND / 2;
/** Real ms after which a connection has to be closed: the longer of the two time limits, and one check a second. */
const CLOSED_WITHIN = 25 * SECOND;
/** Real ms in which others are answered meanwhile. */
const ANSWERED_WITHIN = 2 * SECOND;

/** Checks that connections whose requests come a byte at a time are closed, and that other callers are answered meanwhile. */
export async function checkTrickle({ url, keys }: Stage): Promise<readonly Check[]> {
  const head = `POST /v1/subscriptions HTTP/1.1\r\nHost: dueday\r\nAuthorization: Bearer ${keys.operator}\r\n`;
  const body = `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
  const port = Number(new URL(url).port);
  const trickles = Array.from({ length: CONNECTIONS }, (_, n) => trickle(port, n % 2 === 0 ? head : body));
  const waits: number[] = [];
  const watch = new AbortController();
  const watching = (async () => {
    while (!watch.signal.aborted) {
      const startedAt = performance.now();
      const { status } = await ask(url, { method: 'GET', path: '/v1/subscriptions?limit=1', key: keys.viewer });
      waits.push(status === 200 ? performance.now() - startedAt : Infinity);
    }
  })();
  const lasted = await Promise.all(trickles);
  watch.abort();
  await watching;
  const late = lasted.filter((ms) => ms > CLOSED_WITHIN);
  const slowest = Math.round(Math.max(...waits));
  const found = `the last after ${Math.round(Math.max(...lasted) / SECOND)} s`;
  return [
    noneOf(
      'trickle: headers and bodies a byte at a time are cut off',
      late.map((ms) => `${Math.round(ms)} ms`),
      found,
    ),
    {
      name: 'trickle: others are answered meanwhile',
      holds: waits.length > 0 && slowest <= ANSWERED_WITHIN,
      found: `${waits.length} answers, the slowest in ${slowest} ms`,
    },
  ];
}

/** Sends the beginning, then a byte now and then. @returns real ms until the server closed the connection */
async function trickle(port: number, beginning: string): Promise<number> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  const startedAt = performance.now();
  socket.write(beginning);
  const timer = setInterval(() => socket.write('x'), PAUSE);
  const tooLate = setTimeout(() => socket.destroy(), 2 * CLOSED_WITHIN);
  await once(socket, 'close');
  clearInterval(timer);
  clearTimeout(tooLate);
  return performance.now() - startedAt;
}
