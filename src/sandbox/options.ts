import { type Clock, createClock } from '../platform/clock';
import type { Config } from '../config';
import type { Logger } from '../platform/log';
import type { ContradictionOrder } from './faults/contradictions';
import type { BreakableRule, BrokenRules } from './faults/broken-rules';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Settings of the simulated service. Times named `…Ms` are real milliseconds, even with a test clock. */
export interface SandboxOptions extends Credentials {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Credentials of the other environment, refused here with 403. */
  readonly production?: Credentials;
  /** If set, every call of a merchant except token requests needs it as `X-API-Key`. */
  readonly apiKey?: string;
  /** Real ms from a request until its authorization and its capture are both final. The authorization is final after half of it. */
  readonly bookingDelayMs?: number;
  /** The booking delay of the wallet `slow`. */
  readonly slowMs?: number;
  /** How long the payer may take to decide: 10 minutes in the reference. */
  readonly sessionMs?: number;
  /** How long a wallet with `+auto` waits before it decides by itself. */
  readonly autoDecisionMs?: number;
  /** The merchant's category; some are limited to 50 EUR per capture and to 604800 s. */
  readonly merchantCategoryCode?: string;
  /** Whether timeToCapture may exceed 604800 s. */
  readonly longCapturePermitted?: boolean;
  /** The reference lists refunds for Single Immediate and Subscription; this permits them for Event Dependent, too. */
  readonly eventDependentRefunds?: boolean;
  /** Addresses or CIDR subnets that may call; any address by default. */
  readonly allowList?: readonly string[];
  /** URL by which the payer's browser reaches this server, if different from where it listens. */
  readonly publicUrl?: string;
  /** Status results in upper case, which the reference permits in a response. */
  readonly upperCaseResults?: boolean;
  /** Whether the ids of authorizations, captures and refunds are 1, 2, …, unique only within their payment and kind. */
  readonly numberedIds?: boolean;
  /** Rules that are broken on purpose. */
  readonly brokenRules?: readonly BreakableRule[];
  /** Contradictions that are active from the start, each as often as its `times` says. */
  readonly contradictions?: readonly ContradictionOrder[];
}

/** Options from the configuration, with the same merchant permissions and category as the daemon's. */
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
