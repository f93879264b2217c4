import { fork } from 'node:child_process';
import { join } from 'node:path';

/** One request to the payment service, as it arrived; epoch ms of real time, see {@link realNow}. */
export interface Arrival {
  readonly at: number;
  readonly method: string;
  readonly path: string;
}

export interface Meter {
  /** The URL of the payment service through the meter. */
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  stop(): void;
}

const TYPESCRIPT = join(__dirname, '..', 'support', 'typescript.cjs');

/** Counts what arrives at a payment service, in a process that does nothing else. */
export async function startMeter(serviceUrl: string): Promise<Meter> {
  const child = fork(join(__dirname, 'meter-process.ts'), [serviceUrl], { execArgv: ['-r', TYPESCRIPT] });
  const arrivals: Arrival[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (said: Arrival | { readonly port: number }) => {
      if ('port' in said) resolve(said.port);
      else arrivals.push(said);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the meter ended with ${String(code)}`)));
  });
  return { url: `http://127.0.0.1:${port}`, arrivals, stop: () => void child.kill() };
}

/** Epoch ms of real time, finer than a millisecond. */
export function realNow(): number {
  return performance.timeOrigin + performance.now();
}
