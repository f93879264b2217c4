import { readFileSync } from 'node:fs';
import type { Config } from '../../config';
import { VARIABLES } from '../../config/variables';
import type { Credentials, MerchantTerms } from '../../conformance';
import { BadInputError } from '../../process/command-error';

/** The options as typed. */
export interface ConformanceArguments {
  readonly baseUrl?: string;
  readonly tokenUrl?: string;
  readonly clientId?: string;
  readonly only?: readonly string[];
  readonly json?: boolean;
  readonly list?: boolean;
  readonly control?: boolean;
  readonly clock?: string;
  readonly timeout?: string;
  readonly payerHook?: string;
  readonly interactive?: boolean;
  readonly merchantCategoryCode?: string;
  readonly longCapturePermitted?: boolean;
  readonly otherClientId?: string;
  readonly otherClientSecretFile?: string;
}

/** The service to test, and what a run must know about its credentials, its clock and the merchant's terms. */
export type ConformanceOrder = ReturnType<typeof readOrder>;

const DEFAULT_TIMEOUT = '20';

/** Options override the configuration. @throws BadInputError with every fault */
export function readOrder(asked: ConformanceArguments, config: Config) {
  const faults: string[] = [];
  const need = (option: string, value: string | undefined): string => {
    if (value === undefined || value === '') faults.push(`--${option}: required`);
    return value ?? '';
  };
  const url = (option: string, value: string | undefined): string | undefined => {
    const isUrl = value === undefined || value === '' || /^https?:$/.test(protocolOf(value));
    if (!isUrl) faults.push(`--${option}: expected an http or https URL; got ${JSON.stringify(value)}`);
    return value?.replace(/\/+$/, '');
  };
  const baseUrl = url('base-url', need('base-url', asked.baseUrl ?? config.PAYMENT_SERVICE_BASE_URL)) ?? '';
  const order = {
    service: {
      baseUrl,
      tokenUrl: url('token-url', asked.tokenUrl ?? config.PAYMENT_SERVICE_TOKEN_URL) ?? `${baseUrl}/oauth/token`,
      apiKey: config.PAYMENT_SERVICE_API_KEY,
      timeoutMs: config.PAYMENT_SERVICE_TIMEOUT_MS,
    },
    credentials: {
      clientId: need('client-id', asked.clientId ?? config.PAYMENT_SERVICE_CLIENT_ID),
      clientSecret: readSecret(config, faults),
    },
    otherCredentials: readOther(asked, faults),
    clock: readClock(asked.clock, faults) ?? config.TEST_CLOCK ?? null,
    /** Real seconds. */
    timeout: readTimeout(asked.timeout ?? DEFAULT_TIMEOUT, faults),
    terms: readTerms(asked, config),
  };
  url('payer-hook', asked.payerHook);
  if (config.PAYMENT_SERVICE_ENVIRONMENT === 'production') {
    faults.push('PAYMENT_SERVICE_ENVIRONMENT is production: this command creates payments, and is for sandboxes only');
  }
  if (faults.length > 0) throw new BadInputError(faults);
  return order;
}

function readTerms(asked: ConformanceArguments, config: Config): MerchantTerms {
  const merchantCategoryCode = asked.merchantCategoryCode ?? config.MERCHANT_CATEGORY_CODE;
  return {
    ...(merchantCategoryCode === undefined ? {} : { merchantCategoryCode }),
    longCapturePermitted: asked.longCapturePermitted ?? config.LONG_CAPTURE_PERMITTED,
    eventDependentRefunds: config.EVENT_DEPENDENT_REFUNDS,
  };
}

/** Secrets are not options: every user of a machine sees the command lines of its processes. */
function readSecret({ PAYMENT_SERVICE_CLIENT_SECRET: secret }: Config, faults: string[]): string {
  if (secret === undefined) faults.push('PAYMENT_SERVICE_CLIENT_SECRET: required');
  return secret ?? '';
}

function readOther(
  { otherClientId: clientId, otherClientSecretFile: file }: ConformanceArguments,
  faults: string[],
): Credentials | null {
  if (clientId !== undefined && file !== undefined) {
    const clientSecret = readSecretFile(file, faults);
    return clientSecret === null ? null : { clientId, clientSecret };
  }
  if (clientId !== undefined || file !== undefined) {
    faults.push('--other-client-id, --other-client-secret-file: expected both or neither');
  }
  return null;
}

function readSecretFile(file: string, faults: string[]): string | null {
  const fault = (why: string) => {
    faults.push(`--other-client-secret-file: expected a file with a secret; got one that ${why}`);
    return null;
  };
  try {
    return readFileSync(file, 'utf8').trim() || fault('is empty');
  } catch (error) {
    return fault(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`);
  }
}

function readClock(typed: string | undefined, faults: string[]): Config['TEST_CLOCK'] | null {
  if (typed === undefined) return null;
  const { schema, expected, example } = VARIABLES.TEST_CLOCK;
  const parsed = schema.safeParse(typed);
  if (!parsed.success) faults.push(`--clock: expected ${expected}, such as ${example}; got ${JSON.stringify(typed)}`);
  return parsed.success ? parsed.data : null;
}

function readTimeout(typed: string, faults: string[]): number {
  const isNumber = /^\d{1,9}$/.test(typed);
  if (!isNumber) faults.push(`--timeout: expected whole seconds; got ${JSON.stringify(typed)}`);
  return isNumber ? Number(typed) : 0;
}

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : '';
}
