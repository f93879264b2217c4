import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../platform/clock';
import { exchange } from './exchange';
import type { Merchant, MerchantTerms } from './merchant';
import { CannotBeTried } from './outcome';
import type { Bank, PayerAction, Trial, World } from './world';

/** What the operator who runs the suite can say and do about a service without control routes. */
export interface Operator {
  /** The service's clock: its test clock if it has one, else real time. */
  readonly clock: Clock;
  /** Real ms by which the service's clock is ahead of this machine's. */
  readonly skew: number;
  /** Real seconds that one wait of a row may take. */
  readonly timeout: number;
  /** The longest transit time of a request, real ms. */
  readonly travel?: number | undefined;
  /** What the contract of the given credentials says. */
  readonly terms: MerchantTerms;
  /** A merchant with credentials of the other environment, if these are given. */
  readonly otherEnvironment?: Merchant | undefined;
  /** The URL of a program that is sent, by POST, what the payer must do, and answers 2xx once that is done. */
  readonly payerHook?: string | undefined;
  /** Asks a person to act as the payer; false if they do not. */
  readonly ask?: ((what: string) => Promise<boolean>) | undefined;
}

const HOOK_TIMEOUT_MS = 120_000;
/** Real ms, 24 days: a timer that is set to more ends at once. */
const LONGEST_PAUSE = 24 * 86_400_000;
const TRAVEL_MS = 2000;
/** How many requests a row makes before a first payment. */
const REQUESTS_BEFORE = 5;
/** "Maximum capture amount of 50 EUR". */
const RESTRICTED = new Set(['4111', '4112', '4789', '7523', '4131']);
/** Texts for the operator, by action. */
const TO_DO: Readonly<Record<PayerAction, string>> = {
  approve: 'approve it',
  decline: 'decline it',
  abort: 'go half-way, then leave the page',
  cancel: "withdraw the consent at the payer's bank",
};

/** A service without control routes: an operator or a hook acts as the payer, and time cannot be set. */
export function createOperatedWorld(operator: Operator, main: Merchant): World {
  const { clock, skew } = operator;
  const speed = clock.setting?.speed ?? 1;
  const travel = operator.travel ?? TRAVEL_MS;
  const margin = travel * speed;
  const now = (): number => clock.now() + skew;
  const wait = async (ms: number, what: string): Promise<void> => {
    if (ms > operator.timeout * 1000) {
      const seconds = Math.ceil(ms / 1000);
      throw new CannotBeTried(
        `${what} would take ${formatDuration(seconds)} of waiting; --timeout ${seconds} allows it`,
      );
    }
    for (let left = ms; left > 0; left -= LONGEST_PAUSE) await pause(Math.min(left, LONGEST_PAUSE));
  };
  return {
    name: operator.payerHook === undefined ? (operator.ask === undefined ? 'nobody' : 'a person') : 'the payer hook',
    margin,
    lead: REQUESTS_BEFORE * margin,
    lanes: 1,
    isSimulated: false,
    merchant: async (terms) => merchantFor(operator, main, terms),
    act: async (trial, action, bank) => actAs(operator, trial, action, bank),
    now: async () => now(),
    until: async (_trial, instant) => wait((instant - now()) / speed, 'the time that has to pass'),
    pass: async (_trial, seconds) => wait(seconds * 1000, 'the session'),
    age: async (_token, seconds) => wait(seconds * 1000, "the token's life"),
    settle: async () => undefined,
    rest: async () => {
      await pause(travel / 2);
    },
  };
}

function merchantFor({ terms, otherEnvironment }: Operator, main: Merchant, needed: MerchantTerms): Merchant {
  if (needed.environment === 'production') {
    if (otherEnvironment !== undefined) return otherEnvironment;
    throw new CannotBeTried('it takes credentials of the other environment: --other-client-id and its secret');
  }
  if (needed.allowList !== undefined) {
    throw new CannotBeTried('it takes a call from an address that is not on the allow list');
  }
  if (needed.capturesAnyAmount === true && RESTRICTED.has(terms.merchantCategoryCode ?? '')) {
    throw new CannotBeTried('it takes a merchant whose captures are not held to 50 EUR');
  }
  // A restricted category is never permitted the longer period: if a row names a category, only that is compared.
  const named =
    needed.merchantCategoryCode === undefined
      ? (['longCapturePermitted', 'eventDependentRefunds'] as const)
      : (['merchantCategoryCode'] as const);
  const unfit = named.filter((name) => needed[name] !== undefined && needed[name] !== terms[name]);
  if (unfit.length === 0) return main;
  const wanted = unfit.map((name) => `${name} ${String(needed[name])}`).join(', ');
  throw new CannotBeTried(`it takes a merchant with ${wanted}; say what yours is by the options of that name`);
}

async function actAs(operator: Operator, trial: Trial, action: PayerAction, bank: Bank): Promise<void> {
  if (operator.payerHook !== undefined) return callHook(operator.payerHook, trial, action, bank);
  if (operator.ask === undefined) {
    throw new CannotBeTried('the payer has to act: --interactive asks you, --payer-hook calls a program of yours');
  }
  const manner = action === 'approve' ? `, with a test wallet whose bank ${bank}` : '';
  const where = trial.redirectURL ?? `the payment ${trial.paymentId}`;
  const isDone = await operator.ask(`Open ${where} and ${TO_DO[action]}${manner}.`);
  if (!isDone) throw new CannotBeTried(`it was not done: ${TO_DO[action]}${manner}`);
}

async function callHook(url: string, trial: Trial, action: PayerAction, bank: Bank): Promise<void> {
  const { paymentId, redirectURL, plan } = trial;
  const body = JSON.stringify({ paymentId, redirectURL, plan, action, bank });
  const headers = { 'content-type': 'application/json' };
  const { answer } = await exchange({ method: 'POST', url, headers, body }, HOOK_TIMEOUT_MS);
  if (answer.status >= 200 && answer.status < 300) return;
  throw new CannotBeTried(`the payer hook answered ${answer.status} to: ${action}, bank ${bank}`);
}

function formatDuration(seconds: number): string {
  if (seconds < 7200) return `${seconds} seconds`;
  const hours = Math.ceil(seconds / 3600);
  return hours < 72 ? `${hours} hours` : `${Math.ceil(hours / 24)} days`;
}
