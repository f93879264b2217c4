import { type Clock, createClock } from '../platform/clock';
import type { Config } from '../config';
import type { Logger } from '../platform/log';
import type { ContradictionOrder } from './faults/contradictions';
import type { BreakableRule, BrokenRules } from './faults/broken-rules';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How the simulated service is set up. Times named `…Ms` here are real milliseconds, also with a test clock. */
export interface SandboxOptions extends Credentials {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Credentials of the other environment: known to the operator, and refused here with 403. */
  readonly production?: Credentials;
  /** When set, every call except the one for a token needs it as `X-API-Key`. */
  readonly apiKey?: string;
  /** From the request until authorization and capture are both final. The authorization turns final half-way. */
  readonly bookingDelayMs?: number;
  /** The same for payers with the wallet `slow`. */
  readonly slowMs?: number;
  /** How long the payer may take to decide: 10 minutes in the reference. */
  readonly sessionMs?: number;
  /** How long a wallet hint with `+auto` waits before it decides by itself. */
  readonly autoDecisionMs?: number;
  /** The merchant's category; some are restricted to 50 EUR a capture and to 604800 s. */
  readonly merchantCategoryCode?: string;
  /** Whether timeToCapture may exceed 604800 s. */
  readonly longCapturePermitted?: boolean;
  /** Refunds are listed for Single Immediate and Subscription; this permits them for Event Dependent too. */
  readonly eventDependentRefunds?: boolean;
  /** Addresses or CIDR subnets that may call; every address where it is not set. */
  readonly allowList?: readonly string[];
  /** Where the payer's browser reaches this server, if that is not where it listens. */
  readonly publicUrl?: string;
  /** Status results in upper case, which the reference permits in a response. */
  readonly upperCaseResults?: boolean;
  /** Authorizations, captures and refunds of each payment are named 1, 2, …: ids that are unique nowhere else. */
  readonly numberedIds?: boolean;
  /** Rules that are not held, on purpose. */
  readonly brokenRules?: readonly BreakableRule[];
  /** Ways in which it contradicts itself from the start on, for as long as it runs unless they say otherwise. */
  readonly contradictions?: readonly ContradictionOrder[];
}

/** As the configuration wants it: with the merchant's permissions and category that the daemon goes by too. */
export function sandboxOptions(config: Config, logger: Logger): SandboxOptions {
  const { PAYMENT_SERVICE_API_KEY: apiKey, MERCHANT_CATEGORY_CODE: merchantCategoryCode } = config;
  return {
    clock: createClock(config.TEST_CLOCK ?? null),
    logger,
    clientId: config.SANDBOX_CLIENT_ID,
    clientSecret: config.SANDBOX_CLIENT_SECRET,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(merchantCategoryCode === undefined ? {} : { merchantCategoryCode }),
    longCapturePermitted: config.LONG_CAPTURE_PERMITTED,
    eventDependentRefunds: config.EVENT_DEPENDENT_REFUNDS,
  };
}

export type Settings = Omit<SandboxOptions, 'brokenRules'> & typeof DEFAULTS & { readonly brokenRules: BrokenRules };

const DEFAULTS = {
  bookingDelayMs: 500,
  slowMs: 30_000,
  sessionMs: 600_000,
  autoDecisionMs: 200,
  longCapturePermitted: false,
  eventDependentRefunds: false,
  upperCaseResults: false,
  numberedIds: false,
  contradictions: [] as readonly ContradictionOrder[],
};

export function withDefaults(options: SandboxOptions): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const brokenRules = new Set(options.brokenRules);
  return { ...DEFAULTS, ...(given as unknown as SandboxOptions), brokenRules };
}
