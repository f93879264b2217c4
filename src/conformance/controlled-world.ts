import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf, exchange, type Exchange, field, text } from './exchange';
import { Merchant, type ServiceAddress } from './merchant';
import { CannotBeTried } from './outcome';
import type { Bank, Trial, World } from './world';

const WALLETS: Readonly<Record<Bank, string>> = {
  pays: 'approves',
  'rejects once, retryable': 'insufficient-funds-once',
  'rejects always, retryable': 'insufficient-funds-always',
  'rejects for good': 'final-rejection',
};

const LANES = 8;
const REST_MS = 5;
/** Business ms: 30 real seconds on a test clock that runs four hours per second. */
const LEAD = 120 * 3_600_000;

/** Whether the service answers at `/_sandbox`: then it is dueday's own simulator, and can be controlled. */
export async function isControlled({ baseUrl, timeoutMs }: ServiceAddress): Promise<boolean> {
  try {
    const url = `${baseUrl}/_sandbox/rules`;
    const answer = await exchange({ method: 'GET', url, headers: { accept: 'application/json' } }, timeoutMs);
    return answer.answer.status === 200 && Array.isArray(field(bodyOf(answer), 'items'));
  } catch {
    // If the service cannot be reached here, no row can reach it, and each row reports that.
    return false;
  }
}

/** The simulator's control routes: they let the payer act and time pass, for the payments of this run alone. */
export function createControlledWorld(service: ServiceAddress): World {
  let plain: Promise<Merchant> | null = null;
  const instruct = async (path: string, body?: unknown): Promise<Exchange> => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const answer = await exchange(
      { method: 'POST', url: `${service.baseUrl}/_sandbox${path}`, headers, body: JSON.stringify(body ?? {}) },
      service.timeoutMs,
    );
    if (answer.answer.status < 300) return answer;
    const why = text(bodyOf(answer), 'description') ?? 'no description';
    throw new CannotBeTried(`the simulator's control answered ${answer.answer.status}: ${why}`);
  };
  const pathOf = ({ paymentId }: Trial): string => `/payments/${encodeURIComponent(paymentId)}`;
  return {
    name: "the simulator's own control routes",
    margin: 1,
    lead: LEAD,
    lanes: LANES,
    isSimulated: true,
    // Never the caller's own merchant: its settings must have no effect.
    merchant: async (terms) => {
      const asked = { ...terms, capturesAnyAmount: undefined };
      if (Object.values(asked).some((one) => one !== undefined)) return anotherMerchant(service, asked, instruct);
      plain ??= anotherMerchant(service, {}, instruct);
      return plain;
    },
    act: async (trial, action, bank) => {
      await instruct(`${pathOf(trial)}/payer`, { action, ...(action === 'approve' ? { wallet: WALLETS[bank] } : {}) });
    },
    now: async () => {
      const url = `${service.baseUrl}/_sandbox/clock`;
      const answer = await exchange({ method: 'GET', url, headers: {} }, service.timeoutMs);
      return Date.parse(text(bodyOf(answer), 'businessTime') ?? '');
    },
    until: async (trial, instant) => {
      await instruct(`${pathOf(trial)}/clock`, { businessTime: new Date(instant).toISOString() });
    },
    pass: async (trial, seconds) => {
      await instruct(`${pathOf(trial)}/clock`, { realSeconds: seconds });
    },
    age: async (token, seconds) => {
      await instruct('/tokens/age', { token, seconds });
    },
    settle: async (trial) => {
      await instruct(`${pathOf(trial)}/settle`);
    },
    rest: async () => {
      await pause(REST_MS);
    },
  };
}

async function anotherMerchant(
  service: ServiceAddress,
  terms: object,
  instruct: (path: string, body: unknown) => Promise<Exchange>,
): Promise<Merchant> {
  const body = bodyOf(await instruct('/merchants', terms));
  const [clientId, clientSecret] = [text(body, 'clientId'), text(body, 'clientSecret')];
  if (clientId === undefined || clientSecret === undefined) throw new Error('the simulator created no merchant');
  return new Merchant(service, { clientId, clientSecret });
}
