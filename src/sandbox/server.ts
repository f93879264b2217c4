import type { FastifyInstance } from 'fastify';
import { buildApp } from './app';
import { type Control, createControl } from './control';
import { createFaultQueue, type FaultQueue } from './faults/faults';
import { createMerchants } from './merchants/merchants';
import { applyContradictions } from './faults/applied-contradictions';
import { type SandboxOptions, withDefaults } from './options';
import { createPaymentStore } from './payments/store';
import { createRefusalLog } from './refusal-log';
import type { Service } from './service';
import { bringUpToDate } from './bank/settlement';
import { createTokens, TOKEN_LIFE } from './merchants/tokens';

/** A payment service in one process, with all state in memory. */
export interface Sandbox extends Control {
  readonly app: FastifyInstance;
  readonly faults: FaultQueue;
  /** Port 0 takes a free one. */
  listen(port: number, host?: string): Promise<{ readonly url: string; readonly port: number }>;
  /** Ends open connections and all delays of faults. */
  close(): Promise<void>;
  payer(paymentId: string): ReturnType<typeof payerOf>;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const settings = withDefaults(options);
  const { clock, logger } = options;
  let publicUrl = options.publicUrl?.replace(/\/+$/, '') ?? null;
  const faults = createFaultQueue();
  for (const order of settings.contradictions) faults.contradict(order);
  const service: Service = {
    settings,
    clock,
    log: logger,
    merchants: createMerchants(settings),
    tokens: createTokens(() => clock.realNow(), settings.brokenRules.has('token-life') ? Infinity : TOKEN_LIFE),
    payments: createPaymentStore((payment) => bringUpToDate(service, payment)),
    faults,
    contradictions: applyContradictions(faults),
    refusals: createRefusalLog(),
    publicUrl: () => publicUrl ?? 'http://127.0.0.1',
  };
  const control = createControl(service);
  const closing = new AbortController();
  const app = buildApp(service, control, closing.signal);
  return {
    ...control,
    app,
    faults: service.faults,
    listen: async (port, host = '127.0.0.1') => {
      await app.listen({ port, host });
      const address = app.server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      const url = `http://${reachableHost(host)}:${bound}`;
      publicUrl ??= url;
      logger.info({ url }, 'the sandbox payment service listens');
      return { url, port: bound };
    },
    close: async () => {
      closing.abort();
      await app.close();
    },
    payer: (paymentId) => payerOf(control, paymentId),
  };
}

/** The wildcard address cannot be called, so the loopback address replaces it. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** The simulated payer of one payment. Each action throws a Refusal if the state of the consent does not allow it. */
function payerOf(control: Control, paymentId: string) {
  return {
    /** @param wallet is chosen first if given, such as `insufficient-funds-once` */
    approve: (wallet?: string) => {
      if (wallet !== undefined) control.setWallet(paymentId, wallet);
      control.act(paymentId, 'approve');
    },
    decline: () => void control.act(paymentId, 'decline'),
    abort: () => void control.act(paymentId, 'abort'),
    /** Withdraws a granted consent at the payer's bank. */
    cancel: () => void control.act(paymentId, 'cancel'),
  };
}
