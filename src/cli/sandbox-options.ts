import { createClock } from '../clock';
import type { Config } from '../config';
import type { Logger } from '../log';
import type { SandboxOptions } from '../sandbox';

/** The simulator as the configuration wants it: with the merchant's permissions and category that the daemon goes by too. */
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
