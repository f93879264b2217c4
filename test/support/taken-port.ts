import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino, type Logger } from 'pino';

export interface TakenPort {
  port: number;
  release: () => void;
}

/** A log whose first line about a free port makes another server take that port before the program that found it can bind it. */
export function logThatTakesThePortTold(): { log: Logger; occupied: Promise<TakenPort> } {
  const other = createServer();
  const occupied = new Promise<TakenPort>((resolve, reject) => {
    other.once('error', reject);
    other.once('listening', () => {
      const release = (): void => {
        other.close();
        other.closeAllConnections();
      };
      resolve({ port: (other.address() as AddressInfo).port, release });
    });
  });
  const write = (line: string): void => {
    const port = /listens on (\d+) instead/.exec((JSON.parse(line) as { msg: string }).msg)?.[1];
    if (port !== undefined && !other.listening) other.listen(Number(port), '127.0.0.1');
  };
  return { log: pino({ level: 'warn' }, { write }), occupied };
}
