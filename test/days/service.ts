import { fork } from 'node:child_process';
import { join } from 'node:path';

/** The requests that the service has received so far. */
export interface Asked {
  /** The number of payments whose consent was asked for, and the number of those calls. */
  readonly consents: number;
  readonly consentCalls: number;
  /** The number of payments whose authorizations were listed, and the number of those calls. */
  readonly payments: number;
  readonly paymentCalls: number;
  /** The most calls that were in progress at one moment. */
  readonly mostAtOnce: number;
  /** Requests that would change something. */
  readonly writes: number;
}

export interface SlowService {
  readonly url: string;
  /** The latest report of what was asked. */
  asked(): Asked;
  stop(): void;
}

const TYPESCRIPT = join(__dirname, '..', 'support', 'typescript.cjs');
const NOTHING: Asked = { consents: 0, consentCalls: 0, payments: 0, paymentCalls: 0, mostAtOnce: 0, writes: 0 };

/** @param planted the payment of which the service's record differs from the ledger */
export async function startSlowService(planted: string): Promise<SlowService> {
  const child = fork(join(__dirname, 'service-process.ts'), [planted], { execArgv: ['-r', TYPESCRIPT] });
  let latest = NOTHING;
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (said: Asked | { readonly port: number }) => {
      if ('port' in said) resolve(said.port);
      else latest = said;
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the service ended with ${String(code)}`)));
  });
  return { url: `http://127.0.0.1:${port}`, asked: () => latest, stop: () => void child.kill() };
}
